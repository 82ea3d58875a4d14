//! The items of a job, weighed by a sample of its corpus, with their index.

use crate::contamination::building::Building;
use crate::contamination::eval_sets::EvalSets;
use crate::contamination::index::Index;
use crate::contamination::items::Items;
use crate::contamination::sample::Sample;
use crate::error::Error;
use crate::memory::shares;
use crate::passages::lent::Lending;
use crate::passages::unit::PassageUnit;
use crate::passages::units::UnitReader;
use nearprint_fingerprint::{Digits, Recipe};
use std::path::Path;

/// The items with their index.
pub(crate) struct Prepared {
    pub(crate) items: Items,
    pub(crate) index: Index,
    /// Documents of the sample.
    pub(crate) sampled: u32,
}

impl Prepared {
    /// Weighs the items.
    pub(crate) fn of(mut items: Items, sample: &Sample) -> Self {
        items.vocabulary.weigh(sample.documents, &sample.with);
        let mut index = Index::of(&mut items);
        items.weigh();
        index.add_short(&mut items);
        items.hope();
        Self { items, index, sampled: sample.documents }
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.items.held_bytes() + self.index.held_bytes()
    }
}

impl EvalSets<'_> {
    /// The items, which have no weights yet.
    ///
    /// # Errors
    /// Those of [`read`](Self::read); items without a word that could be looked for.
    pub(crate) fn items(&self, recipe: &Recipe, dir: &Path) -> Result<Items, Error> {
        let mut units = UnitReader::new(recipe, PassageUnit::Token, Digits::Keep)?;
        let held = shares::ROWS.of(self.memory.beside_items(self.threads, 0)?);
        let mut building = Building::new(&mut units, Lending::new(dir, held));
        let notes = self.read(&mut building)?;
        let mut items = building.finish()?;
        items.notes = notes;
        if items.soughts.is_empty() {
            return Err(Error::EvalRow {
                place: self.files(),
                problem: "no question has a word that could be looked for".to_owned(),
            });
        }
        Ok(items)
    }
}
