//! A candidate pair, and its form on disk.

use crate::memory::spill::Entry;
use crate::numbers::Rank;
use nearprint_index::Pair;
use std::cmp::Ordering;

/// A pair of documents by their ranks, `a` before `b`, with the distance of the codes that found them: of their
/// fingerprints, where these did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CandidatePair {
    pub(crate) a: Rank,
    pub(crate) b: Rank,
    pub(crate) distance: u32,
}

/// Candidates that a thread emits together.
pub(crate) const TOGETHER: usize = 256;

impl CandidatePair {
    /// The pair of a join whose ordinals are ranks.
    pub(crate) fn of(pair: Pair) -> Self {
        let Pair { a, b, distance } = pair;
        Self { a: Rank::of(a), b: Rank::of(b), distance }
    }
}

/// By `a`, then `b`, then the distance: as one number, which sorts faster than three.
impl Ord for CandidatePair {
    fn cmp(&self, other: &Self) -> Ordering {
        let of = |Self { a, b, distance }: &Self| {
            u128::from(a.0) << 64 | u128::from(b.0) << 32 | u128::from(*distance)
        };
        of(self).cmp(&of(other))
    }
}

impl PartialOrd for CandidatePair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Entry for CandidatePair {
    const BYTES: usize = 12;

    fn write(&self, bytes: &mut Vec<u8>) {
        for part in [self.a.0, self.b.0, self.distance] {
            bytes.extend(part.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Self {
        let (parts, _) = bytes.as_chunks::<4>();
        let [a, b, distance] = [0, 1, 2].map(|part| u32::from_le_bytes(parts[part]));
        Self { a: Rank(a), b: Rank(b), distance }
    }
}
