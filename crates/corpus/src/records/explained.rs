//! What a failure to read means: of the disk, or of the data.

use crate::columns::parquet_encryption::Encrypted;
use crate::compression::Compression;
use crate::error::Error;
use crate::remote::object::ObjectError;
use std::io;

/// Tells a failing disk from data that end early and from data that are damaged. `data` is what they are:
/// the name of a compression, or of a format.
pub(crate) fn explain(name: &str, data: &'static str, offset: u64, error: io::Error) -> Error {
    let (path, compression) = (name.to_owned(), data);
    // A file in a ZIP file has a checksum, whatever else it is.
    let is_checked =
        matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput);
    let compressed = data != Compression::None.name() || is_checked;
    let compression = if data == Compression::None.name() { "ZIP" } else { compression };
    let of_object = error.get_ref().is_some_and(|inner| inner.is::<ObjectError>());
    if !compressed || error.raw_os_error().is_some() || of_object {
        Error::Read { path, source: error }
    } else if let Some(encrypted) = error.get_ref().and_then(|it| it.downcast_ref::<Encrypted>()) {
        Error::Encrypted { path, data, detail: encrypted.to_string() }
    } else if error.kind() == io::ErrorKind::Unsupported {
        Error::Unsupported { path, compression, detail: error.to_string() }
    } else if error.kind() == io::ErrorKind::UnexpectedEof {
        Error::Truncated { path, compression, offset }
    } else {
        Error::Corrupt { path, compression, offset, detail: error.to_string() }
    }
}
