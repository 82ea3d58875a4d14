//! Numbers that JSON does not have and that Python, pandas and DuckDB write all the same: NaN, and what is infinite.

#![deny(clippy::indexing_slicing)]

use memchr::memchr2;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// Such a number as it is written, and one of JSON that is as long.
const NUMBERS: [(&str, &str); 3] =
    [("NaN", "111"), ("Infinity", "11111111"), ("-Infinity", "-11111111")];

/// JSON with null in the place of such numbers; borrowed where it has none.
pub(crate) fn finite(json: &str) -> Cow<'_, str> {
    replaced(json, |_| "null")
}

/// JSON with numbers of the same length in the place of such: all else is where it was. Borrowed where it has none.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::padded_json;
///
/// assert_eq!(padded_json(r#"{"a":NaN,"b":"NaN"}"#), r#"{"a":111,"b":"NaN"}"#);
/// ```
#[must_use]
pub fn padded_json(json: &str) -> Cow<'_, str> {
    replaced(json, |padding| padding)
}

/// A value of JSON, of which such a number is null.
pub(crate) fn value(json: &str) -> &str {
    if NUMBERS.iter().any(|(number, _)| *number == json) { "null" } else { json }
}

/// What JSON says; where it is none but for such numbers, what it says with null in their place.
///
/// # Errors
///
/// What is wrong with it otherwise, at its place.
///
/// # Examples
///
/// ```
/// let row: serde_json::Value = nearprint_corpus::read_json(br#"{"a":1,"b":-Infinity}"#)?;
/// assert_eq!(row, serde_json::json!({"a": 1, "b": null}));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn read_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(json).or_else(|error| {
        let json = str::from_utf8(json).unwrap_or_default();
        match finite(json) {
            Cow::Owned(finite) => {
                serde_json::from_str(&finite).or_else(|_| serde_json::from_str(&padded_json(json)))
            }
            Cow::Borrowed(_) => Err(error),
        }
    })
}

/// JSON with something else in the place of each such number outside of strings, by what is as long.
fn replaced(json: &str, by: impl Fn(&'static str) -> &'static str) -> Cow<'_, str> {
    let (bytes, mut new, mut from, mut at) = (json.as_bytes(), String::new(), 0, 0);
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'"' => behind_string(bytes, at + 1),
            b'N' | b'I' | b'-' => match number_at(json, at) {
                Some((number, padding)) => {
                    new.push_str(json.get(from..at).unwrap_or_default());
                    new.push_str(by(padding));
                    from = at + number.len();
                    from
                }
                None => at + 1,
            },
            _ => at + 1,
        };
    }
    if from == 0 {
        return Cow::Borrowed(json);
    }
    new.push_str(json.get(from..).unwrap_or_default());
    Cow::Owned(new)
}

/// Where a string ends that goes on at a byte.
fn behind_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            _ => return at + 1,
        }
    }
    bytes.len()
}

/// The number that is the value at a byte.
fn number_at(json: &str, at: usize) -> Option<(&'static str, &'static str)> {
    let (before, rest) = json.split_at_checked(at)?;
    let found = NUMBERS.into_iter().find(|(number, _)| rest.starts_with(number))?;
    let behind = rest.as_bytes().get(found.0.len());
    let begins = matches!(before.trim_ascii_end().as_bytes().last(), Some(b':' | b',' | b'['));
    let ends = matches!(behind, None | Some(b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n'));
    (begins && ends).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_null_outside_of_strings() {
        for (json, nulls, digits) in [
            (r#"{"a":NaN}"#, r#"{"a":null}"#, r#"{"a":111}"#),
            (
                r#"{"a": [NaN, -Infinity ,Infinity], "b\"": "NaN: \\"}"#,
                r#"{"a": [null, null ,null], "b\"": "NaN: \\"}"#,
                r#"{"a": [111, -11111111 ,11111111], "b\"": "NaN: \\"}"#,
            ),
        ] {
            assert_eq!((&*finite(json), &*padded_json(json)), (nulls, digits));
            assert!(read_json::<serde_json::Value>(json.as_bytes()).is_ok(), "{json}");
        }
        for json in [
            r#"{"a":NaNs}"#,
            r#"{"a":xNaN}"#,
            r#"{NaN:1}"#,
            r#"{"a":nan,"b":-1,"c":[-Inf]}"#,
            r#"{"a":":NaN","#,
            r#"{"a":",NaN"#,
            r#""\"#,
            "NaN",
            "é, NaN\u{e9}",
            "",
        ] {
            assert!(matches!(finite(json), Cow::Borrowed(_)), "{json}");
        }
        // What is wrong otherwise is told at its place.
        let error = read_json::<serde_json::Value>(br#"{"a":-Infinity,"b":x}"#).unwrap_err();
        assert_eq!(error.column(), 20);
    }
}
