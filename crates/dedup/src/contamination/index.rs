//! Where the runs of four tokens of all items stand: a bitmap in front that fits the cache, and sorted lists.
//!
//! A hash never decides. What two runs share by accident costs an alignment, which compares token by token.

use crate::contamination::items::Items;
use crate::contamination::rule::{PLACES, RUN, single};
use crate::passages::rolling::Rolling;

/// Bits of the bitmap to a run, and of all at most.
const BITS_OF_RUN: usize = 32;
const MOST_BITS: usize = 1 << 29;
/// Runs that are sorted at a time.
const TOGETHER: usize = 1 << 22;

/// Runs of tokens of the items, by their hashes.
///
/// Memory: 8 bytes a run, and 4 bytes of the bitmap, which is 64 MiB at most.
pub(crate) struct Index {
    rolling: Rolling,
    bitmap: Vec<u64>,
    /// How far a hash is moved to be the number of a bit, and of a bucket.
    to_bit: u32,
    to_bucket: u32,
    /// The first run of each bucket.
    buckets: Vec<u32>,
    /// The bits of the hash of each run behind those of its bucket, ascending within that; and the place of its first
    /// token.
    keys: Vec<u32>,
    places: Vec<u32>,
}

impl Index {
    /// The index of all texts; tells the items which of their runs others share.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` tokens; 16 bytes a run, of four million at a time, while it is made.
    pub(crate) fn of(items: &mut Items) -> Self {
        let rolling = Rolling::new(RUN);
        let runs: usize = (0..items.soughts.len())
            .map(|sought| runs_of(items.words(crate::numbers::narrow(sought as u64)).len()))
            .sum();
        let to_bucket = 64 - (runs / 4).next_power_of_two().trailing_zeros().clamp(1, 31);
        let bits = (runs * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS);
        let to_bit = 64 - bits.trailing_zeros();
        let mut index = Self {
            rolling,
            bitmap: vec![0; bits / 64],
            to_bit,
            to_bucket,
            buckets: vec![0; (1 << (64 - to_bucket)) + 1],
            keys: Vec::with_capacity(runs),
            places: Vec::with_capacity(runs),
        };
        // The runs of each part have hashes that are less than those of the next.
        let parts = runs.div_ceil(TOGETHER).next_power_of_two().max(1);
        let part_bits = parts.trailing_zeros();
        for part in 0..parts as u64 {
            let mut found = index.runs_of_part(items, part, part_bits);
            found.sort_unstable();
            index.push(items, &found);
        }
        let mut before = 0;
        for first in &mut index.buckets {
            before += std::mem::replace(first, before);
        }
        index
    }

    /// The runs whose hashes begin with so many bits, with their places.
    fn runs_of_part(&self, items: &Items, part: u64, bits: u32) -> Vec<(u64, u32)> {
        let (mut tokens, mut hashes, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for sought in 0..crate::numbers::narrow(items.soughts.len() as u64) {
            tokens.clear();
            tokens.extend(items.words(sought).iter().map(|word| items.vocabulary.hash(*word)));
            self.rolling.hash(&tokens, &mut hashes);
            let first = items.first(sought);
            let of_part = (first..).zip(&hashes);
            let of_part = of_part.filter(|(_, hash)| bits == 0 || **hash >> (64 - bits) == part);
            found.extend(of_part.map(|(place, hash)| (*hash, place)));
        }
        found
    }

    /// Adds runs that are sorted and behind all others.
    fn push(&mut self, items: &mut Items, found: &[(u64, u32)]) {
        let mut owners = Vec::new();
        for group in found.chunk_by(|a, b| a.0 == b.0) {
            owners.clear();
            let mut last = None;
            for (_, place) in group {
                let (sought, _) = items.at(*place);
                if last.replace(sought) != Some(sought) {
                    items.owners(sought, &mut owners);
                }
            }
            owners.sort_unstable();
            owners.dedup();
            let count = single(f64::from(crate::numbers::narrow(owners.len() as u64)));
            for (_, place) in group {
                items.share(*place, RUN, count);
            }
            if group.len() > PLACES {
                continue;
            }
            let hash = group[0].0;
            let bit = hash >> self.to_bit;
            self.bitmap[crate::numbers::index(bit / 64)] |= 1 << (bit % 64);
            self.buckets[crate::numbers::index(hash >> self.to_bucket)] +=
                crate::numbers::narrow(group.len() as u64);
            for (hash, place) in group {
                self.keys.push(self.key(*hash));
                self.places.push(*place);
            }
        }
    }

    /// The hash of each run of tokens with these hashes.
    pub(crate) fn runs(&self, tokens: &[u64], into: &mut Vec<u64>) {
        self.rolling.hash(tokens, into);
    }

    /// The bits of a hash behind those of its bucket.
    const fn key(&self, hash: u64) -> u32 {
        ((hash << (64 - self.to_bucket)) >> 32) as u32
    }

    /// Whether a run of this hash may be one of the items.
    #[inline]
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let bit = hash >> self.to_bit;
        self.bitmap[crate::numbers::index(bit / 64)] >> (bit % 64) & 1 == 1
    }

    /// The places of the runs of this hash, each that of its first token among all.
    pub(crate) fn places(&self, hash: u64) -> &[u32] {
        let bucket = crate::numbers::index(hash >> self.to_bucket);
        let (from, to) = (self.buckets[bucket] as usize, self.buckets[bucket + 1] as usize);
        let (keys, key) = (&self.keys[from..to], self.key(hash));
        let start = keys.partition_point(|other| *other < key);
        let count = keys[start..].iter().take_while(|other| **other == key).count();
        &self.places[from + start..from + start + count]
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bitmap.len() * 8 + self.buckets.len() * 4 + self.keys.capacity() * 8
    }

    /// Bytes of the index of so many tokens, at most, while it is made.
    pub(crate) fn bytes_of(tokens: usize) -> usize {
        let bitmap = (tokens * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS) / 8;
        tokens * 10 + bitmap + tokens.min(2 * TOGETHER) * 16
    }
}

/// Runs of so many tokens.
const fn runs_of(tokens: usize) -> usize {
    (tokens + 1).saturating_sub(RUN)
}
