//! Entries of documents that are compared by distance or by sketch, in memory: the most recent ones, and what
//! a group adds.

use crate::known::known;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{NearCode, Neighbor, linear};

/// Fingerprints with the numbers of their documents, ascending by number; in a store by similarity with their
/// sketches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes<const WORDS: usize> {
    pub(crate) codes: Vec<Fingerprint<WORDS>>,
    pub(crate) numbers: Vec<u64>,
    /// The sketches one behind the other, all of one length.
    sketches: Vec<u8>,
}

impl<const WORDS: usize> Codes<WORDS> {
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Adds a document. `sketch` is empty within a radius, and else as long as those before.
    pub(crate) fn push(&mut self, code: Fingerprint<WORDS>, number: u64, sketch: &[u8]) {
        self.codes.push(code);
        self.numbers.push(number);
        self.sketches.extend_from_slice(sketch);
    }

    /// Adds entries whose numbers are all greater.
    pub(crate) fn append(&mut self, mut others: Self) {
        self.codes.append(&mut others.codes);
        self.numbers.append(&mut others.numbers);
        self.sketches.append(&mut others.sketches);
    }

    /// The entries whose numbers `stay`.
    pub(crate) fn retained(&self, stay: impl Fn(u64) -> bool) -> Self {
        let mut left = Self::default();
        for (at, (code, number)) in self.iter().enumerate() {
            if stay(number) {
                left.push(code, number, self.sketch(at));
            }
        }
        left
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> + '_ {
        self.codes.iter().copied().zip(self.numbers.iter().copied())
    }

    /// The sketch of the entry at `at`; empty within a radius.
    pub(crate) fn sketch(&self, at: usize) -> &[u8] {
        let length = self.sketches.len() / self.len().max(1);
        self.sketches.get(at * length..(at + 1) * length).unwrap_or_default()
    }

    /// Everything within `k` bits, by number.
    pub(crate) fn within<'a>(
        &'a self,
        query: &'a Fingerprint<WORDS>,
        k: u32,
    ) -> impl Iterator<Item = Neighbor> + 'a {
        linear::within(&self.codes, query, k).filter_map(|NearCode { position, distance }| {
            Some(Neighbor { doc: self.number(position)?, distance })
        })
    }

    /// The number of the entry at `at`, which there is.
    pub(crate) fn number(&self, at: usize) -> Option<u64> {
        known(self.numbers.get(at).copied(), at)
    }
}
