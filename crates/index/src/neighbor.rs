//! One answer of a search in an index or a segment: which document is near and how near. The answer of
//! a search among codes in memory is a [`crate::NearCode`].

/// A document whose fingerprint is within the radius of a query.
///
/// The derived order is by `doc`; searches answer nearest first, then by `doc`.
///
/// # Examples
/// ```
/// use nearprint_index::{Index, Neighbor};
///
/// let index = Index::build_with_ids(&[1001, 7], &[0x0f_u64, 0xff], 3)?;
/// assert_eq!(index.query(0x1f_u64)?, [Neighbor { doc: 1001, distance: 1 }, Neighbor { doc: 7, distance: 3 }]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Neighbor {
    /// The id that was stored with the fingerprint. [`crate::Index::build`] stores positions.
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
