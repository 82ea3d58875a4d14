//! Where a record ends: what `cutting` asks at every place in a file. What a record says is
//! `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::table::Table;
use crate::format::BOM;
use crate::records::cut::{Cut, What};
use crate::within::within;
use memchr::memchr;
use std::sync::Arc;

/// Finds the ends of the records of one file, front to back.
pub(crate) trait Cutter: Send {
    /// The first thing in `bytes`, which begin where the last cut ended; none if it goes on behind
    /// them. Of them `seen` were shown before.
    ///
    /// `ended` says that no byte follows; then there is a cut. Of what is too long to be held, of
    /// which [`pass_over`](Self::pass_over) tells, only the new bytes are shown, with `seen` 0.
    fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut>;

    /// The record that was begun is too long to be held: bytes of it are not shown again.
    fn pass_over(&mut self) {}

    /// The bytes to come do not follow those before: they begin with a record.
    fn restart(&mut self) {}

    /// The header, once it is cut.
    fn table(&self) -> Option<&Arc<Table>> {
        None
    }

    /// Whether the bytes to come are those that all records depend on.
    fn awaits_header(&self) -> bool {
        false
    }
}

/// A record a line; blank lines are none.
#[derive(Clone, Copy)]
pub(crate) struct Rows;

/// A record a line.
#[derive(Clone, Copy)]
pub(crate) struct ByLine;

impl Cutter for Rows {
    fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        match blank_lines(bytes) {
            (0, _) => line(bytes, seen, ended).map(|cut| {
                let row = within(bytes, ..cut.bytes);
                let blank = row.trim_ascii_start().is_empty();
                Cut { what: if blank { What::Nothing } else { What::Record }, ..cut }
            }),
            (bytes, lines) => Some(Cut { bytes, lines, what: What::Nothing }),
        }
    }
}

impl Cutter for ByLine {
    fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        // A file of a byte order mark alone has no line.
        let what = if ended && bytes == BOM { What::Nothing } else { What::Record };
        line(bytes, seen, ended).map(|cut| Cut { what, ..cut })
    }
}

/// The bytes of the empty lines at the start, and how many these are: there may be millions.
fn blank_lines(bytes: &[u8]) -> (usize, u64) {
    let (mut rest, mut lines) = (bytes, 0);
    while let Some(behind) = rest.strip_prefix(b"\n").or_else(|| rest.strip_prefix(b"\r\n")) {
        (rest, lines) = (behind, lines + 1);
    }
    (bytes.len() - rest.len(), lines)
}

fn line(bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
    let end = memchr(b'\n', within(bytes, seen..)).map(|at| seen + at + 1);
    let bytes = end.or_else(|| ended.then_some(bytes.len()))?;
    Some(Cut { bytes, lines: 1, what: What::Record })
}
