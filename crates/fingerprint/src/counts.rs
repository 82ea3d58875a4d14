//! How often each feature of one document occurs. In memory only: nothing here decides a bit.

use crate::hash::fold_multiply;
use std::hash::{BuildHasher, RandomState};

/// A counter of feature keys, made to be filled and emptied once a document.
///
/// Slots are chosen by a secret of the process, so that no text can be made to collide.
#[derive(Clone, Debug)]
pub struct FeatureCounts {
    /// `(key, count)`; a count of 0 marks a free slot. The length is a power of two, and at most
    /// half of the slots are taken.
    slots: Vec<(u64, u32)>,
    taken: usize,
    secret: u64,
}

impl Default for FeatureCounts {
    fn default() -> Self {
        Self { slots: Vec::new(), taken: 0, secret: RandomState::new().hash_one(0_u8) | 1 }
    }
}

impl FeatureCounts {
    /// Empties the counter and makes room for `features` occurrences.
    ///
    /// # Complexity
    /// Linear in `features`; memory of a far larger document before is given back.
    pub fn reset(&mut self, features: usize) {
        let size = features.saturating_mul(2).next_power_of_two().max(16);
        self.slots.clear();
        if self.slots.capacity() / 16 > size {
            self.slots.shrink_to(size);
        }
        self.slots.resize(size, (0, 0));
        self.taken = 0;
    }

    /// Counts one occurrence of `key`; counts stay at `u32::MAX`.
    ///
    /// No more distinct keys may be added than [`Self::reset`] made room for; further ones are
    /// left out.
    #[inline]
    pub fn add(&mut self, key: u64) {
        let mask = self.slots.len().wrapping_sub(1);
        #[expect(clippy::cast_possible_truncation, reason = "masked to the length")]
        let mut at = fold_multiply(key ^ self.secret, self.secret) as usize;
        while let Some(slot) = self.slots.get_mut(at & mask) {
            if slot.1 == 0 {
                if self.taken > mask / 2 {
                    return;
                }
                self.taken += 1;
                *slot = (key, 1);
                return;
            }
            if slot.0 == key {
                slot.1 = slot.1.saturating_add(1);
                return;
            }
            at = at.wrapping_add(1);
        }
    }

    /// The number of distinct features.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.taken
    }

    /// Each feature with its count, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        self.slots.iter().copied().filter(|slot| slot.1 > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn counts_are_those_of_a_map(documents in prop::collection::vec(
            prop::collection::vec(prop_oneof![0_u64..8, any::<u64>()], 0..200), 1..5)
        ) {
            let mut counts = FeatureCounts::default();
            for keys in documents {
                let mut expected = HashMap::new();
                counts.reset(keys.len());
                for &key in &keys {
                    *expected.entry(key).or_insert(0) += 1;
                    counts.add(key);
                }
                prop_assert_eq!(counts.distinct(), expected.len());
                prop_assert_eq!(counts.iter().collect::<HashMap<_, _>>(), expected);
            }
        }
    }
}
