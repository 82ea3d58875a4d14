//! Where a record ends: what `stream` asks at every place in a file. What a record says is
//! `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::table::Table;
use crate::format::InputFormat;
use crate::read::cut::{Cut, What};
use crate::read::table_cutter::TableCutter;
use crate::read::warc_cutter::WarcCutter;
use crate::within::within;
use memchr::memchr;
use std::sync::Arc;

/// Finds the ends of the records of one file, front to back.
pub(crate) enum Cutter {
    /// A record a line; blank lines are none.
    Rows,
    /// A record a line.
    Lines,
    /// A record a row, whose fields may have line ends in quotes.
    Table(Box<TableCutter>),
    /// WARC records; those that are no documents are carried along.
    Warc(WarcCutter),
}

impl Cutter {
    /// The cutter of a format whose files have many records, of at most `limit` bytes each.
    pub(crate) fn of(format: InputFormat, limit: usize) -> Option<Self> {
        match format {
            InputFormat::Jsonl | InputFormat::Segment => Some(Self::Rows),
            InputFormat::Lines => Some(Self::Lines),
            InputFormat::Csv => Some(Self::Table(Box::new(TableCutter::new(b',')))),
            InputFormat::Tsv => Some(Self::Table(Box::new(TableCutter::new(b'\t')))),
            InputFormat::Warc => Some(Self::Warc(WarcCutter::new(limit))),
            InputFormat::Text | InputFormat::Html => None,
        }
    }

    /// The first thing in `bytes`, which begin where the last cut ended; none if it goes on behind
    /// them. Of them `seen` were shown before.
    ///
    /// `ended` says that no byte follows; then there is a cut. Of what is too long to be held, of
    /// which [`pass_over`](Self::pass_over) tells, only the new bytes are shown, with `seen` 0.
    pub(crate) fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        match self {
            Self::Rows => match blank_lines(bytes) {
                (0, _) => line(bytes, seen, ended).map(|cut| {
                    let row = within(bytes, ..cut.bytes);
                    let blank = row.trim_ascii_start().is_empty();
                    Cut { what: if blank { What::Nothing } else { What::Record }, ..cut }
                }),
                (bytes, lines) => Some(Cut { bytes, lines, what: What::Nothing }),
            },
            Self::Lines => line(bytes, seen, ended),
            Self::Table(table) => table.cut(bytes, seen, ended),
            Self::Warc(warc) => warc.cut(bytes, ended),
        }
    }

    /// The record that was begun is too long to be held: bytes of it are not shown again.
    pub(crate) fn pass_over(&mut self) {
        match self {
            Self::Warc(warc) => warc.lose(),
            Self::Table(table) => table.pass_over(),
            Self::Rows | Self::Lines => {}
        }
    }

    /// The header, once it is cut.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        match self {
            Self::Table(table) => table.table(),
            _ => None,
        }
    }

    /// Whether the bytes to come are those that all records depend on.
    pub(crate) fn awaits_header(&self) -> bool {
        matches!(self, Self::Table(table) if table.table().is_none())
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
