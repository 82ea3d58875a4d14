//! The document of a row of columns, of Parquet or Arrow. That of other rows is `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::columns::packed_row::{Cell, Columns, PackedRow};
use crate::columns::text_forms;
use crate::documents::document::{
    Document, InvalidUtf8, decode, explain, id_of, no_text, null_text, several,
};
use crate::documents::fields::{Fields, Place};
use crate::documents::joined_text;
use crate::documents::labels;
use crate::documents::row::{json_type, listed, member};
use crate::documents::score;
use crate::error::Error;
use crate::id::Id;
use crate::unescaped::{escaped, string, whole};
use std::borrow::Cow;
use std::str;

impl<'a> Document<'a> {
    /// The document of a row of columns.
    pub(crate) fn from_packed(
        row: PackedRow<'a>,
        columns: &Columns,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let inner = |name: &str| match (row.get(columns, name.split_once('.')?.0)?, name) {
            (Cell::Json(json), name) => member(json, name.split_once('.')?.1).map(Cell::Json),
            (Cell::Text(_) | Cell::Bytes(_), _) => None,
        };
        let get = |name: &str| row.get(columns, name).or_else(|| inner(name));
        let damaged = |name: &str| Error::ColumnUtf8 { place: place(), field: name.to_owned() };
        let decode = |bytes: &'a [u8], name: &str| {
            decode(bytes, invalid_utf8, place).map_err(|_| damaged(name))
        };
        let decoded = |json: &'a str, name: &str| match whole(json) {
            Cow::Owned(_) if invalid_utf8 == InvalidUtf8::Fail => Err(damaged(name)),
            json => Ok(json),
        };
        let id = match get(&fields.id) {
            Some(Cell::Text(text)) => Some(Id::from_text(&decode(text, &fields.id)?)),
            Some(Cell::Json(json)) => match decoded(json, &fields.id)? {
                Cow::Borrowed(json) => id_of(Some(json), fields, place)?,
                Cow::Owned(json) => id_of(Some(&json), fields, place)?.map(Id::into_owned),
            },
            Some(Cell::Bytes(bytes)) => Some(Id::from_text(&text_forms::bytes(bytes))),
            None => None,
        };
        let tag = match fields.tag.as_deref().and_then(get) {
            Some(Cell::Text(text)) => str::from_utf8(text).ok().map(str::to_owned),
            Some(Cell::Json(json)) => serde_json::from_str(json).ok(),
            Some(Cell::Bytes(bytes)) => Some(text_forms::bytes(bytes)),
            None => None,
        };
        let score = |field: &str| match get(field) {
            // What is replaced is no number.
            Some(Cell::Text(text)) => match str::from_utf8(text) {
                Ok(text) => score::of_cell(text, field, place),
                Err(_) => Err(Error::ScoreUtf8 { place: place(), field: field.to_owned() }),
            },
            Some(Cell::Json(json)) => score::of_json(Some(json), field, place),
            Some(Cell::Bytes(bytes)) => score::of_cell(&text_forms::bytes(bytes), field, place),
            None => Ok(None),
        };
        let ties = score::ties(fields, |_, field| score(field))?;
        let score = fields.score.as_deref().map_or(Ok(None), score)?;
        let labels = labels::all(fields, |_, field| match get(field) {
            Some(Cell::Text(text)) => Ok(Some(decode(text, field)?.into_owned())),
            Some(Cell::Json(json)) => labels::of_json(&decoded(json, field)?, field, place),
            Some(Cell::Bytes(bytes)) => Ok(Some(text_forms::bytes(bytes))),
            None => Ok(None),
        })?;
        let field = || fields.text.clone();
        let is_inner = row.get(columns, &fields.text).is_none();
        let not_utf8 = |name: &str| {
            let (place, found) = (place(), "bytes that are not UTF-8");
            Error::TextType { place, field: name.to_owned(), found }
        };
        let (mut parts, mut replaced) = (0, false);
        let text = match get(&fields.text) {
            Some(Cell::Text(text)) => decode(text, &fields.text)?,
            // No mark of Parquet or Arrow makes a text of bytes, and who names them as the text does.
            Some(Cell::Bytes(bytes)) => {
                decode(bytes, &fields.text).map_err(|_| not_utf8(&fields.text))?
            }
            Some(Cell::Json("null")) => null_text(fields, place)?,
            Some(Cell::Json(json)) if is_inner && json_type(json) == "a string" => {
                let (text, is_damaged) =
                    string(json).map_err(|error| explain(&error, json, place))?;
                let inner = Document::new(None, Cow::Owned(text));
                let inner = inner.of_messages(fields, invalid_utf8, place)?;
                replaced = is_damaged || inner.replaced_utf8;
                inner.text
            }
            Some(Cell::Json(json)) if json_type(json) == "an array" => {
                let said = joined_text::of_conversation(json);
                let said = said.ok_or_else(|| no_text(json, &fields.text, place))?;
                replaced = said.replaced;
                Cow::Owned(said.text)
            }
            Some(Cell::Json(json)) => {
                // JSON has it as a string.
                let found = match json_type(json) {
                    "a string" => "a value of another type, such as a date",
                    found => found,
                };
                return Err(Error::TextType { place: place(), field: field(), found });
            }
            None => {
                let json = |name: &str| match get(name)? {
                    Cell::Text(text) | Cell::Bytes(text) => {
                        let mut json = Vec::new();
                        escaped(text, &mut json);
                        String::from_utf8(json).ok()
                    }
                    Cell::Json(json) => Some(json.to_owned()),
                };
                let names = joined_text::names(&fields.text).unwrap_or_default();
                for name in &names {
                    if let Some(Cell::Bytes(bytes)) = get(name) {
                        decode(bytes, name).map_err(|_| not_utf8(name))?;
                    }
                }
                let present = || listed(&columns.0);
                let joined = several(fields, place, &json, &present)?;
                if joined.replaced && invalid_utf8 == InvalidUtf8::Fail {
                    let is_damaged = |name: &&&str| {
                        json(name).is_some_and(|json| matches!(whole(&json), Cow::Owned(_)))
                    };
                    return Err(damaged(names.iter().find(is_damaged).unwrap_or(&&*fields.text)));
                }
                (parts, replaced) = (joined.parts, joined.replaced);
                Cow::Owned(joined.text)
            }
        };
        if replaced && invalid_utf8 == InvalidUtf8::Fail {
            return Err(damaged(&fields.text));
        }
        // Another text would not have the one length.
        let joined = matches!(get(&fields.text), Some(Cell::Json(_) | Cell::Bytes(_)) | None);
        let is_own = matches!(get(&fields.text), Some(Cell::Text(_) | Cell::Bytes(_)));
        let replaced_utf8 = replaced || matches!(text, Cow::Owned(_)) && is_own;
        // A null has no parts.
        let joined = joined && !matches!(get(&fields.text), Some(Cell::Json("null")));
        let document = Document {
            tag,
            score,
            ties,
            labels,
            replaced_utf8,
            joined,
            parts,
            ..Document::new(id, text)
        };
        Ok(match fields.part {
            Some(part) => document.of_page(part),
            None => document,
        })
    }
}
