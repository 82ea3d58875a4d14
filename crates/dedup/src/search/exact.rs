//! Documents of equal content, found before any radius matters.

use crate::numbers::{DocumentNumber, Rank, entry};
use crate::read::documents::LeftApart;
use crate::search::equal_documents::EqualDocuments;
use crate::search::order::Order;
use rayon::prelude::*;

/// Parts of the contents, of which one is sorted at a time.
const PARTS: u64 = 4;

/// The documents that say what one before them says, each with the first that does: by their ranks in
/// an [`Order`].
///
/// Contents are told apart by a hash of 128 bits over their normalised tokens: among 10^9 documents
/// two different ones share it with a probability below 10^-20.
///
/// Memory: 8 bytes an equal document; while they are found 4 bytes a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exact(Vec<(Rank, Rank)>);

impl Exact {
    /// The equal ones of the documents of these `contents`, by their ranks. Degenerate documents that
    /// are never duplicates are left out. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// Parallel sorts of 8 bytes a document; the contents are looked at where the first 32 bits of
    /// two are equal.
    pub(crate) fn new(contents: &[u128], degenerate: &[LeftApart], order: &Order) -> Self {
        let apart = degenerate.iter().filter(|one| one.content.is_none());
        let apart: Vec<DocumentNumber> = apart.map(|one| one.document).collect();
        let content = |document: DocumentNumber| entry(contents, document.index());
        let (mut heads, mut equal) = (Vec::new(), Vec::new());
        for part in 0..PARTS {
            heads.clear();
            heads.par_extend((0..contents.len() as u64).into_par_iter().filter_map(|document| {
                let head = head(content(DocumentNumber(document)));
                let is_ours =
                    head % PARTS == part && apart.binary_search(&DocumentNumber(document)).is_err();
                is_ours.then_some(head << 32 | document)
            }));
            heads.par_sort_unstable();
            let groups = heads.par_chunk_by(|a, b| a >> 32 == b >> 32);
            equal.par_extend(groups.filter(|group| group.len() > 1).flat_map_iter(|group| {
                let documents = group.iter().map(|head| DocumentNumber(head & u64::from(u32::MAX)));
                let mut alike: Vec<_> =
                    documents.map(|document| (content(document), order.rank(document))).collect();
                alike.sort_unstable();
                let same = alike.chunk_by(|a, b| a.0 == b.0);
                let others = same.filter_map(|same| {
                    let ((_, first), others) = same.split_first()?;
                    Some(others.iter().map(|(_, other)| (*other, *first)))
                });
                others.flatten().collect::<Vec<_>>()
            }));
        }
        equal.par_sort_unstable();
        Self(equal)
    }

    /// Equal documents by their ranks, each with the first of its content; ascending.
    pub(crate) fn of(equal: Vec<(Rank, Rank)>) -> Self {
        Self(equal)
    }

    /// The first rank whose document says what that of `rank` says: itself where none is before it.
    ///
    /// # Complexity
    /// `O(log n)`.
    pub(crate) fn first(&self, rank: Rank) -> Rank {
        let at = self.0.binary_search_by_key(&rank, |(rank, _)| *rank);
        at.ok().and_then(|at| self.0.get(at)).map_or(rank, |(_, first)| *first)
    }

    /// The documents by the first of their content.
    pub(crate) fn copies(&self) -> EqualDocuments {
        EqualDocuments::new(self.0.iter().map(|(rank, first)| (*first, *rank)).collect())
    }

    /// Each document that equals an earlier one, and the first of those; ascending.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (Rank, Rank)> + Clone + '_ {
        self.0.iter().copied()
    }
}

/// The first 32 bits of a content.
fn head(content: u128) -> u64 {
    u64::try_from(content >> 96).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stands_for_all_that_say_the_same() {
        let number = DocumentNumber;
        let apart = |document| LeftApart { document: number(document), content: None };
        let short = LeftApart { document: number(1), content: Some(3) };
        let far = 1 << 127;
        let contents = [far | 7, 8, far | 7, far | 9, 8, far | 7, far | 7];
        let degenerate = [short, apart(2), apart(6)];
        let ranks =
            |found: &Exact| found.iter().map(|(one, first)| (one.0, first.0)).collect::<Vec<_>>();
        let found = Exact::new(&contents, &degenerate, &Order::Input);
        assert_eq!(ranks(&found), [(4, 1), (5, 0)]);
        assert_eq!([0, 3, 4, 6].map(|rank| found.first(Rank(rank)).0), [0, 3, 1, 6]);
        let groups: Vec<_> = found.copies().groups().collect();
        assert_eq!(groups, [(Rank(0), vec![Rank(5)]), (Rank(1), vec![Rank(4)])]);
        let found = Exact::new(&contents, &degenerate, &Order::Reversed(7));
        assert_eq!(ranks(&found), [(5, 2), (6, 1)]);
        assert_eq!(Exact::new(&[], &[], &Order::Input), Exact::default());
    }
}
