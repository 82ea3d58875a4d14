//! Documents listed under the first of those that are like them, in whatever sense.

/// The first document of a group and another of it, ascending.
///
/// Memory: 16 bytes a document that is not the first of its group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alike(Vec<(u64, u64)>);

impl Alike {
    /// Pairs of a first document and another.
    pub(crate) fn new(mut pairs: Vec<(u64, u64)>) -> Self {
        pairs.sort_unstable();
        Self(pairs)
    }

    /// All documents of the group of which `first` is the first; that one alone where there is none.
    pub(crate) fn of(&self, first: u64) -> impl Iterator<Item = u64> + Clone + '_ {
        let from = self.0.partition_point(|(other, _)| *other < first);
        let rest = self.0.get(from..).unwrap_or_default();
        let others = rest.iter().take_while(move |(other, _)| *other == first);
        std::iter::once(first).chain(others.map(|(_, document)| *document))
    }

    /// The documents of each group of two and more, the first at their head.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        self.0.chunk_by(|(a, _), (b, _)| a == b).filter_map(|group| {
            let (first, _) = group.first()?;
            Some(std::iter::once(*first).chain(group.iter().map(|(_, other)| *other)).collect())
        })
    }

    /// Every pair of a first document and another.
    pub(crate) fn pairs(&self) -> &[(u64, u64)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_by_its_first() {
        let alike = Alike::new(vec![(5, 9), (1, 4), (5, 6)]);
        assert_eq!(alike.of(5).collect::<Vec<_>>(), [5, 6, 9]);
        assert_eq!(alike.of(4).collect::<Vec<_>>(), [4]);
        assert_eq!(alike.groups().collect::<Vec<_>>(), [vec![1, 4], vec![5, 6, 9]]);
    }
}
