//! A value of a column as JSON. Texts within it may be damaged, as those that are cells of their own may be: each byte that is
//! of no character is written as half of a surrogate pair, so that who reads the text knows. Members of a group may share a
//! name, and all are written. How a value of a type is told is `arrow_cells`' and `parquet_json`'s.

#![deny(clippy::indexing_slicing)]

use crate::finite::finite;
use crate::unescaped::{escaped, whole};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::io;

/// A value as JSON. What is not one of `serde_json` has a text that is not UTF-8, two members of one name, or JSON as it was
/// written.
#[derive(Debug, PartialEq)]
pub(crate) enum Json {
    /// One that has none of these.
    Whole(Value),
    /// The bytes of a text that is not UTF-8.
    Damaged(Vec<u8>),
    /// JSON of one line.
    Written(String),
    /// Values of which one is not whole.
    List(Vec<Self>),
    /// Members of which one is not whole, or two have one name.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// A text of these bytes.
    pub(crate) fn text(bytes: &[u8]) -> Self {
        match simdutf8::basic::from_utf8(bytes) {
            Ok(text) => Self::Whole(text.into()),
            Err(_) => Self::Damaged(bytes.to_vec()),
        }
    }

    /// A text that is marked as JSON, as it says; one that is none is a text.
    pub(crate) fn marked(bytes: &[u8]) -> Self {
        let json = simdutf8::basic::from_utf8(bytes).unwrap_or_default();
        // Line ends stand between its values alone.
        let written = |json: &str| {
            let value: Result<&RawValue, _> = serde_json::from_str(json);
            value.map(|value| Self::Written(value.get().replace(['\n', '\r'], " ")))
        };
        written(json).or_else(|_| written(&finite(json))).unwrap_or_else(|_| Self::text(bytes))
    }

    /// The members of a group.
    pub(crate) fn object(members: Vec<(String, Self)>) -> Self {
        let is_whole = {
            let mut known = HashSet::with_capacity(members.len());
            members.iter().all(|(name, value)| value.is_whole() && known.insert(name.as_str()))
        };
        match is_whole {
            true => Self::Whole(Self::Object(members).into_value()),
            false => Self::Object(members),
        }
    }

    const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// The value with U+FFFD in place of what is damaged; of members of one name the last.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Whole(value) => value,
            Self::Damaged(bytes) => String::from_utf8_lossy(&bytes).into(),
            Self::Written(json) => {
                serde_json::from_str(&whole(&json)).unwrap_or_else(|_| json.into())
            }
            Self::List(values) => values.into_iter().map(Self::into_value).collect(),
            Self::Object(members) => Value::Object(
                members.into_iter().map(|(name, value)| (name, value.into_value())).collect(),
            ),
        }
    }

    /// The members of a map; of equal keys the last holds. A damaged key that would have the name of another one gets a number,
    /// so that both stay.
    pub(crate) fn map(entries: Vec<(Self, Self)>) -> Self {
        let mut named: Vec<(String, Self)> = Vec::with_capacity(entries.len());
        let mut damaged = Vec::new();
        for (key, value) in entries {
            if !key.is_whole() {
                damaged.push(named.len());
            }
            named.push((key.into_name(), value));
        }
        let mut known: HashSet<String> = HashSet::new();
        if !damaged.is_empty() {
            let whole =
                named.iter().enumerate().filter(|(at, _)| damaged.binary_search(at).is_err());
            known.extend(whole.map(|(_, (name, _))| name.clone()));
        }
        let mut counts: HashMap<String, u64> = HashMap::new();
        for at in damaged {
            let Some((name, _)) = named.get_mut(at) else { continue };
            let count = counts.entry(name.clone()).or_insert(1);
            let bare = name.clone();
            while !known.insert(name.clone()) {
                *count += 1;
                *name = format!("{bare} {count}");
            }
        }
        match named.iter().all(|(_, value)| value.is_whole()) {
            true => Self::Whole(Self::Object(named).into_value()),
            false => Self::Object(named),
        }
    }

    /// The text that a value is, or else its JSON: the name of a member.
    fn into_name(self) -> String {
        match self.into_value() {
            Value::String(name) => name,
            other => other.to_string(),
        }
    }

    /// Appends the JSON.
    pub(crate) fn write(&self, json: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Whole(value) => serde_json::to_writer(json, value)?,
            Self::Damaged(bytes) => escaped(bytes, json),
            Self::Written(value) => json.extend_from_slice(value.as_bytes()),
            Self::List(values) => {
                for (at, value) in values.iter().enumerate() {
                    json.push(if at == 0 { b'[' } else { b',' });
                    value.write(json)?;
                }
                json.push(b']');
            }
            Self::Object(members) => {
                for (at, (name, value)) in members.iter().enumerate() {
                    json.push(if at == 0 { b'{' } else { b',' });
                    escaped(name.as_bytes(), json);
                    json.push(b':');
                    value.write(json)?;
                }
                json.push(b'}');
            }
        }
        Ok(())
    }
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Self::Whole(value.into())
    }
}

impl FromIterator<Self> for Json {
    fn from_iter<I: IntoIterator<Item = Self>>(values: I) -> Self {
        let values: Vec<Self> = values.into_iter().collect();
        match values.iter().all(Self::is_whole) {
            true => Self::Whole(values.into_iter().map(Self::into_value).collect()),
            false => Self::List(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: &Json) -> String {
        let mut json = Vec::new();
        value.write(&mut json).unwrap();
        String::from_utf8(json).unwrap()
    }

    #[test]
    fn damage_is_half_of_a_pair_and_all_else_is_as_it_was() {
        let whole = |text: &str| Json::text(text.as_bytes());
        let list: Json = [whole("a\"\u{fffd}"), Json::from(7), Json::text(b"\xff\n\xfe\xfe")]
            .into_iter()
            .collect();
        let object = Json::object(vec![("n\"".to_owned(), list), ("m".to_owned(), whole("b"))]);
        let expected = "{\"n\\\"\":[\"a\\\"\u{fffd}\",7,\"\\udfff\\n\\udfff\\udfff\"],\"m\":\"b\"}";
        assert_eq!(told(&object), expected);
        let value =
            serde_json::json!({"n\"": ["a\"\u{fffd}", 7, "\u{fffd}\n\u{fffd}\u{fffd}"], "m": "b"});
        assert_eq!(object.into_value(), value);
    }

    #[test]
    fn what_is_marked_as_json_is_as_it_was_written_on_one_line() {
        let list: Json = [
            Json::marked(b" {\"a\":\r\n 1.50, \"b\":\"\\ud800\\n\"}"),
            Json::marked(b"\"b\""),
            Json::marked(b"{\"c\":NaN}"),
            Json::marked(b"{a"),
            Json::marked(b"\xff"),
            Json::marked(b""),
        ]
        .into_iter()
        .collect();
        let expected =
            "[{\"a\":   1.50, \"b\":\"\\ud800\\n\"},\"b\",{\"c\":null},\"{a\",\"\\udfff\",\"\"]";
        assert_eq!(told(&list), expected);
        let value = serde_json::json!([{"a": 1.5, "b": "\u{fffd}\n"}, "b", {"c": null}, "{a", "\u{fffd}", ""]);
        assert_eq!(list.into_value(), value);
    }

    #[test]
    fn keys_that_differ_in_damaged_bytes_alone_stay_apart() {
        let entry = |key: &[u8], value: u8| (Json::text(key), Json::from(value));
        let map = Json::map(vec![
            entry(b"a\xff", 1),
            entry(b"a\xfe", 2),
            entry("a\u{fffd} 2".as_bytes(), 3),
            entry(b"b", 4),
            entry(b"b", 5),
        ]);
        let expected = serde_json::json!({
            "a\u{fffd}": 1, "a\u{fffd} 3": 2, "a\u{fffd} 2": 3, "b": 5
        });
        assert_eq!(map.into_value(), expected);
    }

    #[test]
    fn members_of_one_name_stay_at_any_depth() {
        let member = |value: u8| ("y".to_owned(), Json::from(value));
        let list: Json = [Json::object(vec![member(5), member(7)])].into_iter().collect();
        let object = Json::object(vec![("b".to_owned(), list)]);
        assert_eq!(told(&object), "{\"b\":[{\"y\":5,\"y\":7}]}");
        assert_eq!(object.into_value(), serde_json::json!({"b": [{"y": 7}]}));
    }

    #[test]
    fn what_is_whole_stays_one_value() {
        let list: Json = [Json::text(b"a"), Json::from(1)].into_iter().collect();
        assert_eq!(list, Json::Whole(serde_json::json!(["a", 1])));
        let object = Json::object(vec![("b".to_owned(), list)]);
        assert_eq!(object, Json::Whole(serde_json::json!({"b": ["a", 1]})));
        assert_eq!(told(&[].into_iter().collect()), "[]");
    }
}
