//! The front door of eval sets: a builder for the items, when a document is contaminated, and what becomes of it.

use crate::contamination::fields::ItemFields;
use crate::contamination::job::ReadyContamination;
use crate::contamination::rule::ContaminationRule;
use crate::contamination::spec::{Action, ContaminationSpec};
use crate::contamination::summary::ContaminationSummary;
use crate::front::file_job::file_job;
use crate::job::spec::Resources;
use crate::progress::Progress;
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

file_job!(Decontamination, ContaminationSpec, ReadyContamination, ContaminationSummary);

impl Decontamination {
    /// The defaults of the command, and eval sets in these files or folders.
    #[must_use]
    pub fn against(evals: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut job = Self::default();
        job.spec.input.against.extend(evals.into_iter().map(Into::into));
        job
    }

    /// The fields of the eval sets.
    #[must_use]
    pub fn item_fields(mut self, fields: ItemFields) -> Self {
        self.spec.fields = fields;
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

    /// Writes a row for every item, also those that were not found.
    #[must_use]
    pub fn items(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.items = Some(path.into());
        self
    }
}
