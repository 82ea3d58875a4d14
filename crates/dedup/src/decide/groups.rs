//! Groups documents that are the same to a join within a radius: those of equal fingerprints, and degenerate ones of
//! equal content. Connects the groups that are near each other.

use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, index, narrow};
use crate::progress::Progress;
use crate::read::documents::{LeftApart, joined};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, SelfJoin, UnionFind};

/// The groups of a corpus, numbered: first those that are joined by the radius, in the order of
/// their codes, then those of degenerate documents, which no radius reaches.
///
/// Memory: that of a [`Distinct`]; where there are degenerate documents, 8 bytes a document more and
/// some 24 for each of them.
#[derive(Clone, Debug)]
pub(crate) struct Groups<const WORDS: usize> {
    near: Distinct<WORDS>,
    /// The document of each number in `near`; empty where they are the same.
    near_documents: Vec<DocumentNumber>,
    exact: Distinct<1>,
    exact_documents: Vec<DocumentNumber>,
}

impl<const WORDS: usize> Groups<WORDS> {
    /// Groups `fingerprints`, of which those of `degenerate` documents, ascending, are not joined. Runs on rayon's
    /// current pool.
    ///
    /// # Complexity
    /// One parallel sort.
    ///
    /// # Errors
    /// [`Error::Interrupted`] soon after [`Progress::cancel`].
    pub(crate) fn of(
        fingerprints: &[Fingerprint<WORDS>],
        degenerate: &[LeftApart],
        progress: &Progress,
    ) -> Result<Self, Error> {
        if degenerate.is_empty() {
            let (exact, exact_documents) = (Distinct::new(&[]), Vec::new());
            let near = Distinct::stopped_by(fingerprints, progress.stop())?;
            return Ok(Self { near, near_documents: Vec::new(), exact, exact_documents });
        }
        let code = |document: DocumentNumber| entry(fingerprints, document.index());
        let joined = joined(fingerprints.len(), degenerate);
        let (near_documents, near): (Vec<_>, Vec<_>) =
            joined.map(|document| (document, code(document))).unzip();
        let equal = degenerate.iter().filter_map(|d| Some((d.document, d.content?)));
        let (exact_documents, contents): (Vec<_>, Vec<_>) =
            equal.map(|(document, content)| (document, Fingerprint::from(content))).unzip();
        Ok(Self {
            near: Distinct::stopped_by(&near, progress.stop())?,
            near_documents,
            exact: Distinct::stopped_by(&contents, progress.stop())?,
            exact_documents,
        })
    }

    /// The codes of the groups that the radius joins, ascending: those of the first numbers.
    pub(crate) fn codes(&self) -> &[Fingerprint<WORDS>] {
        self.near.codes()
    }

    /// Joins the groups within `k` bits of each other, directly or by way of others.
    ///
    /// # Errors
    /// `k` over the width; [`Error::Interrupted`].
    pub(crate) fn connected(&self, k: u32, progress: &Progress) -> Result<UnionFind, Error> {
        let sets = UnionFind::new(narrow(self.len() as u64));
        SelfJoin::new(self.codes(), k)?.stopped_by(progress.stop()).links(
            |rank| sets.find(narrow(rank)).into(),
            |pair| sets.union(narrow(pair.a), narrow(pair.b)),
        )?;
        Ok(sets)
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.near.len() + self.exact.len()
    }

    /// The documents of a group, ascending; none beyond the last.
    pub(crate) fn documents(&self, group: u64) -> impl Iterator<Item = DocumentNumber> + '_ {
        let near = self.near.docs(group).map(|at| named(&self.near_documents, at));
        // Below the first of them this is beyond the last.
        let exact = self.exact.docs(group.wrapping_sub(self.near.len() as u64));
        near.chain(exact.map(|at| named(&self.exact_documents, at)))
    }
}

/// The document at place `at` of a list, which stands for the numbers themselves where it is empty.
fn named(documents: &[DocumentNumber], at: u64) -> DocumentNumber {
    if documents.is_empty() { DocumentNumber(at) } else { entry(documents, index(at)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(codes: &[u64], degenerate: &[(u64, Option<u64>)]) -> Vec<Vec<u64>> {
        let codes: Vec<_> =
            codes.iter().copied().map(|code| Fingerprint::<2>::from_words([code, 0])).collect();
        let apart =
            |&(document, content)| LeftApart { document: DocumentNumber(document), content };
        let degenerate: Vec<_> = degenerate.iter().map(apart).collect();
        let groups = Groups::of(&codes, &degenerate, &Progress::default()).unwrap();
        let numbers = |group| groups.documents(group).map(|document| document.0).collect();
        let all: Vec<Vec<u64>> = (0..groups.len() as u64).map(numbers).collect();
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
