//! The items of the eval sets: what is looked for of each, in lists of tokens that lie one behind the other; and what
//! these weigh.

pub(crate) mod repeated;
mod stored;

use crate::contamination::eval_notes::EvalNotes;
use crate::contamination::rule::{ContaminationRule, RUN, SEEDED, SHORT_TEXT, single};
use crate::contamination::vocabulary::Vocabulary;
use crate::error::Error;
use crate::passages::lent::Lent;
use std::ops::Range;

/// No text.
pub(crate) const NONE: u32 = u32::MAX;

/// What of an item a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Question,
    /// A short question with its choices.
    WithChoices,
    Context,
}

/// A text that is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    /// Its first token among all.
    first: u32,
    length: u32,
    pub(crate) kind: Kind,
    /// Whether it has a run that begins a search several times, and is indexed once.
    pub(crate) repeats: bool,
    /// The weight of its tokens, and that part of it which counts as evidence.
    pub(crate) total: f32,
    pub(crate) bits: f32,
}

/// An item of an eval set, or several that are equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) question: u32,
    pub(crate) with_choices: u32,
    pub(crate) context: u32,
    /// Its choices and answers among all.
    pub(crate) first_answer: u32,
    pub(crate) answers: u32,
    /// Whose the runs of its question are: see `owners`.
    pub(crate) owner: u32,
}

/// An answer or a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) first: u32,
    pub(crate) length: u32,
    /// Owners that have it.
    pub(crate) same: u32,
}

/// What an eval set calls an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) item: u32,
    pub(crate) set: u32,
    /// Where its id begins among the names, and its bytes there.
    pub(crate) at: u64,
    pub(crate) bytes: u32,
}

/// What eval sets say, whatever corpus is searched.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) vocabulary: Vocabulary,
    /// The names of the eval sets.
    pub(crate) sets: Vec<String>,
    pub(crate) items: Vec<Item>,
    pub(crate) soughts: Vec<Sought>,
    /// In the order of the eval sets.
    pub(crate) names: Vec<Named>,
    /// The first name of each item among these.
    pub(crate) first_names: Vec<u32>,
    /// Tokens of all texts, one behind the other.
    pub(crate) words: Vec<u32>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) of_answers: Vec<u32>,
    /// Where what each item says is among the strings.
    pub(crate) texts: Vec<(u64, u32)>,
    /// Items without a token, which nothing can be found of.
    pub(crate) empty: u64,
}

/// What an item says.
pub(crate) struct ItemText {
    pub(crate) question: String,
    pub(crate) choices: Vec<String>,
    pub(crate) answers: Vec<String>,
}

/// What can be known of an item before the corpus is read.
#[derive(Clone, Copy, Debug, Default)]
struct Hope {
    /// The most bits of a match that decides.
    bits: f32,
    /// Whether some text of it is found where it stands.
    is_sought: bool,
}

/// Tokens of all texts among which the text of one is looked for.
const BLOCK: usize = 64;

/// All items.
pub(crate) struct Items {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) sets: Vec<String>,
    pub(crate) items: Vec<Item>,
    pub(crate) soughts: Vec<Sought>,
    pub(crate) names: Vec<Named>,
    first_names: Vec<u32>,
    /// Each item with each of its sets, ascending.
    item_sets: Vec<(u32, u32)>,
    words: Vec<u32>,
    /// The text that has the first of each [`BLOCK`] tokens.
    blocks: Vec<u32>,
    /// What each token weighs; before that, how many owners the rarest of its runs has, infinite where it is in none.
    weights: Vec<f32>,
    answers: Vec<Answer>,
    of_answers: Vec<u32>,
    /// The items that have each text, by where they begin.
    users: Vec<u32>,
    first_users: Vec<u32>,
    strings: Lent,
    texts: Vec<(u64, u32)>,
    hopes: Vec<Hope>,
    /// A bit for each token: whether a run that begins a search has it.
    seeded: Vec<u64>,
    pub(crate) empty: u64,
    /// What is to be told of how they were read.
    pub(crate) notes: EvalNotes,
}

impl Sought {
    pub(crate) const fn new(first: u32, length: u32, kind: Kind) -> Self {
        Self { first, length, kind, repeats: false, total: 0.0, bits: 0.0 }
    }

    /// Its tokens among all.
    pub(crate) const fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.length) as usize
    }
}

impl Item {
    /// Its choices and answers among those of all.
    pub(crate) const fn of_answers(&self) -> Range<usize> {
        self.first_answer as usize..(self.first_answer + self.answers) as usize
    }
}

impl Items {
    /// The items that eval sets list, with their names and texts.
    pub(crate) fn of(listed: Listed, strings: Lent) -> Self {
        let words = listed.words.len();
        Self::with(listed, strings, vec![f32::INFINITY; words], vec![0; words.div_ceil(64)])
    }

    /// The same, of which it is known how many owners the rarest run of each word has, and which words are in a run
    /// that begins a search.
    fn with(listed: Listed, strings: Lent, weights: Vec<f32>, seeded: Vec<u64>) -> Self {
        let Listed { mut vocabulary, sets, .. } = listed;
        vocabulary.shrink();
        // Lists have grown by doubling.
        let exact = |mut list: Vec<u32>| {
            list.shrink_to_fit();
            list
        };
        let (mut items, mut soughts) = (listed.items, listed.soughts);
        items.shrink_to_fit();
        soughts.shrink_to_fit();
        let (mut names, mut texts, mut answers) = (listed.names, listed.texts, listed.answers);
        names.shrink_to_fit();
        texts.shrink_to_fit();
        answers.shrink_to_fit();
        let (users, first_users) = users(&items, soughts.len());
        let mut item_sets: Vec<(u32, u32)> =
            names.iter().map(|name| (name.item, name.set)).collect();
        item_sets.sort_unstable();
        item_sets.dedup();
        let words = exact(listed.words);
        let blocks = (0..words.len()).step_by(BLOCK).map(|place| {
            let behind = soughts.partition_point(|sought| sought.first as usize <= place);
            crate::numbers::narrow(behind.saturating_sub(1) as u64)
        });
        Self {
            blocks: blocks.collect(),
            item_sets,
            vocabulary,
            sets,
            hopes: vec![Hope::default(); items.len()],
            items,
            soughts,
            names,
            first_names: exact(listed.first_names),
            weights,
            seeded,
            words,
            answers,
            of_answers: exact(listed.of_answers),
            users,
            first_users,
            strings,
            texts,
            empty: listed.empty,
            notes: EvalNotes::default(),
        }
    }

    /// The tokens of a text.
    pub(crate) fn words(&self, sought: u32) -> &[u32] {
        &self.words[self.soughts[sought as usize].range()]
    }

    /// What each of them weighs.
    pub(crate) fn weights(&self, sought: u32) -> &[f32] {
        &self.weights[self.soughts[sought as usize].range()]
    }

    /// The parts of a text that choices may be set apart between: its own places of the question and each choice.
    pub(crate) fn parts(&self, sought: u32) -> impl Iterator<Item = Range<usize>> {
        let text = &self.soughts[sought as usize];
        let length = text.length as usize;
        let item = match text.kind {
            Kind::WithChoices => self.users(sought).first().copied(),
            Kind::Question | Kind::Context => None,
        };
        let question = item.and_then(|item| self.question(item)).map(|text| self.words(text).len());
        let choices = item.into_iter().flat_map(|item| self.answer_words(item));
        let lengths = std::iter::once(question.unwrap_or(length))
            .chain(choices.map(|(choice, _)| choice.len()));
        let mut end = 0;
        lengths.map_while(move |part| {
            let start = end;
            end = (start + part).min(length);
            (start < end).then_some(start..end)
        })
    }

    /// The place of the first token of a text among all.
    pub(crate) fn first(&self, sought: u32) -> u32 {
        self.soughts[sought as usize].first
    }

    /// The text that has the token of this place among all, and the place in it.
    ///
    /// # Complexity
    /// A step for each text that begins in the same [`BLOCK`] before it.
    pub(crate) fn at(&self, place: u32) -> (u32, u32) {
        let from = self.blocks[place as usize / BLOCK];
        let behind = &self.soughts[from as usize + 1..];
        let more = behind.iter().take_while(|sought| sought.first <= place).count();
        let sought = from + crate::numbers::narrow(more as u64);
        (sought, place - self.first(sought))
    }

    /// The items that have a text.
    pub(crate) fn users(&self, sought: u32) -> &[u32] {
        let at = sought as usize;
        &self.users[self.first_users[at] as usize..self.first_users[at + 1] as usize]
    }

    /// Adds whose the runs of a text are.
    pub(crate) fn owners(&self, sought: u32, into: &mut Vec<u64>) {
        match self.soughts[sought as usize].kind {
            Kind::Context => into.push(1 << 32 | u64::from(sought)),
            _ => into.extend(
                self.users(sought).iter().map(|item| self.items[*item as usize].owner as u64),
            ),
        }
    }

    /// Says that a run of tokens of a text has so many owners.
    pub(crate) fn share(&mut self, place: u32, tokens: usize, owners: f32) {
        for weight in &mut self.weights[place as usize..place as usize + tokens] {
            *weight = weight.min(owners);
        }
    }

    /// Says that tokens from a place on are in a run that begins a search.
    pub(crate) fn seed(&mut self, place: usize, tokens: usize) {
        for at in place..place + tokens {
            self.seeded[at / 64] |= 1 << (at % 64);
        }
    }

    /// Says the same of 64 tokens that have a bit each.
    pub(crate) fn seed_all(&mut self, at: usize, bits: u64) {
        self.seeded[at] |= bits;
    }

    /// Tokens of all texts.
    pub(crate) fn all_words(&self) -> usize {
        self.words.len()
    }

    /// Makes weights of what was shared: what many items say is no sign of one of them.
    pub(crate) fn weigh(&mut self) {
        for sought in &mut self.soughts {
            (sought.total, sought.bits) = (0.0, 0.0);
            for at in sought.range() {
                let word = self.words[at];
                let owners = self.weights[at];
                let divided = if owners.is_finite() { owners } else { 1.0 };
                let weight = self.vocabulary.weight(word) / divided;
                self.weights[at] = weight;
                sought.total += weight;
                sought.bits += weight * self.vocabulary.proof(word);
            }
        }
    }

    /// Whether the runs that begin a search cover enough of a text for it to be found where it stands as a whole.
    pub(crate) fn is_seeded(&self, sought: u32) -> bool {
        let sought = &self.soughts[sought as usize];
        let on = sought.range().filter(|at| self.seeded[at / 64] >> (at % 64) & 1 == 1);
        let covered: f32 = on.map(|at| self.weights[at]).sum();
        covered > 0.0 && covered >= SEEDED * sought.total
    }

    /// Says of each item what can be found of it, now that all runs that begin a search are known.
    pub(crate) fn hope(&mut self) {
        for number in 0..self.items.len() {
            let Item { question, with_choices, .. } = self.items[number];
            let number_of_item = crate::numbers::narrow(number as u64);
            let mut hope = Hope::default();
            for text in [question, with_choices] {
                if text == NONE || !self.is_seeded(text) {
                    continue;
                }
                hope.is_sought = true;
                if self.decides(text) {
                    hope.bits = hope.bits.max(self.most_bits_of(number_of_item, text));
                }
            }
            self.hopes[number] = hope;
        }
        self.seeded = Vec::new();
    }

    /// Whether a text has so few tokens that it is found by shorter runs too.
    pub(crate) fn is_few(&self, sought: u32) -> bool {
        is_few(self.soughts[sought as usize].kind, self.words(sought).len())
    }

    /// Whether the parts of a text that are shorter than a run are looked for, each as a whole: nothing else leads to it.
    pub(crate) fn needs_parts(&self, sought: u32) -> bool {
        match self.soughts[sought as usize].kind {
            Kind::Question => self.words(sought).len() < RUN,
            Kind::WithChoices => !self.is_seeded(sought),
            Kind::Context => false,
        }
    }

    /// Whether some tokens have enough of the weight of their text for it to be aligned.
    pub(crate) fn is_heavy(&self, sought: u32, tokens: Range<usize>) -> bool {
        let weight: f32 = self.weights(sought)[tokens].iter().sum();
        weight >= SEEDED * self.soughts[sought as usize].total
    }

    /// Whether a text may decide: what has fewer tokens than a run stands everywhere by chance.
    pub(crate) fn decides(&self, sought: u32) -> bool {
        self.soughts[sought as usize].length as usize >= RUN
    }

    /// The tokens of the choices and answers of an item, each with how many owners have it.
    fn answer_words(&self, item: u32) -> impl Iterator<Item = (&[u32], u32)> {
        self.of_answers[self.items[item as usize].of_answers()].iter().map(|answer| {
            let Answer { first, length, same } = self.answers[*answer as usize];
            (&self.words[first as usize..(first + length) as usize], same)
        })
    }

    /// The choices and answers of an item, each with the bits that it tells.
    pub(crate) fn answers(&self, item: u32) -> impl Iterator<Item = (&[u32], f32)> {
        let proof = |word: &u32| self.vocabulary.weight(*word) * self.vocabulary.proof(*word);
        self.answer_words(item).map(move |(words, same)| {
            let bits: f32 = words.iter().map(proof).sum();
            (words, bits / same_as(same))
        })
    }

    /// The question of an item; `None` where it has no token.
    pub(crate) fn question(&self, item: u32) -> Option<u32> {
        Some(self.items[item as usize].question).filter(|text| *text != NONE)
    }

    /// The context of an item.
    pub(crate) fn context(&self, item: u32) -> Option<u32> {
        Some(self.items[item as usize].context).filter(|text| *text != NONE)
    }

    /// The most bits that a match of an item can have.
    pub(crate) fn most_bits(&self, item: u32) -> f32 {
        self.texts_of(item).map(|text| self.most_bits_of(item, text)).fold(0.0, f32::max)
    }

    /// The most bits that a match of one of its texts can have.
    fn most_bits_of(&self, item: u32, sought: u32) -> f32 {
        let Sought { kind, bits, .. } = self.soughts[sought as usize];
        match kind {
            Kind::Question => bits + self.answers(item).map(|(_, bits)| bits).sum::<f32>(),
            Kind::WithChoices | Kind::Context => bits,
        }
    }

    /// Whether no match of an item proves anything.
    pub(crate) fn is_undecidable(&self, item: u32, rule: &ContaminationRule) -> bool {
        self.hopes[item as usize].bits < rule.least_bits()
    }

    /// Whether an item is found, where some text of it stands as a whole.
    pub(crate) fn is_sought(&self, item: u32) -> bool {
        self.hopes[item as usize].is_sought
    }

    /// What an eval set calls an item: its id, as JSON text.
    pub(crate) fn id(&self, name: &Named) -> Result<String, Error> {
        self.string(name.at, name.bytes)
    }

    /// The first token of the choices in a text; behind its end where it has none.
    pub(crate) fn first_choice(&self, sought: u32) -> usize {
        match self.soughts[sought as usize].kind {
            Kind::WithChoices => {
                let question = self.users(sought).first().and_then(|item| self.question(*item));
                question.map_or(0, |question| self.words(question).len())
            }
            Kind::Question | Kind::Context => usize::MAX,
        }
    }

    /// The sets that have an item, in any order.
    pub(crate) fn sets_of(&self, item: u32) -> impl Iterator<Item = u32> {
        let from = self.item_sets.partition_point(|(of, _)| *of < item);
        let rest = self.item_sets.get(from..).unwrap_or_default();
        rest.iter().take_while(move |(of, _)| *of == item).map(|(_, set)| *set)
    }

    /// The set that a name is of.
    pub(crate) fn set(&self, name: &Named) -> &str {
        &self.sets[name.set as usize]
    }

    /// The texts of an item that its share is told of: its question, alone and with its choices.
    pub(crate) fn texts_of(&self, item: u32) -> impl Iterator<Item = u32> {
        let Item { question, with_choices, .. } = self.items[item as usize];
        [question, with_choices].into_iter().filter(|text| *text != NONE)
    }

    /// The first name of an item.
    pub(crate) fn name(&self, item: u32) -> &Named {
        &self.names[self.first_names[item as usize] as usize]
    }

    /// What an item says.
    pub(crate) fn text(&self, item: u32) -> Result<ItemText, Error> {
        let (at, bytes) = self.texts[item as usize];
        let json = self.string(at, bytes)?;
        let read = serde_json::from_str(&json);
        let (question, choices, answers) =
            read.map_err(|error| Error::Bug { problem: format!("the text of an item: {error}") })?;
        Ok(ItemText { question, choices, answers })
    }

    fn string(&self, at: u64, bytes: u32) -> Result<String, Error> {
        let mut text = vec![0; bytes as usize];
        if !self.strings.read(at, &mut text)? {
            return Err(Error::Bug { problem: "a name of an item is gone".to_owned() });
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Bytes in memory, at most, but for names.
    pub(crate) fn held_bytes(&self) -> usize {
        self.vocabulary.held_bytes()
            + self.words.capacity() * 8
            + self.blocks.capacity() * 4
            + self.items.capacity() * (size_of::<Item>() + size_of::<Hope>() + 20)
            + self.soughts.capacity() * (size_of::<Sought>() + 20)
            + self.names.capacity() * (size_of::<Named>() + 8)
            + self.answers.capacity() * size_of::<Answer>()
            + self.texts.capacity() * 16
    }
}

/// The items that have each of so many texts, one behind the other, and where those of each text begin.
fn users(items: &[Item], soughts: usize) -> (Vec<u32>, Vec<u32>) {
    let texts = |item: &Item| {
        let texts = [item.question, item.with_choices, item.context];
        texts.into_iter().filter(|text| *text != NONE)
    };
    let mut firsts = vec![0; soughts + 1];
    items.iter().flat_map(texts).for_each(|text| firsts[text as usize + 1] += 1);
    let mut before = 0;
    for first in &mut firsts {
        before += *first;
        *first = before;
    }
    let (mut next, mut users) = (firsts.clone(), vec![0; before as usize]);
    for (number, item) in (0..).zip(items) {
        for text in texts(item) {
            let next = &mut next[text as usize];
            users[*next as usize] = number;
            *next += 1;
        }
    }
    (users, firsts)
}

/// Owners of an answer, as a divisor.
fn same_as(items: u32) -> f32 {
    single(f64::from(items.max(1)))
}

/// Whether a text of so many tokens is found by shorter runs too.
pub(crate) fn is_few(kind: Kind, tokens: usize) -> bool {
    kind != Kind::Context && (RUN..=SHORT_TEXT).contains(&tokens)
}
