//! The front door of eval sets: a builder for the items, when a document is contaminated, and what becomes of it.

use crate::contamination::fields::ItemFields;
use crate::contamination::job::ReadyContamination;
use crate::contamination::rule::ContaminationRule;
use crate::contamination::spec::{Action, ContaminationSpec};
use crate::contamination::summary::ContaminationSummary;
use crate::error::Error;
use crate::job::spec::Resources;
use crate::memory::limits::Memory;
use crate::progress::Progress;
use nearprint_corpus::Fields;
use nearprint_fingerprint::Recipe;
use std::path::PathBuf;
use std::sync::Arc;

/// Takes the items of eval sets out of the files of a corpus.
///
/// What is not set is what `nearprint decontaminate` takes: documents go that have an item. [`ContaminationSpec`] has all
/// that can be set; it becomes a builder by `from`.
///
/// # Examples
/// ```
/// use nearprint_dedup::Decontamination;
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, evals, output] = ["in.jsonl", "evals.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// let question = "Which of the planets turns around the sun in the shortest time?";
/// std::fs::write(&evals, format!("{{\"question\":\"{question}\"}}\n"))?;
/// std::fs::write(&input, format!("{{\"text\":\"Other words.\"}}\n{{\"text\":\"Quiz: {question} Say it.\"}}\n"))?;
/// let job = Decontamination::against([evals.display().to_string()]).files([input.display().to_string()]);
/// let summary = job.write(&output)?;
/// assert_eq!((summary.contaminated, summary.removed), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decontamination {
    spec: ContaminationSpec,
    with: Resources,
    progress: Arc<Progress>,
}

impl From<ContaminationSpec> for Decontamination {
    fn from(spec: ContaminationSpec) -> Self {
        Self { spec, ..Self::default() }
    }
}

impl Decontamination {
    /// The defaults of the command, and eval sets in these files or folders.
    #[must_use]
    pub fn against(evals: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut job = Self::default();
        job.spec.input.against.extend(evals.into_iter().map(Into::into));
        job
    }

    /// Files, folders or patterns to read, in this order.
    #[must_use]
    pub fn files(mut self, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.spec.input.inputs.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// The fields of the eval sets.
    #[must_use]
    pub fn item_fields(mut self, fields: ItemFields) -> Self {
        self.spec.fields = fields;
        self
    }

    /// The fields of a row that are read.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Self {
        self.spec.reading.fields = fields;
        self
    }

    /// A file with the index of the items, which is read where it is there, and else written: see
    /// [`ContaminationSpec::index`].
    #[must_use]
    pub fn index(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.index = Some(path.into());
        self
    }

    /// When a document is contaminated.
    #[must_use]
    pub fn rule(mut self, rule: ContaminationRule) -> Self {
        self.spec.rule = rule;
        self
    }

    /// What becomes of a document that is. The default is [`Action::Drop`].
    #[must_use]
    pub fn action(mut self, action: Action) -> Self {
        self.spec.action = action;
        self
    }

    /// How text becomes tokens. The default is [`Recipe::DEFAULT`].
    #[must_use]
    pub fn recipe(mut self, recipe: Recipe) -> Self {
        self.spec.recipe = recipe;
        self
    }

    /// Writes a row for everything that was found in a document.
    #[must_use]
    pub fn removed(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.removed = Some(path.into());
        self
    }

    /// Writes a row for every item, also those that were not found.
    #[must_use]
    pub fn items(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.items = Some(path.into());
        self
    }

    /// Worker threads. The default is a thread for each processor.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.with.threads = Some(threads);
        self
    }

    /// What memory the job may take.
    #[must_use]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.with.memory = memory;
        self
    }

    /// Where temporary files go.
    #[must_use]
    pub fn work_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.with.work_dir = Some(folder.into());
        self
    }

    /// Replaces outputs that exist.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.with.force = force;
        self
    }

    /// Counters of the job, which others may read, and its stop flag.
    #[must_use]
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// The job that writes the corpus to a file or a folder, with its inputs and outputs open.
    ///
    /// # Errors
    /// Those of [`ContaminationSpec::open`].
    pub fn open(mut self, output: impl Into<PathBuf>) -> Result<ReadyContamination, Error> {
        self.spec.outputs.corpus = Some(output.into());
        self.spec.open(&self.with, &self.progress)
    }

    /// Writes the corpus to a file or a folder.
    ///
    /// # Errors
    /// Those of [`ContaminationSpec::open`] and [`ReadyContamination::run`].
    pub fn write(self, output: impl Into<PathBuf>) -> Result<ContaminationSummary, Error> {
        let progress = Arc::clone(&self.progress);
        self.open(output)?.run(&progress)
    }

    /// Writes the reports alone.
    ///
    /// # Errors
    /// Those of [`ContaminationSpec::open`] and [`ReadyContamination::run`].
    pub fn report(self) -> Result<ContaminationSummary, Error> {
        self.spec.open(&self.with, &self.progress)?.run(&self.progress)
    }
}
