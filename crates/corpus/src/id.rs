//! The name of a document, as its owner wrote it.

use crate::unescaped::unescaped;
use memchr::memchr;
use std::borrow::Cow;
use std::fmt;

/// What a number is that names no document for good.
const NOT_WHOLE: &str = "a number that is not whole, or has an exponent";

/// A JSON string or number, in the very characters of the input: `17` stays a number, `"a\u0041"`
/// keeps its escape. It can be put into a JSON row as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id<'a>(Cow<'a, str>);

impl<'a> Id<'a> {
    /// An id from the JSON text of a string or a number.
    pub(crate) fn from_json(json: &'a str) -> Self {
        Id(Cow::Borrowed(json))
    }

    /// The id that is this text: a JSON string.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Id;
    ///
    /// assert_eq!(Id::from_text("a\"b").as_json(), r#""a\"b""#);
    /// ```
    pub fn from_text(text: &str) -> Id<'static> {
        Id(Cow::Owned(serde_json::Value::from(text).to_string()))
    }

    /// What JSON text names where documents are named for good, by texts: a string itself, a whole number its digits, so
    /// that `7.0` is `7`.
    ///
    /// # Errors
    ///
    /// What the JSON is, with its article, where it names nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Id;
    ///
    /// let named = ["\"7\"", "7", "7.0"].map(|json| Id::named(json).unwrap());
    /// assert!(named.iter().all(|name| name == "7"));
    /// assert!(Id::named("1e3").is_err() && Id::named("7.5").is_err() && Id::named("null").is_err());
    /// ```
    pub fn named(json: &str) -> Result<String, &'static str> {
        match json.bytes().next() {
            Some(b'"') => {
                serde_json::from_str(json).map_err(|_| "a string with half of a surrogate pair")
            }
            Some(b'{') => Err("an object"),
            Some(b'[') => Err("an array"),
            Some(b't' | b'f') => Err("a boolean"),
            Some(b'n') => Err("null"),
            _ => {
                let (whole, rest) = json.split_once('.').unwrap_or((json, ""));
                let digits = whole.strip_prefix('-').unwrap_or(whole);
                let is_whole = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
                // The digits as they stand: a number of any size is its own name.
                let named = is_whole && rest.bytes().all(|byte| byte == b'0');
                named.then(|| whole.to_owned()).ok_or(NOT_WHOLE)
            }
        }
    }

    /// What JSON text is known by, where ids are compared: of a string its shortest JSON, so that `"a\u0041"` is `"aA"`; a
    /// number by its digits, and half of a surrogate pair by its escape.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Id;
    ///
    /// assert_eq!(Id::key(r#""gr\u00f6\u00dfe\/1""#), r#""größe/1""#);
    /// assert_eq!([r#""a\"b""#, "7.0", r#""\ud800""#].map(Id::key), [r#""a\"b""#, "7.0", r#""\ud800""#]);
    /// ```
    pub fn key(json: &str) -> Cow<'_, str> {
        let string = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let escaped = string.filter(|string| memchr(b'\\', string.as_bytes()).is_some());
        match escaped.and_then(unescaped) {
            Some(text) => Cow::Owned(serde_json::Value::from(text).to_string()),
            None => Cow::Borrowed(json),
        }
    }

    /// The JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The id with characters of its own.
    pub fn into_owned(self) -> Id<'static> {
        Id(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
