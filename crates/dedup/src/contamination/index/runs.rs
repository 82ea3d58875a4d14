//! Runs of so many tokens of the items, sorted by their hashes, behind a bitmap of those that there are.

use crate::contamination::items::{Items, Kind};
use crate::contamination::rule::{PLACES, RUN};
use crate::passages::rolling::Rolling;

/// Bits of the bitmap to a run, and of all at most.
const BITS_OF_RUN: usize = 32;
const MOST_BITS: usize = 1 << 29;
/// Runs that are sorted at a time.
pub(super) const TOGETHER: usize = 1 << 22;

/// Runs of so many tokens, by their hashes.
///
/// Memory: 8 bytes a run, and 4 bytes of the bitmap, which is 64 MiB at most.
pub(crate) struct Runs {
    pub(super) rolling: Rolling,
    pub(super) bitmap: Vec<u64>,
    /// How far a hash is moved to be the number of a bit, and of a bucket.
    pub(super) to_bit: u32,
    pub(super) to_bucket: u32,
    /// The first run of each bucket.
    pub(super) buckets: Vec<u32>,
    /// The bits of the hash of each run behind those of its bucket, ascending within that; and the place of its first
    /// token.
    pub(super) keys: Vec<u32>,
    pub(super) places: Vec<u32>,
}

impl Runs {
    /// No run yet, of so many, and no bitmap of them.
    pub(super) fn new(tokens: usize, runs: usize) -> Self {
        let to_bucket = 64 - (runs / 4).next_power_of_two().trailing_zeros().clamp(1, 31);
        Self {
            rolling: Rolling::new(tokens),
            bitmap: Vec::new(),
            to_bit: 64 - Self::bits_of(runs).trailing_zeros(),
            to_bucket,
            buckets: vec![0; (1 << (64 - to_bucket)) + 1],
            keys: Vec::with_capacity(runs),
            places: Vec::with_capacity(runs),
        }
    }

    /// Bits of the bitmap of so many runs.
    pub(super) fn bits_of(runs: usize) -> usize {
        (runs * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS)
    }

    /// A bitmap of so many runs, without a bit set.
    pub(super) fn bitmap_of(runs: usize) -> Vec<u64> {
        vec![0; Self::bits_of(runs) / 64]
    }

    /// How many runs begin at these places of texts.
    pub(super) fn count(items: &Items, starts: impl Fn(&Items, u32, &mut Vec<usize>)) -> usize {
        let (mut count, mut of_text) = (0, Vec::new());
        for sought in all(items) {
            of_text.clear();
            starts(items, sought, &mut of_text);
            count += of_text.len();
        }
        count
    }

    /// Hands over the runs of so many tokens that begin at these places of texts, ascending by their hashes: the places
    /// of each among all words.
    pub(super) fn each(
        items: &mut Items,
        tokens: usize,
        starts: impl Fn(&Items, u32, &mut Vec<usize>),
        mut take: impl FnMut(&mut Items, &[(u64, u32)]),
    ) {
        let rolling = Rolling::new(tokens);
        // The runs of each part have hashes that are less than those of the next.
        let parts = Self::count(items, &starts).div_ceil(TOGETHER).next_power_of_two().max(1);
        let bits = parts.trailing_zeros();
        let (mut hashed, mut hashes, mut of_text) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..parts as u64 {
            let is_of_part = |hash: u64| bits == 0 || hash >> (64 - bits) == part;
            let mut found: Vec<(u64, u32)> = Vec::new();
            for sought in all(items) {
                of_text.clear();
                starts(items, sought, &mut of_text);
                if of_text.is_empty() {
                    continue;
                }
                hashed.clear();
                hashed.extend(items.words(sought).iter().map(|word| items.vocabulary.hash(*word)));
                rolling.hash(&hashed, &mut hashes);
                let first = items.first(sought);
                let runs = of_text
                    .iter()
                    .map(|at| (hashes[*at], first + crate::numbers::narrow(*at as u64)));
                found.extend(runs.filter(|(hash, _)| is_of_part(*hash)));
            }
            found.sort_unstable();
            for group in found.chunk_by(|a, b| a.0 == b.0) {
                take(items, group);
            }
        }
    }

    /// Adds the places of the run of a hash, which is behind all others: those that begin a search.
    pub(super) fn push(&mut self, items: &mut Items, hash: u64, placed: Vec<Placed>) {
        let searched = searched(items, placed, self.tokens() == RUN);
        if searched.is_empty() {
            return;
        }
        let bit = hash >> self.to_bit;
        self.bitmap[crate::numbers::index(bit / 64)] |= 1 << (bit % 64);
        for Placed { place, sought, word, is_first } in searched {
            if is_first {
                self.add(hash, place);
            }
            let (start, end) = (word as usize, word as usize + self.tokens());
            // A run that goes over a choice's mark is not there where one stands.
            if items.parts(sought).any(|part| part.start <= start && end <= part.end) {
                items.seed(place as usize, self.tokens());
            }
        }
    }

    /// Adds a run at a place, which is behind all others.
    pub(super) fn add(&mut self, hash: u64, place: u32) {
        self.buckets[crate::numbers::index(hash >> self.to_bucket)] += 1;
        self.keys.push(self.key(hash));
        self.places.push(place);
    }

    /// Ends with the last run: buckets begin where those before them end.
    pub(super) fn end(&mut self) {
        let mut before = 0;
        for first in &mut self.buckets {
            before += std::mem::replace(first, before);
        }
        self.keys.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Tokens of a run.
    pub(crate) const fn tokens(&self) -> usize {
        self.rolling.units
    }

    /// The bits of a hash behind those of its bucket.
    pub(super) const fn key(&self, hash: u64) -> u32 {
        ((hash << (64 - self.to_bucket)) >> 32) as u32
    }

    /// Whether a run of this hash may be one of the items.
    #[inline]
    pub(super) fn may_have(&self, hash: u64) -> bool {
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

    pub(super) fn held_bytes(&self) -> usize {
        self.bitmap.len() * 8 + self.buckets.len() * 4 + self.keys.capacity() * 8
    }
}

/// All texts.
pub(super) fn all(items: &Items) -> impl Iterator<Item = u32> + use<> {
    0..crate::numbers::narrow(items.soughts.len() as u64)
}

/// A place of a run.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) place: u32,
    pub(super) sought: u32,
    word: u32,
    /// Whether it begins a search: of equal runs of a text the first may stand for all.
    is_first: bool,
}

/// The places of a run, of which all begin a search.
pub(super) fn placed(items: &Items, group: &[(u64, u32)]) -> Vec<Placed> {
    let placed = group.iter().map(|(_, place)| {
        let (sought, word) = items.at(*place);
        Placed { place: *place, sought, word, is_first: true }
    });
    placed.collect()
}

/// The places of a run by which texts are found. Where there are too many, those of questions with their choices do not
/// count, as the question is found alone; and of a run of a whole length the first of each text begins a search.
fn searched(items: &mut Items, mut placed: Vec<Placed>, is_run: bool) -> Vec<Placed> {
    if placed.len() <= PLACES {
        return placed;
    }
    let count = |placed: &[Placed]| match is_run {
        true => placed.chunk_by(|a, b| a.sought == b.sought).count(),
        false => placed.len(),
    };
    if count(&placed) > PLACES {
        placed.retain(|it| items.soughts[it.sought as usize].kind != Kind::WithChoices);
    }
    if count(&placed) > PLACES {
        return Vec::new();
    }
    for of_text in placed.chunk_by_mut(|a, b| is_run && a.sought == b.sought) {
        if let [_, rest @ ..] = of_text
            && !rest.is_empty()
        {
            items.soughts[rest[0].sought as usize].repeats = true;
            rest.iter_mut().for_each(|it| it.is_first = false);
        }
    }
    placed
}
