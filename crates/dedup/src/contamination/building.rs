//! Items as they are read: rows of eval sets to lists of tokens. Items that are equal are one, with all their names;
//! questions and contexts of the same tokens are one text, whatever items have it.

use crate::contamination::fields::ItemRow;
use crate::contamination::index::Index;
use crate::contamination::items::{Answer, Item, Items, Kind, Listed, NONE, Named, Sought, is_few};
use crate::contamination::owners::{Asked, owners};
use crate::contamination::parted::parted;
use crate::contamination::rule::{LONGEST, RUN, SHORT};
use crate::error::Error;
use crate::passages::lent::Lending;
use crate::passages::units::UnitReader;
use foldhash::{HashMap, HashMapExt};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_128;

/// Items that are being read.
pub(crate) struct Building<'a> {
    units: &'a mut UnitReader,
    listed: Listed,
    strings: Lending,
    known_items: HashMap<u128, u32>,
    known_soughts: HashMap<u128, u32>,
    known_answers: HashMap<u128, u32>,
    /// Tokens of texts that have few.
    of_few: usize,
}

impl<'a> Building<'a> {
    /// No item yet. Names and texts are lent.
    pub(crate) fn new(units: &'a mut UnitReader, strings: Lending) -> Self {
        Self {
            units,
            listed: Listed::default(),
            strings,
            known_items: HashMap::new(),
            known_soughts: HashMap::new(),
            known_answers: HashMap::new(),
            of_few: 0,
        }
    }

    /// Begins the set of that name, or goes on with it.
    pub(crate) fn begin(&mut self, set: &str) -> u32 {
        let at = self.listed.sets.iter().position(|known| known == set).unwrap_or_else(|| {
            self.listed.sets.push(set.to_owned());
            self.listed.sets.len() - 1
        });
        crate::numbers::narrow(at as u64)
    }

    /// The names of the sets.
    pub(crate) fn sets(&self) -> &[String] {
        &self.listed.sets
    }

    /// Adds an item of a set, by its id as JSON text; of its question a part is its own.
    ///
    /// # Errors
    /// Temporary files.
    pub(crate) fn add(
        &mut self,
        set: u32,
        id: &str,
        row: &ItemRow,
        own: Range<usize>,
    ) -> Result<(), Error> {
        let question = self.tokens(row.question.get(own).unwrap_or(&row.question));
        let context = self.tokens(&row.context);
        let mut answers = self.all_tokens(&row.choices);
        let choices = answers.len();
        answers.extend(self.all_tokens(&row.answers));
        let at = self.strings.push(id.as_bytes())?;
        let bytes = crate::numbers::narrow(id.len() as u64);
        let key = hash_of([&question, &context].into_iter().chain(&answers));
        let next = crate::numbers::narrow(self.listed.items.len() as u64);
        let item = *self.known_items.entry(key).or_insert(next);
        if item == next {
            self.listed.first_names.push(crate::numbers::narrow(self.listed.names.len() as u64));
            let item = self.item(&question, &context, &answers, choices);
            self.listed.items.push(item);
            let text = serde_json::json!([row.question, row.choices, row.answers]).to_string();
            let at = self.strings.push(text.as_bytes())?;
            self.listed.texts.push((at, crate::numbers::narrow(text.len() as u64)));
        }
        self.listed.empty += u64::from(question.is_empty());
        self.listed.names.push(Named { item, set, at, bytes });
        Ok(())
    }

    /// A new item, of whose answers so many are choices.
    fn item(
        &mut self,
        question: &[u32],
        context: &[u32],
        answers: &[Vec<u32>],
        choices: usize,
    ) -> Item {
        let first_answer = crate::numbers::narrow(self.listed.of_answers.len() as u64);
        for answer in answers {
            let next = crate::numbers::narrow(self.listed.answers.len() as u64);
            let known = *self.known_answers.entry(hash_of([answer])).or_insert(next);
            if known == next {
                let (first, length) = put(&mut self.listed.words, answer);
                self.listed.answers.push(Answer { first, length, same: 0 });
            }
            self.listed.of_answers.push(known);
        }
        // All choices stand behind a question, or one of its answers.
        let behind = &answers[..if choices > 0 { choices } else { answers.len().min(1) }];
        let is_run = question.len() + behind.iter().map(Vec::len).sum::<usize>() >= RUN;
        let with_choices = if (1..SHORT).contains(&question.len()) && !behind.is_empty() && is_run {
            let parts = [question].into_iter().chain(behind.iter().map(Vec::as_slice));
            self.sought(parts, Kind::WithChoices)
        } else {
            NONE
        };
        Item {
            question: self.sought([question], Kind::Question),
            with_choices,
            context: self.sought([context], Kind::Context),
            first_answer,
            answers: crate::numbers::narrow(answers.len() as u64),
            owner: 0,
        }
    }

    /// The text of these parts, which are its own: a choice may be looked for apart.
    fn sought<'w>(
        &mut self,
        parts: impl IntoIterator<Item = &'w [u32]> + Clone,
        kind: Kind,
    ) -> u32 {
        let words: Vec<u32> = parts.clone().into_iter().flatten().take(LONGEST).copied().collect();
        if words.is_empty() {
            return NONE;
        }
        let key = match kind {
            Kind::WithChoices => hash_of(parts),
            Kind::Question | Kind::Context => hash_of([&words]),
        };
        let next = crate::numbers::narrow(self.listed.soughts.len() as u64);
        let known = *self.known_soughts.entry(key ^ kind as u128).or_insert(next);
        if known == next {
            let (first, length) = put(&mut self.listed.words, &words);
            self.of_few += if is_few(kind, words.len()) { words.len() } else { 0 };
            self.listed.soughts.push(Sought::new(first, length, kind));
        }
        known
    }

    /// Those of several texts, without the ones that have none.
    fn all_tokens(&mut self, texts: &[String]) -> Vec<Vec<u32>> {
        let all = texts.iter().map(|text| self.tokens(text));
        all.filter(|tokens| !tokens.is_empty()).collect()
    }

    /// The numbers of the tokens of a text.
    fn tokens(&mut self, text: &str) -> Vec<u32> {
        let text = parted(text);
        let units = self.units.read(&text);
        let tokens = units.hashes().iter().enumerate();
        tokens.map(|(at, hash)| self.listed.vocabulary.add(*hash, units.token(at))).collect()
    }

    /// Bytes in memory, at most.
    pub(crate) fn held_bytes(&self) -> usize {
        let maps = self.known_items.capacity()
            + self.known_soughts.capacity()
            + self.known_answers.capacity();
        self.listed.vocabulary.held_bytes()
            + self.listed.words.capacity() * 4
            + self.listed.items.capacity() * size_of::<Item>()
            + self.listed.soughts.capacity() * size_of::<Sought>()
            + self.listed.names.capacity() * size_of::<Named>()
            + self.listed.answers.capacity() * size_of::<Answer>()
            + maps * 32
            + self.listed.texts.capacity() * 16
    }

    /// Bytes of the index of all texts, at most, while it is made.
    pub(crate) fn index_bytes(&self) -> usize {
        Index::bytes_of(self.listed.words.len(), self.of_few)
    }

    pub(crate) fn finish(self) -> Result<Items, Error> {
        // What was known while items came in is needed no more.
        let Self { mut listed, strings, .. } = self;
        own(&mut listed);
        Ok(Items::of(listed, strings.finish()?))
    }
}

/// Says whose the runs of each question are, and how many owners have each answer.
fn own(listed: &mut Listed) {
    let Listed { items, names, first_names, of_answers, answers, .. } = listed;
    let asked = items.iter().zip(&*first_names).zip(0..).map(|((item, name), number)| Asked {
        question: item.question,
        set: names[*name as usize].set,
        context: item.context,
        item: number,
    });
    let owners = owners(asked.collect(), |item| &of_answers[items[item as usize].of_answers()]);
    let mut had: Vec<(u32, u32)> = Vec::new();
    for (item, owner) in items.iter_mut().zip(owners) {
        item.owner = owner;
        had.extend(of_answers[item.of_answers()].iter().map(|answer| (*answer, owner)));
    }
    had.sort_unstable();
    had.dedup();
    had.iter().for_each(|(answer, _)| answers[*answer as usize].same += 1);
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
