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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_change_and_the_evidence_stays() {
        let evidence = Evidence::measured(7, 0.75, Measure::WeightedJaccard);
        let found = Match { a: 1, b: 2, evidence };
        assert_eq!(found.map(|at| at * 10), Match { a: 10, b: 20, evidence });
    }

    #[test]
    fn evidence_tells_the_similarity_with_its_measure() {
        let measured = Evidence::measured(7, 0.75, Measure::WeightedJaccard);
        let alike = Alike { similarity: 0.75, measure: Measure::WeightedJaccard };
        assert_eq!(measured, Evidence { distance: 7, alike: Some(alike) });
        assert_eq!(measured.similarity(), Some(0.75));
        let distance_alone = Evidence { distance: 7, alike: None };
        assert_eq!((distance_alone.similarity(), Evidence::default().distance), (None, 0));
    }

    #[test]
    fn a_distance_estimates_the_cosine_of_the_angle() {
        // A third of the bits is an angle of 60 degrees.
        let third = Evidence::estimated(64, 192);
        assert!((third.similarity().unwrap() - 0.5).abs() < 1e-12, "{third:?}");
        assert_eq!((third.distance, Evidence::estimated(0, 64).similarity()), (64, Some(1.0)));
        assert_eq!(third.alike.unwrap().measure, Measure::EstimatedCosine);
    }
}
