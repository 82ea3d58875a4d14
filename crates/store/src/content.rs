//! What a program gives to a store as a document: a text, or the sketch that was made of it.

use crate::disk::sketch::Sketch;

/// A text, or the sketch that was made of it. Texts, fingerprints and sketches become one by `into()`.
///
/// # Examples
/// ```
/// use nearprint_store::{AnyFingerprint, Content};
///
/// assert!(matches!(Content::from("One document."), Content::Text(_)));
/// let fingerprint: AnyFingerprint = "0000000000000025".parse()?;
/// assert!(matches!(Content::from(fingerprint), Content::Sketch(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'a> {
    /// A text, which the store fingerprints by its recipe as it stands. Of an HTML page this is what the recipe reads of
    /// it, as `text_of` of `nearprint-dedup` gives it: the command, HTTP and Python take that from pages themselves.
    Text(&'a str),
    /// A sketch, or a ready fingerprint.
    Sketch(Sketch),
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Content<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<S: Into<Sketch>> From<S> for Content<'_> {
    fn from(sketch: S) -> Self {
        Self::Sketch(sketch.into())
    }
}
