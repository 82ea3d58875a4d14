//! The items of the eval sets: what is looked for of each, in lists of tokens that lie one behind the other.
//!
//! Items that are equal are one, with all their names. Questions and contexts of the same tokens are one text, whatever
//! items have it.

use crate::contamination::fields::ItemRow;
use crate::contamination::rule::{ContaminationRule, LONGEST, SHORT};
use crate::contamination::vocabulary::Vocabulary;
use crate::error::Error;
use crate::passages::lent::{Lending, Lent};
use crate::passages::units::UnitReader;
use foldhash::{HashMap, HashMapExt};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_128;

/// No text.
const NONE: u32 = u32::MAX;

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
    /// The weight of its tokens, and that part of it which counts as evidence.
    pub(crate) total: f32,
    pub(crate) bits: f32,
}

/// An item of an eval set, or several that are equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    question: u32,
    with_choices: u32,
    context: u32,
    /// Its choices and answers among all.
    first_answer: u32,
    pub(crate) answers: u32,
    /// Questions that are equal are one owner of their runs, but where one set has several of them.
    owner: u32,
}

/// An answer or a choice.
#[derive(Clone, Copy, Debug)]
struct Answer {
    first: u32,
    length: u32,
    /// Items that have it.
    same: u32,
}

/// What an eval set calls an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) item: u32,
    pub(crate) set: u32,
    /// Where its id begins among the names, and its bytes there.
    at: u64,
    bytes: u32,
}

/// All items.
pub(crate) struct Items {
    pub(crate) vocabulary: Vocabulary,
    /// The names of the eval sets.
    pub(crate) sets: Vec<String>,
    pub(crate) items: Vec<Item>,
    pub(crate) soughts: Vec<Sought>,
    /// In the order of the eval sets.
    pub(crate) names: Vec<Named>,
    /// The first name of each item among these.
    first_names: Vec<u32>,
    /// Each item with each of its sets, ascending.
    item_sets: Vec<(u32, u32)>,
    /// Tokens of all texts, one behind the other; and their weights.
    words: Vec<u32>,
    weights: Vec<f32>,
    answers: Vec<Answer>,
    of_answers: Vec<u32>,
    /// The items that have each text, by where they begin.
    users: Vec<u32>,
    first_users: Vec<u32>,
    strings: Lent,
    /// Where what each item says is among the strings.
    texts: Vec<(u64, u32)>,
    /// Items without a token, which nothing can be found of.
    pub(crate) empty: u64,
}

/// Items that are being read.
pub(crate) struct Building<'a> {
    units: &'a mut UnitReader,
    vocabulary: Vocabulary,
    sets: Vec<String>,
    items: Vec<Item>,
    soughts: Vec<Sought>,
    names: Vec<Named>,
    first_names: Vec<u32>,
    words: Vec<u32>,
    answers: Vec<Answer>,
    of_answers: Vec<u32>,
    strings: Lending,
    texts: Vec<(u64, u32)>,
    empty: u64,
    known_items: HashMap<u128, u32>,
    known_soughts: HashMap<u128, u32>,
    known_answers: HashMap<u128, u32>,
    /// How many owners the questions of a hash have, and how many of these the items of the set that is read.
    owners: HashMap<u128, (Vec<u32>, u32, u32)>,
    next_owner: u32,
}

impl<'a> Building<'a> {
    /// No item yet. Names and texts are lent.
    pub(crate) fn new(units: &'a mut UnitReader, strings: Lending) -> Self {
        Self {
            units,
            vocabulary: Vocabulary::default(),
            sets: Vec::new(),
            items: Vec::new(),
            soughts: Vec::new(),
            names: Vec::new(),
            first_names: Vec::new(),
            words: Vec::new(),
            answers: Vec::new(),
            of_answers: Vec::new(),
            strings,
            texts: Vec::new(),
            empty: 0,
            known_items: HashMap::new(),
            known_soughts: HashMap::new(),
            known_answers: HashMap::new(),
            owners: HashMap::new(),
            next_owner: 0,
        }
    }

    /// Begins the set of that name, or goes on with it.
    pub(crate) fn begin(&mut self, set: &str) -> u32 {
        let at = self.sets.iter().position(|known| known == set).unwrap_or_else(|| {
            self.sets.push(set.to_owned());
            self.sets.len() - 1
        });
        crate::numbers::narrow(at as u64)
    }

    /// Adds an item of a set, by its id as JSON text.
    ///
    /// # Errors
    /// Temporary files.
    pub(crate) fn add(&mut self, set: u32, id: &str, row: &ItemRow) -> Result<(), Error> {
        let question = self.tokens(&row.question);
        let context = self.tokens(&row.context);
        let answers: Vec<Vec<u32>> = row.answers.iter().map(|answer| self.tokens(answer)).collect();
        let answers: Vec<Vec<u32>> =
            answers.into_iter().filter(|answer| !answer.is_empty()).collect();
        let at = self.strings.push(id.as_bytes())?;
        let bytes = crate::numbers::narrow(id.len() as u64);
        let key = hash_of([&question, &context].into_iter().chain(&answers));
        let next = crate::numbers::narrow(self.items.len() as u64);
        let item = *self.known_items.entry(key).or_insert(next);
        if item == next {
            self.first_names.push(crate::numbers::narrow(self.names.len() as u64));
            let item = self.item(set, &question, &context, &answers);
            self.items.push(item);
            let text = serde_json::json!([row.question, row.answers, row.context]).to_string();
            let at = self.strings.push(text.as_bytes())?;
            self.texts.push((at, crate::numbers::narrow(text.len() as u64)));
        }
        self.empty += u64::from(question.is_empty());
        self.names.push(Named { item, set, at, bytes });
        Ok(())
    }

    /// A new item.
    fn item(&mut self, set: u32, question: &[u32], context: &[u32], answers: &[Vec<u32>]) -> Item {
        let first_answer = crate::numbers::narrow(self.of_answers.len() as u64);
        for answer in answers {
            let next = crate::numbers::narrow(self.answers.len() as u64);
            let known = *self.known_answers.entry(hash_of([answer])).or_insert(next);
            if known == next {
                let (first, length) = put(&mut self.words, answer);
                self.answers.push(Answer { first, length, same: 0 });
            }
            self.answers[known as usize].same += 1;
            self.of_answers.push(known);
        }
        let with_choices = if question.len() < SHORT && !answers.is_empty() && !question.is_empty()
        {
            let all: Vec<u32> = question.iter().chain(answers.iter().flatten()).copied().collect();
            self.sought(&all, Kind::WithChoices)
        } else {
            NONE
        };
        Item {
            question: self.sought(question, Kind::Question),
            with_choices,
            context: self.sought(context, Kind::Context),
            first_answer,
            answers: crate::numbers::narrow(answers.len() as u64),
            owner: self.owner(set, question),
        }
    }

    /// The text of these tokens.
    fn sought(&mut self, words: &[u32], kind: Kind) -> u32 {
        if words.is_empty() {
            return NONE;
        }
        let words = &words[..words.len().min(LONGEST)];
        let next = crate::numbers::narrow(self.soughts.len() as u64);
        let key = hash_of([words]) ^ kind as u128;
        let known = *self.known_soughts.entry(key).or_insert(next);
        if known == next {
            let (first, length) = put(&mut self.words, words);
            self.soughts.push(Sought { first, length, kind, total: 0.0, bits: 0.0 });
        }
        known
    }

    /// Whose the runs of a question are. What several sets have is no template: equal questions of different sets are
    /// one owner, unless they are short; those of one set are several.
    fn owner(&mut self, set: u32, question: &[u32]) -> u32 {
        let mut new = || {
            self.next_owner += 1;
            self.next_owner - 1
        };
        if question.len() < SHORT {
            return new();
        }
        let (owners, last_set, of_set) =
            self.owners.entry(hash_of([question])).or_insert((Vec::new(), NONE, 0));
        if *last_set != set {
            (*last_set, *of_set) = (set, 0);
        }
        *of_set += 1;
        if owners.len() < *of_set as usize {
            owners.push(new());
        }
        owners[*of_set as usize - 1]
    }

    /// The numbers of the tokens of a text.
    fn tokens(&mut self, text: &str) -> Vec<u32> {
        let units = self.units.read(text);
        let tokens = units.hashes().iter().enumerate();
        tokens.map(|(at, hash)| self.vocabulary.add(*hash, units.token(at))).collect()
    }

    /// Bytes in memory, at most.
    pub(crate) fn held_bytes(&self) -> usize {
        let maps = self.known_items.capacity()
            + self.known_soughts.capacity()
            + self.known_answers.capacity();
        self.vocabulary.held_bytes()
            + self.words.capacity() * 4
            + self.items.capacity() * size_of::<Item>()
            + self.soughts.capacity() * size_of::<Sought>()
            + self.names.capacity() * size_of::<Named>()
            + self.answers.capacity() * size_of::<Answer>()
            + maps * 32
            + self.owners.capacity() * 96
            + self.texts.capacity() * 16
    }

    /// Tokens of all texts.
    pub(crate) fn tokens_held(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn finish(mut self) -> Result<Items, Error> {
        // What was known while items came in is needed no more, and lists have grown by doubling.
        self.known_items = HashMap::new();
        self.known_soughts = HashMap::new();
        self.known_answers = HashMap::new();
        self.owners = HashMap::new();
        self.words.shrink_to_fit();
        self.items.shrink_to_fit();
        self.soughts.shrink_to_fit();
        self.names.shrink_to_fit();
        self.first_names.shrink_to_fit();
        self.of_answers.shrink_to_fit();
        self.texts.shrink_to_fit();
        let mut users: Vec<(u32, u32)> = Vec::new();
        for (number, item) in (0..).zip(&self.items) {
            let texts = [item.question, item.with_choices, item.context];
            users.extend(texts.into_iter().filter(|text| *text != NONE).map(|text| (text, number)));
        }
        users.sort_unstable();
        let first_users = (0..=self.soughts.len())
            .map(|sought| users.partition_point(|(of, _)| (*of as usize) < sought));
        let first_users = first_users.map(|at| crate::numbers::narrow(at as u64)).collect();
        let mut item_sets: Vec<(u32, u32)> =
            self.names.iter().map(|name| (name.item, name.set)).collect();
        item_sets.sort_unstable();
        item_sets.dedup();
        Ok(Items {
            item_sets,
            vocabulary: self.vocabulary,
            sets: self.sets,
            items: self.items,
            soughts: self.soughts,
            names: self.names,
            first_names: self.first_names,
            weights: vec![f32::INFINITY; self.words.len()],
            words: self.words,
            answers: self.answers,
            of_answers: self.of_answers,
            users: users.into_iter().map(|(_, item)| item).collect(),
            first_users,
            strings: self.strings.finish()?,
            texts: self.texts,
            empty: self.empty,
        })
    }
}

/// Puts tokens behind all others; where they begin, and how many they are.
fn put(words: &mut Vec<u32>, new: &[u32]) -> (u32, u32) {
    let first = crate::numbers::narrow(words.len() as u64);
    words.extend_from_slice(new);
    (first, crate::numbers::narrow(new.len() as u64))
}

/// A hash of lists of tokens, which accident does not make equal for different ones.
fn hash_of<'w>(lists: impl IntoIterator<Item = impl AsRef<[u32]> + 'w>) -> u128 {
    let mut bytes = Vec::new();
    for list in lists {
        let list = list.as_ref();
        bytes.extend((list.len() as u64).to_le_bytes());
        list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    }
    xxh3_128(&bytes)
}

impl Items {
    /// The tokens of a text.
    pub(crate) fn words(&self, sought: u32) -> &[u32] {
        &self.words[self.range(sought)]
    }

    /// What each of them weighs.
    pub(crate) fn weights(&self, sought: u32) -> &[f32] {
        &self.weights[self.range(sought)]
    }

    fn range(&self, sought: u32) -> Range<usize> {
        let Sought { first, length, .. } = self.soughts[sought as usize];
        first as usize..(first + length) as usize
    }

    /// The place of the first token of a text among all.
    pub(crate) fn first(&self, sought: u32) -> u32 {
        self.soughts[sought as usize].first
    }

    /// The text that has the token of this place among all, and the place in it.
    ///
    /// # Complexity
    /// `O(log n)` for `n` texts.
    pub(crate) fn at(&self, place: u32) -> (u32, u32) {
        let behind = self.soughts.partition_point(|sought| sought.first <= place);
        let sought = crate::numbers::narrow(behind as u64 - 1);
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

    /// Makes weights of what was shared: what many items say is no sign of one of them.
    pub(crate) fn weigh(&mut self) {
        for sought in &mut self.soughts {
            let range = sought.first as usize..(sought.first + sought.length) as usize;
            (sought.total, sought.bits) = (0.0, 0.0);
            for at in range {
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

    /// The choices and answers of an item, each with the bits that it tells.
    pub(crate) fn answers(&self, item: u32) -> impl Iterator<Item = (&[u32], f32)> {
        let Item { first_answer, answers, .. } = self.items[item as usize];
        let range = first_answer as usize..(first_answer + answers) as usize;
        self.of_answers[range].iter().map(|answer| {
            let Answer { first, length, same } = self.answers[*answer as usize];
            let words = &self.words[first as usize..(first + length) as usize];
            let bits: f32 = words
                .iter()
                .map(|word| self.vocabulary.weight(*word) * self.vocabulary.proof(*word))
                .sum();
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
        let Item { with_choices, .. } = self.items[item as usize];
        let bits = |text: u32| self.soughts[text as usize].bits;
        let answers: f32 = self.answers(item).map(|(_, bits)| bits).sum();
        let question = self.question(item).map_or(0.0, |text| {
            // What has no run is never looked at.
            if self.words(text).len() < crate::contamination::rule::RUN {
                0.0
            } else {
                bits(text) + answers
            }
        });
        let whole = if with_choices == NONE { 0.0 } else { bits(with_choices) };
        question.max(whole)
    }

    /// Whether no match of an item proves anything.
    pub(crate) fn is_undecidable(&self, item: u32, rule: &ContaminationRule) -> bool {
        self.most_bits(item) < rule.least_bits()
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

    /// What an item says: question, answers, context.
    pub(crate) fn text(&self, item: u32) -> Result<(String, Vec<String>, String), Error> {
        let (at, bytes) = self.texts[item as usize];
        let json = self.string(at, bytes)?;
        serde_json::from_str(&json)
            .map_err(|error| Error::Bug { problem: format!("the text of an item: {error}") })
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
            + self.items.capacity() * (size_of::<Item>() + 20)
            + self.soughts.capacity() * (size_of::<Sought>() + 20)
            + self.names.capacity() * (size_of::<Named>() + 8)
            + self.answers.capacity() * size_of::<Answer>()
            + self.texts.capacity() * 16
    }
}

/// Items that have an answer, as a divisor.
fn same_as(items: u32) -> f32 {
    crate::contamination::rule::single(f64::from(items.max(1)))
}
