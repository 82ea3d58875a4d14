//! Segments of what earlier runs have seen: where they go.

use crate::usage::wrong;
use nearprint_corpus::InputFormat;
use std::path::Path;

/// Whether a name is that of a segment.
fn is_segment(path: &Path) -> bool {
    InputFormat::of_name(path).is_some_and(InputFormat::is_seen)
}

/// The folder of the segments of a job in shards.
pub(crate) fn folder(path: &Path) -> anyhow::Result<&Path> {
    if !is_segment(path) {
        return Ok(path);
    }
    wrong(format!(
        "--index-out {}: name a folder: each input file gets its own segment there",
        path.display()
    ))
}

/// The name of a segment to be written.
pub(crate) fn named(path: &Path) -> anyhow::Result<&Path> {
    if is_segment(path) {
        return Ok(path);
    }
    wrong(format!("--index-out {}: name a file that ends in .seen.jsonl.zst", path.display()))
}
