//! Approximate lengths of posting lists. Features that hash alike share a counter.

use crate::numbers::{entry, index};
use crate::read::rarity::LEVEL_BITS;

/// Places of all lists to a count of how long a list is.
const SHARED: u64 = 32;
/// Bits of a document's number in its block, behind those of a feature.
pub(crate) const LOCAL_BITS: u32 = 24;

/// How many documents have features of one hash: in the prefixes that are indexed, and in all that is
/// looked for. Features may share a count.
pub(crate) struct Lengths(Vec<[u32; 2]>);

/// A feature by its place in the order: in the first 40 bits, those of its hash before those of its level,
/// so that they are even.
pub(crate) const fn feature(place: u64) -> u64 {
    place << LEVEL_BITS | place >> (64 - LEVEL_BITS) << LOCAL_BITS
}

impl Lengths {
    /// Counts for lists of so many places.
    pub(crate) fn new(places: u64) -> Self {
        let counts = index(places / SHARED).next_power_of_two().max(1 << 10);
        Self(vec![[0; 2]; counts])
    }

    /// Where a place is counted.
    fn slot(&self, place: u64) -> usize {
        index(feature(place) >> 32) & (self.0.len() - 1)
    }

    /// Counts a document more, in the prefixes that are indexed or in what is looked for.
    pub(crate) fn add(&mut self, place: u64, which: usize) {
        let slot = self.slot(place);
        if let Some(count) = self.0.get_mut(slot).and_then(|counts| counts.get_mut(which)) {
            *count = count.saturating_add(1);
        }
    }

    /// Documents that have a feature in their lists: not too few, but too many where features share a
    /// count.
    pub(crate) fn of(&self, place: u64) -> u32 {
        let [_, all] = entry(&self.0, self.slot(place));
        all
    }

    /// About how many steps the join takes.
    pub(crate) fn looks(&self) -> u64 {
        let looks = self.0.iter().map(|[indexed, all]| u64::from(*indexed) * u64::from(*all));
        looks.fold(0, u64::saturating_add)
    }
}
