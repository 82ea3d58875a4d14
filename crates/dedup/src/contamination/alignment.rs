//! A text of an item and a place in a document, token by token: the greatest weight that stands in both in the same
//! order (weighted longest common subsequence).

use crate::contamination::rule::{Evidence, PART_BITS, PARTED_BITS, RARE, WORD_BITS};
use crate::contamination::vocabulary::Vocabulary;
use std::ops::Range;

/// What a pair that goes on with a run counts more: better to go on than to begin anew elsewhere.
const GOES_ON: f32 = 0.01;

/// The ways to a cell of the table.
const NEITHER: u8 = 0;
const ABOVE: u8 = 1;
const LEFT: u8 = 2;
const PAIR: u8 = 3;

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) weights: &'a [f32],
    /// The weight of all.
    pub(crate) total: f32,
    /// The first choice, where there are some: a mark such as `B.` may stand before each without ending a run, and behind
    /// a whole question marks of two words, such as `Option B:`.
    pub(crate) choices: usize,
}

/// What an alignment found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aligned {
    pub(crate) evidence: Evidence,
    /// The tokens of the place from the first to the last that is the item's.
    pub(crate) tokens: Range<usize>,
    /// Those of them that go where the place is cut: no thin end.
    pub(crate) cut: Range<usize>,
}

/// Tokens of a run that may be the item's own, wherever it stands in a place.
const OWN_RUN: usize = 4;

/// Tokens between two such runs that are lines of one text, between which a log or somebody else has written.
const APART: usize = 12;

/// Tokens that may part such lines from those before them, beside as many as the fewer of both have.
const NEAR: usize = 8;

/// Tokens that may stand before each choice, as headings and marks do.
const MARKS: usize = 16;

/// The part of a place that goes: of all from run to run that in which runs weigh most, less the tokens of the document's own
/// between them; and lines of runs that have [`RARE`] bits, which no prose has by chance. What many items say, such as
/// `What am I?`, has hardly any.
#[derive(Default)]
struct Densest {
    tokens: Range<usize>,
    /// Lines that the item has for certain, and those that end with the last run of some length.
    own: Lines,
    lines: Lines,
    most: f32,
    /// The part that ends with the last run, and its weight.
    open: Range<usize>,
    weight: f32,
    /// The first choice of the text.
    choices: usize,
}

impl Densest {
    /// Adds the run of tokens that is aligned from this word of the text on, with its weight and its evidence. It is behind all
    /// before it.
    fn add(&mut self, word: usize, tokens: Range<usize>, (weight, bits): (f32, f32)) {
        let others = tokens.start - self.open.end;
        // Headings and marks stand before choices.
        let between = if word < self.choices { others } else { others.saturating_sub(MARKS) };
        let between = f32::from(u16::try_from(between).unwrap_or(u16::MAX));
        self.weight -= (between * PARTED_BITS).min(PART_BITS);
        if self.weight <= 0.0 {
            (self.weight, self.open.start) = (0.0, tokens.start);
        }
        self.weight += weight;
        self.open.end = tokens.end;
        if self.weight > self.most {
            (self.most, self.tokens) = (self.weight, self.open.clone());
        }
        let goes_on = self.lines.count > 0 && tokens.start <= self.lines.tokens.end + APART;
        // A short line goes with those around it.
        if tokens.len() >= if goes_on { OWN_RUN - 1 } else { OWN_RUN } {
            if !goes_on {
                self.take_lines();
                self.lines.tokens.start = tokens.start;
            }
            self.lines.tokens.end = tokens.end;
            self.lines.count += tokens.len();
            self.lines.bits += bits;
        }
    }

    /// Takes the lines so far to those of the item, where they are near or more.
    fn take_lines(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        if lines.bits < RARE {
            return;
        }
        let near = self.own.tokens.end + lines.count.min(self.own.count) + NEAR;
        if self.own.count > 0 && lines.tokens.start <= near {
            self.own.tokens.end = lines.tokens.end;
            self.own.count += lines.count;
        } else if lines.count > self.own.count {
            self.own = lines;
        }
    }

    /// The tokens that go.
    fn end(mut self) -> Range<usize> {
        self.take_lines();
        let (densest, own) = (self.tokens, self.own.tokens);
        match densest.start < own.end && own.start < densest.end {
            true => densest.start.min(own.start)..densest.end.max(own.end),
            false => densest,
        }
    }
}

/// Lines of runs that follow each other, with the tokens and the evidence of these.
#[derive(Default)]
struct Lines {
    tokens: Range<usize>,
    count: usize,
    bits: f32,
}

/// Aligns texts, for one thread.
///
/// Memory: a byte for each token of a text and each token of a place.
#[derive(Default)]
pub(crate) struct Aligner {
    scores: Vec<f32>,
    ways: Vec<u8>,
    pairs: Vec<(usize, usize)>,
}

impl Aligner {
    /// Aligns a text with the tokens of a place; `None` where no two tokens one after the other are the same.
    ///
    /// # Complexity
    /// A step for each token of the text and each token of the place.
    pub(crate) fn align(
        &mut self,
        text: Text<'_>,
        place: &[u32],
        vocabulary: &Vocabulary,
    ) -> Option<Aligned> {
        self.fill(text, place);
        self.trace(text.words.len(), place.len());
        self.judge(text, vocabulary)
    }

    /// Fills the table of ways, from which the best one is read.
    fn fill(&mut self, text: Text<'_>, place: &[u32]) {
        let width = place.len() + 1;
        self.scores.clear();
        self.scores.resize(width * 2, 0.0);
        self.ways.clear();
        self.ways.resize((text.words.len() + 1) * width, NEITHER);
        let (mut above, mut here) = self.scores.split_at_mut(width);
        let mut rows = self.ways.chunks_exact_mut(width);
        let mut before = rows.next().unwrap_or_default();
        for ((word, weight), row) in text.words.iter().zip(text.weights).zip(rows) {
            let mut left = 0.0;
            here[0] = 0.0;
            for (at, other) in place.iter().enumerate() {
                let up = above[at + 1];
                let mut best = if up >= left { (up, ABOVE) } else { (left, LEFT) };
                if word == other {
                    let goes_on = if before[at] == PAIR { GOES_ON } else { 0.0 };
                    let pair = above[at] + weight + goes_on;
                    if pair >= best.0 {
                        best = (pair, PAIR);
                    }
                }
                left = best.0;
                here[at + 1] = best.0;
                row[at + 1] = best.1;
            }
            std::mem::swap(&mut above, &mut here);
            before = row;
        }
    }

    /// Reads the pairs of the best way.
    fn trace(&mut self, words: usize, places: usize) {
        let width = places + 1;
        self.pairs.clear();
        let (mut word, mut place) = (words, places);
        while word > 0 && place > 0 {
            match self.ways[word * width + place] {
                PAIR => {
                    (word, place) = (word - 1, place - 1);
                    self.pairs.push((word, place));
                }
                ABOVE => word -= 1,
                _ => place -= 1,
            }
        }
        self.pairs.reverse();
    }

    /// Whether at most one token of each text parts a pair from the one before it, and from the one behind it.
    fn is_between(&self, at: usize) -> bool {
        let is_near = |a: &(usize, usize), b: &(usize, usize)| b.0 - a.0 <= 2 && b.1 - a.1 <= 2;
        let around = self.pairs.get(at.wrapping_sub(1)..at + 2);
        around.is_some_and(|around| around.windows(2).all(|pair| is_near(&pair[0], &pair[1])))
    }

    /// Whether all words before the choices stand in one piece, and two words before several of the choices: before one they
    /// may be prose.
    fn has_long_marks(&self, choices: usize) -> bool {
        let asked = self.pairs.partition_point(|pair| pair.0 < choices);
        let ends = self.pairs.first().zip(asked.checked_sub(1).and_then(|at| self.pairs.get(at)));
        let is_marked = |pair: &&[(usize, usize)]| {
            pair[1].0 >= choices && pair[1].0 == pair[0].0 + 1 && pair[1].1 == pair[0].1 + 3
        };
        asked == choices
            && ends.is_some_and(|(first, last)| last.1 - first.1 == last.0 - first.0)
            && self.pairs.windows(2).filter(is_marked).count() > 1
    }

    /// What the pairs tell: those in runs of two or more count, and single ones between two edits.
    fn judge(&self, text: Text<'_>, vocabulary: &Vocabulary) -> Option<Aligned> {
        let (mut matched, mut bits, mut count) = (0.0, 0.0, 0_u16);
        let mut covered = 0.0;
        let mut tokens: Option<Range<usize>> = None;
        let mut densest = Densest { choices: text.choices, ..Densest::default() };
        let (mut run, mut run_bits) = (0, 0.0);
        let most = if self.has_long_marks(text.choices) { 2 } else { 1 };
        let goes_on = |a: &(usize, usize), b: &(usize, usize)| {
            let between = if b.0 >= text.choices { most } else { 0 };
            b.0 == a.0 + 1 && b.1 <= a.1 + 1 + between
        };
        let (mut next, mut marks) = (0, 0);
        for pairs in self.pairs.chunk_by(goes_on) {
            let at = next;
            next += pairs.len();
            let (Some((first, start)), Some((last, end))) = (pairs.first(), pairs.last()) else {
                continue;
            };
            if pairs.len() == 1 && !self.is_between(at) {
                continue;
            }
            let (mut of_run, mut weight) = (0.0, 0.0);
            for word in *first..=*last {
                matched += text.weights[word];
                of_run += text.weights[word] * vocabulary.proof(text.words[word]);
                // What other items say too is no less a copy.
                weight += vocabulary.weight(text.words[word]).min(WORD_BITS);
            }
            densest.add(*first, *start..end + 1, (weight, of_run));
            bits += of_run;
            count += u16::try_from(pairs.len()).unwrap_or(u16::MAX);
            covered += vocabulary.count(&text.words[*first..=*last]);
            // Of marks of two words it is known what they are.
            if most > 1 {
                marks += *end + 1 - *start - pairs.len();
            }
            let start = tokens.as_ref().map_or(*start, |tokens| tokens.start);
            tokens = Some(start..end + 1);
            if pairs.len() > run {
                (run, run_bits) = (pairs.len(), of_run);
            }
        }
        let tokens = tokens?;
        let length = u16::try_from(tokens.len() - marks).unwrap_or(u16::MAX);
        let cut = densest.end();
        // Choices in another order stand between a question and what is aligned.
        let has_choices = text.choices < text.words.len();
        let cut = if has_choices { tokens.start..cut.end } else { cut };
        Some(Aligned {
            evidence: Evidence {
                share: matched / text.total,
                bits,
                covered: covered / vocabulary.count(text.words),
                dense: f32::from(count) / f32::from(length.max(1)),
                run,
                run_bits,
            },
            cut,
            tokens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contamination::vocabulary::OTHER;

    #[test]
    fn marks_of_two_words_stand_before_choices_of_a_whole_question() {
        let mut vocabulary = Vocabulary::default();
        for number in 0..7 {
            vocabulary.add(number, "word");
        }
        vocabulary.weigh(1, &[0; 7]);
        let words: Vec<u32> = (0..7).collect();
        let text = Text { words: &words, weights: &[1.0; 7], total: 7.0, choices: 3 };
        let share = |question: &[u32], mark: &[u32]| {
            let choices = (3..7).map(|choice| [mark, &[choice]].concat());
            let place = [question.to_vec(), choices.flatten().collect()].concat();
            let found = Aligner::default().align(text, &place, &vocabulary);
            found.map_or(0.0, |found| found.evidence.share)
        };
        assert!(share(&[0, 1, 2], &[OTHER, OTHER]) > 0.99);
        assert!(share(&[0, 1, 2], &[OTHER]) > 0.99);
        assert!(share(&[0, 1, 2], &[OTHER; 3]) < 0.5);
        // A question of which something is missing, or that other words part.
        assert!(share(&[], &[OTHER, OTHER]) < 0.1);
        assert!(share(&[0, 1], &[OTHER, OTHER]) < 0.3);
        assert!(share(&[0, OTHER, 1, 2], &[OTHER, OTHER]) < 0.5);
        // These marks do not strew a place, also below a heading.
        let choices = (3..7).flat_map(|choice| [OTHER, OTHER, choice]);
        let place: Vec<u32> = [0, 1, 2, OTHER, OTHER, OTHER].into_iter().chain(choices).collect();
        let found = Aligner::default().align(text, &place, &vocabulary).unwrap();
        assert!(found.evidence.share > 0.99 && found.evidence.dense > 0.5);
        // Two words before one choice may be anything.
        let place = [0, 1, 2, OTHER, OTHER, 3];
        let found = Aligner::default().align(text, &place, &vocabulary).unwrap();
        assert!(found.evidence.share < 0.5);
    }

    #[test]
    fn headings_and_marks_part_no_choices_from_a_question() {
        let mut vocabulary = Vocabulary::default();
        for number in 0..9 {
            vocabulary.add(number, "word");
        }
        vocabulary.weigh(1, &[0; 9]);
        let words: Vec<u32> = (0..9).collect();
        let text = Text { words: &words, weights: &[1.0; 9], total: 9.0, choices: 3 };
        let mark = [OTHER; 9];
        let place = [&words[..3], &mark, &words[3..6], &mark, &words[6..]].concat();
        let cut = |text| Aligner::default().align(text, &place, &vocabulary).map(|it| it.cut);
        assert_eq!(cut(text), Some(0..27));
        assert_eq!(cut(Text { choices: usize::MAX, ..text }), Some(0..3));
    }

    #[test]
    fn thin_ends_of_a_place_do_not_go() {
        let mut vocabulary = Vocabulary::default();
        // Words from 20 on are in half of the documents.
        for number in 0..40 {
            vocabulary.add(number, "word");
        }
        let documents: Vec<u32> = (0..40).map(|number| if number < 20 { 0 } else { 500 }).collect();
        vocabulary.weigh(1000, &documents);
        let words: Vec<u32> = (20..24).chain(0..20).chain(24..28).collect();
        let weights: Vec<f32> = words.iter().map(|word| vocabulary.weight(*word)).collect();
        let total = weights.iter().sum();
        let text = Text { words: &words, weights: &weights, total, choices: usize::MAX };
        let cut = |place: &[u32]| {
            let Aligned { tokens, cut, .. } =
                Aligner::default().align(text, place, &vocabulary).unwrap();
            (tokens, cut)
        };
        let (gap, far, core) = ([OTHER; 8], [OTHER; 30], &words[4..24]);
        // A whole text, and one with edits, goes to its usual ends.
        assert_eq!(cut(&words), (0..28, 0..28));
        let mut edited = words.clone();
        for at in (4..28).step_by(5) {
            edited[at] = OTHER;
        }
        assert_eq!(cut(&edited), (0..28, 0..28));
        // Usual words of its ends stand apart.
        let strewn = [&words[..2], &gap, core, &gap, &words[24..26], &gap, &words[26..]].concat();
        assert_eq!(cut(&strewn), (0..50, 10..30));
        // Words that are not usual, or are a part of their own, go wherever they stand.
        assert_eq!(cut(&[&words[..10], &gap, &words[10..]].concat()), (0..36, 0..36));
        assert_eq!(cut(&[&words[..14], &far, &words[14..]].concat()), (0..58, 0..58));
        // A few of them go behind a line of others, and not behind a paragraph, which may end with the same sentence.
        let parted = |others: usize| [&words[..18], &vec![OTHER; others], &words[18..22]].concat();
        assert_eq!(cut(&parted(10)), (0..32, 0..32));
        assert_eq!(cut(&parted(22)), (0..44, 0..18));
    }
}
