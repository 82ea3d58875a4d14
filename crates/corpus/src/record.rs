//! One record as it stands in its file. What it says is `document`'s.

use crate::batch::{Batch, Span};
use crate::document::{Document, Fields, InvalidUtf8};
use crate::error::Error;
use crate::format::InputFormat;
use crate::id::Id;
use crate::source::Source;
use crate::vector::Vector;

/// A line of JSONL or a whole file.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub(crate) batch: &'a Batch,
    pub(crate) span: Span,
}

impl<'a> Record<'a> {
    /// The bytes of the file, the line end included where there is one. A byte order mark at the
    /// start of a JSONL file belongs to no record. Empty if the record is [too
    /// long](Self::too_long).
    pub fn raw(&self) -> &'a [u8] {
        self.batch.bytes.get(self.span.start..self.span.end).unwrap_or_default()
    }

    /// The line in its file, from 1.
    pub fn line(&self) -> u64 {
        self.span.line
    }

    /// The source it comes from.
    pub fn source(&self) -> &'a Source {
        self.batch.source()
    }

    /// The place of the source among those given to the reader.
    pub fn source_index(&self) -> usize {
        self.batch.source_index()
    }

    /// Whether it exceeds [`max_record_bytes`](crate::reader::ReadOptions::max_record_bytes).
    pub fn too_long(&self) -> bool {
        self.span.too_long
    }

    /// The id of a document that names none: `"file:line"`, and the file for a text document.
    pub fn default_id(&self) -> Id<'static> {
        Id::from_text(&self.place())
    }

    /// What the record says.
    ///
    /// # Errors
    ///
    /// A record that is too long; that is not UTF-8, if `invalid_utf8` asks for failure; a row that
    /// is broken JSON, no object, without a text, or of a text or id of the wrong type; and an HTML
    /// file of which no [`Fields::part`] is asked for.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record. The text is copied only if it has escapes or is that of a
    /// page; see [`Page::main`](crate::page::Page::main).
    pub fn document(
        &self,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
    ) -> Result<Document<'a>, Error> {
        if self.too_long() {
            return Err(Error::TooLong { place: self.place(), limit: self.batch.max_record_bytes });
        }
        let place = || self.place();
        match self.batch.format() {
            InputFormat::Jsonl => Document::from_row(self.raw(), fields, invalid_utf8, &place),
            InputFormat::Text => Document::from_text(self.raw(), invalid_utf8, &place),
            InputFormat::Html => Document::from_page(self.raw(), fields.part, &place),
        }
    }

    /// What the record says, where its document is given by features: those in the field of the
    /// text.
    ///
    /// # Errors
    ///
    /// As [`Self::document`]; a text file; features of another form; a weight that is no finite
    /// number.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    pub fn vector(&self, fields: &Fields, invalid_utf8: InvalidUtf8) -> Result<Vector<'a>, Error> {
        if self.too_long() {
            return Err(Error::TooLong { place: self.place(), limit: self.batch.max_record_bytes });
        }
        if self.batch.format().is_whole() {
            return Err(Error::NoFeatures { place: self.place() });
        }
        Vector::from_row(self.raw(), fields, invalid_utf8, &|| self.place())
    }

    fn place(&self) -> String {
        let name = self.source().name();
        match self.batch.format() {
            InputFormat::Jsonl => format!("{name}:{}", self.line()),
            InputFormat::Text | InputFormat::Html => name.to_owned(),
        }
    }
}
