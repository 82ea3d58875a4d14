//! Where the runs of four tokens of all items stand, and those of three of texts of few tokens: a bitmap in front that
//! fits the cache, and sorted lists. Questions and choices of fewer tokens are indexed as a whole where nothing else leads
//! to them.
//!
//! A hash never decides. What two runs share by accident costs an alignment, which compares token by token.

mod stored;

use crate::contamination::items::{Items, Kind};
use crate::contamination::rule::{PLACES, RUN, SHORT_RUN, single};
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
        Self { lengths: vec![Runs::of(items, RUN, |_, _| true, |_, _, _| true, &[], share)] }
    }

    /// Adds runs of fewer than four tokens, now that tokens have weights: of texts of few tokens those of three that
    /// have enough of the weight, short questions as a whole, and the parts of texts of which too little stands in
    /// longer runs where marks set their choices apart.
    pub(crate) fn add_short(&mut self, items: &mut Items) {
        let mut whole: [Vec<(u64, u32)>; RUN] = Default::default();
        let rolling: [Rolling; RUN] = std::array::from_fn(Rolling::new);
        let (mut tokens, mut hashes) = (Vec::new(), Vec::new());
        for sought in all(items) {
            let is_needed = match items.soughts[sought as usize].kind {
                Kind::Question => items.words(sought).len() < RUN,
                Kind::WithChoices => !items.is_seeded(sought),
                Kind::Context => false,
            };
            for part in is_needed.then(|| items.parts(sought)).into_iter().flatten() {
                let place = items.first(sought) + crate::numbers::narrow(part.start as u64);
                let is_there = part.len() == SHORT_RUN
                    && items.is_few(sought)
                    && items.is_heavy(sought, part.clone());
                if part.len() < RUN && !is_there {
                    tokens.clear();
                    let words = &items.words(sought)[part.clone()];
                    tokens.extend(words.iter().map(|word| items.vocabulary.hash(*word)));
                    rolling[part.len()].hash(&tokens, &mut hashes);
                    whole[part.len()].extend(hashes.iter().map(|hash| (*hash, place)));
                }
            }
        }
        for (length, whole) in whole.iter().enumerate().skip(1) {
            let has_runs = |items: &Items, sought: u32| length == SHORT_RUN && items.is_few(sought);
            let counts =
                |items: &Items, sought: u32, at: usize| items.is_heavy(sought, at..at + length);
            let runs = Runs::of(items, length, has_runs, counts, whole, |_, _| {});
            if !runs.keys.is_empty() {
                self.lengths.push(runs);
            }
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

    /// Bytes of the index of so many tokens, at most, while it is made; so many are those of texts of few.
    pub(crate) fn bytes_of(tokens: usize, few: usize) -> usize {
        let bitmap =
            |runs: usize| (runs * BITS_OF_RUN).next_power_of_two().clamp(1 << 12, MOST_BITS) / 8;
        (tokens + few) * 10 + bitmap(tokens) + bitmap(few) + tokens.min(2 * TOGETHER) * 16
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

    /// The runs of so many tokens that count, by their first token, of the texts that have some, and others by their
    /// hashes; `each` is told the places of every run.
    fn of(
        items: &mut Items,
        tokens: usize,
        has_runs: impl Fn(&Items, u32) -> bool,
        counts: impl Fn(&Items, u32, usize) -> bool,
        others: &[(u64, u32)],
        each: impl Fn(&mut Items, &[Placed]),
    ) -> Self {
        let of_text = |sought: u32| {
            let runs = (items.words(sought).len() + 1).saturating_sub(tokens);
            (0..runs).filter(|at| counts(items, sought, *at)).count()
        };
        let with_runs = all(items).filter(|sought| has_runs(items, *sought));
        let count = with_runs.map(of_text).sum::<usize>() + others.len();
        let mut runs = Self::new(tokens, count);
        // The runs of each part have hashes that are less than those of the next.
        let parts = count.div_ceil(TOGETHER).next_power_of_two().max(1);
        let bits = parts.trailing_zeros();
        for part in 0..parts as u64 {
            let is_of_part = |hash: u64| bits == 0 || hash >> (64 - bits) == part;
            let of_part = others.iter().copied().filter(|(hash, _)| is_of_part(*hash));
            let mut found: Vec<(u64, u32)> = of_part.collect();
            let (mut hashed, mut hashes) = (Vec::new(), Vec::new());
            for sought in all(items).filter(|sought| has_runs(items, *sought)) {
                hashed.clear();
                hashed.extend(items.words(sought).iter().map(|word| items.vocabulary.hash(*word)));
                runs.rolling.hash(&hashed, &mut hashes);
                let first = items.first(sought);
                for ((at, place), hash) in (0..).zip(first..).zip(&hashes) {
                    if is_of_part(*hash) && counts(items, sought, at) {
                        found.push((*hash, place));
                    }
                }
            }
            found.sort_unstable();
            for group in found.chunk_by(|a, b| a.0 == b.0) {
                let placed = placed(items, group);
                each(items, &placed);
                runs.push(items, group[0].0, placed);
            }
        }
        runs.end();
        runs
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

    /// Adds the runs with these hashes that may be of the items: where each begins, with a number.
    pub(crate) fn candidates(&self, hashes: &[u64], number: u8, into: &mut Vec<(u32, u8)>) {
        // Without a branch, so that many places of the bitmap are on their way at once.
        let mut count = into.len();
        into.resize(count + hashes.len(), (0, 0));
        for (at, hash) in (0..).zip(hashes) {
            into[count] = (at, number);
            count += usize::from(self.may_have(*hash));
        }
        into.truncate(count);
    }

    /// Whether a run of this hash may be one of the items.
    #[inline]
    fn may_have(&self, hash: u64) -> bool {
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
