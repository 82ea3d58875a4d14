//! How a server runs: addresses, keys, limits. The program that starts the server chooses it. The settings of the
//! store are in the store.

use crate::follow::leader::Leader;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// How a server runs.
///
/// # Examples
/// ```
/// use nearprint_server::Config;
///
/// let config = Config::default();
/// assert!(config.listen.ip().is_loopback());
/// assert_eq!(config.listen.port(), 7878);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The address to listen on. Port 0 stands for any free port.
    pub listen: SocketAddr,
    /// The file of tokens. Without it everybody who reaches the server may do everything.
    pub tokens: Option<PathBuf>,
    /// The certificate chain for TLS, PEM.
    pub tls_certificate: Option<PathBuf>,
    /// Its private key, PEM.
    pub tls_key: Option<PathBuf>,
    /// The folder, or the address in object storage, that snapshots go to.
    pub snapshots: Option<PathBuf>,
    /// Whether `/metrics` needs no token.
    pub open_metrics: bool,
    /// The server keeps texts of up to so many bytes in the metadata of their documents; 0 for no texts.
    pub keep_text: usize,
    /// Most bytes of a request's body, before and after decompression. Batches have no such limit.
    pub max_body: usize,
    /// Most bytes of a line of a batch.
    pub max_line: usize,
    /// Most batches at a time.
    pub max_batches: usize,
    /// Most documents to search for clusters. The search takes some 64 bytes of memory a document at 64 bits, by
    /// similarity some 180.
    pub max_clustered: u32,
    /// Most connections. The server closes a further one.
    pub max_connections: usize,
    /// Seconds for the body of a request to arrive, and as many for its answer.
    pub request_timeout: u64,
    /// Seconds that a connection may be idle, or take to send the head of a request.
    pub idle_timeout: u64,
    /// Seconds for which a server that a signal stops still takes requests, while `/readyz` says that it takes
    /// none: those who send requests have time to notice.
    pub drain: u64,
    /// Seconds after which a document is deleted, by its time; 0 for never.
    pub forget_after: u64,
    /// Threads that answer requests; 0 for all cores.
    pub threads: usize,
    /// The service whose store the store is a copy of: the server follows its changes and takes no writes.
    pub follow: Option<Leader>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7878)),
            tokens: None,
            tls_certificate: None,
            tls_key: None,
            snapshots: None,
            open_metrics: false,
            keep_text: 0,
            max_body: 8 << 20,
            max_line: 8 << 20,
            max_batches: 16,
            max_clustered: 20_000_000,
            max_connections: 16_384,
            request_timeout: 30,
            idle_timeout: 75,
            drain: 0,
            forget_after: 0,
            threads: 0,
            follow: None,
        }
    }
}

impl Config {
    pub(crate) fn request_time(&self) -> Duration {
        Duration::from_secs(self.request_timeout.max(1))
    }

    pub(crate) fn idle_time(&self) -> Duration {
        Duration::from_secs(self.idle_timeout.max(1))
    }

    /// Threads that answer requests.
    pub(crate) fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
