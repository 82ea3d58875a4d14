//! What the Parquet library found wrong, as `decoder` explains what goes wrong with bytes.

use parquet::errors::ParquetError;
use std::io;

/// The failure of the disk that the library met, or data that contradict the format.
pub(crate) fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        },
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}
