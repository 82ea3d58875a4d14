//! Two documents near each other, as they wait on disk.

use crate::disk::spill::Entry;
use crate::numbers::{DocumentNumber, Rank};
use nearprint_index::Pair;
use std::cmp::Ordering;

/// A pair of documents by their ranks, `a` before `b`, with the distance of their fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    pub(crate) a: Rank,
    pub(crate) b: Rank,
    pub(crate) distance: u32,
}

/// A near-duplicate pair of documents, `a` before `b` in the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FoundPair {
    pub(crate) a: DocumentNumber,
    pub(crate) b: DocumentNumber,
    pub(crate) distance: u32,
    /// Their Jaccard similarity, where pairs are verified.
    pub(crate) similarity: Option<f64>,
}

/// A pair to be reported, by the numbers of its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reported {
    a: DocumentNumber,
    b: DocumentNumber,
    distance: u32,
    /// The bits of an `f32`: reports write four digits.
    similarity: u32,
}

impl Near {
    /// The pair of a join whose ordinals are ranks.
    pub(crate) fn of(pair: Pair) -> Self {
        let Pair { a, b, distance } = pair;
        Self { a: Rank::of(a), b: Rank::of(b), distance }
    }
}

/// By `a`, then `b`, then the distance: as one number, which sorts faster than three.
impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        let of = |Self { a, b, distance }: &Self| {
            u128::from(a.0) << 64 | u128::from(b.0) << 32 | u128::from(*distance)
        };
        of(self).cmp(&of(other))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Entry for Near {
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

impl Reported {
    pub(crate) fn new(
        one: DocumentNumber,
        other: DocumentNumber,
        distance: u32,
        similarity: f64,
    ) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "four digits are written")]
        let similarity = (similarity as f32).to_bits();
        Self { a: one.min(other), b: one.max(other), distance, similarity }
    }

    /// The pair, with its similarity where pairs are verified.
    pub(crate) fn found(self, verified: bool) -> FoundPair {
        let similarity = verified.then(|| f64::from(f32::from_bits(self.similarity)));
        FoundPair { a: self.a, b: self.b, distance: self.distance, similarity }
    }
}

impl Entry for Reported {
    const BYTES: usize = 24;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.a.0.to_le_bytes());
        bytes.extend(self.b.0.to_le_bytes());
        bytes.extend(self.distance.to_le_bytes());
        bytes.extend(self.similarity.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (ends, _) = bytes.as_chunks::<8>();
        let (halves, _) = bytes.as_chunks::<4>();
        let [a, b] = [0, 1].map(|at| DocumentNumber(u64::from_le_bytes(ends[at])));
        let [distance, similarity] = [4, 5].map(|at| u32::from_le_bytes(halves[at]));
        Self { a, b, distance, similarity }
    }
}
