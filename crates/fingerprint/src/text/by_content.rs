//! A file that decides bits and that a recipe names by the hash of its bytes: [`ByContent`]. What kinds of
//! files there are, the types of their contents say.

use crate::error::IdError;
use crate::ids::FileId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// A file of words: its id, and its contents where it was read rather than only named.
///
/// The id is the XXH3-128 of its bytes, so two files with the same id are equal. Cheap to clone: copies share the
/// contents.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::StopFile;
///
/// let file = StopFile::read("的\n了\n".as_bytes())?;
/// assert_eq!(file, StopFile::named(file.id()));
/// # Ok::<(), nearprint_fingerprint::WordFileError>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(try_from = "String", into = "String", bound = "")]
pub struct ByContent<T> {
    id: FileId,
    content: Option<Arc<T>>,
}

impl<T> ByContent<T> {
    /// The file of `bytes`, whose contents are `content`.
    pub(crate) fn new(bytes: &[u8], content: T) -> Self {
        Self { id: xxh3_128(bytes).into(), content: Some(Arc::new(content)) }
    }

    /// The file of that id, without its contents: enough to name it in a recipe.
    #[must_use]
    pub fn named(id: FileId) -> Self {
        Self { id, content: None }
    }

    /// The id, which is part of every recipe that uses the file.
    #[must_use]
    pub fn id(&self) -> FileId {
        self.id
    }

    /// What is in it; `None` where it is only named.
    #[must_use]
    pub fn content(&self) -> Option<&T> {
        self.content.as_deref()
    }
}

impl<T> Clone for ByContent<T> {
    fn clone(&self) -> Self {
        Self { id: self.id, content: self.content.clone() }
    }
}

impl<T> PartialEq for ByContent<T> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<T> Eq for ByContent<T> {}

impl<T> fmt::Display for ByContent<T> {
    /// The id.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

impl<T> fmt::Debug for ByContent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByContent({self})")
    }
}

impl<T> FromStr for ByContent<T> {
    type Err = IdError;

    /// As [`Self::named`].
    fn from_str(text: &str) -> Result<Self, IdError> {
        text.parse().map(Self::named)
    }
}

impl<T> TryFrom<String> for ByContent<T> {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl<T> From<ByContent<T>> for String {
    fn from(file: ByContent<T>) -> Self {
        file.to_string()
    }
}
