//! One line of JSON, of which two or three fields are wanted. What the fields mean is `document`'s.

#![deny(clippy::indexing_slicing)]

use crate::documents::fields::Fields;
use crate::documents::members::{Name, members};
use crate::finite::{finite, padded_json, value};
use crate::unescaped::unescaped;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The JSON text of the wanted fields, where the row has them. Of a field that comes twice the last
/// holds, as in every common parser.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
    pub(crate) tag: Option<&'a str>,
    pub(crate) score: Option<&'a str>,
    pub(crate) labels: [Option<&'a str>; Fields::LABELS],
    pub(crate) ties: [Option<&'a str>; Fields::TIES],
}

impl<'a> Row<'a> {
    /// The row of what was found of the [wanted] fields.
    pub(crate) fn of(found: [Option<&'a str>; WANTED]) -> Self {
        let [id, text, tag, score, a, b, c, d, e, ties @ ..] = found;
        Self { id, text, tag, score, labels: [a, b, c, d, e], ties }
    }

    /// Reads the row of a line without allocating, unless it has numbers that JSON does not have: as a value such is null,
    /// but for scores. The only data error (as opposed to a syntax error) is a row that is no object.
    pub(crate) fn parse(line: &'a str, fields: &Fields) -> Result<Self, serde_json::Error> {
        Self::strict(line, fields).or_else(|error| match padded_json(line) {
            Cow::Owned(padded) if error.is_syntax() => {
                Ok(Row::strict(&padded, fields)?.within(&padded, line))
            }
            _ => Err(error),
        })
    }

    /// The same of `line`, of which `padded` is a copy that differs in such numbers alone, and is as long.
    fn within<'b>(self, padded: &str, line: &'b str) -> Row<'b> {
        let there = |json: &str| {
            let start = json.as_ptr().addr().checked_sub(padded.as_ptr().addr())?;
            line.get(start..start + json.len())
        };
        let score = |json: Option<&str>| json.and_then(there);
        let of = |json: Option<&str>| score(json).map(value);
        Row {
            id: of(self.id),
            text: of(self.text),
            tag: of(self.tag),
            score: score(self.score),
            labels: self.labels.map(of),
            ties: self.ties.map(score),
        }
    }

    fn strict(line: &'a str, fields: &Fields) -> Result<Self, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(line);
        let row = RowSeed::new(fields).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(row)
    }
}

/// The names of the fields of a row, for a message.
pub(crate) fn field_names(line: &str) -> String {
    let line = finite(line);
    let members = members(&line).unwrap_or_default();
    listed(&members.keys().map(Name::to_string).collect::<Vec<_>>())
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

/// The JSON text of a member of an object: of the name `path`, or inside of the member before its
/// first dot. What is inside of null is null, as for `.a.b` of jq and for tables, where a null struct has null fields.
pub(crate) fn member<'a>(json: &'a str, path: &str) -> Option<&'a str> {
    if json == "null" {
        return Some(json);
    }
    let members = members(json)?;
    if let Some(value) = members.get(path.as_bytes()) {
        return Some(value.get());
    }
    let (outer, inner) = path.split_once('.')?;
    member(members.get(outer.as_bytes())?.get(), inner)
}

/// Fields that are wanted of a row.
pub(crate) const WANTED: usize = 4 + Fields::LABELS + Fields::TIES;

/// Their names: of the id, the text, the tag, the score, the labels and what breaks ties.
pub(crate) fn wanted(fields: &Fields) -> [Option<&str>; WANTED] {
    let Fields { id, text, tag, score, labels, ties, .. } = fields;
    let own = [Some(&**id), Some(&**text), tag.as_deref(), score.as_deref()];
    let labels = (0..Fields::LABELS).map(|at| labels.get(at).map(String::as_str));
    let ties = ties.iter().map(|tie| tie.as_ref().map(|tie| tie.field.as_str()));
    let mut names = own.into_iter().chain(labels).chain(ties);
    std::array::from_fn(|_| names.next().flatten())
}

/// The names of the wanted fields, and where they have dots the parts before and behind the first.
struct RowSeed<'f> {
    names: [Option<&'f str>; WANTED],
    nested: [Option<(&'f str, &'f str)>; WANTED],
}

impl<'f> RowSeed<'f> {
    fn new(fields: &'f Fields) -> Self {
        let names = wanted(fields);
        Self { names, nested: names.map(|name| name?.split_once('.')) }
    }
}

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
        let (mut found, mut outer) = ([None; WANTED], [None; WANTED]);
        while let Some(Key { is, holds }) = map.next_key_seed(KeySeed(&self))? {
            if is.contains(&true) || holds.contains(&true) {
                let json = Some(map.next_value::<&'de RawValue>()?.get());
                for at in 0..WANTED {
                    set(&mut found, at, json, &is);
                    set(&mut outer, at, json, &holds);
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let inner = self.nested.iter().zip(outer);
        let inner = inner.map(|(nested, outer)| nested.zip(outer));
        for (found, inner) in found.iter_mut().zip(inner) {
            if let (None, Some(((_, path), json))) = (&found, inner) {
                *found = member(json, path);
            }
        }
        Ok(Row::of(found))
    }
}

/// Puts the text of a field in its place, where it is one of those.
fn set<'de>(
    all: &mut [Option<&'de str>; WANTED],
    at: usize,
    json: Option<&'de str>,
    which: &[bool; WANTED],
) {
    if let (Some(place), Some(true)) = (all.get_mut(at), which.get(at)) {
        *place = json;
    }
}

/// Which of the wanted fields a key names, and which may be inside of its value. One field may be
/// several.
struct Key {
    is: [bool; WANTED],
    holds: [bool; WANTED],
}

struct KeySeed<'s, 'f>(&'s RowSeed<'f>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        // As it is written, so that what no string may have is refused in it too. Half of a surrogate pair is no character,
        // and may be in a key that is not wanted.
        let key: &RawValue = Deserialize::deserialize(deserializer)?;
        let key = key.get().strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        let key = key.and_then(|key| match key.contains('\\') {
            true => unescaped(key).map(Cow::Owned),
            false => Some(Cow::Borrowed(key)),
        });
        let key = key.as_deref();
        let RowSeed { names, nested } = self.0;
        Ok(Key {
            is: names.map(|name| name.is_some() && name == key),
            holds: nested.map(|nested| nested.is_some_and(|(outer, _)| key == Some(outer))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_dots_is_that_of_a_field_or_of_one_inside() {
        let fields = Fields {
            id: "meta.url".to_owned(),
            text: "doc.body.text".to_owned(),
            ..Fields::default()
        };
        let row = |line| Row::parse(line, &fields).unwrap();
        let inside = row(r#"{"doc":{"body":{"text":"a"},"text":1},"meta":{"url":"u"}}"#);
        assert_eq!((inside.id, inside.text), (Some("\"u\""), Some("\"a\"")));
        let mixed = row(r#"{"doc":{"body.text":"b"},"meta.url":7,"meta":{"url":"u"}}"#);
        assert_eq!((mixed.id, mixed.text), (Some("7"), Some("\"b\"")));
        let none = row(r#"{"doc":{"body":"x"},"meta":[1]}"#);
        assert_eq!((none.id, none.text), (None, None));
        for null in [r#"{"doc":null,"meta":{}}"#, r#"{"doc": {"body": null } ,"meta":"null"}"#] {
            assert_eq!((row(null).id, row(null).text), (None, Some("null")), "{null}");
        }
        assert_eq!(row(r#"{"doc":{"body":{}},"meta":null}"#).text, None);
    }

    #[test]
    fn a_control_character_is_refused_in_keys_as_in_values() {
        let parse = |line| Row::parse(line, &Fields::default());
        for line in [
            "{\"a\u{1}\":1,\"text\":\"a\"}",
            "{\"text\":\"a\",\"b\":{\"a\u{1}\":1}}",
            "{\"text\":\"a\",\"b\":\"\u{1}\"}",
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.starts_with("control character"), "{line:?}: {error}");
        }
        assert_eq!(parse(r#"{"a\u0001":1,"\u0074ext":"a"}"#).unwrap().text, Some("\"a\""));
    }

    #[test]
    fn numbers_that_json_does_not_have_are_no_values() {
        let names = ["lang", "score", "dump"].map(str::to_owned);
        let [tag, score, label] = names;
        let fields = Fields {
            text: "doc.text".to_owned(),
            tag: Some(tag),
            score: Some(score),
            labels: vec![label],
            ..Fields::default()
        };
        let line = r#"{"id":NaN,"doc":{"n":NaN,"text":"a"},"lang":-Infinity,"score":Infinity,"dump":"NaN"}"#;
        let row = Row::parse(line, &fields).unwrap();
        assert_eq!((row.id, row.text, row.tag), (Some("null"), Some("\"a\""), Some("null")));
        assert_eq!((row.score, row.labels[0]), (Some("Infinity"), Some("\"NaN\"")));
        let error = Row::parse(r#"{"id":NaN,"text":"a",}"#, &fields).unwrap_err();
        assert_eq!(error.column(), 22);
        assert!(Row::parse(r#"{"id":NaN,"text":"a"#, &fields).unwrap_err().is_eof());
        assert!(Row::parse("[NaN]", &fields).unwrap_err().is_data());
        assert_eq!(field_names(r#"{"a":NaN}"#), "\"a\"");
    }

    #[test]
    fn half_a_surrogate_in_a_key_that_is_not_wanted_does_no_harm() {
        let line = r#"{"\ud800":1,"text":"a","x\udfff":{"\ud800":2}}"#;
        let row = Row::parse(line, &Fields::default()).unwrap();
        assert_eq!((row.id, row.text), (None, Some("\"a\"")));
        let line = r#"{"doc":{"\ud800":1,"text":"a","id":7}}"#;
        assert_eq!(member(line, "doc.text"), Some("\"a\""));
        let fields =
            Fields { text: "doc.text".to_owned(), id: "doc.id".to_owned(), ..Fields::default() };
        let row = Row::parse(line, &fields).unwrap();
        assert_eq!((row.id, row.text), (Some("7"), Some("\"a\"")));
        assert_eq!(field_names(r#"{"\ud83d\ude00":1,"b":"\udfff"}"#), "\"b\", \"\u{1f600}\"");
    }
}
