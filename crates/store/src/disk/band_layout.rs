//! Where things lie in a table of bands. Drawn byte by byte in `docs/format.md`.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use nearprint_fingerprint::BandShape;

/// Bits of the key of a band.
const KEY_BITS: u32 = 40;
/// Entries of a band for each one of its directory, at least.
const BUCKET: u64 = 8;

/// Where things lie in a table of bands for so many documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BandLayout {
    /// The bands of a sketch.
    pub(crate) shape: BandShape,
    /// Words of a fingerprint.
    pub(crate) words: usize,
    /// Documents.
    pub(crate) documents: usize,
    /// Leading bits of a key that lead into a directory.
    pub(crate) directory_bits: u32,
    /// Bytes of a position.
    pub(crate) position: usize,
}

impl BandLayout {
    /// Bytes of a number before what is compared of a document.
    pub(crate) const NUMBER: usize = 4;

    /// The layout for so many documents.
    pub(crate) fn new(shape: BandShape, words: usize, documents: usize) -> Self {
        let buckets = (documents as u64 / BUCKET).max(1);
        let bits = usize::BITS - documents.saturating_sub(1).leading_zeros();
        Self {
            shape,
            words,
            documents,
            directory_bits: buckets.ilog2(),
            position: (bits.div_ceil(8) as usize).max(1),
        }
    }

    /// Bytes of what is compared of a document: its fingerprint and its sketch.
    pub(crate) fn compared(&self) -> usize {
        8 * self.words + self.shape.bytes()
    }

    /// Bytes of the record of a document.
    pub(crate) fn record(&self) -> usize {
        Self::NUMBER + self.compared()
    }

    /// Entries of the directory of a band, with the end of the last.
    pub(crate) fn directory(&self) -> usize {
        (1 << self.directory_bits) + 1
    }

    /// Bytes of a band: positions and directory.
    fn band(&self) -> usize {
        self.documents * self.position + 4 * self.directory()
    }

    /// Where the positions of a band begin.
    pub(crate) fn positions_at(&self, band: usize) -> usize {
        self.documents * self.record() + band * self.band()
    }

    /// Where the directory of a band begins.
    pub(crate) fn directory_at(&self, band: usize) -> usize {
        self.positions_at(band) + self.documents * self.position
    }

    /// Bytes of all.
    pub(crate) fn bytes(&self) -> usize {
        self.positions_at(self.shape.bands() as usize)
    }

    /// The place in the directory to which a key leads.
    pub(crate) fn bucket(&self, key: u64) -> usize {
        usize::try_from(key >> (KEY_BITS - self.directory_bits)).unwrap_or(0)
    }

    /// The least key of the place to which `key` leads, and the least of the next.
    pub(crate) fn keys_of_bucket(&self, key: u64) -> (u64, u64) {
        let bits = KEY_BITS - self.directory_bits;
        let first = key >> bits << bits;
        (first, first + (1 << bits))
    }
}

/// The key of a band of a sketch; 0 where there is no such band.
#[inline]
pub(crate) fn key(sketch: &[u8], band: usize) -> u64 {
    let at = band * BandShape::KEY_BYTES;
    match sketch.get(at..at + BandShape::KEY_BYTES) {
        Some([a, b, c, d, e]) => u64::from_le_bytes([*a, *b, *c, *d, *e, 0, 0, 0]),
        _ => 0,
    }
}
