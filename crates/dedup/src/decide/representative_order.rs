//! In which order documents become representatives.

use crate::memory::spill::Entry;
use crate::numbers::{Rank, entry, narrow, set};

/// Degrees from this one on are alike.
const MOST: u32 = i32::MAX.cast_unsigned();

/// The place of a document in the order in which documents become representatives: a bit for documents
/// outside the reference, 31 bits for those with fewer near-duplicates, and the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OrderKey(u64);

/// The key of each document: first the documents of the reference, then by the number of
/// near-duplicates, then by rank; by rank alone where near-duplicates are not counted.
///
/// Memory: 4 bytes a document where near-duplicates are counted.
pub(crate) struct RepresentativeOrder {
    /// How many near-duplicates each rank has; empty where they are not counted.
    degrees: Vec<u32>,
    /// The first rank behind those of the reference.
    reference: Rank,
}

/// Two documents near each other: by their component, then by the earlier of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) component: u32,
    pub(crate) first: OrderKey,
    pub(crate) second: Rank,
}

impl RepresentativeOrder {
    /// The order of documents of which the first `reference` ranks are those of the reference. Near-duplicates
    /// of so many documents are counted: of none where that is 0.
    pub(crate) fn new(counted: usize, reference: Rank) -> Self {
        Self { degrees: vec![0; counted], reference }
    }

    /// Counts so many near-duplicates more of a document, where they are counted.
    pub(crate) fn add(&mut self, rank: Rank, near: u64) {
        if !self.degrees.is_empty() {
            let near = u32::try_from(near).unwrap_or(MOST);
            let degree = entry(&self.degrees, rank.index()).saturating_add(near);
            set(&mut self.degrees, rank.index(), degree.min(MOST));
        }
    }

    /// How many near-duplicates a document has, as far as they are counted.
    pub(crate) fn degree(&self, rank: Rank) -> u32 {
        self.degrees.get(rank.index()).copied().unwrap_or_default()
    }

    /// Puts so many near-duplicates in place of those that were counted of a document, where they are counted.
    pub(crate) fn replace(&mut self, rank: Rank, near: u64) {
        if !self.degrees.is_empty() {
            set(&mut self.degrees, rank.index(), 0);
            self.add(rank, near);
        }
    }

    /// The key of a document, once all near-duplicates are counted.
    pub(crate) fn of(&self, rank: Rank) -> OrderKey {
        let outside = u64::from(rank >= self.reference) << 63;
        OrderKey(outside | u64::from(MOST - self.degree(rank)) << 32 | u64::from(rank.0))
    }

    /// The edge between two documents of a component.
    pub(crate) fn edge(&self, component: u32, a: Rank, b: Rank) -> Edge {
        let [a, b] = [a, b].map(|rank| self.of(rank));
        Edge { component, first: a.min(b), second: a.max(b).rank() }
    }
}

impl OrderKey {
    /// The document of the key.
    pub(crate) fn rank(self) -> Rank {
        Rank(narrow(self.0 & u64::from(u32::MAX)))
    }
}

impl Entry for Edge {
    const BYTES: usize = 16;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.first.0.to_le_bytes());
        bytes.extend(self.component.to_le_bytes());
        bytes.extend(self.second.0.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (keys, _) = bytes.as_chunks::<8>();
        let (halves, _) = bytes.as_chunks::<4>();
        let [component, second] = [2, 3].map(|at| u32::from_le_bytes(halves[at]));
        Self { component, first: OrderKey(u64::from_le_bytes(keys[0])), second: Rank(second) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;

    proptest! {
        #[test]
        fn orders_go_by_reference_then_degree_then_rank(
            degrees in prop::collection::vec(prop::sample::select(vec![0_u64, 1, 2, 1 << 20]), 0..60),
            reference in 0_u32..20,
            counted in any::<bool>(),
        ) {
            let reference = Rank(reference);
            let mut order = RepresentativeOrder::new(if counted { degrees.len() } else { 0 }, reference);
            let ranks = Rank::all(narrow(degrees.len() as u64));
            for (rank, degree) in ranks.clone().zip(&degrees) {
                order.add(rank, degree / 2);
                order.add(rank, degree - degree / 2);
            }
            let mut found: Vec<OrderKey> = ranks.clone().map(|rank| order.of(rank)).collect();
            found.sort_unstable();
            let degree = |rank: &Rank| if counted { degrees[rank.index()] } else { 0 };
            let mut expected: Vec<Rank> = ranks.collect();
            expected.sort_by_key(|rank| (*rank >= reference, Reverse(degree(rank)), *rank));
            prop_assert_eq!(found.iter().map(|key| key.rank()).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn degrees_end_somewhere() {
        let mut order = RepresentativeOrder::new(2, Rank(0));
        (0..3).for_each(|_| order.add(Rank(1), u64::MAX));
        assert!(order.of(Rank(1)) < order.of(Rank(0)) && order.of(Rank(1)).rank() == Rank(1));
    }
}
