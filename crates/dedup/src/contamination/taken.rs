//! Places of a document that are taken: none overlaps another.

use std::collections::BTreeMap;
use std::ops::Range;

/// Places that do not overlap.
#[derive(Default)]
pub(crate) struct Taken {
    /// Where each ends, by where it starts.
    ends: BTreeMap<usize, usize>,
}

impl Taken {
    /// Takes a place unless it overlaps one that is taken, and says whether it did.
    ///
    /// # Complexity
    /// `O(log n)` for `n` places.
    pub(crate) fn take(&mut self, place: &Range<usize>) -> bool {
        let before = self.ends.range(..place.end).next_back();
        let is_free = before.is_none_or(|(_, end)| *end <= place.start);
        if is_free {
            self.ends.insert(place.start, place.end);
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_touch_do_not_overlap() {
        let mut taken = Taken::default();
        for (place, is_free) in [
            (10..20, true),
            (20..30, true),
            (5..10, true),
            (9..11, false),
            (15..16, false),
            (0..40, false),
            (30..31, true),
            (29..35, false),
            (0..5, true),
        ] {
            assert_eq!(taken.take(&place), is_free, "{place:?}");
        }
    }
}
