//! One answer of a search among codes in memory: which code is near and how near. The answer of a
//! segment is a [`crate::Neighbor`].

/// A code of a slice within the radius of a query.
///
/// The derived order is by position; searches answer nearest first, then by position.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{NearCode, scan};
///
/// let codes = [0b0111_u64, 0b0001].map(Fingerprint::from);
/// let near = scan::neighbors(&codes, &Fingerprint::from(0b0011_u64), 1);
/// assert_eq!(near[1], NearCode { position: 1, distance: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NearCode {
    /// Position of the code in the slice that was searched, from 0. Among sorted distinct codes this
    /// is the rank.
    pub position: usize,
    /// Hamming distance to the query, in bits.
    pub distance: u32,
}

impl NearCode {
    /// The key of the order in which searches answer: nearest first, then by position.
    #[must_use]
    pub fn nearness(&self) -> (u32, usize) {
        (self.distance, self.position)
    }
}
