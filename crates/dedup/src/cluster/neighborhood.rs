//! Every near-duplicate pair of documents, in input order.

use crate::cluster::groups::Groups;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, index, set};
use nearprint_index::SelfJoin;

/// The group of nobody's duplicate.
const NO_GROUP: u64 = u64::MAX;

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
    /// Group of each document, [`NO_GROUP`] for nobody's duplicate.
    of: Vec<u64>,
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
        let mut of = vec![NO_GROUP; documents];
        let mut starts = Vec::with_capacity(groups.len() + 1);
        for group in 0..groups.len() as u64 {
            starts.push(both.partition_point(|&(from, ..)| from < group));
            for document in groups.documents(group) {
                set(&mut of, document.index(), group);
            }
        }
        starts.push(both.len());
        let near = both.into_iter().map(|(_, to, distance)| (to, distance)).collect();
        Ok(Self { groups, starts, near, of })
    }

    /// Hands every pair of documents `(a, b, distance)` with `a < b` to `sink`, by `a`, then `b`.
    ///
    /// # Errors
    /// The first error of `sink`.
    pub(crate) fn pairs<E>(
        &self,
        mut sink: impl FnMut(DocumentNumber, DocumentNumber, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut partners = Vec::new();
        let grouped = (0_u64..).map(DocumentNumber).zip(self.of.iter().copied());
        for (a, group) in grouped.filter(|(_, group)| *group != NO_GROUP) {
            partners.clear();
            for &(group, distance) in self.near(group).iter().chain([&(group, 0)]) {
                let later = self.groups.documents(group).filter(|b| *b > a);
                partners.extend(later.map(|b| (b, distance)));
            }
            partners.sort_unstable();
            partners.iter().try_for_each(|&(b, distance)| sink(a, b, distance))?;
        }
        Ok(())
    }

    fn near(&self, group: u64) -> &[(u64, u32)] {
        let [start, end] = [0, 1].map(|after| entry(&self.starts, index(group) + after));
        self.near.get(start..end).unwrap_or_default()
    }
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
                found.push((a.0, b.0, distance));
                Ok::<(), ()>(())
            }).unwrap();
            let mut expected: Vec<_> =
                scan::pairs(&codes, k).into_iter().map(|p| (p.a, p.b, p.distance)).collect();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
