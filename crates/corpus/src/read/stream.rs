//! One source cut into batches: record by record, row by row, or a file as a whole. Where a record ends is
//! `cutter`'s, the run over all sources `reader`'s, the meaning of a record `record`'s.

#![deny(clippy::indexing_slicing)]

use crate::buffers::Buffers;
use crate::columns::parquet_rows::{Chunk, ParquetRows};
use crate::compression::Compression;
use crate::error::Error;
use crate::fault::Fault;
use crate::format::{BOM, InputFormat};
use crate::read::batch::{Batch, CarriedSpan, Span};
use crate::read::binary;
use crate::read::cut::{Cut, What};
use crate::read::cutter::Cutter;
use crate::read::decoder::{Decoder, explain};
use crate::read::read_options::ReadOptions;
use crate::read::source::Source;
use crate::within::within;
use memchr::memchr_iter;
use std::io;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// How much longer batches of rows are, which no buffer of bytes stands before.
const ROW_BATCH: usize = 4;

/// An open source.
///
/// Memory: a batch, and of a longer record up to the limit.
pub(crate) struct Stream {
    source: Arc<Source>,
    source_index: usize,
    format: InputFormat,
    options: ReadOptions,
    buffers: Arc<Buffers>,
    decoder: Decoder,
    /// Those of Parquet, which the decoder does not read.
    rows: Option<ParquetRows>,
    /// None where the file is one record.
    cutter: Option<Cutter>,
    state: State,
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
}

enum State {
    Reading,
    /// The decoder has no more to give: `carry` is the rest.
    Drained,
    /// The decoder failed: `carry` is cut off somewhere.
    Failed(Error),
    Ended,
}

impl Stream {
    pub(crate) fn open(
        source: &Arc<Source>,
        source_index: usize,
        options: ReadOptions,
        (read, buffers): (Arc<AtomicU64>, &Arc<Buffers>),
    ) -> Result<Self, Error> {
        let batch_bytes = options.batch_bytes.clamp(1, small(source));
        let options = ReadOptions { batch_bytes, ..options };
        let decoder = Decoder::open(source, Arc::clone(&read))?;
        let mut stream = Self {
            source: Arc::clone(source),
            source_index,
            format: source.format().unwrap_or(InputFormat::Text),
            options,
            buffers: Arc::clone(buffers),
            decoder,
            rows: None,
            cutter: None,
            state: State::Reading,
            skipping: false,
            seen: 0,
            carry: Vec::new(),
            offset: 0,
            line: 1,
        };
        if stream.decoder.is_parquet() {
            let room = batch_bytes.saturating_mul(ROW_BATCH);
            let rows = ParquetRows::open(source.file()?, room, read);
            let rows = rows.map_err(|error| stream.explain(error))?;
            stream.buffers = Arc::clone(rows.buffers());
            stream.rows = Some(rows);
            stream.format = InputFormat::Jsonl;
            return Ok(stream);
        }
        let mut head = Vec::new();
        match source.format() {
            Some(InputFormat::Jsonl) => stream.fill(&mut head, BOM.len()),
            Some(_) => {}
            None => {
                stream.fill(&mut head, InputFormat::HEAD_BYTES);
                if let Some(kind) = binary::kind(&head) {
                    return Err(Error::Binary { path: source.name().to_owned(), kind });
                }
                stream.format = source.taken_as(InputFormat::of_content(&head));
            }
        }
        if stream.format == InputFormat::Jsonl && head.starts_with(BOM) {
            head.drain(..BOM.len());
            stream.offset = BOM.len() as u64;
        }
        if stream.format == InputFormat::Segment {
            // Features of a text that was within the limit may take ten times its bytes and more.
            let limit = &mut stream.options.max_record_bytes;
            *limit = limit.saturating_mul(16);
        }
        stream.cutter = Cutter::of(stream.format, stream.options.max_record_bytes);
        stream.carry = head;
        Ok(stream)
    }

    /// The next batch, whose first record has the number `first_record`.
    pub(crate) fn next(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        if self.rows.is_some() {
            self.next_rows(first_record)
        } else if self.cutter.is_some() {
            self.next_records(first_record)
        } else {
            self.whole(first_record)
        }
    }

    fn next_rows(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        let chunk = match self.rows.as_mut().filter(|_| matches!(self.state, State::Reading)) {
            Some(rows) => rows.next().transpose()?,
            None => return None,
        };
        let Chunk { bytes, ends } = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                self.state = State::Ended;
                return Some(Err(self.explain(error)));
            }
        };
        let (mut found, mut start) = (Found::default(), 0);
        for end in ends {
            let too_long = end - start > self.options.max_record_bytes;
            let place = (self.line, self.offset + start as u64);
            found.record(start..end, place, too_long.then_some(Fault::TooLong));
            start = end;
            self.line += 1;
        }
        let offset = self.advance(bytes.len());
        Some(Ok(self.batch(first_record, offset, bytes, found)))
    }

    /// What went wrong with Parquet.
    fn explain(&self, error: io::Error) -> Error {
        explain(self.source.name(), Compression::Parquet, self.offset, error)
    }

    fn next_records(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        let limit = self.options.max_record_bytes;
        loop {
            if self.skipping {
                self.skip();
            }
            let mut bytes = mem::take(&mut self.carry);
            if bytes.len() < self.options.batch_bytes {
                let want = self.options.batch_bytes - bytes.len();
                self.fill(&mut bytes, want);
            }
            let (mut found, mut end) = (Found::default(), 0);
            loop {
                let (line, awaited) = (self.line, self.awaits_header());
                self.cut(&bytes, &mut end, &mut found);
                let header = found.carried.first().map_or(0, |span| span.end - span.start);
                if awaited && (header > limit || self.awaits_header() && bytes.len() > limit) {
                    // Without its header no row can be read.
                    self.state = State::Ended;
                    let place = format!("{}:{line}", self.source.name());
                    return Some(Err(Error::TooLong { place, limit }));
                }
                if end > 0 {
                    break;
                }
                if bytes.len() > limit {
                    self.skipping = true;
                    self.cutter.iter_mut().for_each(Cutter::pass_over);
                    found.record(0..0, (self.line, self.offset), Some(Fault::TooLong));
                    let offset = self.pass(&bytes);
                    return Some(Ok(self.batch(first_record, offset, Vec::new(), found)));
                }
                match mem::replace(&mut self.state, State::Ended) {
                    State::Reading => self.state = State::Reading,
                    State::Failed(error) => return Some(Err(error)),
                    State::Drained | State::Ended => return None,
                }
                let want = bytes.len().max(self.options.batch_bytes);
                let room = limit.saturating_add(1) - bytes.len();
                self.fill(&mut bytes, want.min(room));
            }
            let rest = within(&bytes, end..);
            let mut carry = self.buffers.take(rest.len().max(self.options.batch_bytes));
            carry.extend_from_slice(rest);
            self.carry = carry;
            bytes.truncate(end);
            let offset = self.advance(bytes.len());
            if !found.is_empty() {
                return Some(Ok(self.batch(first_record, offset, bytes, found)));
            }
        }
    }

    /// Cuts what is whole of `bytes` from `end` on, which moves to the end of it.
    fn cut(&mut self, bytes: &[u8], end: &mut usize, found: &mut Found) {
        let limit = self.options.max_record_bytes;
        let ended = matches!(self.state, State::Drained);
        let Some(cutter) = &mut self.cutter else { return };
        while let Some(rest) = bytes.get(*end..).filter(|rest| !rest.is_empty()) {
            if rest.len() == self.seen && !ended {
                break;
            }
            let Some(Cut { bytes: length, lines, what }) = cutter.cut(rest, self.seen, ended)
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
    }

    /// Drops bytes up to the end of the record in which `carry` begins.
    fn skip(&mut self) {
        self.skipping = false;
        self.seen = 0;
        let mut bytes = mem::take(&mut self.carry);
        loop {
            let ended = matches!(self.state, State::Drained);
            if let Some(cut) = self.cutter.as_mut().and_then(|cutter| cutter.cut(&bytes, 0, ended))
            {
                self.pass(within(&bytes, ..cut.bytes));
                bytes.drain(..cut.bytes.min(bytes.len()));
                self.carry = bytes;
                return;
            }
            self.pass(&bytes);
            bytes.clear();
            if !matches!(self.state, State::Reading) {
                return;
            }
            self.fill(&mut bytes, self.options.batch_bytes);
        }
    }

    fn whole(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        let limit = self.options.max_record_bytes;
        let mut bytes = mem::take(&mut self.carry);
        loop {
            match mem::replace(&mut self.state, State::Ended) {
                State::Failed(error) => return Some(Err(error)),
                State::Ended => return None,
                _ if bytes.len() > limit => break,
                State::Drained => break,
                State::Reading => self.state = State::Reading,
            }
            let want = bytes.len().max(self.options.batch_bytes);
            let room = limit.saturating_add(1) - bytes.len();
            self.fill(&mut bytes, want.min(room));
        }
        let too_long = bytes.len() > limit;
        if too_long {
            bytes.clear();
        }
        let mut found = Found::default();
        found.record(0..bytes.len(), (1, 0), too_long.then_some(Fault::TooLong));
        Some(Ok(self.batch(first_record, 0, bytes, found)))
    }

    /// Appends up to `want` bytes and notes in the state what stops the decoder.
    fn fill(&mut self, bytes: &mut Vec<u8>, want: usize) {
        if !matches!(self.state, State::Reading) {
            return;
        }
        let filled = if self.options.prompt && self.cutter.is_some() {
            self.decoder.fill_some(bytes, want)
        } else {
            self.decoder.fill(bytes, want)
        };
        match filled {
            Ok(false) => {}
            Ok(true) => self.state = State::Drained,
            Err(error) => self.state = State::Failed(error),
        }
    }

    /// Moves the offset on and returns what it was.
    fn advance(&mut self, bytes: usize) -> u64 {
        let offset = self.offset;
        self.offset += bytes as u64;
        offset
    }

    fn awaits_header(&self) -> bool {
        self.cutter.as_ref().is_some_and(Cutter::awaits_header)
    }

    /// Moves on behind bytes of which no record comes; returns the offset before.
    fn pass(&mut self, bytes: &[u8]) -> u64 {
        self.line += memchr_iter(b'\n', bytes).count() as u64;
        self.advance(bytes.len())
    }

    fn batch(&self, first_record: u64, offset: u64, bytes: Vec<u8>, found: Found) -> Batch {
        Batch {
            source: Arc::clone(&self.source),
            source_index: self.source_index,
            format: self.format,
            first_record,
            offset,
            bytes,
            spans: found.spans,
            carried: found.carried,
            table: self.cutter.as_ref().and_then(Cutter::table).cloned(),
            columns: self.rows.as_ref().map(|rows| Arc::clone(rows.columns())),
            max_record_bytes: self.options.max_record_bytes,
            buffers: Arc::clone(&self.buffers),
        }
    }
}

/// What a batch is made of, as it is found.
#[derive(Default)]
struct Found {
    spans: Vec<Span>,
    carried: Vec<CarriedSpan>,
}

impl Found {
    /// `line` and `offset` are those of its first byte in the file.
    fn record(&mut self, bytes: Range<usize>, (line, offset): (u64, u64), fault: Option<Fault>) {
        let start = if fault.is_some() { bytes.end } else { bytes.start };
        self.spans.push(Span { start, end: bytes.end, line, offset, fault });
    }

    fn carry(&mut self, bytes: Range<usize>) {
        let (start, end) = (bytes.start, bytes.end);
        self.carried.push(CarriedSpan { before: self.spans.len(), start, end });
    }

    fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.carried.is_empty()
    }
}

/// The most bytes worth asking of a source at a time: a small one must not claim a whole batch of
/// memory.
fn small(source: &Source) -> usize {
    let likely = source.bytes().map_or(u64::MAX, |bytes| bytes.saturating_mul(4).max(4096));
    usize::try_from(likely).unwrap_or(usize::MAX)
}
