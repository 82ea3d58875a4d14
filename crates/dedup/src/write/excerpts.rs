//! The beginnings of some documents, read once more. [`crate::write::overview`] chooses them.

use crate::error::Error;
use crate::numbers::{DocumentNumber, RecordNumber, index};
use crate::progress::{Progress, Stage};
use crate::read::left_out::{LeftOut, records_of};
use crate::read::reading::{Reading, is_markup};
use crate::read::segment_row::SegmentRow;
use crate::read::sketch::{Origin, fields_for};
use crate::read::source_counts::SourceCounts;
use nearprint_corpus::{Fields, InputFormat, InvalidUtf8, Part, Reader, Record, Source};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// What a document is called, and how it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Its id, as JSON text.
    pub id: String,
    /// Where it stands: its file, with its line or its byte where that holds several documents.
    pub place: String,
    /// The first [`BYTES`](Self::BYTES) of its text, or fewer where that ends within a character; of a
    /// document that is given by features, those of its record; nothing of a document of a segment.
    pub text: String,
    /// Bytes of all its text.
    pub bytes: u64,
    /// The title and headings of a page, from their beginning.
    pub headings: String,
    /// Whether a part of the text can be cut out of its document.
    pub can_be_cut: bool,
}

impl Excerpt {
    /// The most bytes of a text.
    pub const BYTES: usize = 1 << 13;
    /// The most bytes of headings.
    const HEADINGS: usize = 1 << 10;

    pub(crate) fn of(record: &Record<'_>, format: InputFormat, fields: &Fields) -> Self {
        if format.is_seen() {
            let id = SegmentRow::of(record).map(|row| row.id.get().to_owned());
            return Self { id: id.unwrap_or_default(), place: record.place(), ..Self::default() };
        }
        let (id, text, joined) = match record.document(fields, InvalidUtf8::Replace) {
            Ok(document) => (document.id, document.text, document.joined),
            Err(_) => (None, String::from_utf8_lossy(&record.raw()).into_owned().into(), true),
        };
        let id = id.unwrap_or_else(|| record.default_id()).as_json().to_owned();
        let of_headings = Fields { part: Some(Part::Headings), ..fields.clone() };
        let headings = fields.part.and_then(|_| {
            Some(record.document(&of_headings, InvalidUtf8::Replace).ok()?.text.into_owned())
        });
        let headings = beginning(&headings.unwrap_or_default(), Self::HEADINGS).to_owned();
        Self {
            id,
            place: record.place(),
            text: beginning(&text, Self::BYTES).to_owned(),
            bytes: text.len() as u64,
            headings,
            can_be_cut: !joined && !is_markup(format, fields.part.is_some()),
        }
    }
}

/// The first so many bytes of a text, or fewer where that ends within a character.
fn beginning(text: &str, most: usize) -> &str {
    let longest = text.len().min(most);
    let cut = (0..=longest).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..cut).unwrap_or_default()
}

impl Reading {
    /// The fields by which a document is read: of a page the part that the recipe asks for.
    #[must_use]
    pub fn document_fields(&self) -> Cow<'_, Fields> {
        match &self.content {
            Origin::Text { recipe, .. } => Cow::Owned(fields_for(recipe, &self.fields)),
            Origin::Hex(_) => Cow::Borrowed(&self.fields),
        }
    }

    /// The beginnings of the documents of some `records`, whose numbers ascend; of what cannot be read any longer
    /// there is none.
    ///
    /// # Complexity
    /// One sequential reading up to the last of them; memory for a batch and [`Excerpt::BYTES`] a document.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn excerpts(
        &self,
        sources: &[Source],
        records: &[RecordNumber],
        progress: &Progress,
    ) -> Result<BTreeMap<RecordNumber, Excerpt>, Error> {
        progress.enter(Stage::Overview);
        let fields = self.document_fields();
        let reader = Reader::new(sources, self.options);
        let bytes_read = reader.bytes_read();
        let (mut batches, mut excerpts) = (reader.flatten(), BTreeMap::new());
        let mut wanted = records.iter().copied().peekable();
        while wanted.peek().is_some() {
            let Some(batch) = batches.next() else { break };
            let (start, count) = (batch.first_record(), batch.len() as u64);
            while let Some(record) = wanted.next_if(|record| record.0 < start + count) {
                if let Some(found) = batch.record(index(record.0 - start)) {
                    excerpts.insert(record, Excerpt::of(&found, batch.format(), &fields));
                }
            }
            progress.advance(bytes_read.load(Ordering::Relaxed), count);
            progress.check()?;
        }
        Ok(excerpts)
    }
}

/// Where the records of documents are: what the first reading tells of it.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The sources, in the order of the first reading.
    pub(crate) sources: &'a [Source],
    /// What that found in each of them.
    pub(crate) counts: &'a [SourceCounts],
    /// Its records that are no numbered documents.
    pub(crate) left_out: &'a [LeftOut],
}

/// Reads `documents`, whose numbers ascend, once more. A source without any of them is not opened,
/// and none is read behind the last of them in it. What cannot be read any longer is not in the
/// result: the last reading will say so.
///
/// # Complexity
/// One sequential reading at most; memory for a batch and [`Excerpt::BYTES`] a document.
pub(crate) fn read(
    reading: &Reading,
    places: Places<'_>,
    documents: &[DocumentNumber],
    progress: &Progress,
) -> Result<BTreeMap<DocumentNumber, Excerpt>, Error> {
    progress.enter(Stage::Overview);
    let fields = reading.document_fields();
    let records = records_of(documents, places.left_out);
    let mut wanted = records.into_iter().zip(documents.iter().copied()).peekable();
    let (mut excerpts, mut first, mut bytes) = (BTreeMap::new(), 0, 0);
    for (source, counts) in places.sources.iter().zip(places.counts) {
        let end = first + counts.records;
        let reader = Reader::new(std::slice::from_ref(source), reading.options);
        let bytes_read = reader.bytes_read();
        let mut batches = reader.flatten();
        while wanted.peek().is_some_and(|(record, _)| record.0 < end) {
            let Some(batch) = batches.next() else { break };
            progress.check()?;
            let start = first + batch.first_record();
            let behind = start + batch.len() as u64;
            while let Some((record, document)) = wanted.next_if(|(record, _)| record.0 < behind) {
                if let Some(record) = batch.record(index(record.0 - start)) {
                    excerpts.insert(document, Excerpt::of(&record, batch.format(), &fields));
                }
            }
            progress.advance(bytes + bytes_read.load(Ordering::Relaxed), batch.len() as u64);
        }
        // Those that were not found.
        while wanted.next_if(|(record, _)| record.0 < end).is_some() {}
        bytes += source.bytes().unwrap_or(0);
        first = end;
    }
    Ok(excerpts)
}
