//! Comparing a query with every code of a list, at the speed of the machine. The yardstick, which is
//! slow and plain, is [`crate::scan`].

use crate::machine::kernel::{Kernel, LANES, positions};
use crate::near_code::NearCode;
use nearprint_bits::Fingerprint;

/// Every code within `k` bits of `query`, by position.
///
/// The codes may stand in any order and repeat.
///
/// # Complexity
/// `codes.len()` distances, many at a time: about a microsecond for some thousands of 64 bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::linear;
///
/// let codes = [0b0111_u64, 0b0000, 0b0001].map(Fingerprint::from);
/// let query = Fingerprint::from(0b0001_u64);
/// let near = linear::within(&codes, &query, 1);
/// let found: Vec<_> = near.map(|near| (near.position, near.distance)).collect();
/// assert_eq!(found, [(1, 1), (2, 0)]);
/// ```
pub fn within<'a, const WORDS: usize>(
    codes: &'a [Fingerprint<WORDS>],
    query: &'a Fingerprint<WORDS>,
    k: u32,
) -> impl Iterator<Item = NearCode> + 'a {
    let kernel = Kernel::detect();
    codes.chunks(LANES).enumerate().flat_map(move |(chunk, lanes)| {
        positions(kernel.row(query, lanes, k)).map(move |lane| NearCode {
            position: chunk * LANES + lane,
            distance: lanes[lane].distance(query),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_the_scan_finds(words in prop::collection::vec(0_u64..4096, 0..300), query in 0_u64..4096, k in 0_u32..8) {
            let codes: Vec<_> = words.into_iter().map(Fingerprint::from).collect();
            let query = Fingerprint::from(query);
            let mut near: Vec<_> = within(&codes, &query, k).collect();
            prop_assert!(near.is_sorted());
            near.sort_unstable_by_key(NearCode::nearness);
            prop_assert_eq!(near, scan::neighbors(&codes, &query, k));
        }
    }
}
