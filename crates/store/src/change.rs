//! What changed in a store, in the order of its writes: what a copy that follows the store is told.

use crate::disk::document::Document;
use crate::disk::logged::Logged;
use crate::disk::position::Position;
use crate::error::Error;
use nearprint_fingerprint::Width;

/// A change of a store. [`Store::changes`](crate::Store::changes) has an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A document was stored, or its metadata were replaced.
    Stored {
        /// Its number in the order of writes, which stays.
        number: u64,
        /// The document.
        document: Document,
    },
    /// A document was deleted, or another one took its place.
    Deleted {
        /// Its number.
        number: u64,
        /// Its id.
        id: String,
    },
    /// The changes since the last of these are those of one group of writes.
    Group(Group),
}

/// The end of a group of writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub(crate) position: Position,
    pub(crate) logged: Logged,
}

impl Group {
    /// The position behind the group.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }
}

/// How far changes were read: behind a position, and behind so many changes of the group after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) position: Position,
    pub(crate) sent: usize,
}

impl From<Position> for Cursor {
    fn from(position: Position) -> Self {
        Self { position, sent: 0 }
    }
}

/// Some of the changes of a store.
#[derive(Clone, Debug, PartialEq)]
pub struct Portion {
    /// The changes, the oldest first. A document is as it is when the portion is read, and one that was deleted since
    /// is left out: its deletion comes too.
    pub changes: Vec<Change>,
    /// Where the next portion begins.
    pub cursor: Cursor,
    /// What the store was at this moment.
    pub now: Reached,
    /// Whether these are all changes up to that moment, and the store then was whole.
    pub whole: bool,
}

/// How far the writes of a store are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The position.
    pub position: Position,
    /// Documents stored.
    pub documents: u64,
    /// The number that the next document gets.
    pub end: u64,
}

impl Change {
    /// Checks that a store of this width may take it over.
    pub(crate) fn check_width(&self, store: Width) -> Result<(), Error> {
        match self {
            Self::Stored { document, .. } => document.sketch.check_width(store),
            Self::Deleted { .. } | Self::Group(_) => Ok(()),
        }
    }
}
