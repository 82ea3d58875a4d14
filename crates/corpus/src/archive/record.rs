//! A record of a web archive, of either format.

use crate::archive::arc::{self, ArcRecord};
use crate::archive::warc::{self, WarcRecord};
use std::borrow::Cow;

/// Whether bytes begin as a WARC record does.
pub(crate) fn is_warc(raw: &[u8]) -> bool {
    raw.starts_with(b"WARC/")
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
