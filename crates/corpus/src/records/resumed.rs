//! Where the reading of an archive goes on behind damage: each record is usually a member of gzip or a frame of zstd.
//!
//! # References
//!
//! WARC 1.1, annex D "Compression recommendations"; "Use of Zstandard compression in WARC files", version 1.0.

use crate::format::InputFormat;
use crate::records::decoder::Decoder;
use crate::records::piece::Piece;
use crate::records::source::Source;
use memchr::memmem;
use std::io::Read;
use std::sync::Arc;

/// Bytes that are looked through at a time.
const STEP: usize = 1 << 18;

/// Where the next part behind a place begins that is a record of this format or begins with one; none where there is no
/// other.
pub(crate) fn next_part(
    source: &Source,
    behind: u64,
    part: Piece,
    format: InputFormat,
) -> Option<u64> {
    let magic = part.magic();
    let mut at = behind + 1;
    let mut disk = source.open_at(at).ok()?;
    let mut bytes = Vec::new();
    loop {
        let read = disk.by_ref().take(STEP as u64).read_to_end(&mut bytes).ok()?;
        for start in memmem::find_iter(&bytes, magic) {
            let start = at + start as u64;
            if begins(source, start, format) {
                return Some(start);
            }
        }
        if read == 0 {
            return None;
        }
        // What begins one may be cut.
        let seen = bytes.len().saturating_sub(magic.len() - 1);
        at += seen as u64;
        bytes.drain(..seen);
    }
}

/// Whether a record of this format begins where a part may.
fn begins(source: &Source, start: u64, format: InputFormat) -> bool {
    let mut head = Vec::new();
    let decoder = Decoder::behind(source, start, Arc::default());
    // What is damaged behind its first bytes is told when it is read.
    let _ = decoder.and_then(|mut it| it.fill(&mut head, InputFormat::HEAD_BYTES));
    InputFormat::of_content(&head) == Some(format)
}
