//! What a search among texts in memory found, by the positions of the texts.

use crate::numbers::index;
use crate::write::summary::Summary;
use nearprint_rules::Evidence;

/// Which texts stay, and which are removed because of which.
///
/// # Examples
/// ```
/// use nearprint_dedup::Dedup;
///
/// let texts = ["one two three four", "five six seven eight", "One, two, three, four!"];
/// let found = Dedup::new().texts(&texts)?;
/// assert_eq!((found.kept(), found.removed().len()), (&[0, 1][..], 1));
/// assert_eq!(found.clusters().collect::<Vec<_>>(), [vec![0, 2]]);
/// assert_eq!(found.summary().exact, 1);
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub(crate) kept: Vec<usize>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) near_stays: bool,
    pub(crate) cluster_of: Vec<Option<u32>>,
    pub(crate) featureless: Vec<usize>,
    pub(crate) summary: Summary,
}

/// A text that does not stay.
///
/// # Examples
/// ```
/// use nearprint_dedup::Dedup;
///
/// let texts = ["one two three four five six", "One, two, three, four, five, six!"];
/// let found = Dedup::new().texts(&texts)?;
/// let removed = found.removed()[0];
/// assert_eq!((removed.position, removed.near, removed.evidence.distance), (1, 0, 0));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removed {
    /// The position of the text.
    pub position: usize,
    /// The position of the text because of which it goes: the one that stays, or by
    /// [`KeepRule::Nothing`](crate::KeepRule::Nothing) another text of its cluster.
    pub near: usize,
    /// The number of their cluster.
    pub cluster: u32,
    /// How near it is to that text: by the check, or where pairs are not verified by the cosine that the distance
    /// estimates.
    pub evidence: Evidence,
}

impl Found {
    /// The positions of the texts that stay, ascending. Texts without any feature stay.
    #[must_use]
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The texts that do not stay, by position.
    #[must_use]
    pub fn removed(&self) -> &[Removed] {
        &self.removed
    }

    /// Whether texts go because of one that stays: not by [`KeepRule::Nothing`](crate::KeepRule::Nothing).
    #[must_use]
    pub const fn near_stays(&self) -> bool {
        self.near_stays
    }

    /// The number of a text's cluster; `None` for a text without near-duplicates, and for a position
    /// behind the last.
    #[must_use]
    pub fn cluster_of(&self, position: usize) -> Option<u32> {
        self.cluster_of.get(position).copied().flatten()
    }

    /// Whether a text has no feature, and so equals none, unless such texts are
    /// [collapsed](crate::Featureless::Collapse).
    #[must_use]
    pub fn is_featureless(&self, position: usize) -> bool {
        self.featureless.binary_search(&position).is_ok()
    }

    /// The positions of each cluster's texts, ascending: clusters by their numbers, which are those of
    /// their first texts in order.
    pub fn clusters(&self) -> impl ExactSizeIterator<Item = Vec<usize>> {
        let mut clusters = vec![Vec::new(); index(self.summary.clusters)];
        for (position, cluster) in self.cluster_of.iter().enumerate() {
            if let Some(cluster) = cluster.and_then(|cluster| clusters.get_mut(cluster as usize)) {
                cluster.push(position);
            }
        }
        clusters.into_iter()
    }

    /// The figures of the search.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}
