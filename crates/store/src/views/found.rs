//! What a search finds: a document, and how near it is.

use nearprint_index::Neighbor;
use std::cmp::Ordering;

/// How a similarity is known.
///
/// # Examples
/// ```
/// use nearprint_store::Measure;
///
/// assert_eq!((Measure::Estimated.name(), Measure::Exact.name()), ("estimated", "exact"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Sketches estimate it.
    Estimated,
    /// It was computed of all features.
    Exact,
}

impl Measure {
    /// Its name, as answers have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Estimated => "estimated",
            Self::Exact => "exact",
        }
    }
}

/// How alike two documents are. [`Near`](crate::Near) has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The share of features that both have (Jaccard).
    pub similarity: f64,
    /// How that is known.
    pub measure: Measure,
}

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
