//! A record of a web archive, of either format.

use crate::archive::arc::{self, ArcRecord, FILE_URL};
use crate::archive::warc::{self, WarcRecord};
use std::borrow::Cow;

/// Whether bytes begin as a WARC record does.
pub(crate) fn is_warc(raw: &[u8]) -> bool {
    raw.starts_with(b"WARC/")
}

/// Whether a record is the version block of an ARC file, which every such file begins with (ARC File Format 1.0, "The
/// Archive File Format"). A WARC file needs none: its `warcinfo` has an id of its own, which no other file may have.
pub(crate) fn describes_file(raw: &[u8]) -> bool {
    raw.starts_with(FILE_URL)
}

/// Why a record is no document, in a word or two: its sort, its status, or the type of its payload.
pub(crate) fn obstacle(raw: &[u8]) -> Option<String> {
    if is_warc(raw) {
        WarcRecord::parse(raw).map(|record| record.obstacle())
    } else {
        ArcRecord::parse(raw).map(|record| record.obstacle())
    }
}

/// A record with the end that every record of its format has, which the last of a file may lack.
pub(crate) fn ended(raw: &[u8]) -> Cow<'_, [u8]> {
    if is_warc(raw) { warc::ended(raw) } else { arc::ended(raw) }
}
