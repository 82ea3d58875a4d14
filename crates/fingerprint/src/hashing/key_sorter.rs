//! Sets of hash keys in order. Their first bits tell nearly where each belongs, so that they are not compared with more
//! than their neighbours.

/// Fewer keys than this are compared.
const FEW: usize = 100;
/// From so many keys on longer digits pay.
const MANY: usize = 1500;
/// Keys that are moved past another, for each key, at most: then they are no hashes, and are compared.
const MOVES: usize = 8;

/// Puts keys in order. Holds working memory: keep one a thread and reuse it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeySorter {
    /// The keys by their second digit.
    room: Vec<u64>,
    /// Where the next key of each second digit goes, and behind those of each first digit.
    places: Vec<u32>,
}

impl KeySorter {
    /// The distinct keys, ascending.
    ///
    /// # Complexity
    /// Linear for keys that are hashes: two passes by digits of 8 or 11 bits, and one that mends what these leave. No
    /// worse than a sort that compares, for any others.
    pub(crate) fn set_of(&mut self, keys: &[u64]) -> Vec<u64> {
        let bits = match keys.len() {
            ..MANY => 8,
            _ => 11,
        };
        // More keys than a place can count are more than any text has.
        let mut set = match keys.len() {
            FEW.. if u32::try_from(keys.len()).is_ok() => self.nearly_sorted(keys, bits),
            _ => keys.to_vec(),
        };
        if keys.len() < FEW || !mended(&mut set) {
            set.sort_unstable();
        }
        set.dedup();
        set
    }

    /// The keys in the order of their first two digits of so many bits.
    fn nearly_sorted(&mut self, keys: &[u64], bits: u32) -> Vec<u64> {
        #[expect(clippy::cast_possible_truncation, reason = "11 bits at most")]
        let digits = |key: u64| {
            let digit = |from: u32| (key >> (64 - from) & ((1 << bits) - 1)) as usize;
            (digit(2 * bits), digit(bits))
        };
        let Self { room, places } = self;
        places.clear();
        places.resize(2 << bits, 0);
        let (of_second, of_first) = places.split_at_mut(1 << bits);
        for key in keys {
            let (second, first) = digits(*key);
            of_second[second] += 1;
            of_first[first] += 1;
        }
        for places in [&mut *of_second, &mut *of_first] {
            let mut next = 0;
            for place in places {
                (*place, next) = (next, next + *place);
            }
        }
        if room.len() < keys.len() {
            room.resize(keys.len(), 0);
        }
        let put = |key: u64, place: &mut u32, list: &mut [u64]| {
            list[*place as usize] = key;
            *place += 1;
        };
        for key in keys {
            put(*key, &mut of_second[digits(*key).0], room);
        }
        let mut sorted = vec![0; keys.len()];
        for key in &room[..keys.len()] {
            put(*key, &mut of_first[digits(*key).1], &mut sorted);
        }
        sorted
    }
}

/// Moves each key before those that are greater; `false` where these are too many, and it gave up.
fn mended(keys: &mut [u64]) -> bool {
    let mut left = MOVES * keys.len();
    for i in 1..keys.len() {
        let key = keys[i];
        let mut at = i;
        while at > 0 && keys[at - 1] > key && left > 0 {
            keys[at] = keys[at - 1];
            at -= 1;
            left -= 1;
        }
        keys[at] = key;
    }
    left > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn check(sorter: &mut KeySorter, keys: &[u64]) -> Result<(), TestCaseError> {
        let expected: BTreeSet<u64> = keys.iter().copied().collect();
        prop_assert_eq!(sorter.set_of(keys), expected.into_iter().collect::<Vec<_>>());
        Ok(())
    }

    proptest! {
        /// Hashes, and keys that are none: small ones, which have the same digits, and repeated ones.
        #[test]
        fn sets_are_those_of_a_tree(
            lists in prop::collection::vec(
                prop::collection::vec(prop_oneof![8 => any::<u64>(), 1 => 0_u64..50], 0..300),
                1..4,
            ),
            repeated in 1_usize..3,
        ) {
            let mut sorter = KeySorter::default();
            for keys in lists {
                check(&mut sorter, &keys.repeat(repeated))?;
            }
        }
    }

    #[test]
    fn many_keys_of_any_kind_are_put_in_order() {
        let mut sorter = KeySorter::default();
        for count in [FEW as u64 - 1, FEW as u64, MANY as u64 - 1, MANY as u64, 30_000] {
            let hashes: Vec<u64> = (0..count).map(mix64).collect();
            check(&mut sorter, &hashes).unwrap();
            let falling: Vec<u64> = (0..count).rev().collect();
            check(&mut sorter, &falling).unwrap();
            let equal: Vec<u64> = (0..count).map(|at| mix64(at % 7)).collect();
            check(&mut sorter, &equal).unwrap();
        }
    }

    #[test]
    fn hashes_are_nearly_sorted_by_their_digits() {
        let keys: Vec<u64> = (0..1000).map(mix64).collect();
        let sorted = KeySorter::default().nearly_sorted(&keys, 8);
        let wrong = sorted.windows(2).filter(|pair| pair[0] > pair[1]).count();
        assert!(wrong < 30, "{wrong} of 1000 in the wrong order");
    }
}
