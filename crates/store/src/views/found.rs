//! What a search finds: a document, and how near it is.

use nearprint_index::Neighbor;
use nearprint_rules::Alike;
use std::cmp::Ordering;

/// A document that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) doc: u64,
    pub(crate) distance: u32,
    /// How alike it is; `None` within a radius.
    pub(crate) alike: Option<Alike>,
}

impl Found {
    /// The order in which searches answer: the most alike, or within a radius the nearest first; of several
    /// the oldest.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let nearer = match (self.alike, other.alike) {
            (Some(a), Some(b)) => b.similarity.total_cmp(&a.similarity),
            _ => self.distance.cmp(&other.distance),
        };
        nearer.then(self.doc.cmp(&other.doc))
    }
}

impl From<Neighbor> for Found {
    fn from(Neighbor { doc, distance }: Neighbor) -> Self {
        Self { doc, distance, alike: None }
    }
}
