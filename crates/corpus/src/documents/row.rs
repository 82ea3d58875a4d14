//! One line of JSON, of which two or three fields are wanted. What the fields mean is `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::fields::Fields;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// The JSON text of the wanted fields, where the row has them. Of a field that comes twice the last
/// holds, as in every common parser.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
    pub(crate) tag: Option<&'a str>,
    pub(crate) score: Option<&'a str>,
}

impl<'a> Row<'a> {
    /// Reads the row of a line without allocating. The only data error (as opposed to a syntax
    /// error) is a row that is no object.
    pub(crate) fn parse(line: &'a str, fields: &Fields) -> Result<Self, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(line);
        let row = RowSeed(fields).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(row)
    }
}

/// The names of the fields of a row, for a message.
pub(crate) fn field_names(line: &str) -> String {
    let names: BTreeMap<String, IgnoredAny> = serde_json::from_str(line).unwrap_or_default();
    listed(names.keys())
}

/// Names, for a message.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    const SHOWN: usize = 20;
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(SHOWN).map(|name| format!("{name:?}")).collect();
    if shown.is_empty() {
        return "no field".to_owned();
    }
    let more = if names.next().is_some() { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The type of a JSON text, with its article.
pub(crate) fn json_type(json: &str) -> &'static str {
    match json.trim_ascii_start().as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

struct RowSeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Row<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row<'de>, A::Error> {
        let mut row = Row::default();
        while let Some(key) = map.next_key_seed(KeySeed(self.0))? {
            if key.id || key.text || key.tag || key.score {
                let json = map.next_value::<&'de RawValue>()?.get();
                row.id = if key.id { Some(json) } else { row.id };
                row.text = if key.text { Some(json) } else { row.text };
                row.tag = if key.tag { Some(json) } else { row.tag };
                row.score = if key.score { Some(json) } else { row.score };
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(row)
    }
}

/// Which of the wanted fields a key names. One field may be several.
struct Key {
    id: bool,
    text: bool,
    tag: bool,
    score: bool,
}

struct KeySeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
        let Fields { id, text, tag, score, part: _, null_text: _ } = self.0;
        Ok(Key {
            id: key == id,
            text: key == text,
            tag: tag.as_deref() == Some(key),
            score: score.as_deref() == Some(key),
        })
    }
}
