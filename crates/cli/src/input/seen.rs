//! What earlier runs have seen: the segments of `--against`, and the one of `--index-out`.

use crate::mapped::map;
use crate::usage::wrong;
use nearprint_dedup::Seen;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether a reference is a segment: those that `--index-out` writes are named so.
pub(crate) fn is_segment(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "seg")
}

/// The segment in a file, with the ids beside it where these are.
pub(crate) fn open(name: &str) -> anyhow::Result<Seen> {
    let path = Path::new(name);
    let ids = Some(ids_of(path)).filter(|ids| ids.exists());
    Ok(Seen { name: name.to_owned(), bytes: Arc::new(map(path)?), ids })
}

/// The name of a segment to be written.
pub(crate) fn named(path: &Path) -> anyhow::Result<&Path> {
    if is_segment(&path.to_string_lossy()) {
        return Ok(path);
    }
    wrong(format!(
        "--index-out {}: name a file that ends in .seg, which is how --against knows segments",
        path.display()
    ))
}

/// Where the ids of a segment's documents are.
fn ids_of(segment: &Path) -> PathBuf {
    let mut name = OsString::from(segment);
    name.push(".ids");
    PathBuf::from(name)
}
