//! A job over passages in shards as its stages see it.

use crate::distributed::lists::{List, each_block, each_entry, fields};
use crate::distributed::plan::Plan;
use crate::distributed::step::Step;
use crate::distributed::unit_file::{UnitFile, UnitWriter};
use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use crate::job::needs::RecordRoom;
use crate::memory::limits::Memory;
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::census::{Asked, Census, Lists};
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::{Checksums, Corpus};
use crate::passages::cutting::CutCounts;
use crate::passages::hashing::Hashing;
use crate::passages::rows::Names;
use crate::passages::searching::Searched;
use crate::passages::spec::PassagesSpec;
use crate::passages::stretches::{Repeating, Stretches};
use crate::passages::tally::{Tallied, places};
use crate::progress::Progress;
use crate::read::fields_seen::FieldsByPart;
use crate::read::not_read::NotRead;
use crate::read::reading::Reading;
use nearprint_corpus::Source;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::slice;

/// What a job over passages in shards is, beside its plan.
pub(crate) struct Divided {
    pub(crate) spec: PassagesSpec,
    pub(crate) reading: Reading,
    /// All sources, first those of the reference.
    pub(crate) sources: Vec<Source>,
    pub(crate) room: Option<RecordRoom>,
    pub(crate) reference: usize,
    pub(crate) passed_over: NotRead,
    pub(crate) memory: Memory,
    pub(crate) dir: PathBuf,
    /// Bits of the hash of a window that count: all but in tests.
    pub(crate) mask: u64,
}

/// The same with its plan and the files of its units.
pub(crate) struct PassagesJob<'a> {
    pub(crate) job: &'a Divided,
    pub(crate) plan: Plan,
    pub(crate) id: String,
    pub(crate) folder: WorkFolder,
    /// Of each round that was compared to its end the hashes that windows have which are not equal: another follows it.
    pub(crate) rounds: Vec<Vec<u64>>,
    pub(crate) progress: &'a Progress,
}

/// What is counted of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct AnchorCounts {
    pub(crate) tallied: Tallied,
    pub(crate) fields: FieldsByPart,
    pub(crate) checksums: Checksums,
}

/// What is counted of a range.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RangeCounts {
    pub(crate) searched: Searched,
    /// Of the first unit: documents with an id that one before them has.
    pub(crate) repeated_ids: u64,
}

/// What is counted of what goes of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CutUnitCounts {
    pub(crate) counts: CutCounts,
    /// Bytes that were lent to it.
    pub(crate) lent: u64,
    /// Hashes that windows have which are not equal.
    pub(crate) shared: Vec<u64>,
}

/// What the first stage told of all files.
pub(crate) struct Known {
    pub(crate) tallied: Tallied,
    pub(crate) fields: FieldsByPart,
    /// The number of the first record of each file, and its checksums.
    pub(crate) files: Vec<(u64, Checksums)>,
}

impl Known {
    /// The file of a record.
    pub(crate) fn file_of(&self, record: u32) -> usize {
        let before = self.files.partition_point(|(first, _)| *first <= u64::from(record));
        before.saturating_sub(1)
    }

    /// The first record of a file.
    pub(crate) fn first(&self, file: usize) -> u64 {
        self.files.get(file).map_or(0, |(first, _)| *first)
    }

    /// The checksums of a file.
    pub(crate) fn checksums(&self, file: usize) -> Checksums {
        self.files.get(file).map(|(_, checksums)| *checksums).unwrap_or_default()
    }
}

impl PassagesJob<'_> {
    /// The number of input files.
    pub(crate) fn files(&self) -> usize {
        self.job.sources.len()
    }

    /// The number of rounds of the stages from `repeats` to `cut`.
    pub(crate) fn round_count(&self) -> usize {
        self.rounds.len() + 1
    }

    /// Units of a round of a stage.
    pub(crate) fn units_of_round(&self, step: Step) -> usize {
        match step {
            Step::Repeats | Step::Firsts => self.plan.ranges,
            _ => self.files(),
        }
    }

    /// The number of units of a stage.
    pub(crate) fn units(&self, step: Step) -> usize {
        match step {
            Step::Anchors | Step::Write => self.files(),
            _ => self.units_of_round(step) * self.round_count(),
        }
    }

    /// The round of a unit, and its number in that.
    pub(crate) fn round_of(&self, step: Step, unit: usize) -> (usize, usize) {
        let units = self.units_of_round(step).max(1);
        (unit / units, unit % units)
    }

    /// Writes the file of a unit.
    pub(crate) fn write<T: Serialize>(
        &self,
        step: Step,
        unit: usize,
        write: impl FnOnce(&mut UnitWriter<'_>) -> Result<T, Error>,
    ) -> Result<(), Error> {
        UnitWriter::write(&self.folder, step, unit, &self.id, fields(), write)
    }

    /// Opens the file of a unit.
    pub(crate) fn open(&self, step: Step, unit: usize) -> Result<UnitFile, Error> {
        UnitFile::open(&self.folder, step, unit, &self.id, fields())
    }

    /// Hands the entries of a list for a unit to `each`: those of all units of a round of a stage, in their order.
    pub(crate) fn each<E: Entry>(
        &self,
        (step, round): (Step, usize),
        list: List,
        to: usize,
        mut each: impl FnMut(usize, E) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let units = self.units_of_round(step);
        (0..units).try_for_each(|unit| {
            self.progress.check()?;
            let file = self.open(step, round * units + unit)?;
            each_entry(&file, list, to, |entry| each(unit, entry))
        })
    }

    /// The same of blocks.
    pub(crate) fn each_block(
        &self,
        (step, round): (Step, usize),
        unit: usize,
        list: List,
        to: usize,
        each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let file = self.open(step, round * self.units_of_round(step) + unit)?;
        each_block(&file, list, to, each)
    }

    /// The entries of a list for a unit of all these stages of a round, sorted.
    pub(crate) fn sorted<E: Entry>(
        &self,
        steps: &[Step],
        round: usize,
        list: List,
        to: usize,
        room: Room,
    ) -> Result<Column<E>, Error> {
        let mut column = ColumnWriter::new(&self.job.dir);
        sorted_of::<E>(
            room,
            &self.job.dir,
            &mut |emit| {
                let mut out = Batched::new(emit);
                for step in steps {
                    self.each((*step, round), list, to, |_, entry| {
                        out.push(entry);
                        Ok(())
                    })?;
                }
                out.flush();
                Ok(())
            },
            &mut |entries| entries.iter().try_for_each(|entry| column.push(*entry)),
        )?;
        column.finish()
    }

    /// The documents of a file, from a number on.
    pub(crate) fn corpus(&self, file: usize, first: u64) -> Corpus<'_> {
        let Divided { spec, reading, sources, reference, dir, .. } = self.job;
        Corpus {
            reading,
            recipe: &spec.recipe,
            sources: sources.get(file).map(slice::from_ref).unwrap_or_default(),
            reference: usize::from(file < *reference),
            first,
            rule: spec.rule,
            offsets: spec.outputs.offsets,
            dir,
            progress: self.progress,
        }
    }

    /// What is wanted of the first reading.
    pub(crate) fn asked(&self) -> Asked {
        let spec = &self.job.spec;
        Asked {
            anchors: true,
            origins: spec.outputs.passages.is_some(),
            one_place: spec.cuts_texts(),
        }
    }

    /// How windows of a round are hashed.
    pub(crate) fn hashing(&self, round: usize) -> Result<Hashing, Error> {
        let hashing = Hashing::new(self.job.spec.rule.length()? as usize, self.job.mask);
        let shared = self.rounds.iter().take(round);
        Ok(shared.fold(hashing, |hashing, shared| hashing.beside(shared.iter().copied())))
    }

    /// Bytes for what is sorted and compared, beside so many.
    pub(crate) fn room(&self, held: usize) -> Result<usize, Error> {
        self.job.memory.for_passages(self.job.reading.threads, held)
    }

    /// What the first stage told of a file.
    pub(crate) fn counted(&self, file: usize) -> Result<AnchorCounts, Error> {
        self.open(Step::Anchors, file)?.counts()
    }

    /// What the first stage told of all files.
    pub(crate) fn known(&self) -> Result<Known, Error> {
        let (mut tallied, mut fields) = (Tallied::default(), FieldsByPart::default());
        let mut files = Vec::with_capacity(self.files());
        let mut first = 0;
        for file in 0..self.files() {
            let AnchorCounts { tallied: own, fields: of_fields, checksums } = self.counted(file)?;
            files.push((first, checksums));
            let records = own.records.iter().sum();
            first += records;
            tallied.records.push(records);
            tallied.tokens.push(own.tokens.iter().sum());
            tallied.reference += own.reference;
            tallied.of_reference.merge(own.of_reference);
            tallied.counts.merge(own.counts);
            fields.merge(&of_fields);
        }
        Ok(Known { tallied, fields, files })
    }

    /// The same as a census, with stretches of a unit that repeat, and the checksums of what it reads.
    ///
    /// Memory: 8 bytes a document where another one than the first of them is preferred, 4 where a field says where they come
    /// from; 16 and 8 more for a while.
    pub(crate) fn census(
        &self,
        known: &Known,
        repeated: Stretches,
        checksums: Checksums,
    ) -> Result<Census, Error> {
        let mut lists = Lists::default();
        let (rule, asked) = (self.job.spec.rule, self.asked());
        let ranked = rule.keep.worth(0, None).is_some();
        let said = asked.origins && self.corpus(0, 0).says_origins();
        for file in (0..self.files()).filter(|_| ranked || said) {
            let unit = self.open(Step::Anchors, file)?;
            let (mut worths, mut origins) = (Vec::new(), Vec::new());
            each_entry(&unit, List::Worths, 0, |[high, low]: [u64; 2]| {
                worths.push(u128::from(high) << 64 | u128::from(low));
                Ok(())
            })?;
            each_entry(&unit, List::Origins, 0, |origin: u64| {
                origins.push(origin);
                Ok(())
            })?;
            lists.take(worths, origins);
        }
        let corpus = self.corpus(0, 0);
        let tallied = known.tallied.clone();
        Census::of(&corpus, asked, (tallied, checksums), lists, (repeated, 0))
    }

    /// No stretches.
    pub(crate) fn no_stretches(&self) -> Result<Stretches, Error> {
        Repeating::new(&self.job.dir).finish()
    }

    /// What reports call documents.
    pub(crate) fn names(&self, known: &Known) -> Result<Names<'_>, Error> {
        let mut counts = known.tallied.counts.clone();
        counts.repeated_ids = self.open(Step::Repeats, 0)?.counts::<RangeCounts>()?.repeated_ids;
        let Tallied { records, reference, .. } = &known.tallied;
        Ok(Names::new(places(&counts, records, &self.job.sources), *reference))
    }
}
