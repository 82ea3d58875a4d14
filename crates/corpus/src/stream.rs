//! One source cut into batches: lines of JSONL, or a file as a whole. The run over all sources
//! is `reader`'s, the meaning of a record `record`'s.

#![deny(clippy::indexing_slicing)]

use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use memchr::{memchr, memchr_iter, memrchr};

use crate::batch::{Batch, Span};
use crate::decoder::Decoder;
use crate::error::Error;
use crate::format::{BOM, InputFormat};
use crate::reader::ReadOptions;
use crate::source::Source;

/// An open source.
///
/// Memory: a batch, and of a longer record up to the limit.
pub(crate) struct Stream {
    source: Arc<Source>,
    source_index: usize,
    format: InputFormat,
    options: ReadOptions,
    decoder: Decoder,
    state: State,
    /// `carry` begins inside a line that was reported as too long.
    skipping: bool,
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
        read: Arc<AtomicU64>,
    ) -> Result<Stream, Error> {
        let batch_bytes = options.batch_bytes.clamp(1, small(source));
        let options = ReadOptions { batch_bytes, ..options };
        let mut stream = Stream {
            source: Arc::clone(source),
            source_index,
            format: source.format().unwrap_or(InputFormat::Text),
            options,
            decoder: Decoder::open(source, read)?,
            state: State::Reading,
            skipping: false,
            carry: Vec::new(),
            offset: 0,
            line: 1,
        };
        let mut head = Vec::new();
        match source.format() {
            Some(InputFormat::Jsonl) => stream.fill(&mut head, BOM.len()),
            Some(InputFormat::Text | InputFormat::Html) => {}
            None => {
                stream.fill(&mut head, InputFormat::HEAD_BYTES);
                stream.format = InputFormat::of_content(&head);
            }
        }
        if stream.format == InputFormat::Jsonl && head.starts_with(BOM) {
            head.drain(..BOM.len());
            stream.offset = BOM.len() as u64;
        }
        stream.carry = head;
        Ok(stream)
    }

    /// The next batch, whose first record has the number `first_record`.
    pub(crate) fn next(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        match self.format {
            InputFormat::Jsonl => self.next_lines(first_record),
            InputFormat::Text | InputFormat::Html => self.whole(first_record),
        }
    }

    fn next_lines(&mut self, first_record: u64) -> Option<Result<Batch, Error>> {
        let limit = self.options.max_record_bytes;
        loop {
            if self.skipping {
                self.skip_line();
            }
            let mut bytes = mem::take(&mut self.carry);
            if bytes.len() < self.options.batch_bytes {
                let want = self.options.batch_bytes - bytes.len();
                self.fill(&mut bytes, want);
            }
            let mut searched = 0;
            let end = loop {
                let fresh = bytes.get(searched..).unwrap_or_default();
                if let Some(at) = memrchr(b'\n', fresh) {
                    break searched + at + 1;
                }
                searched = bytes.len();
                if bytes.len() > limit {
                    self.skipping = true;
                    let span = Span { start: 0, end: 0, line: self.line, too_long: true };
                    let offset = self.advance(bytes.len());
                    return Some(Ok(self.batch(first_record, offset, Vec::new(), vec![span])));
                }
                match mem::replace(&mut self.state, State::Ended) {
                    State::Reading => self.state = State::Reading,
                    State::Drained => break bytes.len(),
                    State::Failed(error) => return Some(Err(error)),
                    State::Ended => return None,
                }
                let want = bytes.len().max(self.options.batch_bytes);
                let room = limit.saturating_add(1) - bytes.len();
                self.fill(&mut bytes, want.min(room));
            };
            let rest = bytes.get(end..).unwrap_or_default();
            let mut carry = Vec::with_capacity(rest.len().max(self.options.batch_bytes));
            carry.extend_from_slice(rest);
            self.carry = carry;
            bytes.truncate(end);
            let spans = self.spans(&bytes);
            let offset = self.advance(bytes.len());
            if !spans.is_empty() {
                return Some(Ok(self.batch(first_record, offset, bytes, spans)));
            }
        }
    }

    /// The lines that are not blank; counts them all.
    fn spans(&mut self, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut start = 0;
        let unfinished = (bytes.last() != Some(&b'\n')).then_some(bytes.len());
        for end in memchr_iter(b'\n', bytes).map(|at| at + 1).chain(unfinished) {
            let line = bytes.get(start..end).unwrap_or_default();
            let (line_start, too_long) = (start, line.len() > self.options.max_record_bytes);
            start = end;
            if too_long {
                spans.push(Span { start: end, end, line: self.line, too_long });
            } else if !line.trim_ascii_start().is_empty() {
                spans.push(Span { start: line_start, end, line: self.line, too_long });
            }
            self.line += 1;
        }
        spans
    }

    /// Drops bytes up to the end of the line in which `carry` begins.
    fn skip_line(&mut self) {
        self.skipping = false;
        let mut bytes = mem::take(&mut self.carry);
        loop {
            if let Some(at) = memchr(b'\n', &bytes) {
                self.advance(at + 1);
                self.line += 1;
                bytes.drain(..=at);
                self.carry = bytes;
                return;
            }
            self.advance(bytes.len());
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
        let span = Span { start: 0, end: bytes.len(), line: 1, too_long };
        Some(Ok(self.batch(first_record, 0, bytes, vec![span])))
    }

    /// Appends up to `want` bytes and notes in the state what stops the decoder.
    fn fill(&mut self, bytes: &mut Vec<u8>, want: usize) {
        if !matches!(self.state, State::Reading) {
            return;
        }
        match self.decoder.fill(bytes, want) {
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

    fn batch(&self, first_record: u64, offset: u64, bytes: Vec<u8>, spans: Vec<Span>) -> Batch {
        Batch {
            source: Arc::clone(&self.source),
            source_index: self.source_index,
            format: self.format,
            first_record,
            offset,
            bytes,
            spans,
            max_record_bytes: self.options.max_record_bytes,
        }
    }
}

/// The most bytes worth asking of a source at a time: a small one must not claim a whole batch of
/// memory.
fn small(source: &Source) -> usize {
    let likely = source.bytes().map_or(u64::MAX, |bytes| bytes.saturating_mul(4).max(4096));
    usize::try_from(likely).unwrap_or(usize::MAX)
}
