//! How a server runs: addresses, keys, limits. A file may hold it, and the program that starts the server
//! may change it. The settings of the store are in the store.

use crate::error::Error;
use serde::Deserialize;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
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
    /// Threads that answer requests; 0 for all cores.
    pub threads: usize,
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
            threads: 0,
        }
    }
}

impl Config {
    /// Reads a file of TOML. A setting that the file does not name has its default.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Content`], which names the line, also for unknown keys.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::File { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| {
            let what = error.to_string().trim_end().to_owned();
            Error::Content { path: path.to_owned(), what }
        })
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_not_as_by_default_and_nothing_else() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("serve.toml");
        std::fs::write(&path, "listen = \"[::1]:80\"\nkeep-text = 4096\n").unwrap();
        let read = Config::read(&path).unwrap();
        let listen = "[::1]:80".parse().unwrap();
        assert_eq!(read, Config { listen, keep_text: 4096, ..Config::default() });
        std::fs::write(&path, "keep-texts = 4096\n").unwrap();
        let error = Config::read(&path).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("`keep-texts`"), "{error}");
    }
}
