//! Some sorted entries as they stand in a table of a segment: threads encode pieces, one writes them in order.

use crate::segments::layout::TableLayout;
use crate::segments::segment::{high, suffix_bytes};
use crate::top::top;
use nearprint_bits::Fingerprint;

/// The bytes of entries that follow each other in a table, and what is counted of them from 0.
///
/// Memory: the bytes of a suffix and an id, and a bit, an entry; 16 bytes a bucket that has entries.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) suffixes: Vec<u8>,
    pub(crate) ids: Vec<u8>,
    /// Bit `i` tells whether entry `i` is the first of its fingerprint.
    pub(crate) heads: Vec<u64>,
    /// Each bucket that has entries, and the number of its first fingerprint.
    pub(crate) buckets: Vec<(u64, u64)>,
    pub(crate) fingerprints: u64,
    pub(crate) entries: u64,
}

impl Piece {
    /// Encodes entries, which ascend, with `id_bytes` of each id; with 0 neither ids nor heads.
    pub(crate) fn of<const WORDS: usize>(
        entries: &[(Fingerprint<WORDS>, u64)],
        layout: &TableLayout,
        id_bytes: usize,
    ) -> Self {
        let suffix_bytes = suffix_bytes(Fingerprint::<WORDS>::BITS, &layout.code);
        let mut piece = Self { entries: entries.len() as u64, ..Self::default() };
        piece.suffixes.reserve(entries.len() * suffix_bytes);
        piece.ids.reserve(entries.len() * id_bytes);
        if id_bytes > 0 {
            piece.heads.resize(entries.len().div_ceil(64), 0);
        }
        let mut before = None;
        for (at, (key, id)) in entries.iter().enumerate() {
            if before != Some(key) {
                before = Some(key);
                piece.start(key, bucket(layout, key), suffix_bytes);
                if let Some(word) = piece.heads.get_mut(at / 64) {
                    *word |= 1 << (at % 64);
                }
            }
            piece.ids.extend_from_slice(id.to_le_bytes().get(..id_bytes).unwrap_or_default());
        }
        piece
    }

    /// Takes in the next fingerprint.
    fn start<const WORDS: usize>(&mut self, key: &Fingerprint<WORDS>, bucket: u64, bytes: usize) {
        if self.buckets.last().is_none_or(|(last, _)| *last != bucket) {
            self.buckets.push((bucket, self.fingerprints));
        }
        let end = self.suffixes.len() + bytes;
        key.words().iter().for_each(|word| self.suffixes.extend_from_slice(&word.to_le_bytes()));
        self.suffixes.truncate(end);
        self.fingerprints += 1;
    }
}

fn bucket<const WORDS: usize>(layout: &TableLayout, key: &Fingerprint<WORDS>) -> u64 {
    u64::from(high(top(key.words()))) >> (32 - layout.code.bucket_bits())
}
