//! Windows by their hashes to copies with the first of each: what is cut, and how often it stands.

use crate::error::Error;
use crate::memory::spill::{Appender, Spill};
use crate::passages::origins::Origins;
use crate::passages::place::{document_of, pair};
use crate::passages::rule::PassageRule;
use foldhash::HashSet;
use nearprint_rules::KeepRule;
use std::path::Path;

/// The hash of a window, and its place by the rank of its document.
pub(crate) type Window = [u64; 2];
/// A copy: its place, that of the first, how many there are with how many documents, and how many windows one after the
/// other are so.
pub(crate) type Copied = [u64; 4];
/// The first of equal windows: its place, how many there are with how many documents, how many origins, and how many windows
/// one after the other are so.
pub(crate) type First = [u64; 4];

/// Places of a group that are in memory.
const HELD: usize = 1 << 16;

/// What takes copies or firsts.
pub(crate) type Emit<'a, E> = dyn FnMut(E) -> Result<(), Error> + Send + 'a;

/// Takes windows in the order of their hashes, or stretches of them by their anchors, and tells copies from firsts.
///
/// Memory: half a MiB, also of a million equal windows.
pub(crate) struct Groups<'a> {
    rule: PassageRule,
    /// So many documents, the first ones by rank, are there to be compared with only.
    reference: u32,
    origins: &'a Origins,
    dir: &'a Path,
    /// The hash of the group under way, and how many windows each of it has.
    hash: u64,
    windows: u64,
    /// Its places, and those before them.
    places: Vec<u64>,
    spilled: Option<(Spill, Appender<u64>)>,
    tally: Tally,
}

/// What is counted of a group.
#[derive(Default)]
struct Tally {
    copies: u32,
    documents: u32,
    /// The first two places, and the last.
    first: u64,
    second: u64,
    last: u64,
    origins: HashSet<u32>,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(
        rule: PassageRule,
        reference: u32,
        origins: &'a Origins,
        dir: &'a Path,
    ) -> Self {
        let (places, tally) = (Vec::new(), Tally::default());
        Self { rule, reference, origins, dir, hash: 0, windows: 0, places, spilled: None, tally }
    }

    /// Takes so many windows one after the other, each of which is equal to that of the others of their hash that stands
    /// as far behind the first one. The groups that they end go to `copied` and, where origins are counted, to `first`.
    pub(crate) fn push(
        &mut self,
        hash: u64,
        place: u64,
        windows: u64,
        copied: &mut Emit<'_, Copied>,
        first: &mut Emit<'_, First>,
    ) -> Result<(), Error> {
        if hash != self.hash {
            self.end(copied, first)?;
            self.hash = hash;
        }
        self.windows = windows;
        let tally = &mut self.tally;
        let is_new = tally.copies == 0 || document_of(place) != document_of(tally.last);
        match tally.copies {
            0 => tally.first = place,
            1 => tally.second = place,
            _ => {}
        }
        tally.copies = tally.copies.saturating_add(1);
        tally.documents = tally.documents.saturating_add(u32::from(is_new));
        tally.last = place;
        if is_new && let Some(origin) = self.origins.of(document_of(place)) {
            tally.origins.insert(origin);
        }
        if self.places.len() == HELD {
            let (spill, list) = match &mut self.spilled {
                Some(spilled) => spilled,
                None => self.spilled.insert((Spill::new(self.dir, 0), Appender::default())),
            };
            self.places.drain(..).try_for_each(|place| list.push(place, HELD, spill))?;
        }
        self.places.push(place);
        Ok(())
    }

    /// Ends the last group.
    pub(crate) fn end(
        &mut self,
        copied: &mut Emit<'_, Copied>,
        first: &mut Emit<'_, First>,
    ) -> Result<(), Error> {
        let tally = &mut self.tally;
        let goes = tally.copies > 1
            && tally.documents >= self.rule.copies
            && (self.rule.inside || tally.documents > 1);
        if goes {
            let (count, windows) = (pair(tally.copies, tally.documents), self.windows);
            if self.origins.are_counted() {
                let origins = u64::try_from(tally.origins.len()).unwrap_or(u64::MAX);
                first([tally.first, count, origins, windows])?;
            }
            let nothing_stays = self.rule.keep == KeepRule::Nothing;
            let mut each = |place: u64| {
                let is_first = place == tally.first;
                let is_spared = document_of(place) < self.reference
                    || is_first && !nothing_stays
                    || !self.rule.inside
                        && !nothing_stays
                        && document_of(place) == document_of(tally.first);
                let other = if is_first { tally.second } else { tally.first };
                if is_spared { Ok(()) } else { copied([place, other, count, windows]) }
            };
            if let Some((mut spill, list)) = self.spilled.take() {
                let list = list.finish(&mut spill)?;
                spill.for_each(&list, &mut each)?;
            }
            self.places.iter().try_for_each(|place| each(*place))?;
        }
        self.places.clear();
        self.spilled = None;
        tally.origins.clear();
        tally.copies = 0;
        tally.documents = 0;
        Ok(())
    }
}
