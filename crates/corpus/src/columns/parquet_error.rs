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
        error if is_unsupported(&error) => io::Error::new(io::ErrorKind::Unsupported, error),
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

/// Whether the file may be whole, and needs what the library is built without.
fn is_unsupported(error: &ParquetError) -> bool {
    match error {
        ParquetError::NYI(_) => true,
        ParquetError::General(told) => told.contains("Disabled feature"),
        _ => false,
    }
}
