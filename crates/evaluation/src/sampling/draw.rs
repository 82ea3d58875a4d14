//! Numbers drawn at random, the same for the same seed.

use nearprint_fingerprint::mix64;
use std::collections::BTreeSet;

/// `count` different numbers below `of`, ascending, or all of them: each set of so many with the same probability.
///
/// # References
/// Bentley, Floyd, "Programming pearls: a sample of brilliance", CACM 30 (1987).
pub(crate) fn drawn(count: u64, of: u64, seed: u64) -> Vec<u64> {
    if count >= of {
        return (0..of).collect();
    }
    let mut chosen = BTreeSet::new();
    for last in of - count..of {
        let number = below(mix64(mix64(seed) ^ last), last + 1);
        if !chosen.insert(number) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().collect()
}

/// A place in a row of draws for each number: as good as random, and the same for the same seed.
pub(crate) fn place(number: u64, seed: u64) -> u64 {
    mix64(mix64(seed ^ 0x7475_6e65) ^ number)
}

/// A random word as a number below `limit`.
fn below(word: u64, limit: u64) -> u64 {
    let product = u128::from(word) * u128::from(limit);
    u64::try_from(product >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_drawn_as_often_as_any_other() {
        let mut times = [0_u32; 50];
        for seed in 0..2000 {
            let numbers = drawn(10, 50, seed);
            assert_eq!(numbers.len(), 10);
            assert!(numbers.is_sorted_by(|a, b| a < b));
            numbers.iter().for_each(|number| times[usize::try_from(*number).unwrap()] += 1);
        }
        // 400 each, with a standard deviation of 18.
        assert!(times.iter().all(|times| (320..480).contains(times)), "{times:?}");
        assert_eq!(drawn(9, 9, 1), (0..9).collect::<Vec<_>>());
        assert_eq!(drawn(10, 9, 1).len(), 9);
        assert_ne!(drawn(10, 1000, 1), drawn(10, 1000, 2));
    }
}
