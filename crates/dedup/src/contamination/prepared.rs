//! The items of a job with their index: first whatever corpus is searched, then weighed by a sample of one.

use crate::contamination::building::Building;
use crate::contamination::eval_sets::EvalSets;
use crate::contamination::index::Index;
use crate::contamination::items::Items;
use crate::contamination::items::repeated::RepeatedItems;
use crate::contamination::sample::Sample;
use crate::error::Error;
use crate::memory::shares;
use crate::passages::lent::Lending;
use crate::passages::unit::PassageUnit;
use crate::passages::units::UnitReader;
use crate::threads;
use nearprint_fingerprint::Digits;

/// The items with the index of their runs, whatever corpus is searched.
pub(crate) struct Indexed {
    pub(crate) items: Items,
    pub(crate) index: Index,
    /// Whether they were written to a file by this job.
    pub(crate) is_written: bool,
}

/// The items with their index, weighed.
pub(crate) struct Prepared {
    pub(crate) items: Items,
    pub(crate) index: Index,
    /// Items that repeat an id.
    pub(crate) repeated: RepeatedItems,
    /// Documents of the sample.
    pub(crate) sampled: u32,
    /// See [`Indexed`].
    pub(crate) is_written: bool,
}

impl Indexed {
    /// Items with their index.
    pub(crate) fn of(mut items: Items) -> Self {
        let index = Index::of(&mut items);
        Self { items, index, is_written: false }
    }
}

impl Prepared {
    /// Weighs the items, with so many threads.
    ///
    /// # Errors
    /// Threads that cannot be started; those of the file that names are in.
    pub(crate) fn of(indexed: Indexed, sample: &Sample, threads: usize) -> Result<Self, Error> {
        let Indexed { mut items, mut index, is_written } = indexed;
        let repeated = items.repeated_ids()?;
        threads::pool(threads)?.install(|| {
            items.vocabulary.weigh(sample.documents, &sample.with);
            items.weigh();
            index.add_short(&mut items);
            items.hope();
        });
        Ok(Self { items, index, repeated, sampled: sample.documents, is_written })
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.items.held_bytes() + self.index.held_bytes()
    }
}

impl EvalSets<'_> {
    /// The items of the files, which have no weights yet.
    ///
    /// # Errors
    /// Those of [`read`](Self::read); items without a word that could be looked for.
    pub(crate) fn items(&self) -> Result<Items, Error> {
        let mut units = UnitReader::new(&self.spec.recipe, PassageUnit::Token, Digits::Keep)?;
        let held = shares::ROWS.of(self.memory.beside_items(self.reading.threads, 0)?);
        let mut building = Building::new(&mut units, Lending::new(self.dir, held));
        let notes = self.read(&mut building)?;
        let mut items = building.finish()?;
        items.notes = notes;
        if items.soughts.is_empty() {
            let skipped = items.notes.skipped.behind_error();
            return Err(Error::NoWords { evals: self.named(), skipped });
        }
        Ok(items)
    }
}
