//! Instructions, which all questions of an eval file begin or end with: they are no part of an item, and go with it where it
//! is cut.

use crate::contamination::items::Items;
use crate::contamination::parted::parted;
use crate::error::Error;
use crate::passages::units::UnitReader;
use std::collections::HashMap;
use std::ops::Range;

/// Tokens that may stand between a place and its instruction, such as the last word of a question, which was changed.
const NEAR: usize = 3;

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

    /// A place of an item among tokens, with the instructions that stand there.
    ///
    /// # Errors
    /// The file that the texts of items are in.
    pub(crate) fn around(
        &mut self,
        item: u32,
        place: &Range<usize>,
        tokens: &[u64],
    ) -> Result<Range<usize>, Error> {
        if !self.known.contains_key(&item) {
            let around = self.of(item)?;
            self.known.insert(item, around);
        }
        let Some(Around { before, behind }) = self.known.get(&item) else {
            return Ok(place.clone());
        };
        let before = Some(before).filter(|before| !before.is_empty()).and_then(|before| {
            let mut ends = (0..=NEAR).filter_map(|near| place.start.checked_sub(near));
            ends.find(|end| tokens.get(..*end).is_some_and(|it| it.ends_with(before)))
                .map(|end| end - before.len())
        });
        let behind = Some(behind).filter(|behind| !behind.is_empty()).and_then(|behind| {
            let mut starts = (0..=NEAR).map(|near| place.end + near);
            starts
                .find(|start| tokens.get(*start..).is_some_and(|it| it.starts_with(behind)))
                .map(|start| start + behind.len())
        });
        Ok(before.unwrap_or(place.start)..behind.unwrap_or(place.end))
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
