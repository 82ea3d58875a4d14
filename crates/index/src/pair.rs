//! One answer of a join: two that are near each other. How it is found is elsewhere.

/// Two fingerprints within the radius of each other.
///
/// # Examples
/// ```
/// use nearprint_index::{Pair, pairs};
///
/// assert_eq!(pairs(&[0b0001_u64, 0xff, 0b0000], 1)?, [Pair { a: 0, b: 2, distance: 1 }]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Position of the one in the slice that was joined, from 0.
    pub a: u64,
    /// Position of the other; always greater than `a`.
    pub b: u64,
    /// Hamming distance between the two, in bits.
    pub distance: u32,
}
