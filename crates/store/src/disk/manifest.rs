//! The list of live segments, as the database keeps it.

use crate::disk::files::UNFINISHED;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The folder of segments in a store.
pub(crate) const FOLDER: &str = "segments";

/// One segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The number in its file's name, never used twice.
    pub(crate) file: u64,
    /// The number of the first document that it may hold.
    pub(crate) first: u64,
    /// The number after the last document that it may hold.
    pub(crate) end: u64,
}

/// Every live segment, in the order of document numbers. Together they cover every number up to the end
/// of the last segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) segments: Vec<Entry>,
    /// The number for the next file.
    pub(crate) next_file: u64,
}

impl Manifest {
    /// The number after the last document of all segments.
    pub(crate) fn end(&self) -> u64 {
        self.segments.last().map_or(0, |last| last.end)
    }

    /// Whether the segments follow each other without a gap.
    pub(crate) fn is_whole(&self) -> bool {
        let mut end = 0;
        self.segments.iter().all(|entry| {
            let follows = entry.first == end && entry.first < entry.end;
            end = entry.end;
            follows && entry.file < self.next_file
        })
    }
}

/// How the name of a segment's file ends.
const SUFFIX: &str = ".seg";

/// The file of a segment in the store at `store`.
pub(crate) fn path(store: &Path, file: u64) -> PathBuf {
    store.join(FOLDER).join(format!("{file:08}{SUFFIX}"))
}

/// Whether a store wrote the file, as a segment or as the beginning of one. Others may be in its folder.
pub(crate) fn is_segment(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_suffix(UNFINISHED).unwrap_or(&name).strip_suffix(SUFFIX);
    number.is_some_and(|number| number.len() >= 8 && number.bytes().all(|it| it.is_ascii_digit()))
}
