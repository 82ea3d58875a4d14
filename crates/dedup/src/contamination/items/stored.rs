//! Items in a file, as they are before a corpus weighs them.

use super::{Answer, Item, Items, Kind, Listed, NONE, Named, Sought};
use crate::contamination::stored_list::StoredList;
use crate::contamination::vocabulary::Vocabulary;
use crate::memory::sealed::{Flaw, Sealed, SealedWriter};
use crate::passages::lent::Lent;
use crate::passages::place::{halves, pair};
use std::io;
use std::path::Path;

/// What stands for all numbers of owners that are no less.
const MANY: u8 = u8::MAX;
/// The bit of a text that has a run several times, above those of its kind.
const REPEATS: u32 = 1 << 8;

impl Items {
    /// Puts all items into a file, which have no weights yet.
    pub(crate) fn store(&self, file: &mut SealedWriter<'_>) -> io::Result<()> {
        self.vocabulary.store(file)?;
        let items = self.items.iter().map(|item| {
            let Item { question, with_choices, context, first_answer, answers, owner } = *item;
            [question, with_choices, context, first_answer, answers, owner]
        });
        file.list(StoredList::Items as usize, items)?;
        let soughts = self.soughts.iter().map(|sought| {
            let repeats = if sought.repeats { REPEATS } else { 0 };
            [sought.first, sought.length, sought.kind as u32 | repeats]
        });
        file.list(StoredList::Soughts as usize, soughts)?;
        let names = self.names.iter().map(|Named { item, set, at, bytes }| {
            let (high, low) = halves(*at);
            [*item, *set, high, low, *bytes]
        });
        file.list(StoredList::Names as usize, names)?;
        file.list(StoredList::FirstNames as usize, self.first_names.iter().copied())?;
        file.list(StoredList::Words as usize, self.words.iter().copied())?;
        let owners = || self.weights.iter().map(|owners| counted(*owners));
        let few = owners().map(|owners| u8::try_from(owners).unwrap_or(MANY));
        // Those of more than one byte, and the one number that stands for them.
        let many = (0_u32..).zip(owners()).filter(|(_, owners)| *owners >= u32::from(MANY));
        let many: Vec<_> = many.map(|(place, owners)| [place, owners]).collect();
        file.list(StoredList::Owners as usize, few)?;
        file.list(StoredList::ManyOwners as usize, many.into_iter())?;
        let answers =
            self.answers.iter().map(|Answer { first, length, same }| [*first, *length, *same]);
        file.list(StoredList::Answers as usize, answers)?;
        file.list(StoredList::OfAnswers as usize, self.of_answers.iter().copied())?;
        let texts = self.texts.iter().map(|(at, bytes)| {
            let (high, low) = halves(*at);
            [high, low, *bytes]
        });
        file.list(StoredList::Texts as usize, texts)?;
        file.list(StoredList::Seeded as usize, self.seeded.iter().copied())?;
        let strings = StoredList::Strings as usize;
        file.bytes(strings, self.strings.len(), |put| self.strings.copy(put))
    }

    /// The items of a file with that name, whose names and texts stay in it.
    pub(crate) fn restore(
        file: &Sealed,
        path: &Path,
        sets: Vec<String>,
        empty: u64,
    ) -> Result<Self, Flaw> {
        let ((words, weights), listed) = rayon::join(
            || rayon::join(|| file.list(StoredList::Words as usize), || weights(file)),
            || listed(file, sets, empty),
        );
        let (mut listed, weights, seeded) =
            (listed?, weights?, file.list(StoredList::Seeded as usize)?);
        listed.words = words?;
        let (start, length) = file.place(StoredList::Strings as usize);
        if let Some(what) = unsound(&listed, length, &weights, &seeded) {
            return Err(Flaw::Damaged(format!("its {what} contradict each other")));
        }
        let strings = Lent::within(file.file()?, path, start, length);
        Ok(Self::with(listed, strings, weights, seeded))
    }
}

/// A number of owners; 0 where there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "owners are whole numbers"
)]
fn counted(owners: f32) -> u32 {
    if owners.is_finite() { owners as u32 } else { 0 }
}

/// How many owners the rarest run of each word has.
#[expect(clippy::cast_precision_loss, reason = "they are such numbers")]
fn weights(file: &Sealed) -> Result<Vec<f32>, Flaw> {
    let owners: Vec<u8> = file.list(StoredList::Owners as usize)?;
    let weight = |owners| if owners == 0 { f32::INFINITY } else { f32::from(owners) };
    let mut weights: Vec<f32> = owners.into_iter().map(weight).collect();
    let many: Vec<[u32; 2]> = file.list(StoredList::ManyOwners as usize)?;
    for [place, owners] in many {
        if let Some(weight) = weights.get_mut(place as usize) {
            *weight = owners as f32;
        }
    }
    Ok(weights)
}

/// What a file lists, but for the words.
fn listed(file: &Sealed, sets: Vec<String>, empty: u64) -> Result<Listed, Flaw> {
    let items: Vec<[u32; 6]> = file.list(StoredList::Items as usize)?;
    let item = |[question, with_choices, context, first_answer, answers, owner]: [u32; 6]| Item {
        question,
        with_choices,
        context,
        first_answer,
        answers,
        owner,
    };
    let soughts: Vec<[u32; 3]> = file.list(StoredList::Soughts as usize)?;
    let sought = |[first, length, kind]: [u32; 3]| {
        let all = [Kind::Question, Kind::WithChoices, Kind::Context];
        let known = all.into_iter().find(|known| *known as u32 == kind & !REPEATS)?;
        Some(Sought { repeats: kind & REPEATS != 0, ..Sought::new(first, length, known) })
    };
    let soughts: Option<Vec<Sought>> = soughts.into_iter().map(sought).collect();
    let names: Vec<[u32; 5]> = file.list(StoredList::Names as usize)?;
    let name =
        |[item, set, high, low, bytes]: [u32; 5]| Named { item, set, at: pair(high, low), bytes };
    let answers: Vec<[u32; 3]> = file.list(StoredList::Answers as usize)?;
    let answer = |[first, length, same]: [u32; 3]| Answer { first, length, same };
    let texts: Vec<[u32; 3]> = file.list(StoredList::Texts as usize)?;
    Ok(Listed {
        vocabulary: Vocabulary::restore(file)?,
        sets,
        items: items.into_iter().map(item).collect(),
        soughts: soughts.ok_or_else(|| Flaw::Damaged("a text is of no kind".to_owned()))?,
        names: names.into_iter().map(name).collect(),
        first_names: file.list(StoredList::FirstNames as usize)?,
        words: Vec::new(),
        answers: answers.into_iter().map(answer).collect(),
        of_answers: file.list(StoredList::OfAnswers as usize)?,
        texts: texts.into_iter().map(|[high, low, bytes]| (pair(high, low), bytes)).collect(),
        empty,
    })
}

/// Which of the lists name something that is not there, such as no file has that was written here.
fn unsound(listed: &Listed, strings: u64, weights: &[f32], seeded: &[u64]) -> Option<&'static str> {
    let Listed { vocabulary, sets, items, soughts, names, first_names, words, .. } = listed;
    let Listed { answers, of_answers, texts, .. } = listed;
    let within =
        |first: u32, length: u32, all: usize| u64::from(first) + u64::from(length) <= all as u64;
    let in_strings =
        |at: u64, bytes: u32| at.checked_add(u64::from(bytes)).is_some_and(|end| end <= strings);
    let is_sought = |sought: u32| sought == NONE || (sought as usize) < soughts.len();
    [
        (
            words.iter().all(|word| (*word as usize) < vocabulary.len())
                && weights.len() == words.len()
                && seeded.len() == words.len().div_ceil(64),
            "words",
        ),
        (
            soughts.iter().all(|it| it.length > 0 && within(it.first, it.length, words.len()))
                && soughts.is_sorted_by_key(|sought| sought.first),
            "texts",
        ),
        (
            items.iter().all(|item| {
                [item.question, item.with_choices, item.context].into_iter().all(is_sought)
                    && within(item.first_answer, item.answers, of_answers.len())
            }) && texts.len() == items.len()
                && texts.iter().all(|(at, bytes)| in_strings(*at, *bytes)),
            "items",
        ),
        (
            answers.iter().all(|answer| within(answer.first, answer.length, words.len()))
                && of_answers.iter().all(|answer| (*answer as usize) < answers.len()),
            "answers",
        ),
        (
            names.iter().all(|name| {
                (name.item as usize) < items.len()
                    && (name.set as usize) < sets.len()
                    && in_strings(name.at, name.bytes)
            }) && first_names.len() == items.len()
                && first_names.iter().all(|name| (*name as usize) < names.len()),
            "names",
        ),
    ]
    .into_iter()
    .find_map(|(is_sound, what)| (!is_sound).then_some(what))
}
