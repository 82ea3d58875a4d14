//! Files that stand beside web archives and tell of these: indexes, checksums, logs. Alone they are texts like any other.

use crate::format::InputFormat;
use crate::read::passed_over::{Obstacle, PassedOver};
use crate::records::decoder::Decoder;
use crate::records::source::{Origin, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the names of indexes and of lists of checksums end.
const ENDINGS: [&str; 9] =
    [".cdx", ".cdxj", ".idx", ".md5", ".sha1", ".sha256", ".sha512", ".md5sum", ".sha256sum"];
/// Whole names of the same, of logs, and of what describes a package of archives.
const NAMES: [&str; 8] = [
    "md5sums",
    "sha1sums",
    "sha256sums",
    "sha512sums",
    "wget.log",
    "datapackage.json",
    "datapackage-digest.json",
    "manifest-md5.txt",
];
/// What stands in the folder that a WACZ file packs, and the folder of its archives (WACZ 1.1.1, section 5).
const PACKAGE: &str = "datapackage.json";
const ARCHIVES: &str = "archive";
/// How the first line of an index begins, behind which the fields are named.
const HEADER: &[u8] = b" CDX ";

/// Passes over what tells of the archives among `sources`, of which those of an input begin at a place.
pub(crate) fn leave(sources: &mut Vec<Source>, first: usize, passed_over: &mut Vec<PassedOver>) {
    let is_archive = |source: &Source| source.format().is_some_and(InputFormat::is_archive);
    if !sources.get(first..).unwrap_or_default().iter().any(is_archive) {
        return;
    }
    let packages = packages(sources.get(first..).unwrap_or_default());
    // As in the file that they were packed in, what else is in such a folder is no document.
    let is_packed =
        |source: &Source| packages.iter().any(|folder| source.relative.starts_with(folder));
    for source in sources.split_off(first) {
        let is_beside = is_packed(&source) || tells_of_archives(&source);
        if is_archive(&source) || source.is_stream() || !is_beside {
            sources.push(source);
        } else {
            PassedOver::add(passed_over, Obstacle::OfArchives, source.name());
        }
    }
}

/// The folders among `sources` that are an unpacked WACZ file.
fn packages(sources: &[Source]) -> Vec<PathBuf> {
    let told =
        sources.iter().filter(|source| source.relative.file_name().is_some_and(|it| it == PACKAGE));
    let folders = told.filter_map(|source| source.relative.parent().map(Path::to_owned));
    let has_archive = |folder: &PathBuf| {
        let archives = folder.join(ARCHIVES);
        let is_in = |source: &Source| source.relative.starts_with(&archives);
        sources
            .iter()
            .any(|source| is_in(source) && source.format().is_some_and(InputFormat::is_archive))
    };
    folders.filter(has_archive).collect()
}

/// Whether a file tells of the archives beside it, by its name or by its first line.
fn tells_of_archives(source: &Source) -> bool {
    let name = Path::new(source.name()).file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    let plain = [".gz", ".zst", ".bz2", ".xz"].iter().find_map(|ending| name.strip_suffix(ending));
    let name = plain.unwrap_or(&name);
    if NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    let is_text = source.format().is_some_and(InputFormat::is_whole);
    is_text && matches!(source.origin, Origin::File(_)) && has_header(source)
}

fn has_header(source: &Source) -> bool {
    let mut head = Vec::new();
    if let Ok(mut decoder) = Decoder::open(source, Arc::default()) {
        // What cannot be read is told when it is read as a document.
        let _ = decoder.fill(&mut head, HEADER.len());
    }
    head.starts_with(HEADER)
}
