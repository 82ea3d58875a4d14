//! One answer of a join of two sides: a query and a document that are near each other.

/// A query and a streamed document within the radius of each other.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{CrossPair, StreamJoin};
///
/// let queries = [Fingerprint::from(0b0111_u64)];
/// StreamJoin::new(&queries, 1)?.chunk(&[Fingerprint::from(0b0011_u64)], 40, |pair| {
///     assert_eq!(pair, CrossPair { query: 0, doc: 40, distance: 1 });
/// })?;
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrossPair {
    /// Rank of the query among the sorted distinct queries, from 0.
    pub query: u64,
    /// Ordinal of the document: its position in the stream.
    pub doc: u64,
    /// Hamming distance between the two, in bits.
    pub distance: u32,
}
