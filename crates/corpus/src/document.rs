//! What a record says: its text and its id. Where the record stands is `record`'s.

#![deny(clippy::indexing_slicing)]

use std::borrow::Cow;
use std::str;

use memchr::memchr;
use serde::de::{Deserializer, Visitor};

use crate::error::Error;
use crate::format::BOM;
use crate::id::Id;
use crate::row::{Row, field_names, json_type};

/// The fields of a JSONL row that are read; all others are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Holds the id. `id` by default.
    pub id: String,
    /// Holds the text, or the features of a [`Vector`](crate::vector::Vector). `text` by default.
    pub text: String,
    /// Holds a word about the document that is read along, such as its language. None by default.
    pub tag: Option<String>,
}

impl Default for Fields {
    fn default() -> Fields {
        Fields { id: "id".to_owned(), text: "text".to_owned(), tag: None }
    }
}

/// What to do with a record that is not UTF-8, or escapes half of a surrogate pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidUtf8 {
    /// Fail.
    Fail,
    /// Read U+FFFD in place of what is invalid. The bytes of the record stay as they are.
    Replace,
}

/// A document, borrowed from its batch as far as it has no escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The user's own id. None if the row has none or null, and for a text file; then
    /// [`Record::default_id`](crate::record::Record::default_id) serves.
    pub id: Option<Id<'a>>,
    /// The text, decoded.
    pub text: Cow<'a, str>,
    /// The string in the field of [`Fields::tag`]. None where there is none, or something else.
    pub tag: Option<String>,
    /// Whether [`InvalidUtf8::Replace`] replaced something in the record.
    pub replaced_utf8: bool,
}

/// Where a record stands, asked for only by a failure.
pub(crate) type Place<'p> = &'p dyn Fn() -> String;

impl<'a> Document<'a> {
    /// The document of a JSONL row.
    pub(crate) fn from_row(
        raw: &'a [u8],
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Document<'a>, Error> {
        match decode(raw.trim_ascii_end(), invalid_utf8, place)? {
            Cow::Borrowed(line) => from_line(line, fields, invalid_utf8, place),
            Cow::Owned(line) => {
                let document = from_line(&line, fields, invalid_utf8, place)?;
                Ok(Document {
                    id: document.id.map(Id::into_owned),
                    text: Cow::Owned(document.text.into_owned()),
                    tag: document.tag,
                    replaced_utf8: true,
                })
            }
        }
    }

    /// The document of a text file; a byte order mark is no part of the text.
    pub(crate) fn from_text(
        raw: &'a [u8],
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Document<'a>, Error> {
        let text = decode(raw.strip_prefix(BOM).unwrap_or(raw), invalid_utf8, place)?;
        let replaced_utf8 = matches!(text, Cow::Owned(_));
        Ok(Document { id: None, text, tag: None, replaced_utf8 })
    }
}

/// Owned exactly if something had to be replaced.
pub(crate) fn decode<'a>(
    raw: &'a [u8],
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Cow<'a, str>, Error> {
    match (str::from_utf8(raw), invalid_utf8) {
        (Ok(text), _) => Ok(Cow::Borrowed(text)),
        (Err(_), InvalidUtf8::Replace) => Ok(String::from_utf8_lossy(raw)),
        (Err(error), InvalidUtf8::Fail) => {
            Err(Error::Utf8 { place: place(), offset: error.valid_up_to() })
        }
    }
}

fn from_line<'a>(
    line: &'a str,
    fields: &Fields,
    invalid_utf8: InvalidUtf8,
    place: Place<'_>,
) -> Result<Document<'a>, Error> {
    let row = Row::parse(line, fields).map_err(|error| explain(&error, line, place))?;
    let id = id_of(row.id, fields, place)?;
    let tag = row.tag.and_then(|json| serde_json::from_str(json).ok());
    let Some(json) = row.text else {
        let (field, present) = (fields.text.clone(), field_names(line));
        return Err(Error::TextMissing { place: place(), field, present });
    };
    let Some(inner) = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        let (field, found) = (fields.text.clone(), json_type(json));
        return Err(Error::TextType { place: place(), field, found });
    };
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Ok(Document { id, text: Cow::Borrowed(inner), tag, replaced_utf8: false });
    }
    if let Ok(text) = serde_json::from_str::<String>(json) {
        return Ok(Document { id, text: Cow::Owned(text), tag, replaced_utf8: false });
    }
    // The row has been parsed: only a half of a surrogate pair can still fail.
    match invalid_utf8 {
        InvalidUtf8::Fail => Err(Error::Surrogate { place: place(), field: fields.text.clone() }),
        InvalidUtf8::Replace => {
            let text = with_surrogates(json).map_err(|error| explain(&error, line, place))?;
            Ok(Document { id, text: Cow::Owned(text), tag, replaced_utf8: true })
        }
    }
}

/// The id of a row, which has `json` in its field.
pub(crate) fn id_of<'a>(
    json: Option<&'a str>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Option<Id<'a>>, Error> {
    match json.map(|json| (json, json_type(json))) {
        None | Some((_, "null")) => Ok(None),
        Some((json, "a string" | "a number")) => Ok(Some(Id::from_json(json))),
        Some((_, found)) => Err(Error::IdType { place: place(), field: fields.id.clone(), found }),
    }
}

/// Decodes a JSON string in which halves of surrogate pairs are replaced.
fn with_surrogates(json: &str) -> Result<String, serde_json::Error> {
    struct Lossy;

    impl Visitor<'_> for Lossy {
        type Value = String;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a string")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<String, E> {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    serde_json::Deserializer::from_str(json).deserialize_bytes(Lossy)
}

/// Says what is wrong with a line.
pub(crate) fn explain(error: &serde_json::Error, line: &str, place: Place<'_>) -> Error {
    const ONE_A_LINE: &str = "; one object a line is expected: convert the file with jq -c .";
    const NO_ARRAY: &str = "; one object a line is expected: convert the file with jq -c '.[]'";
    const MEND: &str = "; mend or remove the line";
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
        (false, _) => MEND,
    };
    Error::Json { place: place(), column: error.column(), detail, hint }
}
