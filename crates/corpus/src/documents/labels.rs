//! Words by which documents are grouped or counted: their dump, their site, their language.

use crate::documents::fields::{Fields, Place};
use crate::documents::row::{Row, json_type};
use crate::error::Error;

/// The values of [`Fields::labels`] in their order, each found by its place and its name.
///
/// # Errors
/// The first of `find`.
pub(crate) fn all(
    fields: &Fields,
    find: impl Fn(usize, &str) -> Result<Option<String>, Error>,
) -> Result<Vec<Option<String>>, Error> {
    fields.labels.iter().enumerate().map(|(at, field)| find(at, field)).collect()
}

/// Those of a row of JSON.
pub(crate) fn of_row(
    row: &Row<'_>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Vec<Option<String>>, Error> {
    all(fields, |at, field| match row.labels.get(at).copied().flatten() {
        Some(json) => of_json(json, field, place),
        None => Ok(None),
    })
}

/// What the JSON of a field says: a text, a number or a truth value; none where it is null.
///
/// # Errors
/// [`Error::LabelType`] for a list or an object.
pub(crate) fn of_json(json: &str, field: &str, place: Place<'_>) -> Result<Option<String>, Error> {
    let other = |found| Error::LabelType { place: place(), field: field.to_owned(), found };
    label_of(json).map_err(other)
}

/// The label that the JSON of a field is: a text, a number or a truth value; none where it is null.
///
/// # Errors
///
/// What else it is: an array, or an object.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::label_of;
///
/// assert_eq!(label_of("1.0"), Ok(Some("1".to_owned())));
/// assert_eq!(label_of("null"), Ok(None));
/// assert_eq!(label_of("[1]"), Err("an array"));
/// ```
pub fn label_of(json: &str) -> Result<Option<String>, &'static str> {
    match json_type(json) {
        "null" => Ok(None),
        // Half of a surrogate pair makes it no text: then it stays as it is written.
        "a string" => Ok(Some(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()))),
        "a number" => Ok(Some(of_number(json))),
        "a boolean" => Ok(Some(json.to_owned())),
        found => Err(found),
    }
}

/// A number as all ways of writing its value have it: `1` for `1.0` and `1e0`.
fn of_number(json: &str) -> String {
    let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    // Whole numbers may have more digits than any type: they stay as they are.
    if is_whole(json) && json != "-0" {
        return json.to_owned();
    }
    let told = json.parse::<f64>().ok().filter(|value| value.is_finite());
    // No minus before nothing.
    told.map_or_else(|| json.to_owned(), |value| (value + 0.0).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_is_a_label_and_several_are_an_error() {
        let of = |json| of_json(json, "dump", &|| "f:1".to_owned());
        for (json, label) in [
            (r#""a\"b""#, Some("a\"b")),
            ("7", Some("7")),
            ("1.0", Some("1")),
            ("1e0", Some("1")),
            ("-0.0", Some("0")),
            ("0.50", Some("0.5")),
            ("123456789012345678901234567890", Some("123456789012345678901234567890")),
            ("true", Some("true")),
            ("null", None),
            (r#""\ud800""#, Some(r#""\ud800""#)),
        ] {
            assert_eq!(of(json).unwrap().as_deref(), label, "{json}");
        }
        for json in ["[\"a\"]", "{}"] {
            let error = of(json).unwrap_err().to_string();
            assert!(error.starts_with("f:1: the field \"dump\""), "{error}");
        }
    }
}
