//! How alike two documents are, as answers tell it. Imports no sibling.

use nearprint_fingerprint::Measure;

/// How alike two documents are. [`Near`](crate::Near) has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The similarity, from 0 to 1; a cosine from -1 on.
    pub similarity: f64,
    /// What it is one of, and whether it is an estimate.
    pub measure: Measure,
}

impl Alike {
    /// That of documents of equal content.
    pub(crate) fn equal(measure: Measure) -> Self {
        // No estimate tells that they are equal.
        let measure = if measure.is_exact() { measure } else { Measure::Jaccard };
        Self { similarity: 1.0, measure }
    }
}
