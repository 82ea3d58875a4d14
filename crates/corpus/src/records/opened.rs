//! An open source, and the batches that its records go into. Its format decides where a record ends.

use crate::buffers::Buffers;
use crate::columns::packed_row::Columns;
use crate::documents::table::Table;
use crate::error::Error;
use crate::fault::Fault;
use crate::format::InputFormat;
use crate::records::batch::{Batch, CarriedSpan, Span};
use crate::records::decoder::Decoder;
use crate::records::order::Order;
use crate::records::piece::Piece;
use crate::records::read_options::ReadOptions;
use crate::records::resumed::next_part;
use crate::records::source::Source;
use std::fs::File;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What a format reads from.
pub(crate) struct Opened {
    pub(crate) source: Arc<Source>,
    /// The place of the source among those given to the reader.
    pub(crate) source_index: usize,
    pub(crate) format: InputFormat,
    pub(crate) options: ReadOptions,
    pub(crate) buffers: Arc<Buffers>,
    /// Grows by the bytes taken from disk.
    pub(crate) read: Arc<AtomicU64>,
    pub(crate) order: Arc<Order<u64>>,
    /// None where a format reads from it on a thread of its own.
    pub(crate) decoder: Option<Decoder>,
    pub(crate) state: State,
    /// Decoded bytes that told the format, or were looked at for that.
    pub(crate) head: Vec<u8>,
    /// Where it is read in parts.
    pub(crate) file: Option<PlainFile>,
}

/// A file whose bytes are read as they stand.
pub(crate) struct PlainFile {
    pub(crate) file: Arc<File>,
    pub(crate) bytes: u64,
    /// How many of them the decoder read.
    pub(crate) head: usize,
}

/// What the decoder has to give.
pub(crate) enum State {
    Reading,
    /// No more.
    Drained,
    /// It failed: what came before is cut off somewhere.
    Failed(Error),
    Ended,
}

impl Opened {
    /// Opens a source; `options` are those of the reader.
    pub(crate) fn open(
        source: &Arc<Source>,
        source_index: usize,
        options: ReadOptions,
        (read, buffers, order): (Arc<AtomicU64>, &Arc<Buffers>, &Arc<Order<u64>>),
    ) -> Result<Self, Error> {
        let batch_bytes = options.batch_bytes.clamp(1, small(source));
        Ok(Self {
            source: Arc::clone(source),
            source_index,
            format: source.format().unwrap_or(InputFormat::TEXT),
            options: ReadOptions { batch_bytes, ..options },
            buffers: Arc::clone(buffers),
            order: Arc::clone(order),
            decoder: Some(match options.prompt {
                true => Decoder::prompt(source, Arc::clone(&read))?,
                false => Decoder::open(source, Arc::clone(&read))?,
            }),
            read,
            state: State::Reading,
            head: Vec::new(),
            file: None,
        })
    }

    /// The same source for a part of it, whose bytes are read by themselves.
    pub(crate) fn part(&self) -> Self {
        Self {
            source: Arc::clone(&self.source),
            source_index: self.source_index,
            format: self.format,
            options: self.options,
            buffers: Arc::clone(&self.buffers),
            read: Arc::clone(&self.read),
            order: Arc::clone(&self.order),
            decoder: None,
            state: State::Drained,
            head: Vec::new(),
            file: None,
        }
    }

    /// The source as a file of several batches, where its bytes are read as they stand.
    pub(crate) fn plain_file(&self) -> Option<PlainFile> {
        let is_long = |bytes: &u64| bytes / 2 > self.options.batch_bytes as u64;
        // A short one is not opened once more.
        self.source.bytes().filter(|bytes| is_long(bytes) && !self.options.prompt)?;
        let head = self.decoder.as_ref().and_then(Decoder::plain_head)?;
        let file = self.source.plain_file()?;
        let bytes = file.metadata().ok()?.len();
        is_long(&bytes).then_some(PlainFile { file, bytes, head })
    }

    /// Whether the character set of its text was named.
    pub(crate) fn is_encoding_named(&self) -> bool {
        self.source.dialect().encoding.is_some()
    }

    /// Whether its bytes are compressed as a whole.
    pub(crate) fn is_compressed(&self) -> bool {
        self.decoder.as_ref().is_some_and(Decoder::is_compressed)
    }

    /// Reads text in ISO-2022-JP as UTF-8, unless its character set was named.
    pub(crate) fn unescape(&mut self) {
        let head = mem::take(&mut self.head);
        if !self.format.is_text() || self.is_encoding_named() {
            self.head = head;
        } else if let Some(decoder) = &mut self.decoder {
            decoder.unescape(head);
            if matches!(self.state, State::Drained) {
                self.state = State::Reading;
            }
        }
    }

    /// Takes bytes until the head has so many, or all.
    pub(crate) fn fill_head(&mut self, want: usize) {
        let mut head = mem::take(&mut self.head);
        let more = want.saturating_sub(head.len());
        self.fill(&mut head, more);
        self.head = head;
    }

    /// Appends `want` bytes, or fewer where the decoder ends, and notes that.
    pub(crate) fn fill(&mut self, bytes: &mut Vec<u8>, want: usize) {
        self.take(|decoder| decoder.fill(bytes, want));
    }

    /// The same; where records are wanted as they come, what is there.
    pub(crate) fn fill_promptly(&mut self, bytes: &mut Vec<u8>, want: usize) {
        let prompt = self.options.prompt;
        self.take(|decoder| match prompt {
            true => decoder.fill_some(bytes, want),
            false => decoder.fill(bytes, want),
        });
    }

    fn take(&mut self, fill: impl FnOnce(&mut Decoder) -> Result<bool, Error>) {
        if !matches!(self.state, State::Reading) {
            return;
        }
        let Some(decoder) = &mut self.decoder else { return };
        match fill(decoder) {
            Ok(false) => {}
            Ok(true) => self.state = State::Drained,
            Err(error) => self.state = State::Failed(error),
        }
    }

    /// Goes on behind damage in an archive, at the next member of gzip or frame of zstd that begins with a record: returns
    /// what is passed over, in the bytes on disk, and what it is. None where no record follows.
    pub(crate) fn resume(&mut self) -> Option<(Range<u64>, Piece)> {
        let decoder = self.decoder.as_ref().filter(|_| self.format.is_archive())?;
        let (start, part) = decoder.member()?;
        let end = next_part(&self.source, start, part, self.format)?;
        self.decoder = Some(Decoder::behind(&self.source, end, Arc::clone(&self.read)).ok()?);
        self.state = State::Reading;
        Some((start..end, part))
    }

    /// A batch of what was found in `bytes`, which begin at `offset` in the file.
    pub(crate) fn batch(&self, offset: u64, bytes: Vec<u8>, found: Found) -> Batch {
        Batch {
            source: Arc::clone(&self.source),
            source_index: self.source_index,
            format: self.format,
            first_record: 0,
            offset,
            bytes,
            spans: found.spans,
            carried: found.carried,
            table: found.table,
            columns: found.columns,
            is_rowless: found.is_rowless,
            max_record_bytes: self.options.max_record_bytes,
            buffers: Arc::clone(&self.buffers),
        }
    }
}

/// What a batch is made of, as it is found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) spans: Vec<Span>,
    pub(crate) carried: Vec<CarriedSpan>,
    pub(crate) table: Option<Arc<Table>>,
    pub(crate) columns: Option<Arc<Columns>>,
    /// The source has columns and no row.
    pub(crate) is_rowless: bool,
}

impl Found {
    /// `line` and `offset` are those of its first byte in the file.
    pub(crate) fn record(
        &mut self,
        bytes: Range<usize>,
        (line, offset): (u64, u64),
        fault: Option<Fault>,
    ) {
        let start = if fault.is_some() { bytes.end } else { bytes.start };
        self.spans.push(Span { start, end: bytes.end, line, offset, fault });
    }

    pub(crate) fn carry(&mut self, bytes: Range<usize>) {
        let (start, end) = (bytes.start, bytes.end);
        self.carried.push(CarriedSpan { before: self.spans.len(), start, end });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.carried.is_empty()
    }
}

/// The most bytes worth asking of a source at a time: a small one must not claim a whole batch of
/// memory.
fn small(source: &Source) -> usize {
    let likely = source.bytes().map_or(u64::MAX, |bytes| bytes.saturating_mul(4).max(4096));
    usize::try_from(likely).unwrap_or(usize::MAX)
}
