//! Why a server does not start, or why it ended. Imports no sibling.

use nearprint_bits::ErrorKind;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use thiserror::Error;

/// Why a server does not start, or why it ended.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_server::{Analysis, Config, Error, Server};
/// use nearprint_store::{Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let config = Config { tokens: Some("no/such/file.toml".into()), ..Config::default() };
/// let missing = Server::bind(store, Analysis::default(), config);
/// assert!(matches!(missing, Err(Error::File { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What was found, and what was expected.
        what: String,
    },
    /// The file of tokens has no token in it.
    #[error("{}: no token in it", path.display())]
    NoToken {
        /// The file.
        path: PathBuf,
    },
    /// Other machines could reach the service, and nothing would keep them out.
    #[error(
        "{address}: without tokens, anyone who reaches this address could read and write the store"
    )]
    Open {
        /// The address asked for.
        address: SocketAddr,
    },
    /// The server cannot listen on the address.
    #[error("{address}: {source}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// The system's answer.
        source: io::Error,
    },
    /// The certificate or the key for TLS is missing.
    #[error("TLS needs a certificate and its key, but only one of the two was given")]
    HalfTls,
    /// The certificate and the key do not work together.
    #[error("{}: {message}", path.display())]
    Tls {
        /// The file of the certificate.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The address of a leader is not valid.
    #[error("{address}: {what}; expected an address such as https://pages.example.org:7878")]
    Address {
        /// The address.
        address: String,
        /// What is wrong.
        what: String,
    },
    /// The leader cannot be followed.
    #[error("{what}")]
    Follow {
        /// What was found, and what to do.
        what: String,
    },
    /// A copy follows its leader in everything: it deletes nothing by age itself.
    #[error("a copy deletes nothing by itself: its leader deletes old documents")]
    Forgets,
    /// The store cannot be served: for instance, its recipe needs statistics that were not given.
    #[error(transparent)]
    Store(#[from] nearprint_store::Error),
    /// The system refused threads or signals, which every server needs.
    #[error("the server cannot run: {0}")]
    System(#[source] io::Error),
}

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::Open { .. } | Self::HalfTls | Self::Address { .. } | Self::Forgets => {
                ErrorKind::Usage
            }
            Self::Content { .. } | Self::NoToken { .. } | Self::Tls { .. } => ErrorKind::Input,
            Self::File { .. } | Self::Listen { .. } | Self::System(_) | Self::Follow { .. } => {
                ErrorKind::Io
            }
        }
    }
}
