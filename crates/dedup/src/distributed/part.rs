//! The part of a report, or the segment, that a unit writes.

use crate::error::Error;
use nearprint_corpus::{Compression, ObjectFolder, Output, Outputs};
use std::fs;
use std::path::Path;

/// Begins the part of a report, a folder, that the unit of a number has.
pub(crate) fn part(outputs: &mut Outputs, folder: &Path, unit: usize) -> Result<Output, Error> {
    make(folder)?;
    Ok(outputs.create(&folder.join(format!("{unit:05}.jsonl")))?)
}

/// Begins the segment that the unit of a number has in a folder.
pub(crate) fn segment(outputs: &mut Outputs, folder: &Path, unit: usize) -> Result<Output, Error> {
    make(folder)?;
    let path = folder.join(format!("{unit:05}.seg"));
    Ok(outputs.create_compressed(&path, Compression::Zstd)?)
}

fn make(folder: &Path) -> Result<(), Error> {
    // In object storage a folder is there with what is in it.
    if ObjectFolder::of_path(folder)?.is_some() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.to_owned(), source })
}
