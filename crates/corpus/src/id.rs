//! The name of a document, as its owner wrote it.

use std::borrow::Cow;
use std::fmt;

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
