//! What is asked of a job over eval sets; what is not set is what `nearprint decontaminate` takes.

use crate::contamination::fields::ItemFields;
use crate::contamination::overview::ContaminationOverview;
use crate::contamination::rule::ContaminationRule;
use crate::contamination::summary::ContaminationSummary;
use crate::error::Error;
use crate::job::spec::{InputSpec, OutputSpec, ReadingSpec};
use crate::passages::offsets::Offsets;
use nearprint_corpus::Source;
use nearprint_fingerprint::Recipe;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

/// A job that takes the items of eval sets out of a corpus: all that decides a byte of its output.
///
/// [`open`](Self::open) finds the input and opens the outputs; what it answers can run. The eval sets are what the input
/// is [against](InputSpec::against), and [`sets`](Self::sets), or those of an [`index`](Self::index).
///
/// # Examples
/// ```
/// use nearprint_dedup::{
///     ContaminationOutput, ContaminationSpec, InputSpec, Progress, Resources,
/// };
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, evals, output] = ["in.jsonl", "evals.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// let question = "Which of the planets turns around the sun in the shortest time?";
/// std::fs::write(&evals, format!("{{\"question\":\"{question}\"}}\n"))?;
/// std::fs::write(&input, format!("{{\"text\":\"Other words.\"}}\n{{\"text\":\"Quiz: {question} Say it.\"}}\n"))?;
/// let job = ContaminationSpec {
///     input: InputSpec {
///         inputs: vec![input.display().to_string()],
///         against: vec![evals.display().to_string()],
///         ..InputSpec::default()
///     },
///     outputs: ContaminationOutput { corpus: Some(output.clone()), ..ContaminationOutput::default() },
///     ..ContaminationSpec::default()
/// };
/// let progress = Progress::default();
/// let summary = job.open(&Resources::default(), &progress)?.run(&progress)?;
/// assert_eq!((summary.items, summary.contaminated, summary.removed), (1, 1, 1));
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"text\":\"Other words.\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContaminationSpec {
    /// How text becomes tokens.
    pub recipe: Recipe,
    /// What is read, and the eval sets that it is compared with.
    pub input: InputSpec,
    /// How it is read.
    pub reading: ReadingSpec,
    /// Eval sets that have names of their own, beside those which are called by their files.
    pub sets: Vec<NamedSet>,
    /// A file with the index of the items: it is read where it is there, which must be the one of the eval sets that are
    /// named, if there are any; else it is written.
    pub index: Option<PathBuf>,
    /// The fields of the eval sets.
    pub fields: ItemFields,
    /// Whether a field that is named may be in none of the sets, and one of the corpus in none of its rows.
    pub may_lack_fields: bool,
    /// When a document is contaminated.
    pub rule: ContaminationRule,
    /// What becomes of a document that is.
    pub action: Action,
    /// What is written.
    pub outputs: ContaminationOutput,
}

/// An eval set that has a name of its own.
#[derive(Clone, Debug, Default)]
pub struct NamedSet {
    /// The name.
    pub name: String,
    /// Its files or folders.
    pub files: Vec<String>,
    /// The same that were found already.
    pub sources: Vec<Source>,
}

/// What becomes of a document that is contaminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It goes.
    #[default]
    Drop,
    /// The item goes out of the text, its choices and answers behind it included.
    Cut {
        /// Characters on each side that go too, up to the end of a word; the whole lines of the item where there is none.
        margin: Option<usize>,
    },
    /// Every document is written with a field `nearprint` that says what stands in it.
    Annotate,
}

/// What a job over eval sets writes. All outputs appear at the end of a job, or none.
#[derive(Clone, Debug, Default)]
pub struct ContaminationOutput {
    /// Where the corpus goes: a file, a folder that mirrors the input, or `-`, as
    /// [`OutputSpec::survivors`] says. `None` where the reports are all that is asked for.
    pub corpus: Option<PathBuf>,
    /// The corpus goes to several files of at most so many bytes each, before compression.
    pub shard_size: Option<NonZeroU64>,
    /// A row for everything that was found in a document.
    pub removed: Option<PathBuf>,
    /// A row for every item, also those that were not found.
    pub items: Option<PathBuf>,
    /// The figures, as JSON.
    pub summary: Option<PathBuf>,
    /// A page for people.
    pub page: Option<ContaminationPage>,
    /// What places in reports count.
    pub offsets: Offsets,
    /// The command line that asked for it, for the figures to name; empty where a program did.
    pub command: Vec<String>,
}

/// A page for people, and what makes it.
#[derive(Clone, Debug)]
pub struct ContaminationPage {
    /// Where it is written.
    pub path: PathBuf,
    /// Makes it of the figures of a job and of what it found.
    pub render:
        fn(&ContaminationSummary, &ContaminationOverview) -> Result<String, std::fmt::Error>,
}

impl Action {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Cut { .. } => "cut",
            Self::Annotate => "annotate",
        }
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [Self::Drop, Self::Cut { margin: None }, Self::Annotate];
        let found = all.into_iter().find(|action| action.name() == name);
        found.ok_or_else(|| "use drop, cut or annotate".to_owned())
    }
}

impl ContaminationSpec {
    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.rule.check()?;
        if !self.names_evals() && self.index.is_none() {
            let problem = "no eval set is named, and no index of items".to_owned();
            return Err(Error::Contamination { problem });
        }
        if let Some(index) =
            self.index.as_ref().filter(|index| !self.names_evals() && !index.exists())
        {
            let problem = format!(
                "{}: no such index of items, and no eval set is named to build it from",
                index.display()
            );
            return Err(Error::Contamination { problem });
        }
        Ok(())
    }

    /// Whether eval sets are named, and not their index alone.
    pub(crate) fn names_evals(&self) -> bool {
        let InputSpec { against, against_sources, .. } = &self.input;
        !(against.is_empty() && against_sources.is_empty() && self.sets.is_empty())
    }

    /// The same as of a job over whole documents.
    pub(crate) fn as_outputs(&self) -> OutputSpec {
        OutputSpec {
            survivors: self.outputs.corpus.clone(),
            shard_size: self.outputs.shard_size,
            annotate: self.action == Action::Annotate,
            removed: self.outputs.removed.clone(),
            clusters: self.outputs.items.clone(),
            summary: self.outputs.summary.clone(),
            ..OutputSpec::default()
        }
    }
}
