//! Which features are rare: an order of all features, so that documents can be compared by a few of
//! theirs.

use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::narrow;
use nearprint_fingerprint::{FeatureList, mix64};
use nearprint_rules::Check;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// The largest count of a slot, and its bits.
const MOST: u8 = 15;
const COUNT_BITS: u32 = 4;
/// What is counted beyond that, at most: documents with a feature are compared with others by rarer ones.
const MOST_BEYOND: u32 = 1 << 12;
/// Slots to a count beyond the largest of a slot.
const SLOTS_BEYOND: usize = 32;
/// Bits of a level before the hash in the order.
pub(crate) const LEVEL_BITS: u32 = 6;
/// The bits of a place in the order.
const PLACE: u64 = !0 << 24;
/// The first place of the level at which a feature is counted no further.
const FULL: u64 = (MOST as u64 + MOST_BEYOND.ilog2() as u64) << (64 - LEVEL_BITS);
/// Features whose slots are fetched together.
const TOGETHER: usize = 32;
/// Bytes that are put into a checkpoint at a time.
const PIECE: usize = 1 << 16;

/// How many documents have a feature: never too low up to 15, too high where features share a slot; beyond
/// that slots share a further count. Many threads may count at once.
///
/// A feature's place in the order of rarity is its level, then 34 bits of a hash, in the first 40 bits of a
/// number. The level is the count up to 15, and beyond that grows by one where the count doubles. Every order
/// finds the same pairs; one that has rare features first looks at fewer.
///
/// Memory: half a byte a slot, and an eighth of one.
#[derive(Debug)]
pub(crate) struct Rarity {
    /// Two slots in each.
    pairs: Vec<AtomicU8>,
    beyond: Vec<AtomicU32>,
}

impl Rarity {
    /// Counts in twice as many slots as there are `features`, or as many as `room` bytes hold.
    pub(crate) fn new(features: usize, room: usize) -> Self {
        let fits = (room + 1).next_power_of_two() / 2;
        let bytes = features.next_power_of_two().min(fits).max(1 << 10);
        Self {
            pairs: (0..bytes).map(|_| AtomicU8::new(0)).collect(),
            beyond: (0..2 * bytes / SLOTS_BEYOND).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Counts the features of one more document.
    pub(crate) fn add(&self, keys: &[u64]) {
        for keys in keys.chunks(TOGETHER) {
            for (place, key) in self.places(keys).iter().zip(keys) {
                if *place < FULL {
                    self.count_one(mix64(*key));
                }
            }
        }
    }

    /// The rarest `length` features of a document, and those that have the place of the last of these: each
    /// as its place in the order, ascending.
    pub(crate) fn rarest(&self, keys: &[u64], length: usize, rarest: &mut Vec<u64>) {
        rarest.clear();
        for keys in keys.chunks(TOGETHER) {
            rarest.extend(self.places(keys).iter().take(keys.len()));
        }
        if (1..rarest.len()).contains(&length) {
            let (_, last, _) = rarest.select_nth_unstable(length - 1);
            let last = *last;
            rarest.retain(|place| *place <= last);
        }
        rarest.sort_unstable();
    }

    /// The prefix of a document: so many of its rarest features that two documents which pass a check share one.
    /// Each as its place in the order, ascending, with those that have the place of the last.
    pub(crate) fn prefix(&self, list: &FeatureList, check: Check, prefix: &mut Vec<u64>) {
        if !check.weighs() {
            return self.rarest(list.keys(), check.prefix(list.len()), prefix);
        }
        let places = list.keys().chunks(TOGETHER);
        let places = places.flat_map(|keys| self.places(keys).into_iter().take(keys.len()));
        let mut features: Vec<(u64, f64)> = places.zip(list.weights().iter().copied()).collect();
        features.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let weights: Vec<f64> = features.iter().map(|(_, weight)| *weight).collect();
        let length = check.prefix_by_weight(&weights);
        let last =
            length.checked_sub(1).and_then(|last| features.get(last)).map(|(place, _)| *place);
        prefix.clear();
        let places = features.iter().map(|(place, _)| *place);
        prefix.extend(places.take_while(|place| last.is_some_and(|last| *place <= last)));
    }

    /// The level of a place in the order: the count of the feature up to 15. At 1 no other document has it.
    pub(crate) const fn level(place: u64) -> u64 {
        place >> (64 - LEVEL_BITS)
    }

    /// Puts in all counts.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.value(&self.pairs.len())?;
        for pairs in self.pairs.chunks(PIECE) {
            let pairs: Vec<u8> = pairs.iter().map(|pair| pair.load(Ordering::Relaxed)).collect();
            state.bytes(&pairs)?;
        }
        let beyond = self.beyond.iter().map(|count| count.load(Ordering::Relaxed).into());
        state.numbers(beyond)
    }

    /// What [`Self::save`] put in.
    pub(crate) fn restore(state: &mut StateReader) -> io::Result<Self> {
        let length = state.value()?;
        let mut pairs = Vec::with_capacity(length);
        while pairs.len() < length {
            pairs.extend(state.bytes()?.into_iter().map(AtomicU8::new));
        }
        let beyond = state.numbers()?.into_iter().map(|count| AtomicU32::new(narrow(count)));
        Ok(Self { pairs, beyond: beyond.collect() })
    }

    /// The places of some features in the order.
    fn places(&self, keys: &[u64]) -> [u64; TOGETHER] {
        let (mut places, mut pairs) = ([0; TOGETHER], [0; TOGETHER]);
        // Without a branch on what is read, so that the cache misses of all overlap.
        for ((place, pair), key) in places.iter_mut().zip(&mut pairs).zip(keys) {
            let hash = mix64(*key);
            let (at, shift) = self.slot(hash);
            *place = hash;
            *pair =
                self.pairs.get(at).map_or(0, |pair| pair.load(Ordering::Relaxed)) >> shift & MOST;
        }
        for (place, count) in places.iter_mut().zip(pairs).take(keys.len()) {
            let level = if count == MOST {
                let (at, shift) = self.slot(*place);
                let beyond = self.beyond(at, shift).map_or(0, |one| one.load(Ordering::Relaxed));
                u64::from(MOST) + u64::from((beyond + 1).ilog2())
            } else {
                count.into()
            };
            *place = (level << (64 - LEVEL_BITS) | *place >> LEVEL_BITS) & PLACE;
        }
        places
    }

    fn count_one(&self, hash: u64) {
        let (at, shift) = self.slot(hash);
        let Some(pair) = self.pairs.get(at) else { return };
        let more = |pair: u8| (pair >> shift & MOST < MOST).then(|| pair + (1 << shift));
        let counted = pair.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        if counted.is_err()
            && let Some(beyond) = self.beyond(at, shift)
        {
            beyond.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What is counted of a slot when that is full.
    fn beyond(&self, at: usize, shift: u32) -> Option<&AtomicU32> {
        let slot = 2 * at + usize::from(shift > 0);
        self.beyond.get(slot & (self.beyond.len() - 1))
    }

    /// The byte of a feature of this hash, and how far its four bits are shifted there.
    #[expect(clippy::cast_possible_truncation, reason = "masked to the number of slots")]
    fn slot(&self, hash: u64) -> (usize, u32) {
        (hash as usize & (self.pairs.len() - 1), (hash >> 63) as u32 * COUNT_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn of(rarity: &Rarity, key: u64) -> u64 {
        let mut rarest = Vec::new();
        rarity.rarest(&[key], 1, &mut rarest);
        Rarity::level(rarest[0])
    }

    #[test]
    fn counts_are_never_too_low() {
        let rarity = Rarity::new(100, 1 << 20);
        let keys: Vec<u64> = (0..5000).collect();
        (1..=20).for_each(|_| rarity.add(&keys));
        assert!(keys.iter().all(|key| of(&rarity, *key) > 15));
        let rarity = Rarity::new(1 << 14, 1 << 20);
        rarity.add(&keys);
        rarity.add(&keys[..2500]);
        assert!(keys[..2500].iter().all(|key| of(&rarity, *key) >= 2));
        assert!(keys.iter().all(|key| of(&rarity, *key) >= 1));
        let alone = keys[2500..].iter().filter(|key| of(&rarity, **key) == 1).count();
        assert!(alone > 1800, "{alone} of 2500 share no slot");
        assert_eq!(Rarity::new(usize::MAX / 4, 5000).pairs.len(), 4096);
    }

    #[test]
    fn levels_beyond_a_slot_double() {
        for (documents, level) in [(15, 15), (16, 16), (17, 16), (18, 17), (30, 19), (1000, 24)] {
            let rarity = Rarity::new(1 << 10, 1 << 20);
            (0..documents).for_each(|_| rarity.add(&[7]));
            assert_eq!(of(&rarity, 7), level, "{documents}");
        }
    }

    #[test]
    fn threads_count_each_document() {
        let rarity = Rarity::new(1 << 10, 1 << 20);
        let keys: Vec<u64> = (0..3000).collect();
        thread::scope(|scope| {
            for _ in 0..7 {
                scope.spawn(|| rarity.add(&keys));
            }
        });
        assert!(keys.iter().all(|key| of(&rarity, *key) >= 7));
        let alone = Rarity::new(1 << 20, 1 << 20);
        thread::scope(|scope| {
            for _ in 0..7 {
                scope.spawn(|| alone.add(&keys));
            }
        });
        let exact = keys.iter().filter(|key| of(&alone, **key) == 7).count();
        assert!(exact > 2900, "{exact}");
    }
}
