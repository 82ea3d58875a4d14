//! A document that a client sends: to check it, to add it, or to replace another one.

use crate::request::json::id;
use crate::request::problem::Problem;
use crate::shared::Service;
use crate::work::payload::{Payload, with_content};
use crate::work::sketcher::Sketched;
use nearprint_fingerprint::Language;
use nearprint_store::{Document, MAX_ID};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// The key of the metadata that may hold the text of a document.
const TEXT: &str = "text";

/// How deep metadata may be nested. Many readers of JSON stop at 128.
const DEEPEST: usize = 100;

with_content! {
    /// A document as it comes.
    pub(crate) struct Submission {
        pub(crate) id: by "id",
        #[serde(default)]
        metadata: Option<Metadata>,
    }
}

/// Metadata as it comes, and how deep it is nested: that is counted where a large body is read.
#[derive(Debug)]
struct Metadata {
    json: String,
    depth: usize,
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<str>::from(Box::<RawValue>::deserialize(deserializer)?).into_string();
        Ok(Self { depth: depth(&json), json })
    }
}

impl Submission {
    /// The document to be stored.
    pub(crate) async fn document(self, service: &Service) -> Result<Document, Problem> {
        let (head, content, language) = self.parts()?;
        let made = service.sketcher.sketch(content, language).await?;
        head.document(made, service.config.keep_text)
    }

    /// Its head, its content, and the language.
    pub(crate) fn parts(mut self) -> Result<(Head, Payload, Option<Language>), Problem> {
        self.id.as_deref().map_or(Ok(()), named)?;
        let content = self.content()?.ok_or_else(|| {
            Problem::field("", "give one of \"text\", \"html\", \"features\" and \"fingerprint\"")
        })?;
        let Self { id, language, metadata, .. } = self;
        if metadata.as_ref().is_some_and(|metadata| !metadata.json.starts_with('{')) {
            return Err(Problem::field("/metadata", "the metadata must be a JSON object"));
        }
        if metadata.as_ref().is_some_and(|metadata| metadata.depth > DEEPEST) {
            let detail =
                format!("the metadata is nested more than {DEEPEST} deep, which few programs read");
            return Err(Problem::field("/metadata", detail));
        }
        let metadata = metadata.map(|metadata| metadata.json);
        Ok((Head { id, metadata }, content, language_of(language)?))
    }
}

/// The id and the metadata of a document.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) id: Option<String>,
    metadata: Option<String>,
}

impl Head {
    /// The document with this head. Texts of up to `keep_text` bytes are kept.
    pub(crate) fn document(self, made: Sketched, keep_text: usize) -> Result<Document, Problem> {
        let Self { id, metadata } = self;
        let id = id.ok_or_else(|| Problem::field("/id", "a document needs an id to be stored"))?;
        let metadata = with_text(metadata, made.text.filter(|text| text.len() <= keep_text));
        Ok(Document { id, sketch: made.sketch, time: 0, metadata })
    }
}

/// Refuses an id that no document can have.
pub(crate) fn named(id: &str) -> Result<(), Problem> {
    if (1..=MAX_ID).contains(&id.len()) {
        return Ok(());
    }
    let detail = format!("an id of {} bytes; ids have 1 to {MAX_ID} bytes", id.len());
    Err(Problem::field("/id", detail))
}

/// The language that a field names.
pub(crate) fn language_of(tag: Option<String>) -> Result<Option<Language>, Problem> {
    let Some(tag) = tag else { return Ok(None) };
    match Language::from_tag(&tag) {
        Some(language) => Ok(Some(language)),
        None => {
            let detail = "expected the ISO 639-1 code of a known language, such as \"en\"";
            Err(Problem::field("/language", detail))
        }
    }
}

/// How deep a JSON is nested.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The metadata with the text in it, if there is a text to keep and the metadata holds none.
fn with_text(metadata: Option<String>, text: Option<String>) -> Option<String> {
    let Some(text) = text else { return metadata };
    let text = serde_json::Value::from(text);
    let Some(metadata) = metadata else { return Some(format!("{{\"{TEXT}\":{text}}}")) };
    let fields = serde_json::from_str::<HashMap<String, IgnoredAny>>(&metadata);
    // A name with half a surrogate pair is JSON and no text: it tells no name apart.
    let Ok(fields) = fields else { return Some(metadata) };
    if fields.contains_key(TEXT) {
        return Some(metadata);
    }
    let comma = if fields.is_empty() { "" } else { "," };
    match metadata.trim_end().strip_suffix('}') {
        Some(open) => Some(format!("{open}{comma}\"{TEXT}\":{text}}}")),
        None => Some(metadata),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_counted_outside_of_strings() {
        for (json, expected) in
            [("{}", 1), (r#"{"a":[{},[]],"b":[1]}"#, 3), (r#"{"a":"[[[\"[[","b":"\\","c":[]}"#, 2)]
        {
            assert_eq!(depth(json), expected, "{json}");
        }
    }

    #[test]
    fn a_text_is_kept_beside_what_is_there() {
        let kept = |metadata: Option<&str>| with_text(metadata.map(Into::into), Some("a\"".into()));
        assert_eq!(kept(None).unwrap(), r#"{"text":"a\""}"#);
        assert_eq!(kept(Some("{ }")).unwrap(), r#"{ "text":"a\""}"#);
        assert_eq!(kept(Some(r#"{"n":1.50}"#)).unwrap(), r#"{"n":1.50,"text":"a\""}"#);
        assert_eq!(kept(Some(r#"{"text":1}"#)).unwrap(), r#"{"text":1}"#);
        assert_eq!(kept(Some(r#"{"\ud800":1}"#)).unwrap(), r#"{"\ud800":1}"#);
        assert_eq!(with_text(None, None), None);
    }
}
