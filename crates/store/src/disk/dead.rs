//! Which documents of a segment or memtable are deleted: bits that the writer sets while others read.

use crate::invariant::invariant;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A bit for each document number of a range, set where the document is deleted.
#[derive(Debug)]
pub(crate) struct Dead {
    numbers: Range<u64>,
    /// Made when the first document is deleted.
    bits: OnceLock<Box<[AtomicU64]>>,
    count: AtomicU64,
}

impl Dead {
    /// No document of these numbers is deleted.
    pub(crate) fn none(numbers: Range<u64>) -> Self {
        Self { numbers, bits: OnceLock::new(), count: AtomicU64::new(0) }
    }

    /// The numbers of the documents.
    pub(crate) fn numbers(&self) -> &Range<u64> {
        &self.numbers
    }

    /// How many documents are deleted.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether a document is deleted.
    #[inline]
    pub(crate) fn has(&self, number: u64) -> bool {
        let Some(bits) = self.bits.get() else { return false };
        let at = number.wrapping_sub(self.numbers.start);
        let word = usize::try_from(at / 64).ok().and_then(|word| bits.get(word));
        word.is_some_and(|word| word.load(Ordering::Acquire) >> (at % 64) & 1 == 1)
    }

    /// Marks a document as deleted. Returns whether its number is one of these.
    pub(crate) fn insert(&self, number: u64) -> bool {
        if !self.numbers.contains(&number) {
            return false;
        }
        let words = (self.numbers.end - self.numbers.start).div_ceil(64);
        let bits = self.bits.get_or_init(|| (0..words).map(|_| AtomicU64::new(0)).collect());
        let at = number - self.numbers.start;
        let word = usize::try_from(at / 64).ok().and_then(|word| bits.get(word));
        if let Some(word) = invariant(word, number) {
            let before = word.fetch_or(1 << (at % 64), Ordering::Release);
            self.count.fetch_add(!before >> (at % 64) & 1, Ordering::Relaxed);
        }
        true
    }

    /// The numbers among `numbers` that are deleted in any of `all` now.
    pub(crate) fn union<'a>(numbers: Range<u64>, all: impl Iterator<Item = &'a Self>) -> Self {
        let union = Self::none(numbers);
        all.flat_map(Self::to_vec).for_each(|number| {
            union.insert(number);
        });
        union
    }

    /// The numbers of deleted documents, ascending.
    pub(crate) fn to_vec(&self) -> Vec<u64> {
        let words = self.bits.get().into_iter().flatten();
        let bits = (self.numbers.start..).step_by(64).zip(words).flat_map(|(first, word)| {
            let word = word.load(Ordering::Acquire);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
        });
        bits.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_there() {
        let dead = Dead::none(100..1000);
        assert!(!dead.has(500) && dead.to_vec().is_empty());
        for number in [100, 500, 500, 999, 7, 1000] {
            assert_eq!(dead.insert(number), (100..1000).contains(&number));
        }
        assert_eq!((dead.to_vec(), dead.count()), (vec![100, 500, 999], 3));
        assert!(dead.has(999) && !dead.has(998) && !dead.has(99) && !dead.has(1000));
    }
}
