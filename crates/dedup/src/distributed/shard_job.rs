//! A job in shards as its stages see it: its plan, its input and the files of its units.

use crate::distributed::links::Links;
use crate::distributed::plan::Plan;
use crate::distributed::schema::{ClusterCounts, FileCounts, Schema};
use crate::distributed::step::Step;
use crate::distributed::unit_file::{UnitFile, UnitWriter};
use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use crate::job::resolved::Job;
use crate::progress::Progress;
use crate::read::documents::Wanted;
use crate::read::search_input::{SearchInput, Task};
use crate::read::ties::Ties;
use nearprint_corpus::Source;
use serde::Serialize;
use std::ops::Range;
use std::path::Path;
use std::slice;

/// Where a task writes.
pub(crate) struct Folders<'a> {
    pub(crate) survivors: &'a Path,
    pub(crate) removed: Option<&'a Path>,
    pub(crate) clusters: Option<&'a Path>,
    pub(crate) pairs: Option<&'a Path>,
    pub(crate) segments: Option<&'a Path>,
}

/// A job in shards with its plan.
pub(crate) struct ShardJob<'a> {
    pub(crate) job: &'a Job,
    pub(crate) plan: Plan,
    /// The id of the job.
    pub(crate) id: String,
    pub(crate) schema: Schema,
    pub(crate) folder: WorkFolder,
    pub(crate) outputs: Folders<'a>,
    /// Whether reports, notes or segments name documents.
    pub(crate) named: bool,
    pub(crate) progress: &'a Progress,
}

impl ShardJob<'_> {
    /// The number of input files.
    pub(crate) fn files(&self) -> usize {
        self.job.sources.len()
    }

    /// The input file of a number, as all that is read.
    pub(crate) fn source(&self, unit: usize) -> &[Source] {
        self.job.sources.get(unit).map(slice::from_ref).unwrap_or_default()
    }

    /// The name of an input file.
    pub(crate) fn name(&self, file: u64) -> &str {
        let source = usize::try_from(file).ok().and_then(|file| self.job.sources.get(file));
        source.map_or("", Source::name)
    }

    /// The number of units of a stage; 0 of one that other jobs have.
    pub(crate) fn units(&self, step: Step) -> usize {
        match step {
            Step::Sketch | Step::Gather | Step::Write => self.files(),
            Step::Join => Links::units(self.schema.groups(), self.plan.ranges),
            Step::Cluster => 1,
            Step::Solve => self.plan.shards,
            Step::Anchors
            | Step::Repeats
            | Step::Windows
            | Step::Firsts
            | Step::Runs
            | Step::Lend
            | Step::Cut
            | Step::Sample
            | Step::Look
            | Step::Sum => 0,
        }
    }

    /// What breaks ties between documents that are worth the same.
    pub(crate) fn ties(&self) -> Ties {
        Ties::of(self.job.criteria.keep, &self.job.reading.fields)
    }

    /// What is kept of documents.
    pub(crate) fn wanted(&self) -> Wanted {
        let Job { criteria, reference, .. } = self.job;
        Wanted {
            keep: criteria.keep,
            featureless: criteria.featureless,
            reference: *reference,
            ..Wanted::default()
        }
    }

    /// What the workers of the first reading do.
    pub(crate) fn reading_task(&self) -> Task {
        let Job { criteria, memory, work_dir, .. } = self.job;
        SearchInput::new(&criteria.likeness, true, 0, *memory, work_dir).task()
    }

    /// Writes the file of a unit.
    pub(crate) fn write<T: Serialize>(
        &self,
        step: Step,
        unit: usize,
        write: impl FnOnce(&mut UnitWriter<'_>) -> Result<T, Error>,
    ) -> Result<(), Error> {
        let columns = self.schema.columns(step);
        UnitWriter::write(&self.folder, step, unit, &self.id, columns, write)
    }

    /// Opens the file of a unit.
    ///
    /// # Errors
    /// No file, a damaged one, or one of another job, stage or unit.
    pub(crate) fn open(&self, step: Step, unit: usize) -> Result<UnitFile, Error> {
        UnitFile::open(&self.folder, step, unit, &self.id, self.schema.columns(step))
    }

    /// Opens the sketch of an input file.
    pub(crate) fn sketch(&self, unit: usize) -> Result<UnitFile, Error> {
        self.open(Step::Sketch, unit)
    }

    /// The number of documents of a sketch.
    pub(crate) fn documents(&self, sketch: &UnitFile) -> Result<u64, Error> {
        Ok(sketch.counts::<FileCounts>()?.documents)
    }

    /// The numbers of the documents of an input file, as `cluster` counted them.
    pub(crate) fn documents_of(&self, unit: usize, counts: &ClusterCounts) -> Range<u64> {
        let first = |unit: usize| counts.firsts.get(unit).copied().unwrap_or(counts.documents);
        first(unit)..first(unit + 1)
    }
}
