//! Documents to measure with, and what was measured.

use nearprint_fingerprint::{Fingerprint, mix64};
use nearprint_store::Document;
use std::path::Path;
use std::time::Duration;

/// Numbers that look random, the same each time.
pub fn random(seed: u64) -> u64 {
    mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The fingerprint of document `number`.
pub fn code(number: u64) -> Fingerprint<1> {
    Fingerprint::from(random(number ^ 0x5bd1_e995_0000_0000))
}

/// Document `number`, with a random id of 16 characters.
pub fn document(number: u64) -> Document {
    Document::new(format!("{:016x}", random(number)), code(number))
}

/// The value below which a share of `times` lies, in microseconds.
pub fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let at = ((times.len() as f64 - 1.0) * share) as usize;
    times[at].as_secs_f64() * 1e6
}

/// Bytes of all files in a folder.
pub fn disk(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += match entry.metadata()? {
            about if about.is_dir() => disk(&entry.path())?,
            about => allocated(&about),
        };
    }
    Ok(bytes)
}

/// What a file takes: a journal is longer than what is in it.
fn allocated(about: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    about.blocks() * 512
}

/// Resident memory of this process in bytes, of which `.1` is its own and no mapped file's.
pub fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    };
    (field("VmRSS:"), field("RssAnon:"))
}
