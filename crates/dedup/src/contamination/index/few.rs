//! Runs of three tokens: all that may begin a search, whatever the corpus, and those of them that one chooses by what
//! tokens weigh there. They are sorted and stored once; a corpus takes one pass over the texts, and one over the runs.

use crate::contamination::index::runs::Runs;
use crate::contamination::items::{Items, Kind};
use crate::contamination::rule::{PLACES, RUN, SHORT_RUN};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts of the runs that threads go over.
const PARTS: u32 = 64;
/// Texts that a thread takes at a time.
const TEXTS: usize = 1 << 12;

/// The runs of three tokens that may begin a search: those of texts of few tokens, and texts and parts that have three.
///
/// Memory: that of [`Runs`], without a bitmap.
pub(super) struct Few(pub(super) Runs);

/// A bit for each word of the items.
struct Bits(Vec<AtomicU64>);

/// The runs that a corpus chooses, by their first words.
struct Chosen {
    all: Bits,
    /// Of these, the ones within a part of their text, which is there where marks set choices apart.
    whole: Bits,
    /// Of these, the ones of questions with their choices.
    with_choices: Bits,
}

/// Runs of a range of buckets.
struct Part<'a> {
    /// Where each bucket begins among all runs, and where the last ends.
    buckets: &'a [u32],
    keys: &'a mut [u32],
    places: &'a mut [u32],
}

impl Few {
    pub(super) fn of(items: &mut Items) -> Self {
        let mut runs = Runs::new(SHORT_RUN, Runs::count(items, starts));
        Runs::each(items, SHORT_RUN, starts, |_, group| {
            group.iter().for_each(|(hash, place)| runs.add(*hash, *place));
        });
        runs.end();
        Self(runs)
    }

    /// The runs that begin a search, now that tokens have weights; tells the items which words are in one.
    ///
    /// # Complexity
    /// Linear in the words of the items; three bits a word beside the runs.
    pub(super) fn chosen(self, items: &mut Items) -> Runs {
        let Self(mut runs) = self;
        let chosen = Chosen::of(items);
        let buckets = runs.buckets.len() - 1;
        let each = buckets / buckets.min(1 << PARTS.ilog2());
        let mut counts = vec![0; buckets + 1];
        let mut parts = Vec::new();
        let (mut keys, mut places) = (runs.keys.as_mut_slice(), runs.places.as_mut_slice());
        for first in (0..buckets).step_by(each) {
            let of_part = &runs.buckets[first..=first + each];
            let length = (of_part[each] - of_part[0]) as usize;
            let (keys_of_part, rest_of_keys) = keys.split_at_mut(length);
            let (places_of_part, rest_of_places) = places.split_at_mut(length);
            (keys, places) = (rest_of_keys, rest_of_places);
            parts.push(Part { buckets: of_part, keys: keys_of_part, places: places_of_part });
        }
        let of_parts = counts[..buckets].par_chunks_mut(each).zip(parts);
        let kept: Vec<(usize, usize)> = of_parts
            .map(|(counts, mut part)| (part.buckets[0] as usize, part.choose(&chosen, counts)))
            .collect();
        let mut end = 0;
        for (from, count) in kept {
            runs.keys.copy_within(from..from + count, end);
            runs.places.copy_within(from..from + count, end);
            end += count;
        }
        runs.keys.truncate(end);
        runs.places.truncate(end);
        runs.buckets = counts;
        runs.end();
        runs.set_bitmap();
        chosen.seed(items);
        runs
    }
}

/// The places of a text at which a run may begin a search.
fn starts(items: &Items, sought: u32, into: &mut Vec<usize>) {
    let length = items.words(sought).len();
    let has_parts = match items.soughts[sought as usize].kind {
        Kind::Question => length < RUN,
        Kind::WithChoices => true,
        Kind::Context => false,
    };
    if items.is_few(sought) {
        into.extend(0..=length - SHORT_RUN);
    } else if has_parts {
        let parts = items.parts(sought).filter(|part| part.len() == SHORT_RUN);
        into.extend(parts.map(|part| part.start));
    }
}

impl Bits {
    fn of(words: usize) -> Self {
        Self((0..words.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn has(&self, place: u32) -> bool {
        let (word, bit) = (place as usize / 64, place % 64);
        self.0[word].load(Ordering::Relaxed) >> bit & 1 == 1
    }

    fn set(&self, place: u32) {
        self.0[place as usize / 64].fetch_or(1 << (place % 64), Ordering::Relaxed);
    }

    fn clear(&self, place: u32) {
        self.0[place as usize / 64].fetch_and(!(1 << (place % 64)), Ordering::Relaxed);
    }
}

impl Chosen {
    /// The runs that have enough of the weight of a text of few tokens, and texts and parts that nothing else leads to.
    fn of(items: &Items) -> Self {
        let words = items.all_words();
        let chosen =
            Self { all: Bits::of(words), whole: Bits::of(words), with_choices: Bits::of(words) };
        let texts = 0..crate::numbers::narrow(items.soughts.len() as u64);
        texts.into_par_iter().with_min_len(TEXTS).for_each(|sought| {
            let heavy = 0..(items.words(sought).len() + 1).saturating_sub(SHORT_RUN);
            let heavy = heavy.filter(|at| items.is_heavy(sought, *at..*at + SHORT_RUN));
            let heavy = Some(heavy).filter(|_| items.is_few(sought)).into_iter().flatten();
            let has_parts = items.needs_parts(sought);
            let parts = has_parts.then(|| items.parts(sought)).into_iter().flatten();
            let parts = parts.filter(|part| part.len() == SHORT_RUN).map(|part| part.start);
            let with_choices = items.soughts[sought as usize].kind == Kind::WithChoices;
            for at in heavy.chain(parts) {
                let place = items.first(sought) + crate::numbers::narrow(at as u64);
                chosen.all.set(place);
                if with_choices {
                    chosen.with_choices.set(place);
                }
                if !with_choices || is_within_part(items, sought, at..at + SHORT_RUN) {
                    chosen.whole.set(place);
                }
            }
        });
        chosen
    }

    /// Of the places of one run those that begin a search: of too many those of questions with their choices do not
    /// count, as the question is found alone.
    fn searched(&self, place: u32, is_usual: bool) -> bool {
        self.all.has(place) && !(is_usual && self.with_choices.has(place))
    }

    /// Tells the items which words are in a run that begins a search.
    fn seed(self, items: &mut Items) {
        let mut before = 0;
        for (at, bits) in self.whole.0.into_iter().enumerate() {
            let bits = bits.into_inner();
            let shifted = |by: usize| bits << by | before >> (64 - by);
            items.seed_all(at, (1..SHORT_RUN).fold(bits, |all, by| all | shifted(by)));
            before = bits;
        }
    }
}

/// Whether some tokens of a text are within its question or one of its choices.
fn is_within_part(items: &Items, sought: u32, run: Range<usize>) -> bool {
    items.parts(sought).any(|part| part.start <= run.start && run.end <= part.end)
}

impl Part<'_> {
    /// Puts the runs that begin a search to the front, and says how many there are, of each bucket too.
    fn choose(&mut self, chosen: &Chosen, counts: &mut [u32]) -> usize {
        let base = self.buckets[0];
        let mut kept = 0;
        for (bucket, count) in self.buckets.windows(2).zip(counts) {
            let (mut at, end) = ((bucket[0] - base) as usize, (bucket[1] - base) as usize);
            let before = kept;
            while at < end {
                let key = self.keys[at];
                let equal = self.keys[at..end].iter().take_while(|other| **other == key).count();
                kept = self.keep(chosen, at..at + equal, kept);
                at += equal;
            }
            *count = crate::numbers::narrow((kept - before) as u64);
        }
        kept
    }

    /// Puts those of the places of a run that begin a search behind the ones that were kept, and says how many these
    /// are then.
    fn keep(&mut self, chosen: &Chosen, run: Range<usize>, mut kept: usize) -> usize {
        let key = self.keys[run.start];
        let places = &self.places[run.clone()];
        let count = |usual| places.iter().filter(|it| chosen.searched(**it, usual)).count();
        let is_usual = run.len() > PLACES && count(false) > PLACES;
        let is_lost = is_usual && count(true) > PLACES;
        for at in run {
            let place = self.places[at];
            if !is_lost && chosen.searched(place, is_usual) {
                (self.keys[kept], self.places[kept]) = (key, place);
                kept += 1;
            } else if is_usual {
                chosen.whole.clear(place);
            }
        }
        kept
    }
}

impl Runs {
    /// Makes the bitmap of the runs that there are.
    fn set_bitmap(&mut self) {
        let bits = Self::bits_of(self.keys.len());
        self.to_bit = 64 - bits.trailing_zeros();
        self.bitmap = Self::bitmap_of(self.keys.len());
        let buckets = self.buckets.len() - 1;
        let parts = buckets.min(self.bitmap.len()).min(1 << PARTS.ilog2());
        let (of_bitmap, of_buckets) = (self.bitmap.len() / parts, buckets / parts);
        let (to_bit, to_bucket) = (self.to_bit, self.to_bucket);
        let (keys, all) = (&self.keys, &self.buckets);
        // The runs of a part of the buckets have their bits in the same part of the bitmap.
        self.bitmap.par_chunks_mut(of_bitmap).enumerate().for_each(|(part, words)| {
            for bucket in part * of_buckets..(part + 1) * of_buckets {
                for key in &keys[all[bucket] as usize..all[bucket + 1] as usize] {
                    let head = (bucket as u64) << to_bucket;
                    let hash = head | u64::from(*key) << 32 >> (64 - to_bucket);
                    let bit = hash >> to_bit;
                    let word = crate::numbers::index(bit / 64) - part * of_bitmap;
                    words[word] |= 1 << (bit % 64);
                }
            }
        });
    }
}
