//! The most doubtful removals: documents that are least like the one because of which they go.

use crate::decide::removals::Removal;
use std::cmp::Ordering;

/// The removals with the least similarity, of each cluster one; those of equal content are in no doubt.
///
/// Memory: [`MOST`](Self::MOST) removals.
#[derive(Debug, Default)]
pub(crate) struct Doubtful {
    /// The least similar first; of equal ones the first in the input.
    kept: Vec<(f64, Removal)>,
}

impl Doubtful {
    /// The most that are kept.
    pub(crate) const MOST: usize = 20;

    /// Takes a removal; they come in input order.
    ///
    /// # Complexity
    /// A comparison for most, at most a look at each that is kept.
    pub(crate) fn add(&mut self, removal: Removal) {
        let Some(similarity) = removal.evidence.similarity().filter(|_| !removal.equal) else {
            return;
        };
        let is_less = |other: f64| similarity.total_cmp(&other) == Ordering::Less;
        let full = self.kept.len() == Self::MOST;
        if full && !self.kept.last().is_some_and(|(last, _)| is_less(*last)) {
            return;
        }
        let of_cluster = |(_, other): &(f64, Removal)| other.cluster == removal.cluster;
        if let Some(at) = self.kept.iter().position(of_cluster) {
            if !self.kept.get(at).is_some_and(|(other, _)| is_less(*other)) {
                return;
            }
            self.kept.remove(at);
        }
        let at = self.kept.partition_point(|(other, _)| !is_less(*other));
        self.kept.insert(at, (similarity, removal));
        self.kept.truncate(Self::MOST);
    }

    /// Those that were kept, the least similar first.
    pub(crate) fn finish(self) -> Vec<Removal> {
        self.kept.into_iter().map(|(_, removal)| removal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::DocumentNumber;
    use nearprint_fingerprint::Measure;
    use nearprint_rules::Evidence;

    /// A document of a cluster that goes because of the first one, with what the two share, in percent.
    fn removal(document: u64, cluster: u32, percent: u32) -> Removal {
        Removal {
            document: DocumentNumber(document),
            near: DocumentNumber(0),
            cluster,
            equal: percent == 100,
            evidence: Evidence::measured(0, f64::from(percent) / 100.0, Measure::Jaccard),
        }
    }

    fn kept(all: impl IntoIterator<Item = Removal>) -> Vec<u64> {
        let mut doubtful = Doubtful::default();
        all.into_iter().for_each(|one| doubtful.add(one));
        doubtful.finish().iter().map(|one| one.document.0).collect()
    }

    #[test]
    fn the_least_similar_of_each_cluster_comes_first() {
        let of = [(1, 0, 90), (2, 1, 85), (3, 0, 81), (4, 2, 100), (5, 1, 85), (6, 3, 81)];
        assert_eq!(
            kept(of.map(|(document, cluster, percent)| removal(document, cluster, percent))),
            [3, 6, 2]
        );
    }

    /// Like a plain sort of the least of each cluster, cut to the most.
    #[test]
    fn of_many_clusters_those_with_the_least_are_kept() {
        let percent = |at: u64| u32::try_from(at * 7919 % 97).unwrap();
        // All documents of one similarity are of one cluster, with those of two others.
        let cluster = |at: u64| percent(at) % 33;
        let all: Vec<_> = (0..600).map(|at| removal(at, cluster(at), percent(at))).collect();
        let mut least: Vec<(u32, u64)> = (0..33)
            .filter_map(|number| {
                let ours = (0..600).filter(|at| cluster(*at) == number);
                ours.map(|at| (percent(at), at)).min()
            })
            .collect();
        least.sort_unstable();
        let expected: Vec<_> = least.iter().take(Doubtful::MOST).map(|(_, at)| *at).collect();
        assert_eq!((expected.len(), kept(all)), (Doubtful::MOST, expected));
    }
}
