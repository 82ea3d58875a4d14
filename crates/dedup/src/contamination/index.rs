//! Where the runs of four tokens of all items stand, and those of three of texts of few tokens: bitmaps in front that
//! fit the cache, and sorted lists. Questions and choices of fewer tokens are indexed as a whole where nothing else leads
//! to them.
//!
//! A hash never decides. What two runs share by accident costs an alignment, which compares token by token.

mod candidates;
mod few;
mod pairs;
mod runs;
mod stored;

pub(crate) use crate::contamination::index::candidates::Candidate;
use crate::contamination::index::few::Few;
use crate::contamination::index::pairs::Pairs;
use crate::contamination::index::runs::{Placed, Runs, TOGETHER, all, placed};
use crate::contamination::items::Items;
use crate::contamination::rule::{RUN, SHORT_RUN, single};
use crate::passages::rolling::Rolling;

/// Runs of tokens of the items.
///
/// Memory: that of [`Runs`] and [`Pairs`].
pub(crate) struct Index {
    /// Those of [`RUN`] tokens, and behind them shorter ones.
    lengths: Vec<Runs>,
    /// Those of three tokens that a corpus chooses from.
    few: Option<Few>,
    /// Two tokens in a row, of all texts; any two before short runs are added.
    pairs: Pairs,
}

impl Index {
    /// The index of all runs of four tokens; tells the items which of their runs others share, and which begin a
    /// search. And the runs of three that may begin one, as tokens weigh.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` tokens; 16 bytes a run, of four million at a time, while it is made.
    pub(crate) fn of(items: &mut Items) -> Self {
        let starts = |items: &Items, sought: u32, into: &mut Vec<usize>| {
            into.extend(0..(items.words(sought).len() + 1).saturating_sub(RUN));
        };
        let count = Runs::count(items, starts);
        let mut runs = Runs::new(RUN, count);
        runs.bitmap = Runs::bitmap_of(count);
        Runs::each(items, RUN, starts, |items, group| {
            let placed = placed(items, group);
            share(items, &placed);
            runs.push(items, group[0].0, placed);
        });
        runs.end();
        Self { lengths: vec![runs], few: Some(Few::of(items)), pairs: Pairs::default() }
    }

    /// Adds runs of fewer than four tokens, now that tokens have weights: of texts of few tokens those of three that
    /// have enough of the weight, short questions as a whole, and the parts of texts of which too little stands in
    /// longer runs where marks set their choices apart.
    pub(crate) fn add_short(&mut self, items: &mut Items) {
        let mut whole: [Vec<(u64, u32)>; SHORT_RUN] = Default::default();
        let rolling: [Rolling; SHORT_RUN] = std::array::from_fn(Rolling::new);
        let (mut tokens, mut hashes) = (Vec::new(), Vec::new());
        for sought in all(items).filter(|sought| items.needs_parts(*sought)) {
            for part in items.parts(sought).filter(|part| part.len() < SHORT_RUN) {
                let place = items.first(sought) + crate::numbers::narrow(part.start as u64);
                tokens.clear();
                let words = &items.words(sought)[part.clone()];
                tokens.extend(words.iter().map(|word| items.vocabulary.hash(*word)));
                rolling[part.len()].hash(&tokens, &mut hashes);
                whole[part.len()].extend(hashes.iter().map(|hash| (*hash, place)));
            }
        }
        // Chosen by what runs of four tokens cover, before others cover more.
        let of_three = self.few.take().map(|few| few.chosen(items));
        for (length, whole) in whole.iter_mut().enumerate().skip(1) {
            let mut runs = Runs::new(length, whole.len());
            runs.bitmap = Runs::bitmap_of(whole.len());
            whole.sort_unstable();
            for group in whole.chunk_by(|a, b| a.0 == b.0) {
                let placed = placed(items, group);
                runs.push(items, group[0].0, placed);
            }
            runs.end();
            self.lengths.extend(Some(runs).filter(|runs| !runs.keys.is_empty()));
        }
        self.lengths.extend(of_three.filter(|runs| !runs.keys.is_empty()));
        self.pairs = Pairs::of(items);
    }

    /// Replaces `into` by the runs of tokens with these hashes that may be of the items, by their first tokens.
    ///
    /// # Complexity
    /// Linear in the tokens.
    pub(crate) fn candidates(&self, tokens: &[u64], into: &mut Vec<Candidate>) {
        candidates::find(&self.lengths, &self.pairs, tokens, into);
    }

    /// Tokens of a run, and the places of its text among those of all items; none where it only has a bit of one.
    pub(crate) fn places(&self, candidate: Candidate) -> (usize, &[u32]) {
        let runs = &self.lengths[usize::from(candidate.length)];
        (runs.tokens(), runs.places(candidate.hash))
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.lengths.iter().map(Runs::held_bytes).sum::<usize>() + self.pairs.held_bytes()
    }

    /// Bytes of the index of so many tokens, at most, while it is made; so many are those of texts of few.
    pub(crate) fn bytes_of(tokens: usize, few: usize) -> usize {
        let bitmap = |runs: usize| Runs::bits_of(runs) / 8;
        // Words that a corpus chooses have some bits each.
        (tokens + few) * 10
            + tokens / 2
            + bitmap(tokens)
            + bitmap(few)
            + Pairs::bytes_of(tokens)
            + tokens.min(2 * TOGETHER) * 16
    }
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
