//! The linear scan: every answer by comparing everything, the yardstick of every other search.
//!
//! Nothing clever belongs here: the tests of the whole crate lean on its being obviously right.

use crate::near_code::NearCode;
use crate::pair::Pair;
use nearprint_bits::Fingerprint;

/// Every code within `k` bits of `query`, nearest first, then by position.
///
/// The codes may stand in any order and repeat. A `k` above the width finds all of them.
///
/// # Complexity
/// `codes.len()` distances, and a sort of the codes found.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::scan;
///
/// let codes = [0b0111_u64, 0b0000, 0b0001].map(Fingerprint::from);
/// let near = scan::neighbors(&codes, &Fingerprint::from(0b0001_u64), 1);
/// let found: Vec<_> = near.iter().map(|near| (near.position, near.distance)).collect();
/// assert_eq!(found, [(2, 0), (1, 1)]);
/// ```
#[must_use]
pub fn neighbors<const WORDS: usize>(
    codes: &[Fingerprint<WORDS>],
    query: &Fingerprint<WORDS>,
    k: u32,
) -> Vec<NearCode> {
    let mut near: Vec<_> = (0..)
        .zip(codes)
        .map(|(position, code)| NearCode { position, distance: code.distance(query) })
        .filter(|near| near.distance <= k)
        .collect();
    near.sort_unstable_by_key(NearCode::nearness);
    near
}

/// Every pair of codes within `k` bits of each other, by `a`, then by `b`.
///
/// The codes may stand in any order and repeat: equal codes are pairs at distance 0.
///
/// # Complexity
/// `n (n - 1) / 2` distances for `n` codes.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{Pair, scan};
///
/// let codes = [0b0111_u64, 0b0000, 0b0001].map(Fingerprint::from);
/// assert_eq!(scan::pairs(&codes, 1), [Pair { a: 1, b: 2, distance: 1 }]);
/// ```
#[must_use]
pub fn pairs<const WORDS: usize>(codes: &[Fingerprint<WORDS>], k: u32) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, one) in codes.iter().enumerate() {
        for (b, other) in codes.iter().enumerate().skip(a + 1) {
            let distance = one.distance(other);
            if distance <= k {
                pairs.push(Pair { a: a as u64, b: b as u64, distance });
            }
        }
    }
    pairs
}
