//! Instructions, which all questions of an eval file begin or end with: they are no part of an item, and go with it where it
//! is cut.

use crate::contamination::items::Items;
use crate::contamination::parted::parted;
use crate::error::Error;
use crate::passages::line_breaks::{first_line, is_break, last_line};
use crate::passages::units::{UnitReader, Units};
use std::collections::HashMap;
use std::ops::Range;

/// Tokens that may stand between a place and its instruction, such as the last word of a question, which was changed.
const NEAR: usize = 3;
/// Tokens of an instruction, at least: a label such as `A:` is a word of any text.
const LEAST: usize = 4;

/// What stands around items, for one thread.
///
/// Memory: 8 bytes a token of the instructions of each item that was found.
pub(crate) struct Instructions<'a> {
    items: &'a Items,
    units: UnitReader,
    known: HashMap<u32, Around>,
}

/// The tokens of the instructions of an item.
#[derive(Clone, Default)]
struct Around {
    before: Vec<u64>,
    behind: Vec<u64>,
}

impl<'a> Instructions<'a> {
    pub(crate) fn new(items: &'a Items, units: UnitReader) -> Self {
        Self { items, units, known: HashMap::new() }
    }

    /// A place of an item in a text, with the instructions that stand there: in its line, or in lines of their own.
    ///
    /// # Errors
    /// The file that the texts of items are in.
    pub(crate) fn around(
        &mut self,
        item: u32,
        place: &Range<usize>,
        (text, units): (&str, &Units<'_>),
    ) -> Result<Range<usize>, Error> {
        let tokens = units.hashes();
        if !self.known.contains_key(&item) {
            let around = self.of(item)?;
            self.known.insert(item, around);
        }
        let Some(Around { before, behind }) = self.known.get(&item) else {
            return Ok(place.clone());
        };
        let has_word =
            |bytes: Option<&str>| bytes.is_some_and(|it| it.contains(char::is_alphanumeric));
        let start_of = |token: usize| units.span(token..token + 1).start;
        let end_of = |token: usize| units.span(token - 1..token).end;
        let start = |end: usize| {
            let start = end - before.len();
            let between = text.get(end_of(end)..start_of(place.start))?;
            let at = start_of(start);
            let line = text.get(at - last_line(text.get(..at)?)..at);
            (!between.contains(is_break) || !has_word(line)).then_some(start)
        };
        let end = |start: usize| {
            let end = start + behind.len();
            let between = text.get(end_of(place.end)..start_of(start))?;
            let at = end_of(end);
            let line = text.get(at..at + first_line(text.get(at..)?));
            (!between.contains(is_break) || !has_word(line)).then_some(end)
        };
        let mut ends = (0..=NEAR).filter_map(|near| place.start.checked_sub(near));
        let ends = ends.find(|end| {
            before.len() >= LEAST && tokens.get(..*end).is_some_and(|it| it.ends_with(before))
        });
        let mut starts = (0..=NEAR).map(|near| place.end + near);
        let starts = starts.find(|start| {
            behind.len() >= LEAST && tokens.get(*start..).is_some_and(|it| it.starts_with(behind))
        });
        let (start, end) = (ends.and_then(start), starts.and_then(end));
        Ok(start.unwrap_or(place.start)..end.unwrap_or(place.end))
    }

    /// The instructions of an item: what its question has around the tokens that are looked for.
    fn of(&mut self, item: u32) -> Result<Around, Error> {
        let Some(sought) = self.items.question(item) else { return Ok(Around::default()) };
        let text = self.items.text(item)?;
        let question = parted(&text.question);
        let units = self.units.read(&question);
        let (all, vocabulary) = (units.hashes(), &self.items.vocabulary);
        let own: Vec<u64> =
            self.items.words(sought).iter().map(|word| vocabulary.hash(*word)).collect();
        let start = all.windows(own.len().max(1)).position(|window| window == own);
        let is_whole = own.len() == all.len();
        let Some(start) = start.filter(|_| !is_whole) else { return Ok(Around::default()) };
        let around = |tokens: Option<&[u64]>| tokens.unwrap_or_default().to_vec();
        Ok(Around {
            before: around(all.get(..start)),
            behind: around(all.get(start + own.len()..)),
        })
    }
}
