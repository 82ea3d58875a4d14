//! In which order documents become representatives.

use crate::disk::spill::Entry;
use crate::numbers::{Rank, entry, narrow, set};

/// The place of a document in the order in which documents become representatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn(u32);

/// The turn of each document: first the documents of the reference, then by the number of
/// near-duplicates, then by rank; by rank alone where near-duplicates are not counted.
pub(crate) struct Turns {
    /// The rank of each turn.
    ranks: Vec<u32>,
    /// The turn of each rank.
    turns: Vec<u32>,
}

/// Two documents near each other, the earlier turn first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) first: Turn,
    pub(crate) second: Turn,
}

impl Turns {
    /// The turns of documents with so many near-duplicates each, of which the first `reference` ranks
    /// are those of the reference.
    pub(crate) fn new(degrees: &[u64], reference: Rank) -> Self {
        let mut ranks: Vec<u32> = (0..narrow(degrees.len() as u64)).collect();
        ranks.sort_by_key(|rank| {
            (Rank(*rank) >= reference, std::cmp::Reverse(entry(degrees, *rank as usize)))
        });
        let mut turns = vec![0; ranks.len()];
        for (turn, rank) in (0..).zip(&ranks) {
            set(&mut turns, *rank as usize, turn);
        }
        Self { ranks, turns }
    }

    /// The turn of a document.
    pub(crate) fn of(&self, rank: Rank) -> Turn {
        match self.turns.as_slice() {
            [] => Turn(rank.0),
            turns => Turn(entry(turns, rank.index())),
        }
    }

    /// The edge between two documents.
    pub(crate) fn edge(&self, a: Rank, b: Rank) -> Edge {
        let [a, b] = [a, b].map(|rank| self.of(rank));
        Edge { first: a.min(b), second: a.max(b) }
    }

    /// The document of a turn.
    pub(crate) fn rank(&self, turn: Turn) -> Rank {
        match self.ranks.as_slice() {
            [] => Rank(turn.0),
            ranks => Rank(entry(ranks, turn.0 as usize)),
        }
    }
}

impl Entry for Edge {
    const BYTES: usize = 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.first.0.to_le_bytes());
        bytes.extend(self.second.0.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (turns, _) = bytes.as_chunks::<4>();
        let [first, second] = [0, 1].map(|at| Turn(u32::from_le_bytes(turns[at])));
        Self { first, second }
    }
}
