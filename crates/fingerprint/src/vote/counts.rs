//! How often each feature of one document occurs. In memory only: nothing here decides a bit.

use crate::hashing::hash::fold_multiply;
use crate::kernel::{Compiled, Kernel};
use crate::vote::weight::Weighting;
use std::hash::{BuildHasher, RandomState};
use std::hint::select_unpredictable;

/// Slots that are given back where a document needs far fewer.
const MANY: usize = 1 << 16;
/// More keys than this are sorted in place: the slots they would need are no longer in the cache.
const SORTED: usize = 1 << 15;
/// Features that slots hold of keys that were sorted.
pub(crate) const FEW: usize = 64;

/// A counter of feature keys, made to be filled and emptied once a document.
///
/// Slots are chosen by a secret of the process, so that no text can be made to collide.
#[derive(Clone, Debug)]
pub(crate) struct FeatureCounts {
    /// The first `size` are in use, a power of two; at most half of them are taken.
    slots: Vec<Slot>,
    size: usize,
    taken: usize,
    /// Marks the slots of this document: emptying takes no time.
    stamp: u32,
    secret: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    /// The slot is free unless this is the counter's.
    stamp: u32,
    count: u32,
}

impl Default for FeatureCounts {
    fn default() -> Self {
        let secret = RandomState::new().hash_one(0_u8) | 1;
        Self { slots: Vec::new(), size: 0, taken: 0, stamp: 0, secret }
    }
}

impl FeatureCounts {
    /// Empties the counter and makes room for `features` occurrences.
    ///
    /// # Complexity
    /// Constant, but for memory that grows, linear in `features`; that of a far larger document before
    /// is given back.
    pub(crate) fn reset(&mut self, features: usize) {
        self.size = features.saturating_mul(2).next_power_of_two().max(16);
        self.taken = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.slots.len() / 16 > self.size.max(MANY) {
            self.slots = Vec::new();
            self.stamp = 1;
        }
        if self.slots.len() < self.size {
            self.slots.resize(self.size, Slot::default());
        }
    }

    /// Counts one occurrence of `key`, and returns how many that makes; counts stay at `u32::MAX`.
    ///
    /// No more distinct keys may be added than [`Self::reset`] made room for; further ones are
    /// left out, and 0 is returned.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: u64) -> u32 {
        let mask = self.size.wrapping_sub(1);
        let Some(slots) = self.slots.get_mut(..self.size) else { return 0 };
        #[expect(clippy::cast_possible_truncation, reason = "masked to the length")]
        let mut at = fold_multiply(key ^ self.secret, self.secret) as usize;
        while let Some(slot) = slots.get_mut(at & mask) {
            // Whether a key is new is not foreseeable: no branch on it.
            let free = slot.stamp != self.stamp;
            if select_unpredictable(free, key, slot.key) == key {
                if self.taken > mask / 2 && free {
                    return 0;
                }
                let before = select_unpredictable(free, 0, slot.count);
                let count = before.saturating_add(1);
                self.taken += usize::from(free);
                *slot = Slot { key, stamp: self.stamp, count };
                return count;
            }
            at = at.wrapping_add(1);
        }
        0
    }

    /// Counts every key, and keeps those of them that add 1 to the weight of their feature: what
    /// stays, each for 1, is the document by integer `weights`.
    pub(crate) fn keep_weighing(
        &mut self,
        kernel: Kernel,
        weights: Weighting,
        keys: &mut Vec<u64>,
    ) {
        if keys.len() > SORTED {
            return self.keep_sorted(weights, keys);
        }
        self.reset(keys.len());
        match weights {
            Weighting::Set => kernel.run(Keep { counts: self, keys, weighs: |count| count == 1 }),
            Weighting::Log => kernel.run(Keep { counts: self, keys, weighs: u32::is_power_of_two }),
            _ => kernel.run(Keep { counts: self, keys, weighs: |count| count > 0 }),
        }
    }

    /// [`Self::keep_weighing`] of many keys, without memory for them.
    fn keep_sorted(&mut self, weights: Weighting, keys: &mut Vec<u64>) {
        keys.sort_unstable();
        self.reset(FEW);
        let (mut distinct, mut kept, mut start) = (0, 0, 0);
        while let Some(&key) = keys.get(start) {
            let rest = keys.get(start..).unwrap_or_default();
            let count = rest.iter().take_while(|other| **other == key).count();
            if distinct < FEW {
                for _ in 0..count {
                    self.add(key);
                }
            }
            distinct += 1;
            start += count;
            // No weight is above the count: what is kept overwrites nothing that is still to come.
            let weight = weights.weight(u32::try_from(count).unwrap_or(u32::MAX)) as usize;
            keys.get_mut(kept..kept + weight).unwrap_or_default().fill(key);
            kept += weight;
        }
        keys.truncate(kept);
        self.taken = distinct;
    }

    /// The number of distinct features.
    #[must_use]
    pub(crate) fn distinct(&self) -> usize {
        self.taken
    }

    /// Each feature with its count, in no particular order: at least the first 64, where more than
    /// 32 768 keys were counted at once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        let slots = self.slots.iter().take(self.size);
        slots.filter(|slot| slot.stamp == self.stamp).map(|slot| (slot.key, slot.count))
    }
}

struct Keep<'a, F> {
    counts: &'a mut FeatureCounts,
    keys: &'a mut Vec<u64>,
    /// Whether the occurrence that makes so many adds to the weight.
    weighs: F,
}

impl<F: Fn(u32) -> bool> Compiled for Keep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut kept = 0;
        for i in 0..self.keys.len() {
            let key = self.keys[i];
            let count = self.counts.add(key);
            self.keys[kept] = key;
            kept += usize::from((self.weighs)(count));
        }
        self.keys.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn documents() -> impl Strategy<Value = Vec<Vec<u64>>> {
        let keys = prop::collection::vec(prop_oneof![0_u64..8, any::<u64>()], 0..200);
        prop::collection::vec(keys, 1..5)
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_map(documents in documents()) {
            let mut counts = FeatureCounts::default();
            for keys in documents {
                let mut expected = HashMap::new();
                counts.reset(keys.len());
                for &key in &keys {
                    let count = expected.entry(key).or_insert(0);
                    *count += 1;
                    prop_assert_eq!(counts.add(key), *count);
                }
                prop_assert_eq!(counts.distinct(), expected.len());
                prop_assert_eq!(counts.iter().collect::<HashMap<_, _>>(), expected);
            }
        }

        #[test]
        fn every_feature_is_kept_as_often_as_it_weighs(documents in documents()) {
            let mut counts = FeatureCounts::default();
            for keys in documents {
                for kernel in Kernel::all() {
                    for weights in [Weighting::Set, Weighting::Count, Weighting::Log] {
                        let mut kept = keys.clone();
                        counts.keep_weighing(kernel, weights, &mut kept);
                        let mut found = HashMap::new();
                        kept.iter().for_each(|&key| *found.entry(key).or_insert(0) += 1);
                        let expected: HashMap<_, _> = counts
                            .iter()
                            .map(|(key, count)| (key, weights.weight(count)))
                            .collect();
                        prop_assert_eq!(found, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn many_keys_are_kept_as_few_are() {
        for distinct in [1, FEW as u64, 5000] {
            let keys: Vec<u64> = (0..SORTED as u64 + 1).map(|i| (i * i % distinct) << 40).collect();
            for weights in [Weighting::Set, Weighting::Count, Weighting::Log] {
                let (mut counts, mut kept) = (FeatureCounts::default(), keys.clone());
                counts.keep_weighing(Kernel::detect(), weights, &mut kept);
                let (mut few, mut expected) = (FeatureCounts::default(), keys.clone());
                few.reset(keys.len());
                expected.retain(|&key| {
                    let count = few.add(key);
                    weights.weight(count) > weights.weight(count - 1) || count == 1
                });
                expected.sort_unstable();
                assert_eq!(kept, expected, "{distinct}, {weights:?}");
                assert_eq!(counts.distinct(), few.distinct());
                if few.distinct() <= FEW {
                    let sorted = |counts: &FeatureCounts| {
                        let mut all: Vec<_> = counts.iter().collect();
                        all.sort_unstable();
                        all
                    };
                    assert_eq!(sorted(&counts), sorted(&few));
                }
            }
        }
    }

    #[test]
    fn no_more_keys_are_taken_than_there_is_room_for() {
        let mut counts = FeatureCounts::default();
        assert_eq!(counts.add(1), 0);
        counts.reset(0);
        let taken = (0..100).filter(|&key| counts.add(key) == 1).count();
        assert_eq!((taken, counts.distinct()), (8, 8));
    }

    #[test]
    fn a_stamp_that_comes_round_frees_every_slot() {
        let mut counts = FeatureCounts { stamp: u32::MAX - 1, ..FeatureCounts::default() };
        for _ in 0..4 {
            counts.reset(10);
            assert_eq!((counts.add(0), counts.add(0)), (1, 2));
            assert_eq!(counts.iter().collect::<Vec<_>>(), [(0, 2)]);
        }
    }

    #[test]
    fn memory_of_a_far_larger_document_is_given_back() {
        let mut counts = FeatureCounts::default();
        counts.reset(1 << 21);
        counts.reset(10);
        assert_eq!(counts.slots.len(), 32);
    }
}
