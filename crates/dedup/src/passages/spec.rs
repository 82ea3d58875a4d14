//! What is asked of a job over passages; what is not set is what `nearprint passages` takes.

use crate::error::Error;
use crate::job::spec::{InputSpec, OutputSpec, ReadingSpec};
use crate::passages::cut::CutRule;
use crate::passages::near::job_over_units;
use crate::passages::offsets::Offsets;
use crate::passages::overview::PassagesOverview;
use crate::passages::rule::PassageRule;
use crate::passages::summary::PassagesSummary;
use nearprint_fingerprint::Recipe;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// A job that cuts what repeats inside documents: all that decides a byte of its output.
///
/// [`open`](Self::open) finds the input and opens the outputs; what it answers can run.
///
/// # Examples
/// ```
/// use nearprint_dedup::{
///     InputSpec, PassageRule, PassagesOutput, PassagesSpec, Progress, Resources,
/// };
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "{\"text\":\"one two three four\"}\n{\"text\":\"He said: one, two, three. Yes\"}\n")?;
/// let job = PassagesSpec {
///     input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
///     rule: PassageRule { length: Some(3), ..PassageRule::default() },
///     outputs: PassagesOutput { corpus: Some(output.clone()), ..PassagesOutput::default() },
///     ..PassagesSpec::default()
/// };
/// let progress = Progress::default();
/// let summary = job.open(&Resources::default(), &progress)?.run(&progress)?;
/// assert_eq!((summary.cut_documents, summary.cut_tokens), (1, 3));
/// let written = std::fs::read_to_string(&output)?;
/// assert_eq!(written, "{\"text\":\"one two three four\"}\n{\"text\":\"He said: . Yes\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PassagesSpec {
    /// How text becomes tokens.
    pub recipe: Recipe,
    /// What is read. What is to be compared with comes first in order, and is never written.
    pub input: InputSpec,
    /// How it is read.
    pub reading: ReadingSpec,
    /// What repeats, and what of it goes.
    pub rule: PassageRule,
    /// How it is cut out.
    pub cut: CutRule,
    /// What is written.
    pub outputs: PassagesOutput,
}

/// What a job over passages writes. All outputs appear at the end of a job, or none.
#[derive(Clone, Debug, Default)]
pub struct PassagesOutput {
    /// Where the corpus goes: a file, a folder that mirrors the input, or `-`, as
    /// [`OutputSpec::survivors`] says. `None` where the reports are all that is asked for.
    pub corpus: Option<PathBuf>,
    /// The corpus goes to several files of at most so many bytes each, before compression.
    pub shard_size: Option<NonZeroU64>,
    /// Nothing is cut: every document gets a field `nearprint` with what would go.
    pub annotate: bool,
    /// A row for everything that is cut.
    pub removed: Option<PathBuf>,
    /// A row for every passage that repeats, those first that do so most.
    pub passages: Option<PathBuf>,
    /// The figures, as JSON.
    pub summary: Option<PathBuf>,
    /// A page for people.
    pub page: Option<PassagesPage>,
    /// What places in reports count.
    pub offsets: Offsets,
    /// The field of a row that says where its document comes from; by default its file does.
    pub source_field: Option<String>,
}

/// A page for people, and what makes it.
#[derive(Clone, Debug)]
pub struct PassagesPage {
    /// Where it is written.
    pub path: PathBuf,
    /// Makes it of the figures of a job and of what it found.
    pub render: fn(&PassagesSummary, &PassagesOverview) -> Result<String, std::fmt::Error>,
}

impl PassagesSpec {
    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.rule.check()?;
        if let Some(similarity) = self.rule.similarity {
            job_over_units(&self.recipe, self.rule.keep, similarity).criteria()?;
        }
        if self.rule.similarity.is_some() && self.outputs.passages.is_some() {
            return Err(Error::NearPassages {
                problem: "has no passages that are equal to be listed; leave out --passages",
            });
        }
        match self.rule.keep {
            keep if keep.is_by_score() && self.reading.fields.score.is_none() => {
                Err(Error::NoScore { rule: keep.name() })
            }
            _ => Ok(()),
        }
    }
}

impl PassagesOutput {
    /// The same as of a job over whole documents.
    pub(crate) fn as_outputs(&self) -> OutputSpec {
        OutputSpec {
            survivors: self.corpus.clone(),
            shard_size: self.shard_size,
            annotate: self.annotate,
            removed: self.removed.clone(),
            clusters: self.passages.clone(),
            summary: self.summary.clone(),
            ..OutputSpec::default()
        }
    }

    /// The reports that are asked for, of which the stages hold rows.
    pub(crate) fn reports(&self) -> Vec<&'static str> {
        let asked = [
            ("removed", self.removed.is_some()),
            ("passages", self.passages.is_some()),
            ("report", self.page.is_some()),
        ];
        asked.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }
}
