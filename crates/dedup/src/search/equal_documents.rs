//! Documents that equal others, by content or by fingerprint, each under the first of them.

use crate::numbers::Rank;

/// The first document of a group and another of it, ascending.
///
/// Memory: 8 bytes a document that is not the first of its group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EqualDocuments(Vec<(Rank, Rank)>);

impl EqualDocuments {
    /// Pairs of a first document and another.
    pub(crate) fn new(mut pairs: Vec<(Rank, Rank)>) -> Self {
        pairs.sort_unstable();
        Self(pairs)
    }

    /// All documents of the group of which `first` is the first; that one alone where there is none.
    pub(crate) fn of(&self, first: Rank) -> impl Iterator<Item = Rank> + Clone + '_ {
        let from = self.0.partition_point(|(other, _)| *other < first);
        let rest = self.0.get(from..).unwrap_or_default();
        let others = rest.iter().take_while(move |(other, _)| *other == first);
        std::iter::once(first).chain(others.map(|(_, document)| *document))
    }

    /// The first document of each group of two and more, and the others.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (Rank, Vec<Rank>)> + '_ {
        self.0.chunk_by(|(a, _), (b, _)| a == b).filter_map(|group| {
            let (first, _) = group.first()?;
            Some((*first, group.iter().map(|(_, other)| *other).collect()))
        })
    }

    /// Hands every pair of two documents of a group to `each`, the earlier first.
    pub(crate) fn pairs<E>(
        &self,
        mut each: impl FnMut(Rank, Rank) -> Result<(), E>,
    ) -> Result<(), E> {
        for (first, others) in self.groups() {
            others.iter().try_for_each(|other| each(first, *other))?;
            for (at, a) in others.iter().enumerate() {
                others.iter().skip(at + 1).try_for_each(|b| each(*a, *b))?;
            }
        }
        Ok(())
    }

    /// Every first document with each of the others.
    pub(crate) fn listed(&self) -> &[(Rank, Rank)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_by_its_first() {
        let equal = [(5, 9), (1, 4), (5, 6)].map(|(first, other)| (Rank(first), Rank(other)));
        let equal = EqualDocuments::new(equal.to_vec());
        assert_eq!(equal.of(Rank(5)).collect::<Vec<_>>(), [5, 6, 9].map(Rank));
        assert_eq!(equal.of(Rank(4)).collect::<Vec<_>>(), [Rank(4)]);
        let groups: Vec<_> = equal.groups().collect();
        assert_eq!(groups, [(Rank(1), vec![Rank(4)]), (Rank(5), vec![Rank(6), Rank(9)])]);
        let mut pairs = Vec::new();
        let pushed = equal.pairs(|a, b| {
            pairs.push((a.0, b.0));
            Ok::<(), ()>(())
        });
        assert_eq!(pushed, Ok(()));
        assert_eq!(pairs, [(1, 4), (5, 6), (5, 9), (6, 9)]);
    }
}
