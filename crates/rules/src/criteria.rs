//! All that decides which documents stay.

use crate::cluster_rule::ClusterRule;
use crate::featureless::Featureless;
use crate::keep::KeepRule;
use crate::likeness::Likeness;

/// What makes documents near-duplicates, what makes a cluster of them, and which of them stays.
///
/// # Examples
/// ```
/// use nearprint_rules::{ClusterRule, Criteria, KeepRule, Likeness};
/// use nearprint_fingerprint::Width;
///
/// let criteria = Criteria::new(Likeness::by_radius(3, Width::W64)?);
/// assert_eq!((criteria.cluster_rule, criteria.keep), (ClusterRule::Star, KeepRule::Central));
/// # Ok::<(), nearprint_rules::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// What makes two documents near-duplicates.
    pub likeness: Likeness,
    /// What makes a cluster of pairs.
    pub cluster_rule: ClusterRule,
    /// Which document of a cluster stays.
    pub keep: KeepRule,
    /// What may be a duplicate of a document without any feature.
    pub featureless: Featureless,
}

impl Criteria {
    /// Stars, of which the central document stays.
    #[must_use]
    pub fn new(likeness: Likeness) -> Self {
        let (cluster_rule, featureless) = (ClusterRule::default(), Featureless::default());
        Self { likeness, cluster_rule, keep: KeepRule::of(cluster_rule), featureless }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Width;

    #[test]
    fn criteria_are_stars_of_which_the_central_document_stays() {
        let likeness = Likeness::by_radius(3, Width::W64).unwrap();
        let expected = Criteria {
            likeness,
            cluster_rule: ClusterRule::Star,
            keep: KeepRule::Central,
            featureless: Featureless::Keep,
        };
        assert_eq!(Criteria::new(likeness), expected);
    }
}
