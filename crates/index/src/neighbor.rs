//! One answer of a search: who is near and how near. How it is found is elsewhere.

/// A stored fingerprint within the radius of a query.
///
/// The derived order is by `doc`; searches answer nearest first, then by `doc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Neighbor {
    /// Position of the neighbour in the slice that was searched, from 0.
    pub doc: u64,
    /// Hamming distance to the query, in bits.
    pub distance: u32,
}

impl Neighbor {
    /// The key of the order in which searches answer: nearest first, then by `doc`.
    #[must_use]
    pub fn nearness(&self) -> (u32, u64) {
        (self.distance, self.doc)
    }
}
