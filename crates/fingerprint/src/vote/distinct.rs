//! Whether a document surely has more distinct features than a number, which is seen from the first of them.
//! Counting all of them is handled by [`crate::vote::counts`].

/// Marks, a power of two: far more than any number that is asked for.
const MARKS: usize = 1 << 12;
/// Marks of a word.
const OF_WORD: usize = 64;

/// Whether these keys surely are more than `many` distinct ones. `false` where that is not seen: there may be as many all
/// the same, as where keys that differ share a mark.
///
/// # Complexity
/// A step for each key, until there are enough: some tens of keys for a number below a hundred.
pub(crate) fn are_more_than(many: usize, keys: &[u64]) -> bool {
    let (mut marks, mut distinct) = ([0_u64; MARKS / OF_WORD], 0);
    keys.iter().any(|key| {
        #[expect(clippy::cast_possible_truncation, reason = "the lowest bits")]
        let mark = *key as usize % MARKS;
        let Some(word) = marks.get_mut(mark / OF_WORD) else { return false };
        let bit = 1 << (mark % OF_WORD);
        distinct += usize::from(*word & bit == 0);
        *word |= bit;
        distinct > many
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn no_more_are_claimed_than_there_are(
            keys in prop::collection::vec(prop_oneof![0_u64..40, any::<u64>()], 0..300),
            many in 0_usize..200,
        ) {
            let distinct = keys.iter().collect::<BTreeSet<_>>().len();
            prop_assert!(!are_more_than(many, &keys) || distinct > many);
        }
    }

    #[test]
    fn a_few_more_keys_than_are_asked_for_are_seen() {
        let keys: Vec<u64> = (0..80).map(mix64).collect();
        assert!(are_more_than(64, &keys));
        assert!(!are_more_than(80, &keys) && !are_more_than(0, &[]));
        let numbers: Vec<u64> = (0..65).collect();
        assert!(are_more_than(64, &numbers) && !are_more_than(64, &numbers[..64]));
        let repeated = keys[..60].repeat(10);
        assert!(!are_more_than(64, &repeated));
    }
}
