//! The content of a document or a question: a text, a page, features, or a ready fingerprint.

use crate::request::problem::Problem;
use nearprint_corpus::FeatureEntries;
use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::value::RawValue;

/// What becomes a fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Payload {
    /// A text; for a recipe of pages a page.
    Text(String),
    /// The text of a document that the store kept.
    Kept(String),
    /// A page. The recipe says which text of it counts.
    Html(String),
    Features(Features),
    /// A fingerprint in hexadecimal digits.
    Fingerprint(String),
}

impl Payload {
    /// The only content that is given; an error if there are two. A text that is null is one without a word, as a row
    /// of it is for the command, where nothing else is given.
    pub(crate) fn one(
        text: Option<Option<String>>,
        html: Option<String>,
        features: Option<Features>,
        fingerprint: Option<String>,
    ) -> Result<Option<Self>, Problem> {
        let null = text == Some(None);
        let mut given = [
            text.flatten().map(Self::Text),
            html.map(Self::Html),
            features.map(Self::Features),
            fingerprint.map(Self::Fingerprint),
        ]
        .into_iter()
        .flatten();
        let first = given.next();
        match given.next() {
            None => Ok(first.or_else(|| null.then(|| Self::Text(String::new())))),
            Some(second) => Err(Problem::field(
                second.pointer(),
                "give one of \"text\", \"html\", \"features\" and \"fingerprint\", not two",
            )),
        }
    }

    /// Its place in the body.
    pub(crate) fn pointer(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Kept(_) => "/text",
            Self::Html(_) => "/html",
            Self::Features(_) => "/features",
            Self::Fingerprint(_) => "/fingerprint",
        }
    }

    /// Whether its sketch takes so long that other requests should not wait for it.
    pub(crate) fn is_heavy(&self) -> bool {
        match self {
            Self::Text(text) | Self::Kept(text) => text.len() > 32 << 10,
            Self::Html(html) => html.len() > 2 << 10,
            Self::Features(Features(features)) => features.len() > 1000,
            Self::Fingerprint(_) => false,
        }
    }
}

/// Features with their weights: `{name: weight, ...}` or `[[name or dimension, weight], ...]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Features(pub(crate) Vec<(String, f64)>);

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FeatureEntries(entries) = FeatureEntries::<Weight>::deserialize(deserializer)?;
        Ok(Self(entries.into_iter().map(|(name, Weight(weight))| (name, weight)).collect()))
    }
}

/// A weight, read from its digits, exact to the last bit.
struct Weight(f64);

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = Box::<RawValue>::deserialize(deserializer)?;
        let digits = digits.get();
        let number = if digits.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        {
            digits.parse::<f64>().ok().filter(|number| number.is_finite())
        } else {
            None
        };
        number.map(Self).ok_or_else(|| {
            let found: String = digits.chars().take(40).collect();
            serde::de::Error::custom(format!("a weight is a finite number, found {found}"))
        })
    }
}

/// Declares a struct that is read from JSON: with an id, the fields of a content and its language, and others.
macro_rules! with_content {
    (
        $(#[$about:meta])*
        $visible:vis struct $name:ident {
            $id_visible:vis id: by $read_id:literal,
            $($rest:tt)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $visible struct $name {
            #[serde(default, deserialize_with = $read_id)]
            $id_visible id: Option<String>,
            #[serde(default, deserialize_with = "crate::request::json::text")]
            text: Option<Option<String>>,
            #[serde(default, deserialize_with = "crate::request::json::present")]
            html: Option<String>,
            #[serde(default, deserialize_with = "crate::request::json::present")]
            features: Option<$crate::work::payload::Features>,
            #[serde(default, deserialize_with = "crate::request::json::present")]
            fingerprint: Option<String>,
            #[serde(default, deserialize_with = "crate::request::json::present")]
            language: Option<String>,
            $($rest)*
        }

        impl $name {
            /// The content that is given, taken out.
            fn content(
                &mut self,
            ) -> Result<Option<$crate::work::payload::Payload>, $crate::request::problem::Problem> {
                let Self { text, html, features, fingerprint, .. } = self;
                let (text, html) = (text.take(), html.take());
                $crate::work::payload::Payload::one(text, html, features.take(), fingerprint.take())
            }
        }
    };
}
pub(crate) use with_content;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::json;

    #[derive(Debug, Deserialize)]
    struct Body {
        features: Features,
    }

    #[test]
    fn features_come_as_an_object_or_as_pairs() {
        let expected = Features(vec![("a".into(), 0.1), ("7".into(), -2e300)]);
        for json in [r#"{"a":0.1,"7":-2e300}"#, r#"[["a",0.1],[7,-2e300]]"#] {
            let body = format!(r#"{{"features":{json}}}"#);
            assert_eq!(json::parse::<Body>(body.as_bytes()).unwrap().features, expected);
        }
    }

    #[test]
    fn a_weight_that_is_none_is_named() {
        for (json, pointer) in [
            (r#"{"a":"1"}"#, "/a"),
            (r#"{"b":1,"a/b":1e999}"#, "/a~1b"),
            (r#"[["a",1],["b",null]]"#, "/1/1"),
            (r#"[["a"]]"#, "/0"),
            ("7", ""),
        ] {
            let body = format!(r#"{{"features":{json}}}"#);
            let problem = json::parse::<Body>(body.as_bytes()).unwrap_err();
            let pointer = format!("/features{pointer}");
            assert_eq!(problem.field, Some(pointer.into()), "{json}: {}", problem.detail);
        }
    }
}
