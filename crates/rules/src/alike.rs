//! How alike two documents are, and what that is one of.

use nearprint_fingerprint::Measure;

/// A similarity with its measure: a bare number does not tell whether it is exact.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Measure;
/// use nearprint_rules::Alike;
///
/// // No estimate tells that documents are equal.
/// let equal = Alike::equal(Measure::EstimatedJaccard);
/// assert_eq!((equal.similarity, equal.measure), (1.0, Measure::Jaccard));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The similarity, from 0 to 1; a cosine from -1 on.
    pub similarity: f64,
    /// What it is one of, and whether it is an estimate.
    pub measure: Measure,
}

impl Alike {
    /// That of documents of equal content, where others are compared by `measure`.
    #[must_use]
    pub fn equal(measure: Measure) -> Self {
        let measure = if measure.is_exact() { measure } else { Measure::Jaccard };
        Self { similarity: 1.0, measure }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_documents_are_alike_by_an_exact_measure() {
        for exact in
            [Measure::Jaccard, Measure::Containment, Measure::Cosine, Measure::WeightedJaccard]
        {
            assert_eq!(Alike::equal(exact), Alike { similarity: 1.0, measure: exact });
        }
        for estimate in [Measure::EstimatedJaccard, Measure::EstimatedCosine] {
            assert_eq!(Alike::equal(estimate).measure, Measure::Jaccard);
        }
    }
}
