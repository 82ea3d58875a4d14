//! A run of whole records of one source, the unit that goes from the reading thread to a worker.
//! Cutting the batches is `cutting`'s.

use crate::archive::capture::Capture;
use crate::archive::record::obstacle;
use crate::archive::revisit;
use crate::buffers::Buffers;
use crate::columns::packed_row::Columns;
use crate::documents::fields::Fields;
use crate::documents::joined_text;
use crate::documents::row::listed;
use crate::documents::table::Table;
use crate::error::Error;
use crate::fault::Fault;
use crate::format::InputFormat;
use crate::place::RECORD;
use crate::records::source::Source;
use crate::within::within;
use memchr::memmem;
use std::sync::Arc;

/// Whole records of one source, and what is carried along with them: at least one of either, but for a source with
/// columns and no row, at whose end one has neither, and for a [`Lot`](crate::Lot) of blank lines. [`Reader`] has an
/// example.
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
    /// It stands at the end of a source that has columns and no row.
    pub(crate) is_rowless: bool,
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

    /// What a `revisit` record of WARC refers to: a [name](crate::Record::capture_names) of a response.
    pub fn revisited(&self) -> Option<String> {
        if self.batch.format.is_archive() { revisit::referred(self.raw()) } else { None }
    }

    /// Why a record of an archive is no document, in a word or two: its sort, such as `request`; the status of its
    /// response, such as `status 404`; the type of its payload, such as `image/png`; or the scheme of its target, where
    /// a crawler made it itself, such as `target urn:text`. None for anything else.
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

    /// Whether there is nothing to be said of it.
    pub(crate) fn is_blank(&self) -> bool {
        self.spans.is_empty() && self.carried.is_empty() && !self.is_rowless
    }

    /// Whether these bytes stand anywhere in it, as it is held.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        memmem::find(&self.bytes, bytes).is_some()
    }

    /// WARC records that are no documents.
    pub fn others(&self) -> usize {
        if self.format.is_archive() { self.carried.len() } else { 0 }
    }

    /// Fails where the source has columns with names and no row, and none of them holds the text: where each row would
    /// fail.
    ///
    /// # Errors
    ///
    /// [`Error::ColumnMissing`] and [`Error::OtherDelimiter`].
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Fields, ReadOptions, Reader, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.csv").display().to_string();
    /// std::fs::write(&path, "id,body\n")?;
    /// let last = Reader::new(&discover(&[path], None)?, ReadOptions::default()).last().unwrap()?;
    /// let error = last.check_columns(&Fields::default()).unwrap_err();
    /// assert_eq!(error.reason(), "column-missing");
    /// assert!(last.check_columns(&Fields { text: "body".to_owned(), ..Fields::default() }).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_columns(&self, fields: &Fields) -> Result<(), Error> {
        let names = match (&self.table, &self.columns) {
            _ if !self.is_rowless => return Ok(()),
            (Some(table), _) => table.names(),
            (None, Some(columns)) => &columns.0,
            (None, None) => return Ok(()),
        };
        let is_column = |name: &str| names.iter().any(|column| column == name);
        // A field within another one is in a column of the other's name.
        let is_within = |name: &str| {
            self.columns.is_some()
                && name.split_once('.').is_some_and(|(outer, _)| is_column(outer))
        };
        let has = |name: &str| is_column(name) || is_within(name);
        // As programs write a table of nothing.
        if names.iter().all(String::is_empty) {
            return Ok(());
        }
        let field = fields.text.clone();
        let several = joined_text::names(&field).unwrap_or_default();
        if has(&field) || several.into_iter().any(has) {
            return Ok(());
        }
        let place = self.source.name().to_owned();
        if let Some(delimiter) = self.table.as_ref().and_then(|table| table.other_delimiter()) {
            return Err(Error::OtherDelimiter { place, delimiter });
        }
        Err(Error::ColumnMissing { path: place, field, present: listed(names) })
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
