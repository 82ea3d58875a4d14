//! One answer of a join of two sides: a query and a document that are near each other.

/// A query and a streamed document within the radius of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrossPair {
    /// Rank of the query among the sorted distinct queries, from 0.
    pub query: u64,
    /// Ordinal of the document: its position in the stream.
    pub doc: u64,
    /// Hamming distance between the two, in bits.
    pub distance: u32,
}
