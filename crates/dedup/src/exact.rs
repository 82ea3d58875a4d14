//! Documents of equal content, found before any radius matters.

use crate::alike::Alike;
use crate::documents::Degenerate;
use crate::order::Order;
use rayon::prelude::*;

/// The documents that say what one before them says, each with the first that does: by their ranks in
/// an [`Order`].
///
/// Contents are told apart by a hash of 128 bits over their normalised tokens: among 10^9 documents
/// two different ones share it with a probability below 10^-20.
///
/// Memory: 16 bytes an equal document; while they are found 4 bytes a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exact(Vec<(u64, u64)>);

impl Exact {
    /// The equal ones of the documents of these `contents`, by their ranks. Degenerate documents that
    /// are nobody's duplicates are left out. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// One parallel sort.
    pub(crate) fn new(contents: &[u128], degenerate: &[Degenerate], order: &Order) -> Self {
        let content = |at: &u32| contents.get(*at as usize).copied().unwrap_or_default();
        let mut apart =
            degenerate.iter().filter(|d| d.content.is_none()).map(|d| d.document).peekable();
        let count = u32::try_from(contents.len()).unwrap_or(u32::MAX);
        let joined = (0..count).filter(|at| apart.next_if_eq(&u64::from(*at)).is_none());
        let mut sorted: Vec<u32> = joined.collect();
        sorted.par_sort_unstable_by_key(|at| (content(at), order.rank((*at).into())));
        let mut equal: Vec<(u64, u64)> = Vec::new();
        for group in sorted.chunk_by(|a, b| content(a) == content(b)) {
            let mut ranks = group.iter().map(|document| order.rank((*document).into()));
            let Some(first) = ranks.next() else { continue };
            equal.extend(ranks.map(|other| (other, first)));
        }
        equal.par_sort_unstable();
        Self(equal)
    }

    /// Equal documents by their ranks, each with the first of its content; ascending.
    pub(crate) fn of(equal: Vec<(u64, u64)>) -> Self {
        Self(equal)
    }

    /// The first rank whose document says what that of `document` says: itself where none is before it.
    ///
    /// # Complexity
    /// `O(log n)`.
    pub(crate) fn first(&self, document: u64) -> u64 {
        let at = self.0.binary_search_by_key(&document, |(document, _)| *document);
        at.ok().and_then(|at| self.0.get(at)).map_or(document, |(_, first)| *first)
    }

    /// The documents by the first of their content.
    pub(crate) fn copies(&self) -> Alike {
        Alike::new(self.0.iter().map(|(document, first)| (*first, *document)).collect())
    }

    /// Each document that equals an earlier one, and the first of those; ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stands_for_all_that_say_the_same() {
        let apart = |document| Degenerate { document, content: None };
        let short = Degenerate { document: 1, content: Some(3) };
        let (contents, degenerate) = ([7, 8, 7, 9, 8, 7, 7], [short, apart(2), apart(6)]);
        let found = Exact::new(&contents, &degenerate, &Order::Input);
        assert_eq!(found.iter().collect::<Vec<_>>(), [(4, 1), (5, 0)]);
        assert_eq!([0, 3, 4, 6].map(|document| found.first(document)), [0, 3, 1, 6]);
        assert_eq!(found.copies().groups().collect::<Vec<_>>(), [[0, 5], [1, 4]]);
        let found = Exact::new(&contents, &degenerate, &Order::Reversed(7));
        assert_eq!(found.iter().collect::<Vec<_>>(), [(5, 2), (6, 1)]);
        assert_eq!(Exact::new(&[], &[], &Order::Input), Exact::default());
    }
}
