//! A run of whole records of one source, the unit that goes from the reading thread to a worker.
//! Cutting the batches is `cutting`'s.

use crate::archive::capture::Capture;
use crate::archive::record::obstacle;
use crate::buffers::Buffers;
use crate::columns::packed_row::Columns;
use crate::documents::table::Table;
use crate::fault::Fault;
use crate::format::InputFormat;
use crate::place::RECORD;
use crate::records::source::Source;
use crate::within::within;
use std::sync::Arc;

/// Whole records of one source, and what is carried along with them: at least one of either. [`Reader`]
/// has an example.
///
/// [`Reader`]: crate::Reader
#[derive(Debug)]
pub struct Batch {
    pub(crate) source: Arc<Source>,
    pub(crate) source_index: usize,
    pub(crate) format: InputFormat,
    pub(crate) first_record: u64,
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) spans: Vec<Span>,
    pub(crate) carried: Vec<CarriedSpan>,
    pub(crate) table: Option<Arc<Table>>,
    /// Of rows of columns, which are packed.
    pub(crate) columns: Option<Arc<Columns>>,
    pub(crate) max_record_bytes: usize,
    /// Where its memory goes.
    pub(crate) buffers: Arc<Buffers>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.buffers.give(&mut self.bytes);
    }
}

/// Where carried bytes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CarriedSpan {
    /// Records of the batch before them.
    pub(crate) before: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Bytes that are part of every file to which records of their source are written: the header of a
/// table, or a WARC record that is no document.
#[derive(Clone, Copy, Debug)]
pub struct Carried<'a> {
    batch: &'a Batch,
    span: CarriedSpan,
}

impl<'a> Carried<'a> {
    /// The bytes as they stand in the file.
    pub fn raw(&self) -> &'a [u8] {
        within(&self.batch.bytes, self.span.start..self.span.end)
    }

    /// The source they come from.
    pub fn source(&self) -> &'a Source {
        &self.batch.source
    }

    /// The place of the source among those given to the reader.
    pub fn source_index(&self) -> usize {
        self.batch.source_index
    }

    /// Where it stands, for a message.
    pub fn place(&self) -> String {
        let name = self.batch.source.name();
        format!("{name}{RECORD}{}", self.batch.offset + self.span.start as u64)
    }

    /// How a `request` or `metadata` record of WARC is linked with others; none for anything else.
    pub fn capture(&self) -> Option<Capture> {
        let is_archive = self.batch.format.is_archive();
        if is_archive { Capture::of_companion(self.raw()) } else { None }
    }

    /// Why a record of an archive is no document, in a word or two: its sort, such as `request`; the status of its
    /// response, such as `status 404`; or the type of its payload, such as `image/png`. None for anything else.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of its head; of a payload whose type nothing tells, its beginning is looked at.
    pub fn obstacle(&self) -> Option<String> {
        if self.batch.format.is_archive() { obstacle(self.raw()) } else { None }
    }

    /// The table of which they are the header.
    pub fn table(&self) -> Option<&'a Arc<Table>> {
        self.batch.table.as_ref()
    }
}

/// Where a record lies in the bytes of its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// From 1.
    pub(crate) line: u64,
    /// In the file, from 0.
    pub(crate) offset: u64,
    /// Why there is nothing to be parsed; then none of its bytes are in the span.
    pub(crate) fault: Option<Fault>,
}

impl Batch {
    /// The source of every record.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The place of the source among those given to the reader.
    pub fn source_index(&self) -> usize {
        self.source_index
    }

    /// How the source is cut into records.
    pub fn format(&self) -> InputFormat {
        self.format
    }

    /// The number of the first record among those of all sources, from 0. It is the same in every
    /// reading of the same sources, whatever the size of the batches.
    pub fn first_record(&self) -> u64 {
        self.first_record
    }

    /// Where the batch starts in its file, in decompressed bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The number of records.
    #[expect(clippy::len_without_is_empty, reason = "what has no record may carry something")]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// WARC records that are no documents.
    pub fn others(&self) -> usize {
        if self.format.is_archive() { self.carried.len() } else { 0 }
    }

    /// All that is carried along, in the order of the file.
    pub fn carried(&self) -> impl Iterator<Item = Carried<'_>> {
        self.carried.iter().map(|span| Carried { batch: self, span: *span })
    }

    /// What is carried right before the record of this place, or behind the last for the
    /// [number](Self::len) of records.
    pub fn carried_before(&self, index: usize) -> impl Iterator<Item = Carried<'_>> {
        let start = self.carried.partition_point(|span| span.before < index);
        let spans = self.carried.get(start..).unwrap_or_default().iter();
        let spans = spans.take_while(move |span| span.before == index);
        spans.map(|span| Carried { batch: self, span: *span })
    }
}
