//! Where the runs of four tokens of all items stand: a bitmap in front that fits the cache, and sorted lists. Questions
//! and choices of fewer tokens are indexed as a whole where nothing else leads to them.
//!
//! A hash never decides. What two runs share by accident costs an alignment, which compares token by token.

mod stored;

use crate::contamination::items::{Items, Kind};
use crate::contamination::rule::{PLACES, RUN, single};
use crate::passages::rolling::Rolling;

/// Bits of the bitmap to a run, and of all at most.
const BITS_OF_RUN: usize = 32;
const MOST_BITS: usize = 1 << 29;
/// Runs that are sorted at a time.
const TOGETHER: usize = 1 << 22;

/// Runs of tokens of the items.
///
/// Memory: that of [`Runs`].
pub(crate) struct Index {
    /// Those of [`RUN`] tokens, and behind them shorter ones.
    lengths: Vec<Runs>,
}

/// Runs of so many tokens, by their hashes.
///
/// Memory: 8 bytes a run, and 4 bytes of the bitmap, which is 64 MiB at most.
pub(crate) struct Runs {
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
    /// The index of all runs of four tokens; tells the items which of their runs others share, and which begin a
    /// search.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` tokens; 16 bytes a run, of four million at a time, while it is made.
    pub(crate) fn of(items: &mut Items) -> Self {
        let count: usize = all(items).map(|sought| runs_of(items.words(sought).len())).sum();
        let mut runs = Runs::new(RUN, count);
        // The runs of each part have hashes that are less than those of the next.
        let parts = count.div_ceil(TOGETHER).next_power_of_two().max(1);
        let part_bits = parts.trailing_zeros();
        for part in 0..parts as u64 {
            let mut found = runs.of_part(items, part, part_bits);
            found.sort_unstable();
            for group in found.chunk_by(|a, b| a.0 == b.0) {
                let placed = placed(items, group);
                share(items, &placed);
                runs.push(items, group[0].0, placed);
            }
        }
        runs.end();
        Self { lengths: vec![runs] }
    }

    /// Adds what has fewer than four tokens, now that tokens have weights: short questions as a whole, and the parts of
    /// texts of which too little stands in longer runs where marks set their choices apart.
    pub(crate) fn add_short(&mut self, items: &mut Items) {
        let mut found: [Vec<(u64, u32)>; RUN] = Default::default();
        let rolling: [Rolling; RUN] = std::array::from_fn(Rolling::new);
        let (mut tokens, mut hashes) = (Vec::new(), Vec::new());
        for sought in all(items) {
            let is_needed = match items.soughts[sought as usize].kind {
                Kind::Question => items.words(sought).len() < RUN,
                Kind::WithChoices => !items.is_seeded(sought),
                Kind::Context => false,
            };
            for part in is_needed.then(|| items.parts(sought)).into_iter().flatten() {
                if part.len() < RUN {
                    tokens.clear();
                    let words = &items.words(sought)[part.clone()];
                    tokens.extend(words.iter().map(|word| items.vocabulary.hash(*word)));
                    rolling[part.len()].hash(&tokens, &mut hashes);
                    let place = items.first(sought) + crate::numbers::narrow(part.start as u64);
                    found[part.len()].extend(hashes.iter().map(|hash| (*hash, place)));
                }
            }
        }
        for (length, mut found) in found.into_iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            found.sort_unstable();
            let mut runs = Runs::new(length, found.len());
            for group in found.chunk_by(|a, b| a.0 == b.0) {
                runs.push(items, group[0].0, placed(items, group));
            }
            runs.end();
            self.lengths.push(runs);
        }
    }

    /// The runs of each length.
    pub(crate) fn lengths(&self) -> &[Runs] {
        &self.lengths
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.lengths.iter().map(Runs::held_bytes).sum()
    }

    /// Bytes of the index of so many tokens, at most, while it is made.
    pub(crate) fn bytes_of(tokens: usize) -> usize {
        let bitmap = (tokens * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS) / 8;
        tokens * 10 + bitmap + tokens.min(2 * TOGETHER) * 16
    }
}

impl Runs {
    /// No run yet, of so many.
    fn new(tokens: usize, runs: usize) -> Self {
        let to_bucket = 64 - (runs / 4).next_power_of_two().trailing_zeros().clamp(1, 31);
        let bits = (runs * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS);
        Self {
            rolling: Rolling::new(tokens),
            bitmap: vec![0; bits / 64],
            to_bit: 64 - bits.trailing_zeros(),
            to_bucket,
            buckets: vec![0; (1 << (64 - to_bucket)) + 1],
            keys: Vec::with_capacity(runs),
            places: Vec::with_capacity(runs),
        }
    }

    /// The runs whose hashes begin with so many bits, with their places.
    fn of_part(&self, items: &Items, part: u64, bits: u32) -> Vec<(u64, u32)> {
        let (mut tokens, mut hashes, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for sought in all(items) {
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

    /// Adds the places of the run of a hash, which is behind all others: those that begin a search.
    fn push(&mut self, items: &mut Items, hash: u64, placed: Vec<Placed>) {
        let searched = searched(items, placed, self.tokens() == RUN);
        if searched.is_empty() {
            return;
        }
        let bit = hash >> self.to_bit;
        self.bitmap[crate::numbers::index(bit / 64)] |= 1 << (bit % 64);
        for Placed { place, sought, word, is_first } in searched {
            if is_first {
                self.buckets[crate::numbers::index(hash >> self.to_bucket)] += 1;
                self.keys.push(self.key(hash));
                self.places.push(place);
            }
            let (start, end) = (word as usize, word as usize + self.tokens());
            // A run that goes over a choice's mark is not there where one stands.
            if items.parts(sought).any(|part| part.start <= start && end <= part.end) {
                items.seed(place as usize, self.tokens());
            }
        }
    }

    /// Ends with the last run: buckets begin where those before them end.
    fn end(&mut self) {
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

    /// The hash of each run of tokens with these hashes.
    pub(crate) fn hash(&self, tokens: &[u64], into: &mut Vec<u64>) {
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

    fn held_bytes(&self) -> usize {
        self.bitmap.len() * 8 + self.buckets.len() * 4 + self.keys.capacity() * 8
    }
}

/// All texts.
fn all(items: &Items) -> impl Iterator<Item = u32> + use<> {
    0..crate::numbers::narrow(items.soughts.len() as u64)
}

/// Runs of four of so many tokens.
const fn runs_of(tokens: usize) -> usize {
    (tokens + 1).saturating_sub(RUN)
}

/// A place of a run.
#[derive(Clone, Copy)]
struct Placed {
    place: u32,
    sought: u32,
    word: u32,
    /// Whether it begins a search: of equal runs of a text the first may stand for all.
    is_first: bool,
}

/// The places of a run, of which all begin a search.
fn placed(items: &Items, group: &[(u64, u32)]) -> Vec<Placed> {
    let placed = group.iter().map(|(_, place)| {
        let (sought, word) = items.at(*place);
        Placed { place: *place, sought, word, is_first: true }
    });
    placed.collect()
}

/// Tells the items how many owners a run has.
fn share(items: &mut Items, placed: &[Placed]) {
    let mut owners = Vec::new();
    for of_text in placed.chunk_by(|a, b| a.sought == b.sought) {
        items.owners(of_text[0].sought, &mut owners);
    }
    owners.sort_unstable();
    owners.dedup();
    let count = single(f64::from(crate::numbers::narrow(owners.len() as u64)));
    placed.iter().for_each(|Placed { place, .. }| items.share(*place, RUN, count));
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
