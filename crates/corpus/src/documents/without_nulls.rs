//! JSON without members that are null. A column of groups has one for each member that a row lacks.

#![deny(clippy::indexing_slicing)]

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Members that lie deeper stay.
const DEPTH: usize = 16;

/// JSON without such members. All else is as it was written.
///
/// # Complexity
/// Linear in the JSON, for each of [`DEPTH`] levels.
pub(crate) fn without_nulls(json: &str) -> Cow<'_, str> {
    if !json.contains("null") {
        return Cow::Borrowed(json);
    }
    let mut told = String::with_capacity(json.len());
    match write(json, &mut told, DEPTH) {
        Some(()) => Cow::Owned(told),
        None => Cow::Borrowed(json),
    }
}

fn write(json: &str, told: &mut String, depth: usize) -> Option<()> {
    let parts: Vec<(&str, &str)> = match json.as_bytes().first()? {
        b'{' if depth > 0 => {
            let Members(members) = serde_json::from_str(json).ok()?;
            members.into_iter().map(|(name, value)| (name.get(), value.get())).collect()
        }
        b'[' if depth > 0 => {
            let values: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            values.into_iter().map(|value| (value.get(), value.get())).collect()
        }
        _ => Vec::new(),
    };
    let is_object = json.starts_with('{');
    let place = |part: &str| part.as_ptr().addr() - json.as_ptr().addr();
    let Some((first, _)) = parts.first() else {
        told.push_str(json);
        return Some(());
    };
    told.push_str(json.get(..place(first))?);
    let (mut end, mut is_first) = (0, true);
    for (start, value) in parts {
        let (at, behind) = (place(value), place(value) + value.len());
        if !(is_object && value == "null") {
            if !is_first {
                told.push_str(json.get(end..place(start))?);
            }
            is_first = false;
            told.push_str(json.get(place(start)..at)?);
            write(value, told, depth - 1)?;
        }
        end = behind;
    }
    told.push_str(json.get(end..)?);
    Some(())
}

/// The members of an object in their order, with their names as they are written.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;

        impl<'de> Visitor<'de> for Ordered {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_are_null_go_and_all_else_stays_as_it_was_written() {
        for (json, told) in [
            (r#"{"a":null,"b":1.50,"c":null}"#, r#"{"b":1.50}"#),
            (
                r#"{ "a": "null", "n\"ll": null, "b": [null, {"c": null}] }"#,
                r#"{ "a": "null", "b": [null, {}] }"#,
            ),
            (r#"[{"a" : null , "b" : {"c":1,"d":null}}]"#, r#"[{"b" : {"c":1}}]"#),
            (r#"{"a":null}"#, "{}"),
            (r#"{"\ud800":null,"\udc00":"\ud800"}"#, r#"{"\udc00":"\ud800"}"#),
            ("null", "null"),
            ("[]", "[]"),
            (r#"{"a":1}"#, r#"{"a":1}"#),
        ] {
            assert_eq!(without_nulls(json), told);
        }
        let deep = |depth| {
            let json = format!("{}{{\"a\":null}}{}", "[".repeat(depth), "]".repeat(depth));
            without_nulls(&json).contains("null")
        };
        assert_eq!([14, 15, 16, 100_000].map(deep), [false, false, true, true]);
    }
}
