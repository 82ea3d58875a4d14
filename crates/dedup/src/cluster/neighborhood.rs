//! Every near-duplicate pair of documents, in input order.

use crate::cluster::groups::Groups;
use crate::error::Error;
use nearprint_index::SelfJoin;
use std::sync::atomic::{AtomicU64, Ordering};

/// Who is within the radius of whom, kept by fingerprint: a thousand equal documents are one entry.
///
/// Memory: 12 bytes for either side of a pair of distinct fingerprints, 16 a document.
#[derive(Clone, Debug)]
pub(crate) struct Neighborhood<'a, const WORDS: usize> {
    groups: &'a Groups<WORDS>,
    /// Where the neighbours of each group start in `near`, and the end of the last.
    starts: Vec<usize>,
    /// Number of a neighbouring group and distance to it.
    near: Vec<(u64, u32)>,
    /// Group of each document; beyond the last for nobody's duplicate.
    ranks: Vec<u64>,
}

impl<'a, const WORDS: usize> Neighborhood<'a, WORDS> {
    /// Finds every pair of distinct fingerprints within `k` bits; `documents` is the number of all
    /// documents.
    ///
    /// # Errors
    /// `k` over the width.
    pub(crate) fn new(groups: &'a Groups<WORDS>, documents: usize, k: u32) -> Result<Self, Error> {
        let mut both = Vec::new();
        for pair in SelfJoin::new(groups.codes(), k)?.collect() {
            both.extend([(pair.a, pair.b, pair.distance), (pair.b, pair.a, pair.distance)]);
        }
        both.sort_unstable();
        let mut ranks = vec![u64::MAX; documents];
        let mut starts = Vec::with_capacity(groups.len() + 1);
        for rank in 0..groups.len() as u64 {
            starts.push(both.partition_point(|&(from, ..)| from < rank));
            for document in groups.documents(rank) {
                if let Some(slot) = usize::try_from(document).ok().and_then(|at| ranks.get_mut(at))
                {
                    *slot = rank;
                }
            }
        }
        starts.push(both.len());
        let near = both.into_iter().map(|(_, to, distance)| (to, distance)).collect();
        Ok(Self { groups, starts, near, ranks })
    }

    /// Hands every pair of documents `(a, b, distance)` with `a < b` to `sink`, by `a`, then `b`.
    ///
    /// # Errors
    /// The first error of `sink`.
    pub(crate) fn pairs<E>(
        &self,
        mut sink: impl FnMut(u64, u64, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut partners = Vec::new();
        for (a, &rank) in (0_u64..).zip(&self.ranks) {
            partners.clear();
            let equal = (rank, 0);
            for &(rank, distance) in self.near(rank).iter().chain([&equal]) {
                let later = self.groups.documents(rank).filter(|&b| b > a);
                partners.extend(later.map(|b| (b, distance)));
            }
            partners.sort_unstable();
            partners.iter().try_for_each(|&(b, distance)| sink(a, b, distance))?;
        }
        Ok(())
    }

    fn near(&self, rank: u64) -> &[(u64, u32)] {
        let range = usize::try_from(rank).ok().and_then(|at| {
            let start = *self.starts.get(at)?;
            Some(start..*self.starts.get(at + 1)?)
        });
        range.and_then(|range| self.near.get(range)).unwrap_or_default()
    }
}

/// The number of near-duplicate pairs of documents within `k` bits, none of them kept.
///
/// # Errors
/// `k` over the width.
pub(crate) fn count_pairs<const WORDS: usize>(
    groups: &Groups<WORDS>,
    k: u32,
) -> Result<u64, Error> {
    let documents = |rank: u64| groups.size(rank);
    let equal = (0..groups.len() as u64).map(|rank| documents(rank) * (documents(rank) - 1) / 2);
    let count = AtomicU64::new(equal.sum());
    SelfJoin::new(groups.codes(), k)?.pairs(|pair| {
        count.fetch_add(documents(pair.a) * documents(pair.b), Ordering::Relaxed);
    });
    Ok(count.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint;
    use nearprint_index::scan;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_are_those_of_the_scan_in_order(
            codes in prop::collection::vec(0_u64..64, 0..60), k in 0_u32..4,
        ) {
            let codes: Vec<_> = codes.into_iter().map(Fingerprint::from).collect();
            let groups = Groups::of(&codes, &[]);
            let mut found = Vec::new();
            let neighborhood = Neighborhood::new(&groups, codes.len(), k).unwrap();
            neighborhood.pairs(|a, b, distance| {
                found.push((a, b, distance));
                Ok::<(), ()>(())
            }).unwrap();
            let mut expected: Vec<_> =
                scan::pairs(&codes, k).into_iter().map(|p| (p.a, p.b, p.distance)).collect();
            expected.sort_unstable();
            prop_assert_eq!(count_pairs(&groups, k).unwrap(), expected.len() as u64);
            prop_assert_eq!(found, expected);
        }
    }
}
