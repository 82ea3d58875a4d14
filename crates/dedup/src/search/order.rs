//! The documents in the order in which they are preferred: what a cluster keeps is its first by it.

use crate::numbers::{DocumentNumber, Rank, entry, set};
use nearprint_rules::KeepRule;
use rayon::prelude::*;
use std::cmp::Reverse;

/// Ranks of documents, 0 being the one that is kept before all others.
///
/// Memory: none where the order is that of the input or its reverse, else 8 bytes a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Input,
    /// With the number of documents.
    Reversed(u32),
    Listed {
        /// The document of each rank.
        documents: Vec<u32>,
        /// The rank of each document.
        ranks: Vec<u32>,
    },
}

impl Order {
    /// The order that `keep` asks for among `count` documents, by what it finds each of them worth: a number of each, and
    /// behind it those of what breaks ties.
    /// The first `reference` documents come before all others, as they are; ties go to the earlier one.
    /// Runs on rayon's current pool.
    pub(crate) fn new(keep: KeepRule, count: u32, reference: u64, worths: &[u128]) -> Self {
        let mut documents: Vec<u32> = match keep {
            KeepRule::Central | KeepRule::First | KeepRule::Nothing => return Self::Input,
            KeepRule::Last if reference == 0 => return Self::Reversed(count),
            _ => (0..count).collect(),
        };
        let of_one = worths.len() / (count as usize).max(1);
        let worth = |document: u32| {
            let first = document as usize * of_one;
            worths.get(first..first + of_one).unwrap_or_default()
        };
        documents.par_sort_unstable_by_key(|document| {
            let is_reference = u64::from(*document) < reference;
            let (last, worth) = match keep {
                _ if is_reference => (0, [].as_slice()),
                KeepRule::Last => (count - document, [].as_slice()),
                _ => (0, worth(*document)),
            };
            (!is_reference, last, Reverse(worth), *document)
        });
        Self::listed(documents)
    }

    /// The order of these documents.
    pub(crate) fn listed(documents: Vec<u32>) -> Self {
        let mut ranks = vec![0; documents.len()];
        for (rank, document) in (0..).zip(&documents) {
            set(&mut ranks, *document as usize, rank);
        }
        Self::Listed { documents, ranks }
    }

    /// The rank of a document.
    pub(crate) fn rank(&self, document: DocumentNumber) -> Rank {
        match self {
            Self::Input => Rank::of(document.0),
            Self::Reversed(count) => Rank::of(u64::from(*count) - 1 - document.0),
            Self::Listed { ranks, .. } => Rank(entry(ranks, document.index())),
        }
    }

    /// The document of a rank.
    pub(crate) fn document(&self, rank: Rank) -> DocumentNumber {
        DocumentNumber(
            match self {
                Self::Input => rank.0,
                Self::Reversed(count) => count - 1 - rank.0,
                Self::Listed { documents, .. } => entry(documents, rank.index()),
            }
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_prefers_its_own_and_ties_go_to_the_earlier() {
        let lengths = [5, 9, 2, 9, 2].map(|length| (length, Some(u128::from(length))));
        for (keep, expected) in [
            (KeepRule::First, [0, 1, 2, 3, 4]),
            (KeepRule::Last, [4, 3, 2, 1, 0]),
            (KeepRule::Longest, [1, 3, 0, 2, 4]),
            (KeepRule::Shortest, [2, 4, 0, 1, 3]),
            (KeepRule::Highest, [1, 3, 0, 2, 4]),
            (KeepRule::Lowest, [2, 4, 0, 1, 3]),
            (KeepRule::Nothing, [0, 1, 2, 3, 4]),
        ] {
            let worths = lengths.map(|(length, score)| keep.worth(length, score).unwrap_or(0));
            let order = Order::new(keep, 5, 0, &worths);
            let documents: Vec<u64> = Rank::all(5).map(|rank| order.document(rank).0).collect();
            assert_eq!(documents, expected, "{}", keep.name());
            let order = Order::new(keep, 5, 2, &worths);
            let documents: Vec<_> = Rank::all(5).map(|rank| order.document(rank)).collect();
            assert_eq!(documents[..2], [0, 1].map(DocumentNumber), "{documents:?}");
            assert!(documents[2..].is_sorted_by_key(|document| order.rank(*document)));
            let mut all = (0..5).map(DocumentNumber);
            assert!(all.all(|document| order.document(order.rank(document)) == document));
        }
    }

    #[test]
    fn what_is_worth_the_same_goes_by_the_next_number() {
        let worths = [1, 9, 2, 5, 2, 7, 1, 9, 2, 5];
        let order = Order::new(KeepRule::Highest, 5, 0, &worths);
        let documents: Vec<u64> = Rank::all(5).map(|rank| order.document(rank).0).collect();
        assert_eq!(documents, [2, 1, 4, 0, 3]);
    }
}
