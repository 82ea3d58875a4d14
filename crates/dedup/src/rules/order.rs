//! The documents in the order in which they are preferred: what a cluster keeps is its first by it.

use crate::rules::keep::KeepRule;
use rayon::prelude::*;

/// Ranks of documents, 0 being the one that is kept before all others.
///
/// Memory: none where the order is that of the input or its reverse, else 8 bytes a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Input,
    /// With the number of documents.
    Reversed(u32),
    Listed {
        documents: Vec<u32>,
        ranks: Vec<u32>,
    },
}

impl Order {
    /// The order that `keep` asks for, by what it finds documents worth, among `count` documents, of which the first `reference` come
    /// before all others; ties go to the earlier one. Runs on rayon's current pool.
    pub(crate) fn new(keep: KeepRule, count: u32, reference: u64, worths: &[u64]) -> Self {
        let worth = |document: &u32| worths.get(*document as usize).copied().unwrap_or(0);
        let mut documents: Vec<u32> = match keep {
            KeepRule::Central | KeepRule::First | KeepRule::Nothing => return Self::Input,
            KeepRule::Last if reference == 0 => return Self::Reversed(count),
            _ => (0..count).collect(),
        };
        documents.par_sort_unstable_by_key(|document| {
            let key = match keep {
                KeepRule::Last => u64::from(count - document),
                _ => u64::MAX - worth(document),
            };
            (u64::from(*document) >= reference, key, *document)
        });
        let mut ranks = vec![0; documents.len()];
        for (rank, document) in (0..).zip(&documents) {
            if let Some(slot) = ranks.get_mut(*document as usize) {
                *slot = rank;
            }
        }
        Self::Listed { documents, ranks }
    }

    /// The rank of a document.
    pub(crate) fn rank(&self, document: u64) -> u64 {
        self.turned(document, |ranks, _| ranks)
    }

    /// The document of a rank.
    pub(crate) fn document(&self, rank: u64) -> u64 {
        self.turned(rank, |_, documents| documents)
    }

    fn turned<'a>(&'a self, number: u64, list: impl Fn(&'a [u32], &'a [u32]) -> &'a [u32]) -> u64 {
        match self {
            Self::Input => number,
            Self::Reversed(count) => (u64::from(*count)).saturating_sub(number + 1),
            Self::Listed { documents, ranks } => {
                let at = usize::try_from(number).ok();
                at.and_then(|at| list(ranks, documents).get(at)).map_or(number, |to| (*to).into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_prefers_its_own_and_ties_go_to_the_earlier() {
        let lengths = [5, 9, 2, 9, 2].map(|length| (length, Some(length as f64)));
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
            let documents: Vec<u64> = (0..5).map(|rank| order.document(rank)).collect();
            assert_eq!(documents, expected, "{}", keep.name());
            let order = Order::new(keep, 5, 2, &worths);
            let documents: Vec<u64> = (0..5).map(|rank| order.document(rank)).collect();
            assert!(documents[..2].iter().all(|document| *document < 2), "{documents:?}");
            assert!(documents[2..].is_sorted_by_key(|document| order.rank(*document)));
            assert!((0..5).all(|document| order.document(order.rank(document)) == document));
        }
    }
}
