//! The ends of ARC records. What is in one is `arc`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::arc::{ArcLine, ArcRecord, MAX_LINE, others};
use crate::fault::Fault;
use crate::formats::cutter::Cutter;
use crate::records::cut::{Cut, What};
use crate::within::within;
use memchr::{memchr, memchr_iter};

/// Finds the ends of records by the lines before them, and the next such line where that is not so.
pub(crate) struct ArcCutter {
    /// Bytes that a record may have.
    limit: usize,
    /// Whether what was read last was no record: lines are passed over up to the next.
    lost: bool,
}

impl ArcCutter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, lost: false }
    }

    /// Passes over a line, or as much of it as there is and does not begin one.
    fn next_line(&mut self, bytes: &[u8], what: What) -> Option<Cut> {
        let begun = || Some(others(bytes)).filter(|end| *end > 0);
        let end = memchr(b'\n', bytes).map(|at| at + 1).or_else(begun);
        self.pass(bytes, end.unwrap_or(bytes.len()), what)
    }

    /// Passes over so many bytes that are no record; what is wrong is told once.
    fn pass(&mut self, bytes: &[u8], length: usize, what: What) -> Option<Cut> {
        let what = if self.lost { What::Nothing } else { what };
        self.lost = true;
        Some(cut(bytes, length, what))
    }
}

impl Cutter for ArcCutter {
    fn cut(&mut self, bytes: &[u8], _seen: usize, ended: bool) -> Option<Cut> {
        let blank = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if blank > 0 {
            return Some(cut(bytes, blank, What::Nothing));
        }
        let line = match memchr(b'\n', bytes) {
            Some(end) => within(bytes, ..end),
            None if ended || bytes.len() > MAX_LINE => bytes,
            None => return None,
        };
        let Some(parsed) = ArcLine::parse(line) else {
            if let Some(others) = ArcLine::behind_others(line) {
                return self.pass(bytes, others, What::Broken(Fault::NoArcRecord));
            }
            return self.next_line(bytes, What::Broken(Fault::NoArcRecord));
        };
        let head = line.len() + 1;
        let end = usize::try_from(parsed.length).ok().and_then(|length| head.checked_add(length));
        let Some(end) = end.filter(|end| *end <= self.limit) else {
            self.lost = false;
            return self.next_line(bytes, What::Broken(Fault::TooLong));
        };
        let Some(behind) = bytes.get(end..) else {
            if !ended {
                return None;
            }
            self.lost = false;
            return self.next_line(bytes, What::Broken(Fault::ArcCut(parsed.length)));
        };
        let own =
            usize::from(behind.starts_with(b"\n")) + 2 * usize::from(behind.starts_with(b"\r\n"));
        // A line end follows; some programs write none: then the next record tells that this one is whole.
        if own == 0 {
            // Programs fill blocks with zeros.
            let filled = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | 0)).count();
            let next = within(behind, filled..);
            let is_whole = match memchr(b'\n', next) {
                _ if filled > MAX_LINE => true,
                Some(end) => ArcLine::parse(within(next, ..end)).is_some(),
                None if !ended && next.len() <= MAX_LINE => return None,
                None => next.is_empty() || ArcLine::parse(next).is_some(),
            };
            if !is_whole {
                self.lost = false;
                return self.next_line(bytes, What::Broken(Fault::ArcLength(parsed.length)));
            }
        }
        self.lost = false;
        let own = end + own;
        let record = within(bytes, ..own);
        let is_document = ArcRecord::parse(record).is_some_and(|record| record.is_document());
        Some(cut(bytes, own, if is_document { What::Record } else { What::Carried }))
    }

    fn pass_over(&mut self) {
        self.lost = true;
    }

    fn restart(&mut self) {
        *self = Self::new(self.limit);
    }
}

fn cut(bytes: &[u8], length: usize, what: What) -> Cut {
    let lines = memchr_iter(b'\n', within(bytes, ..length)).count() as u64;
    Cut { bytes: length, lines, what }
}
