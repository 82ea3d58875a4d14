//! The documents that a group adds, by the keys of their bands.

use crate::disk::band_layout::key;
use nearprint_fingerprint::BandShape;
use std::collections::HashMap;

/// Positions of documents under the keys of their bands.
#[derive(Default)]
pub(crate) struct Buckets(HashMap<(usize, u64), Vec<usize>>);

impl Buckets {
    /// Adds the document at a position, greater than those before.
    pub(crate) fn insert(&mut self, sketch: &[u8], position: usize) {
        for band in bands(sketch) {
            self.0.entry((band, key(sketch, band))).or_default().push(position);
        }
    }

    /// The positions of documents that agree with `sketch` in a band, each once, ascending.
    pub(crate) fn agreeing(&self, sketch: &[u8]) -> Vec<usize> {
        let of_band = |band| self.0.get(&(band, key(sketch, band)));
        let mut positions: Vec<_> = bands(sketch).filter_map(of_band).flatten().copied().collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}

fn bands(sketch: &[u8]) -> std::ops::Range<usize> {
    0..sketch.len() / BandShape::KEY_BYTES
}
