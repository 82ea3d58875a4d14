//! The part of a report that a unit writes.

use crate::error::Error;
use nearprint_corpus::{ObjectFolder, Output, Outputs};
use std::fs;
use std::path::Path;

/// Begins the part of a report, a folder, that the unit of a number has.
pub(crate) fn part(outputs: &mut Outputs, folder: &Path, unit: usize) -> Result<Output, Error> {
    // In object storage a folder is there with what is in it.
    if ObjectFolder::of_path(folder)?.is_none() {
        fs::create_dir_all(folder)
            .map_err(|source| Error::Io { path: folder.to_owned(), source })?;
    }
    Ok(outputs.create(&folder.join(format!("{unit:05}.jsonl")))?)
}
