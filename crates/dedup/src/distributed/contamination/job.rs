//! A job over eval sets in shards as its stages see it.

use crate::contamination::eval_sets::{EvalSets, EvalsFound};
use crate::contamination::findings::{Known, Told};
use crate::contamination::gone::Gone;
use crate::contamination::items::Items;
use crate::contamination::prepared::Prepared;
use crate::contamination::sample::Sample;
use crate::contamination::spec::ContaminationSpec;
use crate::distributed::lists::{List, ListWriter, each_block, each_entry, fields};
use crate::distributed::step::Step;
use crate::distributed::unit_file::{UnitFile, UnitWriter};
use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use crate::job::needs::RecordRoom;
use crate::memory::limits::Memory;
use crate::memory::shares;
use crate::passages::corpus::{Checksums, Corpus};
use crate::passages::lent::{Lending, Lent};
use crate::passages::place::{halves, pair};
use crate::passages::rule::PassageRule;
use crate::passages::tally::Tallied;
use crate::passages::writing::WrittenCounts;
use crate::progress::Progress;
use crate::read::fields_seen::FieldsByPart;
use crate::read::reading::Reading;
use nearprint_corpus::{PassedOver, Source};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::slice;
use std::sync::OnceLock;

/// What a job over eval sets in shards is, beside its plan.
pub(crate) struct Divided {
    pub(crate) spec: ContaminationSpec,
    pub(crate) reading: Reading,
    pub(crate) sources: Vec<Source>,
    pub(crate) room: Option<RecordRoom>,
    pub(crate) evals: EvalsFound,
    pub(crate) passed_over: Vec<PassedOver>,
    pub(crate) memory: Memory,
    pub(crate) dir: PathBuf,
}

/// The same with the files of its units.
pub(crate) struct ContaminationJob<'a> {
    pub(crate) job: &'a Divided,
    pub(crate) id: String,
    pub(crate) folder: WorkFolder,
    pub(crate) progress: &'a Progress,
    /// The items, once a unit asked for them.
    prepared: OnceLock<Prepared>,
}

/// What is counted of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LookCounts {
    pub(crate) tallied: Tallied,
    pub(crate) fields: FieldsByPart,
    pub(crate) checksums: Checksums,
    /// Places that were aligned.
    pub(crate) aligned: u64,
}

/// What is counted of all files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SumCounts {
    pub(crate) tallied: Tallied,
    pub(crate) aligned: u64,
    /// The number of the first record of each file.
    pub(crate) firsts: Vec<u64>,
}

/// What is counted of a file that was written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WriteCounts {
    pub(crate) gone: Gone,
    pub(crate) written: WrittenCounts,
    /// Rows of what was found.
    pub(crate) found: u64,
}

impl<'a> ContaminationJob<'a> {
    pub(crate) fn new(
        job: &'a Divided,
        id: String,
        folder: WorkFolder,
        progress: &'a Progress,
    ) -> Self {
        Self { job, id, folder, progress, prepared: OnceLock::new() }
    }

    /// The number of input files.
    pub(crate) fn files(&self) -> usize {
        self.job.sources.len()
    }

    /// The number of units of a stage.
    pub(crate) fn units(&self, step: Step) -> usize {
        match step {
            Step::Look | Step::Write => self.files(),
            _ => 1,
        }
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

    /// Some files of the input, from the record of a number on.
    fn corpus_of<'s>(&'s self, sources: &'s [Source], first: u64) -> Corpus<'s> {
        let Divided { spec, reading, dir, .. } = self.job;
        Corpus {
            reading,
            recipe: &spec.recipe,
            sources,
            reference: 0,
            first,
            rule: PassageRule::default(),
            offsets: spec.outputs.offsets,
            dir,
            progress: self.progress,
        }
    }

    /// All documents.
    pub(crate) fn corpus(&self) -> Corpus<'_> {
        self.corpus_of(&self.job.sources, 0)
    }

    /// The documents of a file, from a number on.
    pub(crate) fn file(&self, file: usize, first: u64) -> Corpus<'_> {
        let source = self.job.sources.get(file);
        self.corpus_of(source.map(slice::from_ref).unwrap_or_default(), first)
    }

    /// The eval sets.
    fn evals(&self) -> EvalSets<'_> {
        let Divided { spec, reading, evals, memory, dir, .. } = self.job;
        EvalSets { found: evals, spec, reading, memory: *memory, dir, progress: self.progress }
    }

    /// The items, which have no weights yet. Where a file is named for their index, it is there from then on.
    pub(crate) fn items(&self) -> Result<Items, Error> {
        match self.job.spec.index {
            Some(_) => Ok(self.evals().indexed()?.items),
            None => self.evals().items(),
        }
    }

    /// The items with their index, read once a task.
    ///
    /// # Errors
    /// [`Error::InputChanged`] where they are not those of the sample.
    pub(crate) fn prepared(&self) -> Result<&Prepared, Error> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        let indexed = self.evals().indexed()?;
        let sampled = self.open(Step::Sample, 0)?;
        let mut sample = Sample { documents: sampled.counts()?, with: Vec::new() };
        each_entry(&sampled, List::Sampled, 0, |documents: u64| {
            sample.with.push(crate::numbers::narrow(documents));
            Ok(())
        })?;
        if sample.with.len() != indexed.items.vocabulary.len() {
            return Err(Error::InputChanged);
        }
        let prepared = Prepared::of(indexed, &sample, self.job.reading.threads)?;
        Ok(self.prepared.get_or_init(|| prepared))
    }

    /// Bytes of ids and texts in memory.
    pub(crate) fn held(&self) -> Result<usize, Error> {
        let items = self.prepared()?.held_bytes();
        Ok(shares::ROWS.of(self.job.memory.beside_items(self.job.reading.threads, items)?))
    }

    /// The ids and texts that a unit wrote.
    pub(crate) fn strings(&self, unit: &UnitFile) -> Result<Lent, Error> {
        let mut strings = Lending::new(&self.job.dir, self.held()?);
        each_block(unit, List::Strings, 0, |bytes| strings.push(bytes).map(|_| ()))?;
        strings.finish()
    }

    /// What all files told of the items.
    pub(crate) fn known(&self) -> Result<Known, Error> {
        let mut known = Known::nothing(&self.prepared()?.items);
        let sum = self.open(Step::Sum, 0)?;
        each_known(&sum, &mut |item, documents, highest| {
            known.documents[item] = documents;
            known.highest[item] = highest;
        })?;
        each_share(&sum, &mut |sought, share, id| {
            known.shares[sought] = share;
            known.ids[sought] = id;
        })?;
        Ok(known)
    }
}

/// Hands each item of which something was found to `each`: the documents that have it, and the highest verdict.
pub(crate) fn each_known(
    unit: &UnitFile,
    each: &mut dyn FnMut(usize, u32, u32),
) -> Result<(), Error> {
    each_entry(unit, List::Items, 0, |[item, told]: [u64; 2]| {
        let (documents, highest) = halves(told);
        each(crate::numbers::index(item), documents, highest);
        Ok(())
    })
}

/// Hands each text of the items of which something was found to `each`: the greatest share, and where the id of its
/// document is among the strings.
pub(crate) fn each_share(
    unit: &UnitFile,
    each: &mut dyn FnMut(usize, f32, u64),
) -> Result<(), Error> {
    each_entry(unit, List::Soughts, 0, |[at, id]: [u64; 2]| {
        let (sought, share) = halves(at);
        each(sought as usize, f32::from_bits(share), id);
        Ok(())
    })
}

/// Writes ids and texts, and what is known of items.
pub(crate) fn put_told(unit: &mut UnitWriter<'_>, told: &Told) -> Result<(), Error> {
    let Told { strings, known } = told;
    let mut list = ListWriter::new(unit, List::Strings);
    strings.each(&mut |bytes| list.push_block(0, bytes))?;
    list.finish()?;
    let mut list = ListWriter::new(unit, List::Items);
    for (item, told) in (0_u64..).zip(known.documents.iter().zip(&known.highest)) {
        if *told.0 > 0 || *told.1 > 0 {
            list.push(0, &[item, pair(*told.0, *told.1)])?;
        }
    }
    list.finish()?;
    let mut list = ListWriter::new(unit, List::Soughts);
    for (sought, (share, id)) in (0_u32..).zip(known.shares.iter().zip(&known.ids)) {
        if *share > 0.0 {
            list.push(0, &[pair(sought, share.to_bits()), *id])?;
        }
    }
    list.finish()
}
