//! Documents in groups that are the same to the join: equal fingerprints, and degenerate documents
//! that say the same. Which groups are near each other is the affair of [`crate::cluster::clusters`] and
//! [`crate::cluster::neighborhood`].

use crate::read::documents::{Documents, LeftApart};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::Distinct;

/// The groups of a corpus, numbered: first those that are joined by the radius, in the order of
/// their codes, then those of degenerate documents, which no radius reaches.
///
/// Memory: that of a [`Distinct`]; where there are degenerate documents, 8 bytes a document more and
/// some 24 for each of them.
#[derive(Clone, Debug)]
pub struct Groups<const WORDS: usize> {
    near: Distinct<WORDS>,
    /// The document of each number in `near`; empty where they are the same.
    near_documents: Vec<u64>,
    exact: Distinct<1>,
    exact_documents: Vec<u64>,
}

impl<const WORDS: usize> Groups<WORDS> {
    /// Groups the documents. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// One parallel sort.
    #[must_use]
    pub fn new(documents: &Documents<WORDS>) -> Self {
        Self::of(&documents.fingerprints, &documents.degenerate)
    }

    /// Groups `fingerprints`, of which those of `degenerate` documents, ascending, are not joined.
    #[must_use]
    pub fn of(fingerprints: &[Fingerprint<WORDS>], degenerate: &[LeftApart]) -> Self {
        if degenerate.is_empty() {
            let (exact, exact_documents) = (Distinct::new(&[]), Vec::new());
            let near = Distinct::new(fingerprints);
            return Self { near, near_documents: Vec::new(), exact, exact_documents };
        }
        let mut out = degenerate.iter().map(|d| d.document).peekable();
        let (near_documents, near): (Vec<u64>, Vec<_>) = (0_u64..)
            .zip(fingerprints)
            .filter(|&(document, _)| out.next_if_eq(&document).is_none())
            .map(|(document, fingerprint)| (document, *fingerprint))
            .unzip();
        let equal = degenerate.iter().filter_map(|d| Some((d.document, d.content?)));
        let (exact_documents, contents): (Vec<u64>, Vec<_>) =
            equal.map(|(document, content)| (document, Fingerprint::from(content))).unzip();
        Self {
            near: Distinct::new(&near),
            near_documents,
            exact: Distinct::new(&contents),
            exact_documents,
        }
    }

    /// The codes of the groups that the radius joins, ascending: those of the first numbers.
    #[must_use]
    pub fn codes(&self) -> &[Fingerprint<WORDS>] {
        self.near.codes()
    }

    /// The number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.near.len() + self.exact.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents of a group, ascending; none beyond the last.
    pub fn documents(&self, group: u64) -> impl Iterator<Item = u64> + '_ {
        let near = self.near.docs(group).map(|at| named(&self.near_documents, at));
        // Below the first of them this is beyond the last.
        let exact = self.exact.docs(group.wrapping_sub(self.near.len() as u64));
        near.chain(exact.map(|at| named(&self.exact_documents, at)))
    }

    /// The number of documents of a group.
    #[must_use]
    pub fn size(&self, group: u64) -> u64 {
        let exact = group.wrapping_sub(self.near.len() as u64);
        (self.near.docs(group).len() + self.exact.docs(exact).len()) as u64
    }
}

/// The document at place `at` of a list, which stands for the numbers themselves where it is empty.
fn named(documents: &[u64], at: u64) -> u64 {
    usize::try_from(at).ok().and_then(|at| documents.get(at)).copied().unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(codes: &[u64], degenerate: &[(u64, Option<u64>)]) -> Vec<Vec<u64>> {
        let codes: Vec<_> =
            codes.iter().copied().map(|code| Fingerprint::<2>::from_words([code, 0])).collect();
        let degenerate: Vec<_> =
            degenerate.iter().map(|&(document, content)| LeftApart { document, content }).collect();
        let groups = Groups::of(&codes, &degenerate);
        let all: Vec<Vec<u64>> =
            (0..groups.len() as u64).map(|group| groups.documents(group).collect()).collect();
        assert!((0_u64..).zip(&all).all(|(group, all)| groups.size(group) == all.len() as u64));
        assert_eq!(groups.documents(groups.len() as u64).count(), 0);
        all
    }

    #[test]
    fn degenerate_documents_are_grouped_by_what_they_say() {
        assert_eq!(groups(&[5, 4, 5], &[]), [vec![1], vec![0, 2]]);
        let mixed = groups(&[5, 5, 5, 4, 5], &[(0, Some(9)), (2, Some(8)), (4, Some(9))]);
        assert_eq!(mixed, [vec![3], vec![1], vec![2], vec![0, 4]]);
        // Nobody's duplicates are in no group.
        assert_eq!(groups(&[5, 5], &[(0, None), (1, None)]), Vec::<Vec<u64>>::new());
    }
}
