//! What can be written, and what becomes of it.

use crate::disk::document::Document;
use crate::error::Error;

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write<const WORDS: usize> {
    /// Store a document, near-duplicate or not.
    Add(Document<WORDS>),
    /// Store a document unless a near-duplicate of it is stored.
    CheckAndAdd(Document<WORDS>),
    /// Store a document in place of the one with its id, if there is one.
    Update(Document<WORDS>),
    /// Remove the document with this id.
    Delete(String),
}

impl<const WORDS: usize> Write<WORDS> {
    /// The id that it is about.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Add(document) | Self::CheckAndAdd(document) | Self::Update(document) => {
                &document.id
            }
            Self::Delete(id) => id,
        }
    }
}

/// What became of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The document is stored.
    New,
    /// It was stored already, under the same id with the same fingerprint: nothing was changed.
    Exists,
    /// It is a near-duplicate of a document that is stored: it was not stored.
    Duplicate(Near),
    /// It is stored in place of another one with its id.
    Updated,
    /// The document was removed.
    Deleted,
    /// There was none to remove.
    Absent,
}

/// Writes that were not taken.
#[derive(Debug)]
pub struct Refused<const WORDS: usize> {
    /// Why.
    pub error: Error,
    /// The writes, to be asked for again.
    pub writes: Vec<Write<WORDS>>,
}

/// A stored document that is near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Its id.
    pub id: String,
    /// Bits in which the fingerprints differ.
    pub distance: u32,
}
