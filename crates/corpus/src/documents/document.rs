//! What a record says: its text and its id. Where the record stands is `record`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::fields::{Fields, NullText, Place};
use crate::documents::joined_text::{self, Joined};
use crate::documents::labels;
use crate::documents::message::{NO_MESSAGES, NO_MESSAGES_IN_STRING, messages_in};
use crate::documents::row::{Row, field_names, json_type, listed, member};
use crate::documents::row_pass::PassedRow;
use crate::documents::score::{self, Score};
use crate::documents::table::{Cells, Table};
use crate::error::Error;
use crate::finite::finite;
use crate::format::BOM;
use crate::html::charset::Markup;
use crate::html::page::{Page, Part};
use crate::html::trust::Fallback;
use crate::id::Id;
use crate::unescaped::{escaped, string, unescaped};
use memchr::memchr;
use std::borrow::Cow;
use std::str;

/// What to do with a record that is not UTF-8, or escapes half of a surrogate pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidUtf8 {
    /// Fail.
    Fail,
    /// Read U+FFFD in place of what is invalid. The bytes of the record stay as they are.
    Replace,
}

/// A document, borrowed from its batch as far as it has no escapes. [`Fields`] has an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    /// The user's own id. None if the row has none or null, and for a text file; then
    /// [`Record::default_id`](crate::records::record::Record::default_id) serves.
    pub id: Option<Id<'a>>,
    /// What its archive calls the record, where [`CaptureId`](crate::CaptureId) is the id: its `WARC-Record-ID`, or its
    /// place in a file that has none.
    pub record: Option<Id<'static>>,
    /// The text, decoded; of a page the part that [`Fields::part`] asks for.
    pub text: Cow<'a, str>,
    /// All text of a page, where [`Part::Both`] is asked for.
    pub full: Option<String>,
    /// Why all text of a page stands for its main text, where it does.
    pub fallback: Option<Fallback>,
    /// The string in the field of [`Fields::tag`]. `None` if the field is missing or not a string.
    pub tag: Option<String>,
    /// The value in the field of [`Fields::score`]; see [`Score`]. `None` if the field
    /// is missing or null.
    pub score: Option<Score>,
    /// The values in the fields of [`Fields::ties`], in their order, as those of [`Self::score`].
    pub ties: Vec<Option<Score>>,
    /// The values in the fields of [`Fields::labels`], in their order. Where a field is missing or null, the path of the
    /// file may tell the value: of `dump` a folder `dump=a`, of `@folder` the first folder below the input, of `@file` the
    /// path below that. `None` where nothing does.
    pub labels: Vec<Option<String>>,
    /// Whether something in the record is no character and was replaced: by
    /// [`InvalidUtf8::Replace`], or in an HTML file.
    pub replaced_utf8: bool,
    /// Whether it is in an archive, in a body that is cut off or damaged: the text is what could be read of it.
    pub cut: bool,
    /// Whether it is a file that is a text by its name and begins as rows, or an archive, do.
    pub seems_rows: bool,
    /// Whether the text was put together: of several fields, of the parts of a conversation, be it in a string, or out of a
    /// column that holds more than texts. Then no other text can stand in its place.
    pub joined: bool,
    /// Of which of several fields the text is put together: of `title,body` the first is bit 0. None where it is of one.
    pub parts: u64,
}

impl<'a> Document<'a> {
    /// The document of a JSONL row.
    pub(crate) fn from_row(
        raw: &'a [u8],
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let cut = |error| cut_off(error, raw);
        let document = match decode(raw.trim_ascii_end(), invalid_utf8, place)? {
            Cow::Borrowed(line) => text_or_html(line, fields, invalid_utf8, place).map_err(cut)?,
            Cow::Owned(line) => {
                let document = text_or_html(&line, fields, invalid_utf8, place).map_err(cut)?;
                Document {
                    id: document.id.map(Id::into_owned),
                    text: Cow::Owned(document.text.into_owned()),
                    replaced_utf8: true,
                    ..document
                }
            }
        };
        Ok(match fields.part {
            Some(part) => document.of_page(part),
            None => document,
        })
    }

    /// The document of a row of a table. An id is a text; an empty one is none.
    pub(crate) fn from_cells(
        raw: &'a [u8],
        table: &Table,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let line = decode(raw, invalid_utf8, place)?;
        let cells = cells_of(&line, table, place)?;
        let json = |name: &str| {
            let mut json = Vec::new();
            match cells.get(table.column(name)?) {
                // An empty cell is none, as in the other fields.
                [] => json.extend_from_slice(b"null"),
                cell => escaped(cell, &mut json),
            }
            String::from_utf8(json).ok()
        };
        let several = || match joined_text::names(&fields.text) {
            None => Ok(None),
            Some(names) => joined_text::of_fields(&names, json)
                .map_err(|field| no_text(&json(field).unwrap_or_default(), field, place)),
        };
        let column = table.column(&fields.text);
        let several = if column.is_none() { several()? } else { None };
        if column.is_none() && several.is_none() {
            if let Some(delimiter) = table.other_delimiter() {
                return Err(Error::OtherDelimiter { place: place(), delimiter });
            }
            let field = fields.text.clone();
            let present = format!("{}, as its first line names them", listed(table.names()));
            return Err(Error::TextMissing { place: place(), field, present });
        }
        let word = |name: &str| {
            let cell = str::from_utf8(cells.get(table.column(name)?)).ok()?;
            (!cell.is_empty()).then_some(cell)
        };
        let id = word(&fields.id).map(Id::from_text);
        let tag = fields.tag.as_deref().and_then(word).map(str::to_owned);
        let score =
            |field: &str| word(field).map_or(Ok(None), |text| score::of_cell(text, field, place));
        let ties = score::ties(fields, |_, field| score(field))?;
        let score = fields.score.as_deref().map_or(Ok(None), score)?;
        let labels = labels::all(fields, |_, field| Ok(word(field).map(str::to_owned)))?;
        // Delimiters and quotes are ASCII: what they cut out of UTF-8 is UTF-8.
        let Joined { text, parts, replaced } = match (column, several) {
            (Some(column), _) => {
                let text = match String::from_utf8(cells.into_field(column)) {
                    Ok(text) => text,
                    Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
                };
                Joined { text, ..Joined::default() }
            }
            (None, several) => several.unwrap_or_default(),
        };
        if replaced && invalid_utf8 == InvalidUtf8::Fail {
            return Err(Error::Surrogate { place: place(), field: fields.text.clone() });
        }
        let replaced_utf8 = replaced || matches!(line, Cow::Owned(_));
        let document = Document {
            tag,
            score,
            ties,
            labels,
            replaced_utf8,
            joined: column.is_none(),
            parts,
            ..Document::new(id, Cow::Owned(text))
        };
        Ok(match fields.part {
            Some(part) => document.of_page(part),
            None => document,
        })
    }

    /// The same, where its text is messages in a string of JSON: what was said in them.
    pub(crate) fn of_messages(
        self,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let is_text = !self.joined && fields.part.is_none();
        let list = is_text.then(|| messages_in(&fields.text, &self.text)).flatten();
        let said = list.map(|list| {
            let said = joined_text::of_conversation(&list);
            said.ok_or_else(|| unread(&list, NO_MESSAGES_IN_STRING, &fields.text, place))
        });
        match said.transpose()? {
            None => Ok(self),
            Some(said) if said.replaced && invalid_utf8 == InvalidUtf8::Fail => {
                Err(Error::Surrogate { place: place(), field: fields.text.clone() })
            }
            Some(Joined { text, replaced, .. }) => {
                let replaced_utf8 = self.replaced_utf8 || replaced;
                Ok(Document { text: Cow::Owned(text), joined: true, replaced_utf8, ..self })
            }
        }
    }

    /// The document of a line of text, without its end.
    pub(crate) fn from_line(
        raw: &'a [u8],
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let line = raw.strip_suffix(b"\n").unwrap_or(raw);
        Document::from_text(line.strip_suffix(b"\r").unwrap_or(line), invalid_utf8, place)
    }

    /// The document of an HTML file. Its characters are found as a browser finds them, who replaces
    /// what is none.
    pub(crate) fn from_page(
        markup: Markup<'a>,
        part: Option<Part>,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let Some(part) = part else { return Err(Error::HtmlAsText { place: place() }) };
        let Markup { text, replaced, endless, .. } = markup;
        if endless {
            return Err(Error::EndlessEntities { place: place() });
        }
        Ok(Document { replaced_utf8: replaced, ..Document::new(None, text).of_page(part) })
    }

    /// The document whose text is markup, with a part of its text.
    pub(crate) fn of_page<'b>(self, part: Part) -> Document<'b>
    where
        'a: 'b,
    {
        let (text, fallback) = part.of(&self.text);
        let full = match part {
            Part::Both(rules) => Some(Page::new(&self.text, rules).into_full()),
            Part::Main(_) | Part::Full(_) | Part::Headings => None,
        };
        Document { text: Cow::Owned(text), full, fallback, ..self }
    }

    /// The document of characters that are a page, where a part of it is asked for, or a text.
    pub(crate) fn of_markup(
        text: String,
        replaced_utf8: bool,
        part: Option<Part>,
    ) -> Document<'static> {
        let document = Document { replaced_utf8, ..Document::new(None, Cow::Owned(text)) };
        match part {
            Some(part) => document.of_page(part),
            None => document,
        }
    }

    /// A text.
    pub(crate) fn new(id: Option<Id<'a>>, text: Cow<'a, str>) -> Self {
        Document {
            id,
            record: None,
            text,
            full: None,
            fallback: None,
            tag: None,
            score: None,
            ties: Vec::new(),
            labels: Vec::new(),
            replaced_utf8: false,
            cut: false,
            seems_rows: false,
            joined: false,
            parts: 0,
        }
    }

    /// The document of a text file; a byte order mark is no part of the text.
    pub(crate) fn from_text(
        raw: &'a [u8],
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let text = decode(raw.strip_prefix(BOM).unwrap_or(raw), invalid_utf8, place)?;
        let replaced_utf8 = matches!(text, Cow::Owned(_));
        Ok(Document { replaced_utf8, ..Document::new(None, text) })
    }
}

/// The fields of a row, as many as its table has columns.
pub(crate) fn cells_of(line: &str, table: &Table, place: Place<'_>) -> Result<Cells, Error> {
    let cells = table.cells(line.as_bytes());
    let (expected, found) = (table.names().len(), cells.len());
    match table.other_delimiter() {
        _ if found == expected => Ok(cells),
        Some(delimiter) => Err(Error::OtherDelimiter { place: place(), delimiter }),
        None => Err(Error::Ragged { place: place(), expected, found, quoted: table.has_quotes() }),
    }
}

/// Owned exactly if something had to be replaced.
pub(crate) fn decode<'a>(
    raw: &'a [u8],
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Cow<'a, str>, Error> {
    if let Ok(text) = simdutf8::basic::from_utf8(raw) {
        return Ok(Cow::Borrowed(text));
    }
    match (str::from_utf8(raw), invalid_utf8) {
        (Ok(text), _) => Ok(Cow::Borrowed(text)),
        (Err(_), InvalidUtf8::Replace) => Ok(String::from_utf8_lossy(raw)),
        (Err(error), InvalidUtf8::Fail) => {
            Err(Error::Utf8 { place: place(), offset: error.valid_up_to() })
        }
    }
}

/// As [`from_line`]; a row of a page may have it in a field `html` in place of `text`, as requests to the
/// service do.
fn text_or_html<'a>(
    line: &'a str,
    fields: &Fields,
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Document<'a>, Error> {
    match from_line(line, fields, invalid_utf8, place) {
        Err(missing @ Error::TextMissing { .. })
            if fields.part.is_some() && fields.text == Fields::TEXT =>
        {
            let html = Fields { text: "html".to_owned(), ..fields.clone() };
            from_line(line, &html, invalid_utf8, place).map_err(|_| missing)
        }
        found => found,
    }
}

fn from_line<'a>(
    line: &'a str,
    fields: &Fields,
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Document<'a>, Error> {
    let (row, text) = match PassedRow::read(line, fields) {
        Some(PassedRow { row, text }) => (row, Some(text)),
        None => (Row::parse(line, fields).map_err(|error| explain(&error, line, place))?, None),
    };
    let id = id_of(row.id, fields, place)?;
    let tag = row.tag.and_then(|json| serde_json::from_str(json).ok());
    let score = score::of_row(&row, fields, place)?;
    let ties = score::ties_of_row(&row, fields, place)?;
    let labels = labels::of_row(&row, fields, place)?;
    let document = match text {
        Some(text) => Document::new(None, text),
        None => text_of_line(line, row.text, fields, invalid_utf8, place)?,
    };
    Ok(Document { id, tag, score, ties, labels, ..document })
}

/// The text of a row, which has `text` in its field.
fn text_of_line<'a>(
    line: &'a str,
    text: Option<&'a str>,
    fields: &Fields,
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Document<'a>, Error> {
    let halved = || Error::Surrogate { place: place(), field: fields.text.clone() };
    let joined = |Joined { text, parts, replaced }| {
        if replaced && invalid_utf8 == InvalidUtf8::Fail {
            return Err(halved());
        }
        let document = Document::new(None, Cow::Owned(text));
        Ok(Document { joined: true, parts, replaced_utf8: replaced, ..document })
    };
    let Some(json) = text else {
        let finite = finite(line);
        let json = |name: &str| member(&finite, name).map(str::to_owned);
        return several(fields, place, &json, &|| field_names(line)).and_then(joined);
    };
    if json == "null" {
        return Ok(Document::new(None, null_text(fields, place)?));
    }
    let Some(inner) = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        let said = joined_text::of_conversation(json)
            .or_else(|| joined_text::of_conversation(&finite(json)));
        return said.map_or_else(|| Err(no_text(json, &fields.text, place)), joined);
    };
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Ok(Document::new(None, Cow::Borrowed(inner)));
    }
    if let Some(text) = unescaped(inner) {
        return Ok(Document::new(None, Cow::Owned(text)));
    }
    // The row has been parsed: only a half of a surrogate pair can still fail.
    match invalid_utf8 {
        InvalidUtf8::Fail => Err(halved()),
        InvalidUtf8::Replace => {
            let (text, replaced_utf8) =
                string(json).map_err(|error| explain(&error, line, place))?;
            Ok(Document { replaced_utf8, ..Document::new(None, Cow::Owned(text)) })
        }
    }
}

/// The text of a row that has it in several fields, by the JSON of each.
pub(crate) fn several(
    fields: &Fields,
    place: Place<'_>,
    json: &dyn Fn(&str) -> Option<String>,
    present: &dyn Fn() -> String,
) -> Result<Joined, Error> {
    let names = joined_text::names(&fields.text).unwrap_or_default();
    match joined_text::of_fields(&names, json) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => {
            let mut named = fields.text.split(',').map(str::trim);
            let present = match named.find_map(|name| list_above(name, json)) {
                Some(list) => {
                    format!("{}; {list:?} is a list, which is named as a whole", present())
                }
                None => present(),
            };
            Err(Error::TextMissing { place: place(), field: fields.text.clone(), present })
        }
        Err(field) => {
            let json = json(field).unwrap_or_default();
            Err(no_text(&json, field, place))
        }
    }
}

/// The list in which a field is looked for, such as `messages` of `messages.content`; by the JSON of each field.
fn list_above<'n>(name: &'n str, json: &dyn Fn(&str) -> Option<String>) -> Option<&'n str> {
    let mut above = name.match_indices('.').filter_map(|(dot, _)| name.get(..dot));
    above.find(|outer| json(outer).is_some_and(|json| json_type(&json) == "an array"))
}

/// The error of a field whose value is no text and no conversation.
pub(crate) fn no_text(json: &str, field: &str, place: Place<'_>) -> Error {
    let text = string(json).ok().map(|(text, _)| text);
    if let Some(list) = text.as_deref().and_then(|text| messages_in(field, text)) {
        return unread(&list, NO_MESSAGES_IN_STRING, field, place);
    }
    let found = match json_type(json) {
        "an array" => NO_MESSAGES,
        found => found,
    };
    unread(json, found, field, place)
}

/// The error of JSON that cannot be read, by the kind of its part that is unknown, else by what was found.
fn unread(json: &str, found: &'static str, field: &str, place: Place<'_>) -> Error {
    let field = field.to_owned();
    match joined_text::unknown_part(json) {
        Some(kind) => Error::PartKind { place: place(), field, kind },
        None => Error::TextType { place: place(), field, found },
    }
}

/// The text of a row whose text is null.
pub(crate) fn null_text(fields: &Fields, place: Place<'_>) -> Result<Cow<'static, str>, Error> {
    match fields.null_text {
        NullText::Keep => Ok(Cow::Borrowed("")),
        NullText::Skip | NullText::Fail => {
            Err(Error::TextNull { place: place(), field: fields.text.clone() })
        }
    }
}

/// The id of a row, which has `json` in its field.
pub(crate) fn id_of<'a>(
    json: Option<&'a str>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Option<Id<'a>>, Error> {
    let refused = |found| Err(Error::IdType { place: place(), field: fields.id.clone(), found });
    match json.map(|json| (json, json_type(json))) {
        None | Some((_, "null")) => Ok(None),
        Some((json, "a string" | "a number")) => match Id::named(json) {
            Err(found) if fields.id_named => refused(found),
            _ => Ok(Some(Id::from_json(json))),
        },
        Some((_, found)) => refused(found),
    }
}

/// The same of a row that may be the last of a file, without its end.
fn cut_off(error: Error, raw: &[u8]) -> Error {
    match error {
        Error::Json { place, column, detail, hint: ONE_A_LINE } if !raw.ends_with(b"\n") => {
            Error::Json { place, column, detail, hint: CUT }
        }
        error => error,
    }
}

const ONE_A_LINE: &str = "; one object a line is expected: convert the file with jq -c .";
const CUT: &str = "; the file ends inside the row: is it still being written, or cut off?";

/// Says what is wrong with a line.
pub(crate) fn explain(error: &serde_json::Error, line: &str, place: Place<'_>) -> Error {
    const NO_ARRAY: &str = "; one object a line is expected: convert the file with jq -c '.[]'";
    const MEND: &str = "; fix or remove the line";
    const RETURNS: &str =
        "; lines end with a carriage return alone: convert the file with tr '\\r' '\\n'";
    const MARK: &str = "; a byte order mark stands in front of the row: remove it";
    const SEPARATOR: &str =
        "; a separator of records (0x1e) stands in front of the row: remove it with tr -d '\\036'";
    let array = line.trim_ascii_start().starts_with('[');
    if error.is_data() {
        let hint = if array { NO_ARRAY } else { "" };
        return Error::NotAnObject { place: place(), found: json_type(line), hint };
    }
    let detail = error.to_string();
    let detail = detail.split(" at line ").next().unwrap_or_default().to_owned();
    let hint = match (error.is_eof(), array) {
        (true, true) => NO_ARRAY,
        (true, false) => ONE_A_LINE,
        (false, _) if line.as_bytes().starts_with(BOM) => MARK,
        (false, _) if line.starts_with('\u{1e}') => SEPARATOR,
        (false, _) if line.contains("}\r{") => RETURNS,
        (false, _) => MEND,
    };
    Error::Json { place: place(), column: error.column(), detail, hint }
}
