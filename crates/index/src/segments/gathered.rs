//! The entries of a segment to be, gone through once: held, or counted by slice where they are too many.

use crate::segments::layout::TableLayout;
use crate::segments::segment::key;
use crate::top::top;
use nearprint_bits::Fingerprint;
use rayon::prelude::*;

/// Leading bits of a key. They cut a table into slices that are sorted one at a time.
pub(crate) const SLICE_BITS: u32 = 16;
/// Entries that are counted together.
const COUNTED: usize = 1 << 16;

/// What a first going through all entries leaves.
#[derive(Debug)]
pub(crate) struct Gathered<'a, const WORDS: usize> {
    layouts: &'a [TableLayout],
    /// Entries that are held at most.
    most: usize,
    /// All of them, or those not yet counted.
    pub(crate) codes: Vec<Fingerprint<WORDS>>,
    pub(crate) docs: Vec<u64>,
    /// Entries in each slice of each table; none while all entries are held.
    pub(crate) histograms: Vec<Vec<u64>>,
    pub(crate) documents: u64,
    /// The greatest id.
    pub(crate) greatest: u64,
}

impl<'a, const WORDS: usize> Gathered<'a, WORDS> {
    /// No entries yet, and at most `most` to hold.
    pub(crate) fn new(layouts: &'a [TableLayout], most: usize) -> Self {
        let (codes, docs, histograms) = (Vec::new(), Vec::new(), Vec::new());
        Self { layouts, most, codes, docs, histograms, documents: 0, greatest: 0 }
    }

    /// Whether all entries are held.
    pub(crate) fn is_held(&self) -> bool {
        self.histograms.is_empty()
    }

    /// Takes in some entries.
    pub(crate) fn push(&mut self, codes: &[Fingerprint<WORDS>], docs: &[u64]) {
        self.documents += codes.len() as u64;
        self.greatest = docs.iter().fold(self.greatest, |greatest, doc| greatest.max(*doc));
        if self.is_held() && self.codes.len() + codes.len() > self.most {
            self.histograms = vec![vec![0; 1 << SLICE_BITS]; self.layouts.len()];
            self.docs = Vec::new();
            self.count();
            self.codes = Vec::new();
        }
        self.codes.extend_from_slice(codes);
        if self.is_held() {
            self.docs.extend_from_slice(docs);
        } else if self.codes.len() >= COUNTED {
            self.count();
        }
    }

    /// Counts what is left to count.
    pub(crate) fn finish(mut self) -> Self {
        if !self.is_held() {
            self.count();
        }
        self
    }

    fn count(&mut self) {
        let codes = &self.codes;
        self.layouts.par_iter().zip(&mut self.histograms).for_each(|(layout, histogram)| {
            for code in codes {
                if let Some(count) = histogram.get_mut(slice(&key(layout, code))) {
                    *count += 1;
                }
            }
        });
        self.codes.clear();
    }
}

/// The slice of a key.
pub(crate) fn slice<const WORDS: usize>(key: &[u64; WORDS]) -> usize {
    (top(key) >> (64 - SLICE_BITS)) as usize
}
