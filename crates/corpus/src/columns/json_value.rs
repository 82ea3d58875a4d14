//! A value of a column as JSON. Texts within it may be damaged, as those that are cells of their own may be: each byte that is
//! of no character is written as half of a surrogate pair, so that who reads the text knows. How a value of a type is told is
//! `arrow_cells`' and `parquet_json`'s.

#![deny(clippy::indexing_slicing)]

use crate::unescaped::escaped;
use serde_json::Value;
use std::io;

/// A value as JSON.
#[derive(Debug, PartialEq)]
pub(crate) enum Json {
    /// One of which every text is UTF-8.
    Whole(Value),
    /// The bytes of a text that is not.
    Damaged(Vec<u8>),
    /// Values of which one has such a text.
    List(Vec<Self>),
    /// Members of which one has such a text; of a name that comes twice the last holds.
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

    pub(crate) fn object(members: Vec<(String, Self)>) -> Self {
        match members.iter().all(|(_, value)| value.is_whole()) {
            true => Self::Whole(Self::Object(members).into_value()),
            false => Self::Object(members),
        }
    }

    const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// The value with U+FFFD in place of what is damaged.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Whole(value) => value,
            Self::Damaged(bytes) => String::from_utf8_lossy(&bytes).into(),
            Self::List(values) => values.into_iter().map(Self::into_value).collect(),
            Self::Object(members) => Value::Object(
                members.into_iter().map(|(name, value)| (name, value.into_value())).collect(),
            ),
        }
    }

    /// The text that a value is, or else its JSON: the name of a member.
    pub(crate) fn into_name(self) -> String {
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
    fn what_is_whole_stays_one_value() {
        let list: Json = [Json::text(b"a"), Json::from(1)].into_iter().collect();
        assert_eq!(list, Json::Whole(serde_json::json!(["a", 1])));
        let object = Json::object(vec![("b".to_owned(), list)]);
        assert_eq!(object, Json::Whole(serde_json::json!({"b": ["a", 1]})));
        assert_eq!(told(&[].into_iter().collect()), "[]");
    }
}
