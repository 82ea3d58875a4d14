//! Which texts of the items stand in a document: places with runs of theirs, each aligned.

use crate::contamination::alignment::{Aligned, Aligner, Text};
use crate::contamination::index::{Candidate, Index};
use crate::contamination::items::Items;
use crate::contamination::rule::{
    ContaminationRule, Evidence, LONGEST, PART_RUN, PART_SHARE, RUN, SEEDED,
};
use crate::contamination::taken::Taken;
use crate::contamination::vocabulary::OTHER;
use foldhash::{HashSet, HashSetExt};
use std::ops::Range;

/// Runs of a document that wait to be looked at: a document of one run a million times has many.
const WAITING: usize = 1 << 20;

/// A text of the items at a place of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) sought: u32,
    pub(crate) evidence: Evidence,
    /// Tokens of the document.
    pub(crate) tokens: Range<usize>,
    /// Those of them that go where the place is cut.
    pub(crate) cut: Range<usize>,
}

/// A run of a text in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    sought: u32,
    /// The first token in the document.
    at: u32,
    /// The first token in the text.
    word: u32,
    /// Tokens of it.
    tokens: u32,
}

/// Looks for the items in documents, for one thread.
pub(crate) struct Finder<'a> {
    items: &'a Items,
    index: &'a Index,
    /// Whether all places of a text are asked for that is shorter than a run, or the first of a document.
    every: bool,
    aligner: Aligner,
    /// Runs of a document that may be of the items.
    candidates: Vec<Candidate>,
    /// Texts that are shorter than a run, of which a place was found.
    short: HashSet<u32>,
    hits: Vec<Hit>,
    covered: Vec<bool>,
    stood_for: HashSet<u32>,
    diagonals: Vec<(i64, u32)>,
    numbers: Vec<u32>,
    /// How many runs wait at most.
    waiting: usize,
    /// Places that were aligned.
    pub(crate) aligned: u64,
}

impl<'a> Finder<'a> {
    /// Finds the places of all texts; of those that are shorter than a run `every` place, or the first of a document.
    pub(crate) fn new(items: &'a Items, index: &'a Index, every: bool) -> Self {
        Self {
            items,
            index,
            every,
            aligner: Aligner::default(),
            candidates: Vec::new(),
            short: HashSet::new(),
            hits: Vec::new(),
            covered: Vec::new(),
            stood_for: HashSet::new(),
            diagonals: Vec::new(),
            numbers: Vec::new(),
            waiting: WAITING,
            aligned: 0,
        }
    }

    /// What stands in a document whose tokens have these hashes, by texts and places. Places of one text do not overlap:
    /// of those that do the one stays that has more of it.
    ///
    /// # Complexity
    /// Linear in the tokens, and an alignment for each place with enough runs of a text.
    pub(crate) fn find(&mut self, tokens: &[u64]) -> Vec<Found> {
        let mut found = Vec::new();
        self.hits.clear();
        self.short.clear();
        let mut candidates = std::mem::take(&mut self.candidates);
        self.index.candidates(tokens, &mut candidates);
        for of_token in candidates.chunk_by(|a, b| a.at == b.at) {
            let (before, at) = (self.hits.len(), of_token[0].at);
            for candidate in of_token {
                let (run, places) = self.index.places(*candidate);
                for place in places {
                    let (sought, word) = self.items.at(*place);
                    if self.items.decides(sought) {
                        let tokens = crate::numbers::narrow(run as u64);
                        self.hits.push(Hit { sought, at, word, tokens });
                    } else {
                        found.extend(self.short(sought, at as usize, tokens));
                    }
                }
            }
            if self.hits.len() >= self.waiting.max(before + 1) {
                self.look(tokens, &mut found);
                // What goes on behind here has its runs once more.
                let reach = crate::numbers::narrow(reach(LONGEST) as u64);
                self.hits.retain(|hit| hit.at + reach > at);
            }
        }
        self.candidates = candidates;
        self.look(tokens, &mut found);
        best(found)
    }

    /// A text that is shorter than a run, at a place with its hash.
    fn short(&mut self, sought: u32, at: usize, tokens: &[u64]) -> Option<Found> {
        let words = self.items.words(sought);
        let place = at..at + words.len();
        let hashes = words.iter().map(|word| self.items.vocabulary.hash(*word));
        if !tokens[place.clone()].iter().copied().eq(hashes) {
            return None;
        }
        let is_first = self.short.insert(sought);
        let bits = self.items.soughts[sought as usize].bits;
        let run = words.len();
        let evidence = Evidence { share: 1.0, bits, covered: 1.0, dense: 1.0, run, run_bits: bits };
        let cut = place.clone();
        (is_first || self.every).then_some(Found { sought, evidence, tokens: place, cut })
    }

    /// Looks at all places that wait.
    fn look(&mut self, tokens: &[u64], found: &mut Vec<Found>) {
        let mut hits = std::mem::take(&mut self.hits);
        hits.sort_unstable();
        hits.dedup();
        for of_text in hits.chunk_by(|a, b| a.sought == b.sought) {
            let mut rest = of_text;
            while let Some(first) = rest.first() {
                let end = first.at as usize + reach(self.items.words(first.sought).len());
                let (near, behind) =
                    rest.split_at(rest.partition_point(|hit| (hit.at as usize) < end));
                rest = behind;
                self.within(near, 0..tokens.len(), tokens, found);
            }
        }
        self.hits = hits;
    }

    /// What stands within some tokens that have these runs of one text: at a place, and on both sides of it, where
    /// another copy may be.
    fn within(
        &mut self,
        hits: &[Hit],
        bounds: Range<usize>,
        tokens: &[u64],
        found: &mut Vec<Found>,
    ) {
        let Some(next) = self.at(hits, &bounds, tokens) else { return };
        let place = next.tokens.clone();
        found.push(next);
        let (before, behind) = beside(hits, &place);
        self.within(&before, bounds.start..place.start, tokens, found);
        self.within(behind, place.end..bounds.end, tokens, found);
    }

    /// What stands at a place with these runs of one text, within some tokens.
    fn at(&mut self, hits: &[Hit], bounds: &Range<usize>, tokens: &[u64]) -> Option<Found> {
        let sought = hits.first()?.sought;
        let (words, weights) = (self.items.words(sought), self.items.weights(sought));
        let total = self.items.soughts[sought as usize].total;
        if self.covered(hits, words, weights) < SEEDED * total {
            return self.part(hits);
        }
        let slack = words.len() / 5 + 5;
        let start = hits.iter().map(|hit| hit.at.saturating_sub(hit.word)).min()? as usize;
        let end = hits.iter().map(|hit| hit.at as usize + words.len() - hit.word as usize).max()?;
        let start = start.saturating_sub(slack).max(bounds.start);
        let end = (end + slack).min(bounds.end);
        self.numbers.clear();
        let vocabulary = &self.items.vocabulary;
        self.numbers.extend(tokens[start..end].iter().map(|hash| vocabulary.number(*hash)));
        let text = Text { words, weights, total, choices: self.items.first_choice(sought) };
        if !may_tell(text, &self.numbers) {
            return None;
        }
        self.aligned += 1;
        let Aligned { evidence, tokens, cut } =
            self.aligner.align(text, &self.numbers, vocabulary)?;
        let is_some = evidence.share >= PART_SHARE || ContaminationRule::holds_part(&evidence);
        is_some.then(|| Found {
            sought,
            evidence,
            tokens: tokens.start + start..tokens.end + start,
            cut: cut.start + start..cut.end + start,
        })
    }

    /// The weight of the tokens of a text that are in these runs of it.
    fn covered(&mut self, hits: &[Hit], words: &[u32], weights: &[f32]) -> f32 {
        self.stood_for.clear();
        let repeats = hits.first().is_some_and(|it| self.items.soughts[it.sought as usize].repeats);
        // Most runs are of one place of a long text: the rest of it is not gone over.
        let spanned = if repeats { 0..words.len() } else { spanned(hits) };
        self.covered.clear();
        self.covered.resize(spanned.len(), false);
        for Hit { word, tokens, .. } in hits {
            let run = *word as usize..(*word + *tokens) as usize;
            if !repeats || run.len() < RUN {
                self.covered[run.start - spanned.start..run.end - spanned.start].fill(true);
                continue;
            }
            // The first of equal runs stands for all of them.
            if !self.stood_for.insert(*word) {
                continue;
            }
            for (at, window) in words.windows(run.len()).enumerate() {
                if window == &words[run.clone()] {
                    self.covered[at..at + run.len()].fill(true);
                }
            }
        }
        let on = self.covered.iter().zip(&weights[spanned]).filter(|(on, _)| **on);
        on.map(|(_, weight)| *weight).sum()
    }

    /// The longest of the runs that go on, where it is long enough to be a part of the text.
    fn part(&mut self, hits: &[Hit]) -> Option<Found> {
        const TOGETHER: usize = PART_RUN + 1 - RUN;
        if hits.len() < TOGETHER {
            return None;
        }
        self.diagonals.clear();
        let diagonal = |hit: &Hit| (i64::from(hit.at) - i64::from(hit.word), hit.at);
        let whole = hits.iter().filter(|hit| hit.tokens as usize == RUN);
        self.diagonals.extend(whole.map(diagonal));
        self.diagonals.sort_unstable();
        let runs = self.diagonals.chunk_by(|a, b| a.0 == b.0 && b.1 == a.1 + 1);
        // Of equal ones the first.
        let longest = runs.rev().max_by_key(|run| run.len())?;
        let (diagonal, at) = *longest.first().filter(|_| longest.len() >= TOGETHER)?;
        let sought = hits.first()?.sought;
        let word = usize::try_from(i64::from(at) - diagonal).ok()?;
        let run = longest.len() + RUN - 1;
        let (words, weights) = (self.items.words(sought), self.items.weights(sought));
        let vocabulary = &self.items.vocabulary;
        let proof = |at: usize| weights[at] * vocabulary.proof(words[at]);
        let matched: f32 = weights[word..word + run].iter().sum();
        let bits: f32 = (word..word + run).map(proof).sum();
        let evidence = Evidence {
            share: matched / self.items.soughts[sought as usize].total,
            bits,
            covered: vocabulary.count(&words[word..word + run]) / vocabulary.count(words),
            dense: 1.0,
            run,
            run_bits: bits,
        };
        let at = at as usize;
        ContaminationRule::holds_part(&evidence).then(|| Found {
            sought,
            evidence,
            tokens: at..at + run,
            cut: at..at + run,
        })
    }
}

/// Whether the words of a text that stand among some tokens, in whatever order, are so many that an alignment may tell
/// of it. Several words share a bit, so this is never too little.
fn may_tell(text: Text<'_>, tokens: &[u32]) -> bool {
    const LIST: usize = 64;
    let bit = |number: u32| (number as usize / 64 % LIST, 1_u64 << (number % 64));
    let mut there = [0; LIST];
    for (word, bit) in tokens.iter().filter(|number| **number != OTHER).map(|number| bit(*number)) {
        there[word] |= bit;
    }
    let (mut weight, mut run, mut longest) = (0.0, 0, 0);
    for (number, of_word) in text.words.iter().zip(text.weights) {
        let (word, bit) = bit(*number);
        if there[word] & bit == 0 {
            run = 0;
            continue;
        }
        weight += of_word;
        run += 1;
        longest = longest.max(run);
    }
    // Sums of the same weights in another order differ in their last digits.
    longest >= PART_RUN || weight * 1.001 >= PART_SHARE * text.total
}

/// Of runs in the order in which they begin, those that end before a place, and those that begin behind it. Runs of
/// several lengths do not end in that order.
fn beside<'a>(hits: &'a [Hit], place: &Range<usize>) -> (Vec<Hit>, &'a [Hit]) {
    let within = hits.partition_point(|hit| (hit.at as usize) < place.start);
    let ends_before = |hit: &&Hit| (hit.at + hit.tokens) as usize <= place.start;
    let before = hits[..within].iter().filter(ends_before).copied().collect();
    (before, &hits[hits.partition_point(|hit| (hit.at as usize) < place.end)..])
}

/// The tokens of a text from the first to the last of its runs.
fn spanned(hits: &[Hit]) -> Range<usize> {
    let start = hits.iter().map(|hit| hit.word).min().unwrap_or_default();
    let end = hits.iter().map(|hit| hit.word + hit.tokens).max().unwrap_or_default();
    start as usize..end as usize
}

/// Tokens behind the first run of a text within which others are of the same place.
const fn reach(words: usize) -> usize {
    words + words / 2 + 20
}

/// Of places of one text that overlap those that have most of it, in the order of the document.
fn best(mut found: Vec<Found>) -> Vec<Found> {
    let order = |found: &Found| (found.sought, found.tokens.start, found.tokens.end);
    found.sort_by(|a, b| {
        a.sought
            .cmp(&b.sought)
            .then(b.evidence.share.total_cmp(&a.evidence.share))
            .then(order(a).cmp(&order(b)))
    });
    let mut kept: Vec<Found> = Vec::new();
    let mut taken = Taken::default();
    for next in found {
        if kept.last().is_some_and(|last| last.sought != next.sought) {
            taken = Taken::default();
        }
        if taken.take(&next.tokens) {
            kept.push(next);
        }
    }
    kept.sort_by_key(order);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contamination::vocabulary::Vocabulary;
    use proptest::prelude::*;

    /// What an alignment finds that is worth telling, whatever else was known before.
    fn aligned(text: Text<'_>, tokens: &[u32], vocabulary: &Vocabulary) -> Option<Evidence> {
        let found = Aligner::default().align(text, tokens, vocabulary)?.evidence;
        let is_some = found.share >= PART_SHARE || ContaminationRule::holds_part(&found);
        is_some.then_some(found)
    }

    proptest! {
        #[test]
        fn no_place_is_left_out_that_an_alignment_tells_of(
            words in prop::collection::vec(0_u32..300, 1..60),
            tokens in prop::collection::vec(0_u32..300, 0..80),
            copied in 0_usize..60,
            weights in prop::collection::vec(0.05_f32..12.0, 300),
        ) {
            let mut vocabulary = Vocabulary::default();
            for number in 0..300 {
                vocabulary.add(number, "word");
            }
            vocabulary.weigh(1, &[0; 300]);
            let weights: Vec<f32> = words.iter().map(|word| weights[*word as usize]).collect();
            let total = weights.iter().sum();
            let text = Text { words: &words, weights: &weights, total, choices: usize::MAX };
            // A part of the text, which is long enough or is not.
            let place = [&tokens[..tokens.len() / 2], &words[..copied.min(words.len())], &[OTHER]].concat();
            if let Some(found) = aligned(text, &place, &vocabulary) {
                prop_assert!(may_tell(text, &place), "{found:?}");
            }
        }
    }

    #[test]
    fn words_of_other_texts_tell_nothing() {
        let words: Vec<u32> = (0..20).collect();
        let text = Text { words: &words, weights: &[1.0; 20], total: 20.0, choices: usize::MAX };
        let strangers: Vec<u32> = (20..90).chain([OTHER]).collect();
        assert!(!may_tell(text, &strangers) && !may_tell(text, &[]));
        assert!(!may_tell(text, &[0, 2, 4, 6, 8, 10]) && may_tell(text, &[12, 0, 2, 4, 6, 8, 10]));
    }

    #[test]
    fn runs_of_any_length_are_before_a_place_or_behind_it() {
        let hit = |at, tokens| Hit { sought: 0, at, word: at, tokens };
        let runs = |hits: &[Hit]| hits.iter().map(|it| (it.at, it.tokens)).collect::<Vec<_>>();
        // By their first tokens, as they are sorted; a longer one may stand before one that ends earlier.
        let hits = [
            hit(4, 4),
            hit(5, 3),
            hit(5, 4),
            hit(6, 1),
            hit(6, 4),
            hit(7, 1),
            hit(8, 4),
            hit(11, 1),
            hit(12, 4),
        ];
        for (place, before, behind) in [
            (8..12, vec![(4, 4), (5, 3), (6, 1), (7, 1)], vec![(12, 4)]),
            (9..11, vec![(4, 4), (5, 3), (5, 4), (6, 1), (7, 1)], vec![(11, 1), (12, 4)]),
            (7..8, vec![(6, 1)], vec![(8, 4), (11, 1), (12, 4)]),
            (4..13, vec![], vec![]),
        ] {
            let (found, rest) = beside(&hits, &place);
            assert_eq!((runs(&found), runs(rest)), (before, behind), "{place:?}");
        }
    }
}
