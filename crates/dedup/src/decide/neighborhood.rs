//! Lists every pair of documents within a radius, in input order.

use crate::decide::groups::Groups;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, index, set};
use crate::progress::Progress;
use nearprint_index::{Pair, SelfJoin};
use rayon::prelude::*;

/// The neighbours of each distinct fingerprint within the radius: a thousand equal documents are one entry.
///
/// Memory: 8 bytes a distinct fingerprint, 16 for either side of a pair of these, and 16 for each document in a pair.
#[derive(Clone, Debug)]
pub(crate) struct Neighborhood<'a, const WORDS: usize> {
    groups: &'a Groups<WORDS>,
    /// Where the neighbours of each group start in `near`, and the end of the last.
    starts: Vec<usize>,
    /// Number of a neighbouring group and distance to it.
    near: Vec<(u64, u32)>,
    /// Each document in a pair, ascending, with its group.
    paired: Vec<(DocumentNumber, u64)>,
}

impl<'a, const WORDS: usize> Neighborhood<'a, WORDS> {
    /// Finds every pair of distinct fingerprints within `k` bits. Runs on rayon's current pool.
    ///
    /// # Errors
    /// `k` over the width; [`Error::Interrupted`] soon after [`Progress::cancel`].
    pub(crate) fn new(
        groups: &'a Groups<WORDS>,
        k: u32,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let pairs = SelfJoin::new(groups.codes(), k)?.stopped_by(progress.stop()).collect()?;
        let (starts, near) = lists(groups.len(), &pairs, progress)?;
        drop(pairs);
        let mut found = Self { groups, starts, near, paired: Vec::new() };
        let paired =
            (0..groups.len() as u64).into_par_iter().filter(|group| found.is_paired(*group));
        let paired = paired
            .flat_map_iter(|group| groups.documents(group).map(move |document| (document, group)));
        found.paired = paired.collect();
        progress.check()?;
        found.paired.par_sort_unstable();
        Ok(found)
    }

    /// Hands every pair of documents `(a, b, distance)` with `a < b` to `sink`, by `a`, then `b`. Where equal ones
    /// stay `folded`, the first of a group has a pair with each of the others, and it alone has others.
    ///
    /// # Complexity
    /// Linear in the documents that are in a pair, not in all.
    ///
    /// # Errors
    /// The first error of `sink`.
    pub(crate) fn pairs<E>(
        &self,
        folded: bool,
        mut sink: impl FnMut(DocumentNumber, DocumentNumber, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut partners = Vec::new();
        for &(a, group) in &self.paired {
            if folded && self.groups.documents(group).next() != Some(a) {
                continue;
            }
            partners.clear();
            for &(other, distance) in self.near(group).iter().chain([&(group, 0)]) {
                let most = if folded && other != group { 1 } else { usize::MAX };
                let later = self.groups.documents(other).take(most).filter(|b| *b > a);
                partners.extend(later.map(|b| (b, distance)));
            }
            partners.sort_unstable();
            partners.iter().try_for_each(|&(b, distance)| sink(a, b, distance))?;
        }
        Ok(())
    }

    /// How many pairs of documents there are.
    pub(crate) fn count(&self) -> u64 {
        let size = |group| self.groups.documents(group).count() as u64;
        let of_group = |group| {
            let size_of_group = size(group);
            let later = self.near(group).iter().filter(|(other, _)| *other > group);
            let others: u64 = later.map(|(other, _)| size(*other)).sum();
            size_of_group * (size_of_group - 1) / 2 + size_of_group * others
        };
        (0..self.groups.len() as u64).into_par_iter().map(of_group).sum()
    }

    /// Whether a document of the group is in a pair.
    fn is_paired(&self, group: u64) -> bool {
        !self.near(group).is_empty() || self.groups.documents(group).nth(1).is_some()
    }

    fn near(&self, group: u64) -> &[(u64, u32)] {
        let [start, end] = [0, 1].map(|after| entry(&self.starts, index(group) + after));
        self.near.get(start..end).unwrap_or_default()
    }
}

/// Where the neighbours of each group start, and the neighbours with their distances.
type Lists = (Vec<usize>, Vec<(u64, u32)>);

/// The neighbours of each of `groups` groups one after the other, ascending, with their distances, and
/// where each group's start; `pairs` ascend.
fn lists(groups: usize, pairs: &[Pair], progress: &Progress) -> Result<Lists, Error> {
    let mut starts = vec![0; groups + 1];
    for pair in pairs {
        for group in [pair.a, pair.b] {
            let count = entry(&starts, index(group) + 1);
            set(&mut starts, index(group) + 1, count + 1);
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut next = starts.clone();
    let mut near = vec![(0, 0); 2 * pairs.len()];
    let mut add = |group: u64, neighbour: (u64, u32)| -> Result<(), Error> {
        progress.check()?;
        let at = entry(&next, index(group));
        set(&mut near, at, neighbour);
        set(&mut next, index(group), at + 1);
        Ok(())
    };
    // In the order of the pairs, a group meets the lower neighbours ascending, then the higher ones.
    pairs.iter().try_for_each(|pair| add(pair.b, (pair.a, pair.distance)))?;
    pairs.iter().try_for_each(|pair| add(pair.a, (pair.b, pair.distance)))?;
    Ok((starts, near))
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
            let progress = Progress::default();
            let groups = Groups::of(&codes, &[], &progress).unwrap();
            let mut found = Vec::new();
            let neighborhood = Neighborhood::new(&groups, k, &progress).unwrap();
            neighborhood.pairs(false, |a, b, distance| {
                found.push((a.0, b.0, distance));
                Ok::<(), ()>(())
            }).unwrap();
            let mut short = Vec::new();
            neighborhood.pairs(true, |a, b, distance| {
                short.push((a.0, b.0, distance));
                Ok::<(), ()>(())
            }).unwrap();
            prop_assert_eq!(neighborhood.count(), found.len() as u64);
            let first = |at: u64| codes.iter().position(|code| *code == codes[index(at)]).unwrap() as u64;
            let stands = |pair: &&(u64, u64, u32)| {
                first(pair.0) == pair.0 && (pair.2 == 0 || first(pair.1) == pair.1)
            };
            prop_assert_eq!(short, found.iter().filter(stands).copied().collect::<Vec<_>>());
            let mut expected: Vec<_> =
                scan::pairs(&codes, k).into_iter().map(|p| (p.a, p.b, p.distance)).collect();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
