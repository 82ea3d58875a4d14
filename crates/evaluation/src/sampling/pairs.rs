//! Pairs that a survey saw.

use nearprint_dedup::RecordNumber;

/// A drawn document and another that is near it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenPair {
    /// The place of the drawn document among those that were looked at.
    pub drawn: u32,
    /// The record of the other document.
    pub other: RecordNumber,
    /// The Jaccard similarity of their features.
    pub similarity: f64,
    /// Bits that differ at 64, 128 and 256 bits.
    pub distances: [u16; 3],
}

/// A drawn document and another that is not near it, whose fingerprints are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FarPair {
    /// The place of the drawn document among those that were looked at.
    pub(crate) drawn: u32,
    /// Bits that differ at 64, 128 and 256 bits.
    pub(crate) distances: [u16; 3],
}
