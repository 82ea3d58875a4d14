//! Documents grouped by equal fingerprint, so that what follows sees each fingerprint once.
//!
//! Near-duplicates are the join's affair; this file knows equality only.

use crate::ordinals::Ordinals;
use nearprint_fingerprint::fingerprint::Fingerprint;
use rayon::prelude::*;

/// The distinct fingerprints of a list of documents, and the documents of each.
///
/// A fingerprint's position among the sorted distinct ones is its *rank*. However many documents
/// share a fingerprint, it is one code to a join or a search.
///
/// Memory: `8 * WORDS + 4` bytes a distinct fingerprint and 4 bytes a document (8 in place of 4
/// from 2^32 documents on); `8 * WORDS + 8` bytes a document more while it is built.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::fingerprint::Fingerprint;
/// use nearprint_index::distinct::Distinct;
///
/// let documents = [9_u64, 4, 9].map(Fingerprint::from);
/// let distinct = Distinct::new(&documents);
/// assert_eq!(distinct.codes(), [4_u64, 9].map(Fingerprint::from));
/// assert_eq!(distinct.docs(1).collect::<Vec<_>>(), [0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Distinct<const WORDS: usize> {
    codes: Vec<Fingerprint<WORDS>>,
    /// Where the documents of each rank start in `docs`, and the end of the last.
    starts: Ordinals,
    docs: Ordinals,
}

impl<const WORDS: usize> Distinct<WORDS> {
    /// Groups `fingerprints`, the one of document 0 first. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// One parallel sort: `O(n log n)` for `n` documents.
    #[must_use]
    pub fn new(fingerprints: &[Fingerprint<WORDS>]) -> Self {
        if u32::try_from(fingerprints.len()).is_ok() {
            #[expect(clippy::cast_possible_truncation, reason = "their number fits")]
            Self::group(fingerprints, |doc| doc as u32, |doc| doc as usize)
        } else {
            Self::group(fingerprints, |doc| doc, |doc| doc)
        }
    }

    fn group<O: Copy + Ord + Send + Sync>(
        fingerprints: &[Fingerprint<WORDS>],
        narrow: impl Fn(usize) -> O + Sync,
        widen: impl Fn(O) -> usize,
    ) -> Self {
        let mut entries: Vec<(Fingerprint<WORDS>, O)> =
            fingerprints.par_iter().enumerate().map(|(doc, code)| (*code, narrow(doc))).collect();
        entries.par_sort_unstable();
        let groups = || entries.chunk_by(|a, b| a.0 == b.0);
        let codes = groups().filter_map(|group| Some(group.first()?.0)).collect();
        let ends = groups().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        Self {
            codes,
            starts: Ordinals::new(entries.len(), std::iter::once(0).chain(ends)),
            docs: Ordinals::new(entries.len(), entries.iter().map(|entry| widen(entry.1))),
        }
    }

    /// The distinct fingerprints, ascending.
    #[must_use]
    pub fn codes(&self) -> &[Fingerprint<WORDS>] {
        &self.codes
    }

    /// The documents that have the fingerprint at `rank`, ascending; none beyond the last rank.
    pub fn docs(&self, rank: u64) -> impl ExactSizeIterator<Item = u64> + '_ {
        let rank = usize::try_from(rank).unwrap_or(usize::MAX).min(self.codes.len());
        let range = self.starts.get(rank)..self.starts.get(rank + 1).max(self.starts.get(rank));
        range.map(|at| self.docs.get(at) as u64)
    }

    /// The number of distinct fingerprints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no document at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The number of documents.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.docs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_spike_of_equal_fingerprints_is_one_code() {
        let distinct = Distinct::new(&[Fingerprint::<2>::ZERO; 100_000]);
        assert_eq!((distinct.len(), distinct.documents()), (1, 100_000));
        assert!(distinct.docs(0).eq(0..100_000));
        assert_eq!(distinct.docs(1).len() + distinct.docs(u64::MAX).len(), 0);
    }

    #[test]
    fn nothing_groups_to_nothing() {
        let distinct = Distinct::<1>::new(&[]);
        assert!(distinct.is_empty() && distinct.docs(0).len() == 0);
    }

    proptest! {
        #[test]
        fn groups_equal_those_of_a_map(values in prop::collection::vec(0_u64..20, 0..200)) {
            let mut groups = BTreeMap::<_, Vec<u64>>::new();
            for (doc, value) in (0..).zip(&values) {
                groups.entry(Fingerprint::from_words([0, *value])).or_default().push(doc);
            }
            let codes: Vec<_> = values.iter().map(|v| Fingerprint::from_words([0, *v])).collect();
            let docs = |o: &Distinct<2>| (0..).zip(o.codes()).map(|(rank, code)| {
                (*code, o.docs(rank).collect())
            }).collect::<Vec<_>>();
            let wide = Distinct::group(&codes, |doc| doc, |doc| doc);
            let groups: Vec<_> = groups.into_iter().collect();
            prop_assert_eq!(docs(&Distinct::new(&codes)), groups.clone());
            prop_assert_eq!(docs(&wide), groups);
        }
    }
}
