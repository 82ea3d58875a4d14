//! Entries of documents that are compared by distance or by sketch, in memory: the most recent ones, and what
//! a group adds.

use crate::invariant::invariant;
use nearprint_bits::{AnyFingerprint, CodeList, at_width};
use nearprint_fingerprint::Width;
use nearprint_index::{NearCode, Neighbor, linear};

/// Fingerprints with the numbers of their documents, ascending by number; in a store by similarity with their
/// sketches.
#[derive(Clone, Debug)]
pub(crate) struct NumberedCodes {
    pub(crate) codes: CodeList,
    pub(crate) numbers: Vec<u64>,
    /// The sketches one behind the other, all of one length.
    sketches: Vec<u8>,
}

impl NumberedCodes {
    /// No entries of a store of this width.
    pub(crate) fn new(width: Width) -> Self {
        Self { codes: CodeList::new(width), numbers: Vec::new(), sketches: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Adds a document. `sketch` is empty within a radius, and else as long as those before.
    pub(crate) fn push(&mut self, code: AnyFingerprint, number: u64, sketch: &[u8]) {
        let pushed = self.codes.push(code);
        debug_assert!(pushed, "the store takes documents of its width only");
        self.numbers.push(number);
        self.sketches.extend_from_slice(sketch);
    }

    /// Adds entries whose numbers are all greater.
    pub(crate) fn append(&mut self, mut others: Self) {
        let appended = self.codes.append(others.codes);
        debug_assert!(appended, "a store has one width");
        self.numbers.append(&mut others.numbers);
        self.sketches.append(&mut others.sketches);
    }

    /// The entries whose numbers `stay`.
    pub(crate) fn retained(&self, stay: impl Fn(u64) -> bool) -> Self {
        let mut left = Self::new(self.codes.width());
        for (at, number) in self.numbers.iter().enumerate().filter(|(_, number)| stay(**number)) {
            left.numbers.push(*number);
            left.sketches.extend_from_slice(self.sketch(at));
        }
        left.codes = at_width!(self.codes.codes() => codes, {
            let entries = codes.iter().zip(&self.numbers);
            let staying = entries.filter(|(_, number)| stay(**number));
            staying.map(|(code, _)| *code).collect::<Vec<_>>().into()
        });
        left
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (AnyFingerprint, u64)> + '_ {
        let codes = self.codes.codes();
        self.numbers
            .iter()
            .enumerate()
            .filter_map(move |(at, number)| Some((codes.get(at)?, *number)))
    }

    /// The sketch of the entry at `at`; empty within a radius.
    pub(crate) fn sketch(&self, at: usize) -> &[u8] {
        let length = self.sketches.len() / self.len().max(1);
        self.sketches.get(at * length..(at + 1) * length).unwrap_or_default()
    }

    /// Everything within `k` bits, by number.
    pub(crate) fn within(&self, query: &AnyFingerprint, k: u32) -> Vec<Neighbor> {
        at_width!(self.codes.codes() => codes, {
            let Some(query) = invariant(query.narrow(), query) else { return Vec::new() };
            let near = linear::within(codes, &query, k);
            near.filter_map(|NearCode { position, distance }| {
                Some(Neighbor { doc: self.number(position)?, distance })
            })
            .collect()
        })
    }

    /// The number of the entry at `at`, which there is.
    pub(crate) fn number(&self, at: usize) -> Option<u64> {
        invariant(self.numbers.get(at).copied(), at)
    }
}
