//! One source cut into batches, record by record. Where a record ends is `cutter`'s, the run over all
//! sources `reader`'s, the meaning of a record `record`'s.

#![deny(clippy::indexing_slicing)]

use crate::error::Error;
use crate::fault::Fault;
use crate::formats::cutter::Cutter;
use crate::formats::record_reader::RecordReader;
use crate::records::batch::Batch;
use crate::records::cut::{Cut, What};
use crate::records::lot::Content;
use crate::records::opened::{Found, Opened, State};
use crate::within::within;
use memchr::memchr_iter;
use std::mem;
use std::ops::Range;

/// A source of many records.
///
/// Memory: a batch, and of a longer record up to the limit.
pub(crate) struct Cutting<C> {
    opened: Opened,
    cutter: C,
    /// `carry` begins inside a record that was reported as too long.
    skipping: bool,
    /// Bytes of `carry` that the cutter was shown.
    seen: usize,
    /// Decoded bytes that no batch holds yet.
    carry: Vec<u8>,
    /// Of the first byte of `carry`, in decoded bytes from the start.
    offset: u64,
    /// Of the first byte of `carry`, from 1.
    line: u64,
    /// Whether a record was found.
    has_records: bool,
}

impl<C: Cutter> Cutting<C> {
    /// The records of a source, which begin behind `skipped` bytes of its head.
    pub(crate) fn new(mut opened: Opened, cutter: C, skipped: usize) -> Self {
        let mut carry = mem::take(&mut opened.head);
        carry.drain(..skipped.min(carry.len()));
        Self::over(opened, cutter, carry, (1, skipped as u64))
    }

    /// The records of `carry`, which begins at this line, from 1, and offset, and of what follows on it.
    pub(crate) fn over(
        opened: Opened,
        cutter: C,
        carry: Vec<u8>,
        (line, offset): (u64, u64),
    ) -> Self {
        let (skipping, has_records) = (false, false);
        Self { opened, cutter, skipping, seen: 0, carry, offset, line, has_records }
    }

    /// Cuts what is whole of `bytes` from `end` on, which moves to the end of it.
    fn cut(&mut self, bytes: &[u8], end: &mut usize, found: &mut Found) {
        let limit = self.opened.options.max_record_bytes;
        let ended = matches!(self.opened.state, State::Drained);
        let text = if ended && self.opened.format.is_text() { unmarked(bytes) } else { bytes };
        while let Some(rest) = text.get(*end..).filter(|rest| !rest.is_empty()) {
            if rest.len() == self.seen && !ended {
                break;
            }
            let seen = self.seen.min(rest.len());
            let Some(Cut { bytes: length, lines, what }) = self.cutter.cut(rest, seen, ended)
            else {
                self.seen = rest.len();
                break;
            };
            let span = *end..*end + length;
            let place = (self.line, self.offset + *end as u64);
            let too_long = (length > limit).then_some(Fault::TooLong);
            match what {
                What::Carried => found.carry(span.clone()),
                What::Record => found.record(span.clone(), place, too_long),
                What::Broken(fault) => {
                    found.record(span.clone(), place, too_long.or(Some(fault)));
                }
                What::Nothing => {}
            }
            (*end, self.seen) = (span.end, 0);
            self.line += lines;
        }
        if *end == text.len() {
            *end = bytes.len();
        }
    }

    /// Drops bytes up to the end of the record in which `carry` begins.
    fn skip(&mut self) {
        self.skipping = false;
        self.seen = 0;
        let mut bytes = mem::take(&mut self.carry);
        loop {
            let ended = matches!(self.opened.state, State::Drained);
            if let Some(cut) = self.cutter.cut(&bytes, 0, ended) {
                self.pass(within(&bytes, ..cut.bytes));
                bytes.drain(..cut.bytes.min(bytes.len()));
                self.carry = bytes;
                return;
            }
            self.pass(&bytes);
            bytes.clear();
            if !matches!(self.opened.state, State::Reading) {
                return;
            }
            let want = self.opened.options.batch_bytes;
            self.opened.fill_promptly(&mut bytes, want);
        }
    }

    /// Goes on behind damage where that is possible, without the bytes of the record that it stands in; returns what is
    /// wrong.
    fn resume(&mut self, error: Error, lost: &[u8]) -> Error {
        let detail = match &error {
            Error::Corrupt { detail, .. } => detail.clone(),
            Error::Truncated { .. } => "it ends early".to_owned(),
            _ => return error,
        };
        let Some((Range { start, end }, part)) = self.opened.resume() else { return error };
        self.pass(lost);
        self.cutter.restart();
        self.seen = 0;
        let path = self.opened.source.name().to_owned();
        Error::Member { path, damaged: part.damaged(), start, bytes: end - start, detail }
    }

    /// Moves the offset on and returns what it was.
    fn advance(&mut self, bytes: usize) -> u64 {
        let offset = self.offset;
        self.offset += bytes as u64;
        offset
    }

    /// Moves on behind bytes of which no record comes; returns the offset before.
    fn pass(&mut self, bytes: &[u8]) -> u64 {
        self.line += memchr_iter(b'\n', bytes).count() as u64;
        self.advance(bytes.len())
    }

    fn batch(&mut self, offset: u64, bytes: Vec<u8>, mut found: Found) -> Batch {
        self.has_records |= !found.spans.is_empty();
        found.table = self.cutter.table().cloned();
        self.opened.batch(offset, bytes, found)
    }

    /// The line, from 1, and the offset of the first byte that no batch holds yet.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.line, self.offset)
    }

    /// The next batch; none behind the last.
    pub(crate) fn next_batch(&mut self) -> Option<Result<Batch, Error>> {
        let (limit, batch_bytes) =
            (self.opened.options.max_record_bytes, self.opened.options.batch_bytes);
        loop {
            if self.skipping {
                self.skip();
            }
            let mut bytes = mem::take(&mut self.carry);
            if bytes.len() < batch_bytes {
                let want = batch_bytes - bytes.len();
                self.opened.fill_promptly(&mut bytes, want);
            }
            let (mut found, mut end) = (Found::default(), 0);
            loop {
                let (line, awaited) = (self.line, self.cutter.awaits_header());
                self.cut(&bytes, &mut end, &mut found);
                let header = found.carried.first().map_or(0, |span| span.end - span.start);
                let unmet = self.cutter.awaits_header() && bytes.len() > limit;
                if awaited && (header > limit || unmet) {
                    // Without its header no row can be read.
                    self.opened.state = State::Ended;
                    let place = format!("{}:{line}", self.opened.source.name());
                    return Some(Err(Error::TooLong { place, limit }));
                }
                if end > 0 {
                    break;
                }
                if bytes.len() > limit {
                    self.skipping = true;
                    self.cutter.pass_over();
                    found.record(0..0, (self.line, self.offset), Some(Fault::TooLong));
                    let offset = self.pass(&bytes);
                    return Some(Ok(self.batch(offset, Vec::new(), found)));
                }
                match mem::replace(&mut self.opened.state, State::Ended) {
                    State::Reading => self.opened.state = State::Reading,
                    State::Failed(error) => return Some(Err(self.resume(error, &bytes))),
                    State::Drained if self.cutter.table().is_some() && !self.has_records => {
                        found.is_rowless = true;
                        return Some(Ok(self.batch(self.offset, bytes, found)));
                    }
                    State::Drained | State::Ended => return None,
                }
                let want = bytes.len().max(batch_bytes);
                let room = limit.saturating_add(1) - bytes.len();
                self.opened.fill_promptly(&mut bytes, want.min(room));
            }
            let rest = within(&bytes, end..);
            if !(rest.is_empty() && matches!(self.opened.state, State::Drained)) {
                let mut carry = self.opened.buffers.take(rest.len().max(batch_bytes));
                carry.extend_from_slice(rest);
                self.carry = carry;
            }
            bytes.truncate(end);
            let offset = self.advance(bytes.len());
            if !found.is_empty() {
                return Some(Ok(self.batch(offset, bytes, found)));
            }
        }
    }
}

/// The bytes of a text without the marks of its end, as DOS and CP/M write them.
fn unmarked(text: &[u8]) -> &[u8] {
    const MARK: u8 = 0x1a;
    let end = text.iter().rposition(|byte| *byte != MARK).map_or(0, |at| at + 1);
    within(text, ..end)
}

impl<C: Cutter> RecordReader for Cutting<C> {
    fn next(&mut self) -> Option<Result<Content, Error>> {
        Some(self.next_batch()?.map(Content::Batch))
    }
}
