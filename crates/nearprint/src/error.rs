//! What can go wrong with an index in a file.

use nearprint_bits::ErrorKind;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// An index that cannot be built, saved, opened or asked.
///
/// # Examples
/// ```
/// use nearprint::{Index64, IndexError};
///
/// assert!(matches!(Index64::open("no/such/file"), Err(IndexError::File { .. })));
/// assert_eq!(Index64::open(".").unwrap_err().to_string(), ".: is a directory");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The system refused the file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is not an index of this width, or it is damaged.
    #[error("{}: {source}", path.display())]
    Bytes {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: nearprint_index::Error,
    },
    /// The index cannot be built of these codes, or cannot answer.
    #[error(transparent)]
    Index(#[from] nearprint_index::Error),
}

impl IndexError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::File { .. } => ErrorKind::Io,
            Self::Bytes { .. } => ErrorKind::Corrupt,
            Self::Index(error) => error.kind(),
        }
    }
}
