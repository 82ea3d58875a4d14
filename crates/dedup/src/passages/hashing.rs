//! Hashes of windows, and which of them different windows share.

use crate::passages::rolling::{Anchors, Rolling};
use crate::passages::units::Units;
use foldhash::HashSet;
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

    /// Puts the hash of each window, by its first unit, into `into`.
    pub(crate) fn windows(&self, units: &Units<'_>, into: &mut Vec<u64>) {
        self.windows.hash(units.hashes(), into);
        if self.mask != u64::MAX {
            into.iter_mut().for_each(|hash| *hash &= self.mask);
        }
    }

    /// The hash that a window of a document is grouped by, whose first hash is known.
    pub(crate) fn of_window(
        &self,
        hash: u64,
        at: usize,
        units: &Units<'_>,
        scratch: &mut Vec<u8>,
    ) -> u64 {
        if self.shared.is_empty() || !self.shared.contains(&hash) {
            return hash;
        }
        scratch.clear();
        units.push_text(at..at + self.length, scratch);
        xxh3_64_with_seed(scratch, self.round)
    }

    /// The same but for windows of these hashes.
    pub(crate) fn beside(mut self, shared: impl Iterator<Item = u64>) -> Self {
        self.shared.extend(shared);
        self.round += 1;
        self
    }
}
