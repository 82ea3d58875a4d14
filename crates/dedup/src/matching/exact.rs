//! Documents of equal content, found before any radius matters.

use crate::disk::alike::Alike;
use crate::read::documents::LeftApart;
use crate::rules::order::Order;
use rayon::prelude::*;

/// The documents that say what one before them says, each with the first that does: by their ranks in
/// an [`Order`].
///
/// Contents are told apart by a hash of 128 bits over their normalised tokens: among 10^9 documents
/// two different ones share it with a probability below 10^-20.
///
/// Memory: 16 bytes an equal document; while they are found 8 bytes a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exact(Vec<(u64, u64)>);

impl Exact {
    /// The equal ones of the documents of these `contents`, by their ranks. LeftApart documents that
    /// are nobody's duplicates are left out. Runs on rayon's current pool.
    ///
    /// # Complexity
    /// One parallel sort of 8 bytes a document; the contents are looked at where the first 32 bits of
    /// two are equal.
    pub(crate) fn new(contents: &[u128], degenerate: &[LeftApart], order: &Order) -> Self {
        let mut apart =
            degenerate.iter().filter(|d| d.content.is_none()).map(|d| d.document).peekable();
        let joined = (0_u64..).zip(contents);
        let joined = joined.filter(|(document, _)| apart.next_if_eq(document).is_none());
        let mut heads: Vec<u64> =
            joined.map(|(document, content)| head(*content) << 32 | document).collect();
        heads.par_sort_unstable();
        let (mut equal, mut alike) = (Vec::new(), Vec::new());
        for group in heads.chunk_by(|a, b| a >> 32 == b >> 32).filter(|group| group.len() > 1) {
            let documents = group.iter().map(|entry| entry & u64::from(u32::MAX));
            let content = |at: u64| contents.get(usize::try_from(at).ok()?).copied();
            alike.clear();
            alike.extend(documents.map(|document| (content(document), order.rank(document))));
            alike.sort_unstable();
            for same in alike.chunk_by(|a, b| a.0 == b.0) {
                let Some(((_, first), others)) = same.split_first() else { continue };
                equal.extend(others.iter().map(|(_, other)| (*other, *first)));
            }
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

/// The first 32 bits of a content.
fn head(content: u128) -> u64 {
    u64::try_from(content >> 96).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stands_for_all_that_say_the_same() {
        let apart = |document| LeftApart { document, content: None };
        let short = LeftApart { document: 1, content: Some(3) };
        let far = 1 << 127;
        let contents = [far | 7, 8, far | 7, far | 9, 8, far | 7, far | 7];
        let degenerate = [short, apart(2), apart(6)];
        let found = Exact::new(&contents, &degenerate, &Order::Input);
        assert_eq!(found.iter().collect::<Vec<_>>(), [(4, 1), (5, 0)]);
        assert_eq!([0, 3, 4, 6].map(|document| found.first(document)), [0, 3, 1, 6]);
        assert_eq!(found.copies().groups().collect::<Vec<_>>(), [[0, 5], [1, 4]]);
        let found = Exact::new(&contents, &degenerate, &Order::Reversed(7));
        assert_eq!(found.iter().collect::<Vec<_>>(), [(5, 2), (6, 1)]);
        assert_eq!(Exact::new(&[], &[], &Order::Input), Exact::default());
    }
}
