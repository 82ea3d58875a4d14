//! From texts that stand in a document to a verdict of each of their items.

use crate::contamination::finder::Found;
use crate::contamination::items::{Items, Kind};
use crate::contamination::rule::{
    ContaminationRule, Evidence, MISSING, PART_BITS, RARE, REACH, Short, Verdict,
};
use crate::contamination::taken::Taken;
use std::cmp::Reverse;
use std::ops::Range;

/// An answer of more tokens is there where most of its pairs of tokens are.
const WHOLE_ANSWER: usize = 7;
/// Tokens of an answer that is the item's whatever stands before it.
const SURE_ANSWER: usize = 12;
/// Places of an answer that are looked at: it may also stand within those before it.
const PLACES: usize = 8;
/// Tokens between two pairs of a long answer that belong together.
const APART: usize = 8;

/// What is said of an item at a place of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) item: u32,
    /// The text of the item that stands there.
    pub(crate) sought: u32,
    pub(crate) share: f32,
    /// The bits of all evidence.
    pub(crate) bits: f32,
    pub(crate) answers: u32,
    /// Tokens of the document. Choices and answers may follow.
    pub(crate) tokens: Range<usize>,
    /// Those of them that go where the place is cut.
    pub(crate) cut: Range<usize>,
    pub(crate) verdict: Verdict,
}

/// What is said of a document.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// By places and items.
    pub(crate) judged: Vec<Judged>,
    /// Texts of which too little stands there, with the share.
    pub(crate) nearly: Vec<(u32, f32)>,
}

/// Choices and answers of an item behind its question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Behind {
    /// Where they stand, by places.
    pub(crate) places: Vec<AnswerPlace>,
    /// How many of them stand there, and their bits.
    pub(crate) answers: u32,
    pub(crate) bits: f32,
    /// How many stand nowhere, and the tokens that they may take, at most [`MISSING`].
    pub(crate) missing: usize,
    pub(crate) missing_tokens: usize,
    /// Tokens of the longest.
    pub(crate) longest: usize,
}

/// Where a choice or an answer of an item stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerPlace {
    /// Tokens of the document.
    pub(crate) tokens: Range<usize>,
    /// Its number among those of the item.
    pub(crate) answer: usize,
    /// Whether it hardly stands there by chance.
    pub(crate) is_rare: bool,
    /// Whether it is the item's whatever stands between them: a long text with the bits of a part.
    pub(crate) is_sure: bool,
    /// Tokens between its own that are none of its words.
    pub(crate) others: Vec<Range<usize>>,
}

/// Judges documents, for one thread.
pub(crate) struct Judge<'a> {
    items: &'a Items,
    rule: &'a ContaminationRule,
    numbers: Vec<u32>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(items: &'a Items, rule: &'a ContaminationRule) -> Self {
        Self { items, rule, numbers: Vec::new() }
    }

    /// What is said of a document with these texts, whose tokens have these hashes.
    pub(crate) fn judge(&mut self, found: &[Found], tokens: &[u64]) -> Judgement {
        let mut judgement = Judgement::default();
        for found in found {
            let mut is_judged = false;
            for item in self.items.users(found.sought) {
                let judged = match self.items.soughts[found.sought as usize].kind {
                    Kind::Context => self.context(*item, found),
                    Kind::Question => self.question(*item, found, tokens, &[]),
                    Kind::WithChoices => self.with_choices(*item, found, tokens),
                };
                is_judged |= judged.is_some();
                judgement.judged.extend(judged);
            }
            if !is_judged {
                judgement.nearly.push((found.sought, found.evidence.share));
            }
        }
        self.support(found, tokens, &mut judgement);
        judgement.judged = told(judgement.judged);
        judgement
    }

    /// A question, which has the evidence of answers behind it and of contexts.
    fn question(
        &mut self,
        item: u32,
        found: &Found,
        tokens: &[u64],
        contexts: &[(u32, f32)],
    ) -> Option<Judged> {
        let is_undecidable = self.items.is_undecidable(item, self.rule);
        let evidence = &found.evidence;
        let behind = self.behind(item, found.tokens.end, tokens);
        let context = self.items.context(item);
        let of_context = contexts.iter().find(|(sought, _)| Some(*sought) == context);
        let more = behind.bits + of_context.map_or(0.0, |(_, bits)| *bits);
        let verdict = if is_undecidable && of_context.is_none() || !self.items.decides(found.sought)
        {
            self.undecided(item, evidence)?
        } else if self.rule.holds(evidence, more) {
            Verdict::Contaminated
        } else if ContaminationRule::holds_part(evidence) {
            Verdict::Partial
        } else {
            self.undecided(item, evidence)?
        };
        Some(Judged {
            item,
            sought: found.sought,
            share: evidence.share,
            bits: evidence.bits + more,
            answers: behind.answers,
            tokens: found.tokens.clone(),
            cut: found.cut.clone(),
            verdict,
        })
    }

    /// What is said of an item at a place where too few bits stand, or too few tokens.
    fn undecided(&self, item: u32, evidence: &Evidence) -> Option<Verdict> {
        let is_undecidable = self.items.is_undecidable(item, self.rule);
        match self.rule.short {
            _ if !ContaminationRule::is_whole(evidence) => None,
            // Where its choices stand too it is found.
            _ if !is_undecidable => Some(Verdict::Undecidable),
            Short::Skip => None,
            Short::Report => Some(Verdict::Undecidable),
            Short::Flag => Some(Verdict::Contaminated),
        }
    }

    /// A short question together with its choices.
    fn with_choices(&mut self, item: u32, found: &Found, tokens: &[u64]) -> Option<Judged> {
        let evidence = &found.evidence;
        let is_undecidable = self.items.is_undecidable(item, self.rule);
        let verdict = if !is_undecidable && self.rule.holds(evidence, 0.0) {
            Verdict::Contaminated
        } else {
            self.undecided(item, evidence)?
        };
        self.number(&tokens[found.tokens.clone()]);
        let answers = self.items.answers(item);
        let there = answers.filter(|(answer, _)| stands(&self.numbers, answer)).count();
        Some(Judged {
            item,
            sought: found.sought,
            share: evidence.share,
            bits: evidence.bits,
            answers: crate::numbers::narrow(there as u64),
            tokens: found.tokens.clone(),
            cut: found.cut.clone(),
            verdict,
        })
    }

    /// A context, which decides nothing.
    fn context(&self, item: u32, found: &Found) -> Option<Judged> {
        let Found { sought, evidence, tokens, cut } = found;
        self.rule.holds(evidence, 0.0).then(|| Judged {
            item,
            sought: *sought,
            share: evidence.share,
            bits: evidence.bits,
            answers: 0,
            tokens: tokens.clone(),
            cut: cut.clone(),
            verdict: Verdict::Context,
        })
    }

    /// Questions that stand there with too few bits, beside contexts of theirs.
    fn support(&mut self, found: &[Found], tokens: &[u64], judgement: &mut Judgement) {
        let kind = |sought: u32| self.items.soughts[sought as usize].kind;
        let contexts: Vec<(u32, f32)> = found
            .iter()
            .filter(|found| kind(found.sought) == Kind::Context)
            .filter(|found| self.rule.holds(&found.evidence, 0.0))
            .map(|found| (found.sought, found.evidence.bits))
            .collect();
        if contexts.is_empty() {
            return;
        }
        for found in found.iter().filter(|found| kind(found.sought) == Kind::Question) {
            if !self.rule.stands(&found.evidence) || !self.items.decides(found.sought) {
                continue;
            }
            for item in self.items.users(found.sought) {
                let judged = self.question(*item, found, tokens, &contexts);
                let decided = judged.filter(|judged| judged.verdict == Verdict::Contaminated);
                judgement.judged.extend(decided);
            }
        }
    }

    /// Choices and answers of an item behind a question that ends there.
    pub(crate) fn behind(&mut self, item: u32, end: usize, tokens: &[u64]) -> Behind {
        let own: usize = self.items.answers(item).map(|(answer, _)| answer.len()).sum();
        let reach = (end + REACH + 3 * own).min(tokens.len());
        self.number(tokens.get(end..reach).unwrap_or_default());
        let items = self.items;
        let answers: Vec<&[u32]> = items.answers(item).map(|(answer, _)| answer).collect();
        // Choices may be those of another question, too.
        let is_one = answers.len() == 1;
        let mut behind = Behind::default();
        let placed = placed(&self.numbers, &answers);
        for ((number, (answer, bits)), places) in items.answers(item).enumerate().zip(placed) {
            behind.longest = behind.longest.max(answer.len());
            if places.is_empty() {
                behind.missing += 1;
                behind.missing_tokens = (behind.missing_tokens + answer.len() + 1).min(MISSING);
            } else {
                behind.answers += 1;
                behind.bits += bits;
            }
            behind.places.extend(places.into_iter().map(|place| AnswerPlace {
                tokens: end + place.start..end + place.end,
                answer: number,
                is_rare: bits >= RARE,
                is_sure: is_one && bits >= PART_BITS && answer.len() > SURE_ANSWER,
                others: others(&self.numbers[place.clone()], answer, end + place.start),
            }));
        }
        behind.places.sort_unstable_by_key(|place| (place.tokens.start, place.tokens.end));
        behind
    }

    /// The numbers of some tokens.
    fn number(&mut self, tokens: &[u64]) {
        let vocabulary = &self.items.vocabulary;
        self.numbers.clear();
        self.numbers.extend(tokens.iter().map(|hash| vocabulary.number(*hash)));
    }
}

/// Where each of the answers of an item stands in some tokens: in one piece, or a long one where most of it does, beside the
/// long ones before it. Those that stand nowhere have no place.
fn placed(tokens: &[u32], answers: &[&[u32]]) -> Vec<Vec<Range<usize>>> {
    let is_long = |answer: &[u32]| answer.len() > WHOLE_ANSWER;
    let whole = answers.iter().map(|answer| whole_places(tokens, answer).collect::<Vec<_>>());
    let mut placed: Vec<Vec<Range<usize>>> = whole.collect();
    let long = answers.iter().zip(&placed).filter(|(answer, _)| is_long(answer));
    let mut taken: Vec<Range<usize>> = long.flat_map(|(_, places)| places.clone()).collect();
    for (answer, places) in answers.iter().zip(&mut placed) {
        if places.is_empty() && is_long(answer) {
            // Where nothing is left for it, it shares the words of another.
            let place = changed_place(tokens, answer, &taken);
            let place = place.or_else(|| changed_place(tokens, answer, &[]));
            taken.extend(place.clone());
            places.extend(place);
        }
    }
    placed
}

/// Whether an answer stands in some tokens, wherever others do.
fn stands(tokens: &[u32], answer: &[u32]) -> bool {
    whole_places(tokens, answer).next().is_some()
        || answer.len() > WHOLE_ANSWER && changed_place(tokens, answer, &[]).is_some()
}

/// Where an answer stands in some tokens in one piece.
fn whole_places(tokens: &[u32], answer: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let windows = tokens.windows(answer.len().max(1)).enumerate();
    let found = windows.filter(move |(_, window)| *window == answer).take(PLACES);
    found.map(|(at, window)| at..at + window.len())
}

/// Where, outside of some places, most pairs of tokens of a long answer that are there stand closely together, if these are
/// most of its own.
fn changed_place(tokens: &[u32], answer: &[u32], taken: &[Range<usize>]) -> Option<Range<usize>> {
    let is_free = |at: usize| !taken.iter().any(|place| place.contains(&at));
    let first = |pair: &[u32]| {
        let mut others = tokens.windows(2).enumerate();
        others.find(|(at, other)| *other == pair && is_free(*at)).map(|(at, _)| at)
    };
    let mut found: Vec<usize> = answer.windows(2).filter_map(first).collect();
    if found.len() * 10 < (answer.len() - 1) * 7 {
        return None;
    }
    found.sort_unstable();
    let together = found.chunk_by(|a, b| *b <= *a + APART).max_by_key(|pairs| pairs.len())?;
    let place = *together.first()?..*together.last()? + 2;
    // A token may stand before the last one too, such as the number of its line.
    let [.., before, last] = answer else { return Some(place) };
    let is_parted = tokens.get(place.end - 1) == Some(before)
        && tokens.get(place.end) != Some(last)
        && tokens.get(place.end + 1) == Some(last);
    Some(place.start..if is_parted { place.end + 2 } else { place.end })
}

/// Which tokens of a place are no words of the answer that stands there; its first token has this number.
fn others(place: &[u32], answer: &[u32], first: usize) -> Vec<Range<usize>> {
    if place == answer {
        return Vec::new();
    }
    let mut words = answer.to_vec();
    words.sort_unstable();
    let is_own = |token: &u32| words.binary_search(token).is_ok();
    let mut others: Vec<Range<usize>> = Vec::new();
    for (at, _) in (first..).zip(place).filter(|(_, token)| !is_own(token)) {
        match others.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end += 1,
            None => others.push(at..at + 1),
        }
    }
    others
}

/// Of places of one item that overlap the one that says most, and the shortest of these: what follows a question is told by
/// the text, and the text of both may end with another copy of an answer. Of those that decide nothing none where more is known. By
/// places.
fn told(mut judged: Vec<Judged>) -> Vec<Judged> {
    judged.sort_by(|a, b| {
        let by = |judged: &Judged| (judged.item, Reverse(judged.verdict));
        by(a)
            .cmp(&by(b))
            .then(b.share.total_cmp(&a.share))
            .then(a.tokens.len().cmp(&b.tokens.len()))
            .then((a.tokens.start, a.sought).cmp(&(b.tokens.start, b.sought)))
            .then(b.bits.total_cmp(&a.bits))
    });
    let mut kept: Vec<Judged> = Vec::new();
    let mut taken = Taken::default();
    let mut highest = Verdict::Clean;
    for next in judged {
        if kept.last().is_none_or(|last| last.item != next.item) {
            (taken, highest) = (Taken::default(), next.verdict);
        }
        let is_less = next.verdict <= Verdict::Context && highest > Verdict::Partial;
        if !is_less && taken.take(&next.tokens) {
            kept.push(next);
        }
    }
    kept.sort_by_key(|judged| (judged.tokens.start, judged.item, judged.tokens.end));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice of 18 tokens, of which some are others.
    fn choice(others: &[(usize, u32)]) -> Vec<u32> {
        let mut choice: Vec<u32> = (1..=18).collect();
        for (at, token) in others {
            choice[*at] = *token;
        }
        choice
    }

    fn choices() -> [Vec<u32>; 4] {
        [
            choice(&[]),
            choice(&[(4, 101), (15, 102)]),
            choice(&[(0, 103), (10, 104)]),
            choice(&[(10, 104), (15, 102)]),
        ]
    }

    /// Choices in an order, each behind its letter: the first token of each is the second of 19.
    fn listed(answers: &[&[u32]], order: [usize; 4]) -> Vec<u32> {
        order.iter().flat_map(|at| [&[900][..], answers[*at]].concat()).collect()
    }

    #[test]
    fn each_long_choice_has_a_place_of_its_own() {
        let choices = choices();
        let answers: Vec<&[u32]> = choices.iter().map(Vec::as_slice).collect();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let places = placed(&listed(&answers, order), &answers);
            for (place, at) in order.iter().enumerate() {
                let start = place * 19 + 1;
                assert_eq!(places[*at].first(), Some(&(start..start + 18)), "{order:?}");
                assert_eq!(places[*at].len(), 1, "{order:?}");
            }
        }
    }

    #[test]
    fn long_choices_of_which_each_is_changed_stand_beside_each_other() {
        let choices = choices();
        let answers: Vec<&[u32]> = choices.iter().map(Vec::as_slice).collect();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let mut text = listed(&answers, order);
            (0..4).for_each(|place| text[place * 19 + 14] = 999);
            let places = placed(&text, &answers).concat();
            let is_in = |at: usize| places.iter().any(|place| place.contains(&at));
            assert!((0..4).all(|place| is_in(place * 19 + 2) && is_in(place * 19 + 17)));
        }
    }

    #[test]
    fn a_choice_of_eight_tokens_may_have_a_changed_one() {
        let choice: Vec<u32> = (1..=8).collect();
        let mut changed = choice.clone();
        changed[3] = 99;
        assert!(stands(&changed, &choice) && !stands(&changed[..7], &choice[..7]));
    }

    #[test]
    fn a_choice_that_shares_its_words_is_there_beside_another() {
        let (one, other) = (choice(&[]), choice(&[(4, 101)]));
        assert!(stands(&one, &other));
        assert_eq!(placed(&one, &[&one, &other]).concat(), [0..18, 0..18]);
        assert!(placed(&one, &[&one, &[50; 18]])[1].is_empty());
    }
}
