//! Two documents that are near-duplicates, and the evidence. Imports `alike`.

use crate::alike::Alike;
use nearprint_fingerprint::{Measure, estimate};

/// Two near-duplicates: by numbers, positions, ranks or ids.
///
/// # Examples
/// ```
/// use nearprint_rules::{Evidence, Match};
///
/// let found = Match { a: "one", b: "other", evidence: Evidence { distance: 3, alike: None } };
/// assert_eq!(found.map(str::len), Match { a: 3, b: 5, evidence: found.evidence });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match<D> {
    /// The one that comes first in the input.
    pub a: D,
    /// The other.
    pub b: D,
    /// How near they are.
    pub evidence: Evidence,
}

impl<D> Match<D> {
    /// The same with something else in place of each document.
    #[must_use]
    pub fn map<E>(self, document: impl Fn(D) -> E) -> Match<E> {
        Match { a: document(self.a), b: document(self.b), evidence: self.evidence }
    }
}

/// How near two documents are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Bits in which the fingerprints differ.
    pub distance: u32,
    /// How alike the documents are; `None` where fingerprints alone decide and nobody asks for more.
    pub alike: Option<Alike>,
}

impl Evidence {
    /// What fingerprints of `bits` bits tell by their distance: an estimate of the cosine.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Measure;
    /// use nearprint_rules::Evidence;
    ///
    /// let alike = Evidence::estimated(32, 64).alike.unwrap();
    /// assert!(alike.similarity.abs() < 1e-9 && alike.measure == Measure::EstimatedCosine);
    /// ```
    #[must_use]
    pub fn estimated(distance: u32, bits: u32) -> Self {
        let similarity = estimate::cosine(distance, bits);
        Self { distance, alike: Some(Alike { similarity, measure: Measure::EstimatedCosine }) }
    }

    /// The similarity, where there is one.
    #[must_use]
    pub fn similarity(&self) -> Option<f64> {
        self.alike.map(|alike| alike.similarity)
    }

    /// The distance, and the similarity by this measure.
    #[must_use]
    pub const fn measured(distance: u32, similarity: f64, measure: Measure) -> Self {
        Self { distance, alike: Some(Alike { similarity, measure }) }
    }
}
