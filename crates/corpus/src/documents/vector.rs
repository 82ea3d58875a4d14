//! A row whose document is a list of features with their weights. Rows of text are `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::document::{InvalidUtf8, decode, explain, id_of};
use crate::documents::feature_entries::FeatureEntries;
use crate::documents::fields::{Fields, Place};
use crate::documents::labels;
use crate::documents::row::{Row, field_names, json_type};
use crate::documents::score::{self, Score};
use crate::error::Error;
use crate::id::Id;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A document given by its features: `{"name": weight, ...}` or `[[name or dimension, weight], ...]`.
///
/// A dimension is named by its digits, so that `{"7": 0.5}` and `[[7, 0.5]]` are the same.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Fields, InvalidUtf8, ReadOptions, Reader, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"text\": {\"red\": 2, \"fox\": 0.5}}\n")?;
/// let batch = Reader::new(&discover(&[path], None)?, ReadOptions::default()).next().unwrap()?;
/// let vector = batch.record(0).unwrap().vector(&Fields::default(), InvalidUtf8::Fail)?;
/// assert_eq!(vector.features, [("red".to_owned(), 2.0), ("fox".to_owned(), 0.5)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vector<'a> {
    /// The user's own id, as of a [`Document`](crate::documents::document::Document).
    pub id: Option<Id<'a>>,
    /// Names and weights in the order of the row.
    pub features: Vec<(String, f64)>,
    /// The value in the field of [`Fields::score`], as of a
    /// [`Document`](crate::documents::document::Document).
    pub score: Option<Score>,
    /// The values in the fields of [`Fields::ties`], as of a
    /// [`Document`](crate::documents::document::Document).
    pub ties: Vec<Option<Score>>,
    /// The values in the fields of [`Fields::labels`], as of a
    /// [`Document`](crate::documents::document::Document).
    pub labels: Vec<Option<String>>,
    /// Whether something in the record was replaced that is no UTF-8.
    pub replaced_utf8: bool,
}

impl<'a> Vector<'a> {
    /// The vector of a JSONL row; the field of the text holds it.
    pub(crate) fn from_row(
        raw: &'a [u8],
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        place: Place<'_>,
    ) -> Result<Self, Error> {
        match decode(raw.trim_ascii_end(), invalid_utf8, place)? {
            Cow::Borrowed(line) => from_line(line, fields, place),
            Cow::Owned(line) => {
                let vector = from_line(&line, fields, place)?.into_owned();
                Ok(Vector { replaced_utf8: true, ..vector })
            }
        }
    }

    /// The vector with an id of its own.
    pub(crate) fn into_owned(self) -> Vector<'static> {
        let Vector { id, features, score, ties, labels, replaced_utf8 } = self;
        Vector { id: id.map(Id::into_owned), features, score, ties, labels, replaced_utf8 }
    }
}

fn from_line<'a>(line: &'a str, fields: &Fields, place: Place<'_>) -> Result<Vector<'a>, Error> {
    let row = Row::parse(line, fields).map_err(|error| explain(&error, line, place))?;
    let id = id_of(row.id, fields, place)?;
    let score = score::of_row(&row, fields, place)?;
    let ties = score::ties_of_row(&row, fields, place)?;
    let labels = labels::of_row(&row, fields, place)?;
    let field = || fields.text.clone();
    let Some(json) = row.text else {
        return Err(Error::FeaturesMissing {
            place: place(),
            field: field(),
            present: field_names(line),
        });
    };
    let found = match json_type(json) {
        "an object" | "an array" => serde_json::from_str::<FeatureEntries<&RawValue>>(json),
        found => {
            return Err(Error::FeaturesType {
                place: place(),
                field: field(),
                found: found.to_owned(),
            });
        }
    };
    let FeatureEntries(entries) = found.map_err(|error| {
        if let Some(weight) = no_number(&error, json, place) {
            return weight;
        }
        let found = error.to_string();
        let found = found.split(" at line ").next().unwrap_or_default().to_owned();
        Error::FeaturesType { place: place(), field: field(), found }
    })?;
    let mut features = Vec::with_capacity(entries.len());
    for (name, weight) in entries {
        let json = weight.get();
        let number = if json_type(json) == "a number" { json.parse::<f64>().ok() } else { None };
        let Some(number) = number.filter(|number| number.is_finite()) else {
            return Err(Error::Weight { place: place(), feature: name, found: json.to_owned() });
        };
        features.push((name, number));
    }
    Ok(Vector { id, features, score, ties, labels, replaced_utf8: false })
}

/// What is said of `NaN` and `Infinity`, which are no JSON but which some programs write.
fn no_number(error: &serde_json::Error, json: &str, place: Place<'_>) -> Option<Error> {
    let at = error.column().checked_sub(1)?;
    let (before, rest) = json.split_at_checked(at)?;
    let name = ["NaN", "Infinity"].into_iter().find(|name| rest.starts_with(name))?;
    let sign = if before.ends_with('-') { "-" } else { "" };
    let end = before.rfind('"')?;
    let start = before.get(..end)?.rfind('"')? + 1;
    let feature = before.get(start..end)?.to_owned();
    Some(Error::Weight { place: place(), feature, found: format!("{sign}{name}") })
}
