//! One answer of a join: two that are near each other. How it is found is elsewhere.

/// Two fingerprints within the radius of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Position of the one in the slice that was joined, from 0.
    pub a: u64,
    /// Position of the other; always greater than `a`.
    pub b: u64,
    /// Hamming distance between the two, in bits.
    pub distance: u32,
}
