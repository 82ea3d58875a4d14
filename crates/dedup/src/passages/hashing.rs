//! Hashes of windows, and which of them different windows share.

use crate::passages::rolling::{Anchors, Rolling};
use crate::passages::stretches::{Anchor, COUNT_BITS};
use crate::passages::units::Units;
use foldhash::HashSet;
use nearprint_fingerprint::mix64;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How windows of a job are hashed.
#[derive(Clone, Debug)]
pub(crate) struct Hashing {
    pub(crate) length: usize,
    pub(crate) anchors: Anchors,
    windows: Rolling,
    /// Bits of a hash that count: all but in tests.
    mask: u64,
    /// Hashes that windows share which are not equal: such windows are told apart by a hash of their text.
    shared: HashSet<u64>,
    /// How often that had to be done.
    round: u64,
}

impl Hashing {
    /// Of windows of so many units; so many bits of a hash count.
    pub(crate) fn new(length: usize, mask: u64) -> Self {
        let (anchors, windows) = (Anchors::of(length), Rolling::new(length));
        Self { length, anchors, windows, mask, shared: HashSet::default(), round: 0 }
    }

    /// Whether the stretches of an anchor are taken to have the same windows: until windows turned out to share a hash
    /// that are not equal.
    pub(crate) const fn trusts(&self, anchor: Anchor) -> bool {
        anchor.is_same && self.round == 0
    }

    /// Hands the stretches of a document, whose runs have these hashes, to `emit`: the first window of each, the hash of
    /// its anchor, and that of its windows with their number.
    ///
    /// # Complexity
    /// As [`Anchors::each`]; three or four hashes more for each stretch.
    pub(crate) fn stretches(&self, runs: &[u64], mut emit: impl FnMut(usize, [u64; 2])) {
        self.anchors.each(runs, |windows, anchor| {
            let first = windows.start;
            emit(first, [runs[anchor] & self.mask, self.of_windows(windows, runs)]);
        });
    }

    /// The hash of all that windows one after the other say, and below it their number.
    fn of_windows(&self, windows: Range<usize>, runs: &[u64]) -> u64 {
        let last = windows.end - 1 + self.length - self.anchors.rolling.units;
        let before = (windows.start..last).step_by(self.anchors.rolling.units);
        let hash = before.fold(runs[last], |hash, at| mix64(hash.rotate_left(1) ^ runs[at]));
        (hash & self.mask) << COUNT_BITS | windows.len() as u64
    }

    /// Puts the hash of each window, by its first unit, of the hashes of units into `into`.
    pub(crate) fn windows(&self, units: &[u64], into: &mut Vec<u64>) {
        self.windows.hash(units, into);
        if self.mask != u64::MAX {
            into.iter_mut().for_each(|hash| *hash &= self.mask);
        }
    }

    /// Whether windows share a hash that are not equal.
    pub(crate) fn is_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// Puts a hash of its text in the place of the hash of each window that others share which are not equal.
    pub(crate) fn tell_apart(&self, units: &Units<'_>, windows: &mut [u64], scratch: &mut Vec<u8>) {
        for (at, hash) in windows.iter_mut().enumerate() {
            if self.shared.contains(hash) {
                scratch.clear();
                units.push_text(at..at + self.length, scratch);
                *hash = xxh3_64_with_seed(scratch, self.round);
            }
        }
    }

    /// The same but for windows of these hashes.
    pub(crate) fn beside(mut self, shared: impl Iterator<Item = u64>) -> Self {
        self.shared.extend(shared);
        self.round += 1;
        self
    }
}
