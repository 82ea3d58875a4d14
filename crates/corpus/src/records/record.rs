//! One record as it stands in its file. What it says is `document`'s.

use crate::archive::arc::ArcRecord;
use crate::archive::capture::Capture;
use crate::archive::record::is_warc;
use crate::archive::revisit;
use crate::archive::warc::WarcRecord;
use crate::columns::packed_row::{Cell, PackedRow};
use crate::documents::document::{Document, InvalidUtf8, cells_of, decode, explain};
use crate::documents::fields::Fields;
use crate::documents::joined_text;
use crate::documents::members::members;
use crate::documents::replaced;
use crate::documents::row::{field_names, listed, wanted};
use crate::documents::table::Table;
use crate::documents::vector::Vector;
use crate::error::Error;
use crate::fault::Fault;
use crate::finite::{finite, read_json};
use crate::format::{InputFormat, Shape};
use crate::html::charset::Markup;
use crate::id::Id;
use crate::place::RECORD;
use crate::records::batch::{Batch, Span};
use crate::records::path_labels;
use crate::records::source::Source;
use crate::unescaped::{marked, string, whole};
use crate::within::within;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::str;

/// A line of JSONL, a row of a table, a WARC record, a line of text or a whole file.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub(crate) batch: &'a Batch,
    pub(crate) span: Span,
}

impl Batch {
    /// The records in the order of the file.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'_>> {
        self.spans.iter().map(|span| Record { batch: self, span: *span })
    }

    /// One record, by its place in the batch.
    ///
    /// # Complexity
    ///
    /// O(1).
    pub fn record(&self, index: usize) -> Option<Record<'_>> {
        self.spans.get(index).map(|span| Record { batch: self, span: *span })
    }
}

impl<'a> Record<'a> {
    /// The bytes of the file, the line end included where there is one; of a row of columns a line
    /// of JSON. A byte order mark at the start of a JSONL file belongs to no record. Empty if the
    /// record is [too long](Self::too_long).
    ///
    /// # Complexity
    ///
    /// O(1), but for a row of columns, which is linear in its bytes.
    pub fn raw(&self) -> Cow<'a, [u8]> {
        self.line_where(|_| false)
    }

    /// The same, where a row of columns keeps its text: bytes of one length in the columns of [`Fields::text`] are
    /// written as the text that they are read as.
    ///
    /// # Complexity
    ///
    /// That of [`raw`](Self::raw).
    pub fn raw_with(&self, fields: &Fields) -> Cow<'a, [u8]> {
        let several = joined_text::names(&fields.text).unwrap_or_default();
        self.line_where(|name| name == fields.text || several.contains(&name))
    }

    fn line_where(&self, is_text: impl Fn(&str) -> bool) -> Cow<'a, [u8]> {
        match &self.batch.columns {
            Some(columns) if self.span.fault.is_none() => {
                Cow::Owned(PackedRow::new(self.held()).to_line(columns, is_text))
            }
            _ => Cow::Borrowed(self.held()),
        }
    }

    /// The bytes that its batch holds of it: [`raw`](Self::raw), but for a row of columns, whose
    /// cells are in a form of their own.
    pub fn held(&self) -> &'a [u8] {
        within(&self.batch.bytes, self.span.start..self.span.end)
    }

    /// The line in its file, from 1.
    pub fn line(&self) -> u64 {
        self.span.line
    }

    /// Where it begins in its file, in decompressed bytes.
    pub fn offset(&self) -> u64 {
        self.span.offset
    }

    /// The source it comes from.
    pub fn source(&self) -> &'a Source {
        self.batch.source()
    }

    /// The place of the source among those given to the reader.
    pub fn source_index(&self) -> usize {
        self.batch.source_index()
    }

    /// How its source is cut into records.
    pub fn format(&self) -> InputFormat {
        self.batch.format()
    }

    /// Whether it exceeds [`max_record_bytes`](crate::records::read_options::ReadOptions::max_record_bytes).
    pub fn too_long(&self) -> bool {
        self.span.fault == Some(Fault::TooLong)
    }

    /// The characters of an HTML file, in the [character set](crate::Dialect::encoding) that is asked for, or that the page
    /// tells.
    pub fn markup(&self) -> Markup<'a> {
        let source = &self.batch.source;
        Markup::of_file(Path::new(source.name()), self.held(), source.dialect().encoding)
    }

    /// How a record of WARC is linked with others; none for anything else.
    pub fn capture(&self) -> Option<Capture> {
        let is_archive = self.batch.format.is_archive();
        if is_archive { Capture::parse(self.held()) } else { None }
    }

    /// What a `revisit` may call a record of WARC: its id, and its URL with its date; nothing for anything else.
    pub fn capture_names(&self) -> Vec<String> {
        if self.batch.format.is_archive() { revisit::names(self.held()) } else { Vec::new() }
    }

    /// The header of its source, where that is a table.
    pub fn table(&self) -> Option<&'a Table> {
        self.batch.table.as_deref()
    }

    /// The JSON of an object in a field of a row, as it stands, or as a text has it: tables and columns of strings have
    /// no objects. None where the row has none, null or an empty cell, and where the record is no row or is broken.
    ///
    /// # Errors
    ///
    /// [`Error::ObjectType`] where the field holds something else.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    pub fn object(&self, field: &str) -> Result<Option<String>, Error> {
        if !self.batch.format.is_rows() {
            return Ok(None);
        }
        let raw = self.raw();
        let row = String::from_utf8_lossy(&raw);
        let found = if self.batch.format.is_table() {
            self.cell(&row, field)
        } else {
            let row = finite(&row);
            let members = members(&row).unwrap_or_default();
            let json = members.get(field.as_bytes()).map(|value| value.get());
            json.map(|json| string(json).map_or_else(|_| json.to_owned(), |(text, _)| text))
        };
        match found.as_deref().map(str::trim) {
            None | Some("null") => Ok(None),
            Some(json)
                if json.starts_with('{') && serde_json::from_str::<&RawValue>(json).is_ok() =>
            {
                Ok(Some(json.to_owned()))
            }
            Some(_) => Err(Error::ObjectType { place: self.place(), field: field.to_owned() }),
        }
    }

    /// The text of the column of a name in a row of a table; an empty one is none.
    fn cell(&self, row: &str, name: &str) -> Option<String> {
        let table = self.table()?;
        let cells = cells_of(row, table, &|| self.place()).ok()?;
        let text = String::from_utf8_lossy(cells.get(table.column(name)?)).into_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The names of the columns of its source, where that is a file of columns.
    pub fn columns(&self) -> &'a [String] {
        self.batch.columns.as_ref().map_or(&[], |columns| &columns.0)
    }

    /// The id of a document that names none: `"file:line"`, a WARC record by its offset, and the file where that is
    /// one document.
    pub fn default_id(&self) -> Id<'static> {
        Id::from_text(&self.place())
    }

    /// The number that names the record in its file, as in FILE:NUMBER: its line; of an archive, which has no lines, `number`,
    /// which is its own among the records of the file, from 1.
    pub fn number(&self, number: u64) -> u64 {
        if self.format().is_archive() { number } else { self.line() }
    }

    /// What the record says.
    ///
    /// # Errors
    ///
    /// A record that is too long; that is not UTF-8, if `invalid_utf8` asks for failure; a row that
    /// is broken JSON, no object, without a text, or of a text or id of the wrong type; one of a
    /// table that has not the columns of its header or leaves a quote open; a WARC record that is
    /// broken or whose HTTP payload cannot be decoded; a document without the id that
    /// [`Fields::id_required`] asks for; and an HTML file of which no [`Fields::part`] is asked for.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record. The text is copied only if it has escapes or is that of a
    /// page; see [`Page::main`](crate::html::page::Page::main).
    pub fn document(
        &self,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
    ) -> Result<Document<'a>, Error> {
        self.whole()?;
        self.refuse_equal_columns(fields)?;
        let mut document = self.parsed(fields, invalid_utf8)?;
        if matches!(self.batch.format.shape(), Shape::Objects | Shape::Table | Shape::Columns) {
            document = document.of_messages(fields, invalid_utf8, &|| self.place())?;
        }
        path_labels::fill(&mut document.labels, fields, self.batch.source());
        self.named(document.id.is_some(), fields)?;
        Ok(document)
    }

    fn parsed(&self, fields: &Fields, invalid_utf8: InvalidUtf8) -> Result<Document<'a>, Error> {
        let place = || self.place();
        if let Some(columns) = &self.batch.columns {
            let row = PackedRow::new(self.held());
            return Document::from_packed(row, columns, fields, invalid_utf8, &place);
        }
        match (self.batch.format.shape(), &self.batch.table) {
            (Shape::Objects, _) => Document::from_row(self.held(), fields, invalid_utf8, &place),
            (Shape::Table, Some(table)) => {
                Document::from_cells(self.held(), table, fields, invalid_utf8, &place)
            }
            (Shape::Archive, _) if !is_warc(self.held()) => match ArcRecord::parse(self.held()) {
                Some(record) => record.document(fields, self.batch.max_record_bytes, &place),
                None => Err(Error::ArcMissing { place: place() }),
            },
            (Shape::Archive, _) => match WarcRecord::parse(self.held()) {
                Some(record) => record.document(fields, self.batch.max_record_bytes, &place),
                None => Err(Error::WarcHead { place: place(), problem: "it does not end" }),
            },
            (Shape::Lines, _) => Document::from_line(self.held(), invalid_utf8, &place),
            (Shape::Seen, _) => Err(Error::SegmentText { place: place() }),
            (Shape::Page, _) => Document::from_page(self.markup(), fields.part, &place),
            _ => {
                let document = Document::from_text(self.held(), invalid_utf8, &place)?;
                Ok(Document { seems_rows: self.seems_rows(), ..document })
            }
        }
    }

    /// Whether a file that is a text by its name begins as what has records: on standard input it would be read so.
    fn seems_rows(&self) -> bool {
        let named = InputFormat::of_name(Path::new(self.source().name()));
        named == Some(InputFormat::TEXT)
            && InputFormat::within_text(self.held(), self.source().dialect()).is_some()
    }

    /// The bytes of the record with another text in the place of its own: all its other bytes stay. Of a row of
    /// columns this is a line of JSON, as [`raw`](Self::raw) is.
    ///
    /// # Errors
    ///
    /// [`Error::TextPlace`] for a text that has no place of its own: see [`Document::joined`]; that of a page or of a
    /// record of an archive; one that a table without quotes cannot hold.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Fields, ReadOptions, Reader, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.jsonl").display().to_string();
    /// std::fs::write(&path, "{\"id\": 1.0, \"text\": \"one\"}\n")?;
    /// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
    /// let row = batch.record(0).unwrap().with_text(&Fields::default(), "two")?;
    /// assert_eq!(row, b"{\"id\": 1.0, \"text\": \"two\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_text(&self, fields: &Fields, text: &str) -> Result<Vec<u8>, Error> {
        let (place, raw) = (|| self.place(), self.raw());
        match (self.batch.format.shape(), &self.batch.table) {
            (Shape::Objects | Shape::Columns, _) => replaced::in_row(&raw, fields, text, &place),
            (Shape::Table, Some(table)) => {
                replaced::in_cell(&raw, table, &fields.text, text, &place)
            }
            (Shape::Lines, _) => replaced::in_line(&raw, text, &place),
            (Shape::Text, _) => Ok(replaced::in_file(&raw, text)),
            _ => Err(replaced::no_place(&place, "it is a part of something else")),
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
        self.whole()?;
        if !matches!(self.batch.format.shape(), Shape::Objects | Shape::Columns) {
            return Err(Error::NoFeatures { place: self.place() });
        }
        self.refuse_equal_columns(fields)?;
        let place = || self.place();
        let mut vector = match self.raw() {
            Cow::Borrowed(raw) => Vector::from_row(raw, fields, invalid_utf8, &place)?,
            Cow::Owned(raw) => {
                Vector::from_row(&raw, fields, invalid_utf8, &place).map(Vector::into_owned)?
            }
        };
        path_labels::fill(&mut vector.labels, fields, self.batch.source());
        self.named(vector.id.is_some(), fields)?;
        Ok(vector)
    }

    /// The fields of a row of a table, each with the name of its column; none of what is no table.
    ///
    /// # Errors
    ///
    /// A record that is too long or is not UTF-8; a row that has not the columns of its header, or leaves a quote open.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    pub fn cells(&self) -> Result<Vec<(&'a str, String)>, Error> {
        self.cells_with(InvalidUtf8::Fail)
    }

    fn cells_with(&self, invalid_utf8: InvalidUtf8) -> Result<Vec<(&'a str, String)>, Error> {
        self.whole()?;
        let Some(table) = self.table() else { return Ok(Vec::new()) };
        let place = || self.place();
        let line = decode(self.held(), invalid_utf8, &place)?;
        let cells = cells_of(&line, table, &place)?;
        // What is cut out of UTF-8 at delimiters is UTF-8.
        let cell = |at| String::from_utf8_lossy(cells.get(at)).into_owned();
        Ok(table.names().iter().enumerate().map(|(at, name)| (name.as_str(), cell(at))).collect())
    }

    /// All fields of a row; those of a table are texts. Half of a surrogate pair becomes U+FFFD, and so does in columns what is
    /// not UTF-8: [`damaged_fields`](Self::damaged_fields) names the fields that have such.
    ///
    /// # Errors
    ///
    /// As for [`cells`](Self::cells), but that what is not UTF-8 may be replaced; a row that is broken JSON or no object;
    /// [`Error::NoRow`] for what has no fields.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{InvalidUtf8, ReadOptions, Reader, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.csv").display().to_string();
    /// std::fs::write(&path, "question,answer\nHow many?,42\n")?;
    /// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
    /// assert_eq!(batch.record(0).unwrap().fields(InvalidUtf8::Fail)?["answer"], "42");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fields(&self, invalid_utf8: InvalidUtf8) -> Result<Map<String, Value>, Error> {
        self.whole()?;
        let place = || self.place();
        match self.batch.format.shape() {
            Shape::Table => {
                let cells = self.cells_with(invalid_utf8)?.into_iter();
                Ok(cells.map(|(name, cell)| (name.to_owned(), Value::from(cell))).collect())
            }
            Shape::Objects | Shape::Columns => {
                let raw = self.raw();
                let line = decode(raw.trim_ascii_end(), invalid_utf8, &place)?;
                read_json(whole(&line).as_bytes()).map_err(|error| explain(&error, &line, &place))
            }
            _ => Err(Error::NoRow { place: place() }),
        }
    }

    /// The names of the fields of a row in which something is no character: bytes that are not UTF-8, or in JSON half of a
    /// surrogate pair.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{InvalidUtf8, ReadOptions, Reader, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.jsonl").display().to_string();
    /// std::fs::write(&path, b"{\"a\": \"x\", \"b\": [\"\\ud800\"], \"c\": \"\xff\"}\n")?;
    /// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
    /// let record = batch.record(0).unwrap();
    /// assert_eq!(record.damaged_fields(), ["b", "c"]);
    /// assert_eq!(record.fields(InvalidUtf8::Replace)?["b"][0], "\u{fffd}");
    /// assert!(record.fields(InvalidUtf8::Fail).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damaged_fields(&self) -> Vec<String> {
        let is_halved = |json: &str| matches!(whole(json), Cow::Owned(_));
        let is_damaged = |cell: &Cell<'_>| match cell {
            Cell::Text(text) => simdutf8::basic::from_utf8(text).is_err(),
            Cell::Json(json) => is_halved(json),
            Cell::Bytes(_) => false,
        };
        match (self.batch.format.shape(), self.table()) {
            (Shape::Objects, _) => {
                let line = marked(self.held());
                let line = finite(&line);
                let members = Some(&*line).filter(|line| is_halved(line)).and_then(members);
                let members = members.unwrap_or_default().into_iter();
                let halved = members.filter(|(_, value)| is_halved(value.get()));
                halved.map(|(name, _)| name.to_string()).collect()
            }
            (Shape::Table, Some(table)) if str::from_utf8(self.held()).is_err() => {
                let cells = table.cells(self.held());
                let names = table.names().iter().enumerate();
                let damaged = names.filter(|(at, _)| str::from_utf8(cells.get(*at)).is_err());
                damaged.map(|(_, name)| name.clone()).collect()
            }
            (Shape::Columns, _) => {
                let cells = self.columns().iter().zip(PackedRow::new(self.held()).cells());
                cells.filter(|(_, cell)| is_damaged(cell)).map(|(name, _)| name.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names that several columns of its table have.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{ReadOptions, Reader, discover};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.csv").display().to_string();
    /// std::fs::write(&path, "a,b,a\n1,2,3\n")?;
    /// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
    /// assert_eq!(batch.record(0).unwrap().repeated_columns(), ["a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn repeated_columns(&self) -> Vec<&'a str> {
        let names = self.table().map_or_else(|| self.columns(), Table::names);
        let mut seen = HashSet::new();
        names.iter().map(String::as_str).filter(|name| !seen.insert(*name)).collect()
    }

    /// Refuses a row of which several columns have the name of one that is read: none of them is the one that is meant.
    fn refuse_equal_columns(&self, fields: &Fields) -> Result<(), Error> {
        let names = self.table().map_or_else(|| self.columns(), Table::names);
        let is_there = |name: &str| names.iter().any(|column| column == name);
        // A field within another one is in a column of the other's name.
        let is_within = |name: &&str| self.batch.columns.is_some() && !is_there(name);
        let is_twice = |name: &&str| names.iter().filter(|own| own == name).nth(1).is_some();
        let parts = joined_text::names(&fields.text).filter(|_| !is_there(&fields.text));
        let read = wanted(fields).into_iter().flatten().chain(parts.into_iter().flatten());
        let column = |name| match Some(name).filter(is_within).and_then(|name| name.split_once('.'))
        {
            Some((outer, _)) => outer,
            None => name,
        };
        match read.map(column).find(is_twice) {
            None => Ok(()),
            Some(field) => Err(Error::ColumnTwice { place: self.place(), field: field.to_owned() }),
        }
    }

    /// Refuses a document without an id where it needs one.
    fn named(&self, has_id: bool, fields: &Fields) -> Result<(), Error> {
        if has_id || !fields.id_required {
            return Ok(());
        }
        let (field, present) = (fields.id.clone(), self.field_names());
        Err(Error::IdMissing { place: self.place(), field, present })
    }

    /// Refuses a row of a table with one column, in whose name another delimiter stands: a field that is not there is then
    /// no matter of names.
    ///
    /// # Errors
    ///
    /// [`Error::OtherDelimiter`].
    pub fn refuse_one_column(&self) -> Result<(), Error> {
        match self.table().and_then(Table::other_delimiter) {
            Some(delimiter) => Err(Error::OtherDelimiter { place: self.place(), delimiter }),
            None => Ok(()),
        }
    }

    /// The names of the fields of a row, for a message; none of what has no fields with names.
    #[must_use]
    pub fn field_names(&self) -> Option<String> {
        match (self.batch.format.shape(), &self.batch.table, &self.batch.columns) {
            (_, _, Some(columns)) => Some(listed(&columns.0)),
            (_, Some(table), None) => Some(listed(table.names())),
            (Shape::Objects, None, None) => {
                Some(field_names(&String::from_utf8_lossy(self.held())))
            }
            _ => None,
        }
    }

    /// Where it stands, for a message.
    pub fn place(&self) -> String {
        let name = self.source().name();
        match self.batch.format() {
            format if format.is_whole() => name.to_owned(),
            format if format.is_archive() => format!("{name}{RECORD}{}", self.offset()),
            _ => format!("{name}:{}", self.line()),
        }
    }

    /// Fails where there is nothing to be parsed.
    fn whole(&self) -> Result<(), Error> {
        let place = || self.place();
        match self.span.fault {
            None => Ok(()),
            Some(Fault::TooLong) => {
                Err(Error::TooLong { place: place(), limit: self.batch.max_record_bytes })
            }
            Some(Fault::OpenQuote) => Err(Error::OpenQuote { place: place() }),
            Some(Fault::StrayQuote(lines)) => {
                Err(Error::StrayQuote { place: place(), line: self.line() + lines })
            }
            Some(Fault::Swallowed(lines)) => {
                Err(Error::Swallowed { place: place(), line: self.line() + lines })
            }
            Some(Fault::NoRecord) => Err(Error::WarcMissing { place: place() }),
            Some(Fault::Head(problem)) => Err(Error::WarcHead { place: place(), problem }),
            Some(Fault::HeadCut) => Err(Error::WarcCut { place: place(), stated: None }),
            Some(Fault::BlockCut(stated)) => {
                Err(Error::WarcCut { place: place(), stated: Some(stated) })
            }
            Some(Fault::NoArcRecord) => Err(Error::ArcMissing { place: place() }),
            Some(Fault::ArcLength(stated)) => Err(Error::ArcLength { place: place(), stated }),
            Some(Fault::ArcCut(stated)) => Err(Error::ArcCut { place: place(), stated }),
            Some(Fault::BlockLength(stated)) => Err(Error::WarcLength { place: place(), stated }),
        }
    }
}
