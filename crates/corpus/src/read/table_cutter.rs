//! The ends of the rows of CSV and TSV. The fields of a row are `table`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::table::{Table, reader};
use crate::fault::Fault;
use crate::format::BOM;
use crate::read::cut::{Cut, What};
use crate::within::within;
use csv_core::{ReadRecordResult, Reader};
use memchr::memchr_iter;
use std::sync::Arc;

/// Finds the ends of rows by the same automaton that reads their fields. The first row is the header.
pub(crate) struct TableCutter {
    reader: Reader,
    delimiter: u8,
    table: Option<Arc<Table>>,
    /// The row has ended with a carriage return that came last: a line feed may follow.
    returned: bool,
    /// Part of a row was shown.
    inside: bool,
    /// Where the automaton leaves fields, which nobody reads here.
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl TableCutter {
    pub(crate) fn new(delimiter: u8) -> Self {
        let (fields, ends) = (vec![0; 1 << 12], vec![0; 1 << 8]);
        let reader = reader(delimiter);
        Self { reader, delimiter, table: None, returned: false, inside: false, fields, ends }
    }

    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// As [`Cutter::cut`](crate::read::cutter::Cutter::cut).
    pub(crate) fn cut(&mut self, bytes: &[u8], seen: usize, ended: bool) -> Option<Cut> {
        if self.returned {
            self.returned = false;
            let line_feed = bytes.get(seen) == Some(&b'\n');
            return Some(self.row(bytes, seen + usize::from(line_feed)));
        }
        let mut at = seen;
        if !self.inside {
            if self.table.is_none() && !ended && bytes.len() < BOM.len() && BOM.starts_with(bytes) {
                return None;
            }
            let marked = self.table.is_none() && bytes.starts_with(BOM);
            at = if marked { BOM.len() } else { 0 };
            let rest = within(bytes, at..);
            let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if blank > 0 || rest.is_empty() && ended {
                let bytes = at + blank;
                let lines = line_ends(within(rest, ..blank));
                return Some(Cut { bytes, lines, what: What::Nothing });
            }
        }
        loop {
            let rest = within(bytes, at..);
            if rest.is_empty() {
                break;
            }
            let (result, used, ..) =
                self.reader.read_record(rest, &mut self.fields, &mut self.ends);
            at += used;
            if matches!(result, ReadRecordResult::Record) {
                let returned = bytes.get(at.saturating_sub(1)) == Some(&b'\r');
                match bytes.get(at) {
                    None if returned && !ended => {
                        self.returned = true;
                        return None;
                    }
                    Some(b'\n') if returned => at += 1,
                    _ => {}
                }
                return Some(self.row(bytes, at));
            }
        }
        if !ended {
            self.inside = true;
            return None;
        }
        // A line end closes any field but a quoted one.
        let (closed, ..) = self.reader.read_record(b"\n", &mut self.fields, &mut self.ends);
        if matches!(closed, ReadRecordResult::InputEmpty) {
            self.inside = false;
            let what = What::Broken(Fault::OpenQuote);
            return Some(Cut { bytes: bytes.len(), lines: line_ends(bytes), what });
        }
        Some(self.row(bytes, bytes.len()))
    }

    fn row(&mut self, bytes: &[u8], end: usize) -> Cut {
        self.inside = false;
        let row = within(bytes, ..end);
        let what = if self.table.is_some() {
            What::Record
        } else {
            self.table = Some(Arc::new(Table::new(row, self.delimiter)));
            What::Carried
        };
        Cut { bytes: end, lines: line_ends(row), what }
    }
}

fn line_ends(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}
