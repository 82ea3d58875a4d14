//! Segments of what earlier runs have seen: how a file is known as one.

use crate::usage::wrong;
use std::path::Path;

/// Whether a reference is a segment: those that `--index-out` writes are named so.
pub(crate) fn is_segment(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "seg")
}

/// The folder of the segments of a job in shards.
pub(crate) fn folder(path: &Path) -> anyhow::Result<&Path> {
    if !is_segment(&path.to_string_lossy()) {
        return Ok(path);
    }
    wrong(format!(
        "--index-out {}: name a folder; each input file has a segment of its own there",
        path.display()
    ))
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
