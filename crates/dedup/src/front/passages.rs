//! The front door of passages: a builder for what repeats, how it is cut out, and what a job may take.

use crate::front::file_job::file_job;
use crate::job::spec::Resources;
use crate::passages::cut::CutRule;
use crate::passages::job::ReadyPassages;
use crate::passages::rule::PassageRule;
use crate::passages::spec::PassagesSpec;
use crate::passages::summary::PassagesSummary;
use crate::passages::unit::PassageUnit;
use crate::progress::Progress;
use nearprint_rules::KeepRule;
use std::path::PathBuf;
use std::sync::Arc;

/// Cuts what repeats inside documents out of the files of a corpus.
///
/// What is not set is what `nearprint passages` takes: passages of 50 tokens or more, of which the first stays.
/// [`PassagesSpec`] has all that can be set; it becomes a builder by `from`.
///
/// # Examples
/// ```
/// use nearprint_dedup::Passages;
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"x\\na b c d\\ny\"}\n")?;
/// let passages = Passages::new().length(4).files([input.display().to_string()]);
/// let summary = passages.write(&output)?;
/// assert_eq!((summary.cut_documents, summary.cut_tokens), (1, 4));
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"text\":\"a b c d\"}\n{\"text\":\"x\\ny\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Passages {
    spec: PassagesSpec,
    with: Resources,
    progress: Arc<Progress>,
}

file_job!(Passages, PassagesSpec, ReadyPassages, PassagesSummary);

impl Passages {
    /// The defaults of the command.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a passage is measured in. The default is [`PassageUnit::Token`].
    #[must_use]
    pub fn unit(mut self, unit: PassageUnit) -> Self {
        self.spec.rule.unit = unit;
        self
    }

    /// Units that a passage has at least. The default [suits the unit](PassageUnit::usual_length).
    #[must_use]
    pub fn length(mut self, length: u32) -> Self {
        self.spec.rule.length = Some(length);
        self
    }

    /// Which of equal passages stays. The default is [`KeepRule::First`].
    #[must_use]
    pub fn keep(mut self, keep: KeepRule) -> Self {
        self.spec.rule.keep = keep;
        self
    }

    /// What repeats, and what of it goes.
    #[must_use]
    pub fn rule(mut self, rule: PassageRule) -> Self {
        self.spec.rule = rule;
        self
    }

    /// How it is cut out.
    #[must_use]
    pub fn cut(mut self, cut: CutRule) -> Self {
        self.spec.cut = cut;
        self
    }

    /// Files whose passages come before all others, and which are never written.
    #[must_use]
    pub fn against(mut self, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.spec.input.against.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// Cuts nothing: every document gets a field that says what would go.
    #[must_use]
    pub fn annotate(mut self, annotate: bool) -> Self {
        self.spec.outputs.annotate = annotate;
        self
    }

    /// Writes a row for each passage that repeats.
    #[must_use]
    pub fn passages(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.passages = Some(path.into());
        self
    }
}
