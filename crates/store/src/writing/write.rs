//! Writes, and their outcomes.

use crate::disk::document::Document;
use crate::error::Error;
use nearprint_fingerprint::Width;
use nearprint_rules::Alike;

/// One write.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Document, Outcome, Settings, Store, Write};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let code: AnyFingerprint = "00000000000000ff".parse()?;
/// let writes = ["a", "b"].map(|id| Write::CheckAndAdd(Document::new(id, code)));
/// let outcomes = store.write_all(writes.into())?;
/// assert!(matches!(outcomes[..], [Ok(Outcome::New), Ok(Outcome::Duplicate(_))]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Store a document, near-duplicate or not.
    Add(Document),
    /// Store a document unless a near-duplicate of it is stored.
    CheckAndAdd(Document),
    /// Store a document in place of the one with its id, if there is one.
    Update(Document),
    /// Store a document in place of the one with its id, unless a near-duplicate of it is stored under
    /// another id.
    CheckAndUpdate(Document),
    /// Remove the document with this id.
    Delete(String),
    /// Remove the document with this id if its time is before this one, in milliseconds since 1970.
    DeleteBefore(String, u64),
}

impl Write {
    /// The id of its document.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Add(document)
            | Self::CheckAndAdd(document)
            | Self::Update(document)
            | Self::CheckAndUpdate(document) => &document.id,
            Self::Delete(id) | Self::DeleteBefore(id, _) => id,
        }
    }

    /// Its document, if it is stored only where no near-duplicate is.
    pub(crate) fn checked(&self) -> Option<&Document> {
        match self {
            Self::CheckAndAdd(document) | Self::CheckAndUpdate(document) => Some(document),
            Self::Add(_) | Self::Update(_) | Self::Delete(_) | Self::DeleteBefore(..) => None,
        }
    }

    /// Checks that a store of this width may take it.
    pub(crate) fn check_width(&self, store: Width) -> Result<(), Error> {
        match self {
            Self::Add(document)
            | Self::CheckAndAdd(document)
            | Self::Update(document)
            | Self::CheckAndUpdate(document) => document.sketch.check_width(store),
            Self::Delete(_) | Self::DeleteBefore(..) => Ok(()),
        }
    }
}

/// The outcome of a write.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, NearDocument, Outcome, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let code: AnyFingerprint = "00000000000000ff".parse()?;
/// assert_eq!(store.check_and_add("a", code)?, Outcome::New);
/// assert_eq!(store.check_and_add("a", code)?, Outcome::Exists);
/// let near = NearDocument { id: "a".to_owned(), distance: 0, alike: None };
/// assert_eq!(store.check_and_add("b", code)?, Outcome::Duplicate(near));
/// assert_eq!(store.delete("b")?, Outcome::Absent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The document is stored.
    New,
    /// The id was stored already with the same fingerprint. Nothing was changed.
    Exists,
    /// The document is a near-duplicate of this stored one, and was not stored.
    Duplicate(NearDocument),
    /// The document is stored in place of the one that had its id.
    Updated,
    /// The document was removed.
    Deleted,
    /// No document with this id was stored, or none that old, so none was removed.
    Absent,
}

impl Outcome {
    /// The outcome of the only write of a request.
    pub(crate) fn only(mut outcomes: Vec<Result<Self, Error>>) -> Result<Self, Error> {
        debug_assert_eq!(outcomes.len(), 1, "one write has one outcome");
        outcomes.pop().unwrap_or(Err(Error::Closed))
    }
}

/// Writes that the store did not take.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Document, Error, Settings, Store, Write};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let wide: AnyFingerprint = "000000000000000000000000000000ff".parse()?;
/// let refused = store.submit(vec![Write::Add(Document::new("a", wide))], |_| ()).unwrap_err();
/// assert!(matches!(refused.error, Error::OtherWidth { store: 64, asked: 128 }));
/// assert_eq!(refused.writes.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Refused {
    /// Why the store did not take them.
    pub error: Error,
    /// The writes, for another attempt.
    pub writes: Vec<Write>,
}

/// A stored document that is near.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_store::{Measure, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("pages");
///
/// let recipe = Recipe::named("words")?;
/// let store = Store::create(&path, &Settings::by_similarity(recipe, 0.5))?;
/// store.add("a", "one two three four five six seven eight nine")?;
/// let near = store.check("nine eight seven six five four three two one")?.unwrap();
/// let alike = near.alike.unwrap();
/// assert_eq!((alike.similarity, alike.measure), (1.0, Measure::Jaccard));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NearDocument {
    /// Its id.
    pub id: String,
    /// Bits in which the fingerprints differ.
    pub distance: u32,
    /// How alike the documents are, in a store that finds them by similarity; else `None`.
    pub alike: Option<Alike>,
}
