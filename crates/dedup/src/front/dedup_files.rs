//! Near-duplicates out of files: where the input is, and what is written.

use crate::front::settings::Settings;
use crate::read::sketch::OnError;
use crate::report::overview::Overview;
use crate::report::summary::Summary;
use nearprint_corpus::{Fields, InputFormat, PassedOver, ReadOptions, Source};
use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Makes a page of the figures of a job and of what it found.
pub(crate) type Render = fn(&Summary, &Overview) -> Result<String, fmt::Error>;

/// Files to remove near-duplicates from. [`Dedup::files`](crate::Dedup::files) makes one.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Dedup, KeepRule};
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output, removed] = ["in.jsonl", "out.jsonl", "removed.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "{\"id\":7,\"body\":\"a b c d\"}\n{\"id\":8,\"body\":\"A, b, c, d!\"}\n")?;
/// let job = Dedup::new().keep(KeepRule::Last).files([input.display().to_string()]);
/// let summary = job.text_field("body").removed(&removed).write(&output)?;
/// assert_eq!((summary.kept, summary.removed), (1, 1));
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"id\":8,\"body\":\"A, b, c, d!\"}\n");
/// assert!(std::fs::read_to_string(&removed)?.starts_with("{\"id\":7,\"kept\":8,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DedupFiles {
    pub(crate) settings: Settings,
    pub(crate) inputs: Vec<String>,
    pub(crate) sources: Vec<Source>,
    pub(crate) passed_over: Vec<PassedOver>,
    pub(crate) format: Option<InputFormat>,
    pub(crate) fields: Fields,
    pub(crate) on_error: OnError,
    pub(crate) options: ReadOptions,
    pub(crate) against: Vec<String>,
    pub(crate) against_sources: Vec<Source>,
    pub(crate) annotate: bool,
    pub(crate) whole_captures: bool,
    pub(crate) removed: Option<PathBuf>,
    pub(crate) pairs: Option<PathBuf>,
    pub(crate) clusters: Option<PathBuf>,
    pub(crate) summary: Option<PathBuf>,
    pub(crate) index_out: Option<PathBuf>,
    pub(crate) page: Option<(PathBuf, Render)>,
    pub(crate) audit: usize,
    pub(crate) force: bool,
    pub(crate) shard_size: Option<NonZeroU64>,
    pub(crate) resume: bool,
}

impl DedupFiles {
    pub(crate) fn new(settings: Settings, inputs: Vec<String>, sources: Vec<Source>) -> Self {
        Self {
            settings,
            inputs,
            sources,
            passed_over: Vec::new(),
            format: None,
            fields: Fields::default(),
            on_error: OnError::default(),
            options: ReadOptions::default(),
            against: Vec::new(),
            against_sources: Vec::new(),
            annotate: false,
            whole_captures: false,
            removed: None,
            pairs: None,
            clusters: None,
            summary: None,
            index_out: None,
            page: None,
            audit: 0,
            force: false,
            shard_size: None,
            resume: false,
        }
    }

    /// The format of the input, in place of what names and content tell.
    #[must_use]
    pub fn format(self, format: InputFormat) -> Self {
        Self { format: Some(format), ..self }
    }

    /// The field of a row that holds the id, in place of `id`.
    #[must_use]
    pub fn id_field(mut self, name: impl Into<String>) -> Self {
        self.fields.id = name.into();
        self
    }

    /// The field of a row that holds the text, in place of `text`.
    #[must_use]
    pub fn text_field(mut self, name: impl Into<String>) -> Self {
        self.fields.text = name.into();
        self
    }

    /// All fields of a row that are read.
    #[must_use]
    pub fn fields(self, fields: Fields) -> Self {
        Self { fields, ..self }
    }

    /// What happens to a record that cannot be read; the default is that the job fails.
    #[must_use]
    pub fn on_error(self, on_error: OnError) -> Self {
        Self { on_error, ..self }
    }

    /// Limits of the reader.
    #[must_use]
    pub fn read_options(self, options: ReadOptions) -> Self {
        Self { options, ..self }
    }

    /// Files to compare with: documents near one of theirs are removed, and they are not written. A file
    /// whose name ends in `.seg` is a segment that [`index_out`](Self::index_out) wrote.
    #[must_use]
    pub fn against<I: Into<String>>(mut self, inputs: impl IntoIterator<Item = I>) -> Self {
        self.against.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// The same of files that were found already.
    #[must_use]
    pub fn against_sources(self, against_sources: Vec<Source>) -> Self {
        Self { against_sources, ..self }
    }

    /// What was passed over where sources were found already: [`Summary::passed_over`] counts it.
    #[must_use]
    pub fn passed_over(self, passed_over: Vec<PassedOver>) -> Self {
        Self { passed_over, ..self }
    }

    /// Every document is written, with a note of what became of it.
    #[must_use]
    pub fn annotate(self, annotate: bool) -> Self {
        Self { annotate, ..self }
    }

    /// Of a response of WARC that is removed, the `request` and `metadata` records of the same capture are
    /// removed too: those that name it or that it names, within some dozen records. The default is that
    /// they stay.
    #[must_use]
    pub fn whole_captures(self, whole_captures: bool) -> Self {
        Self { whole_captures, ..self }
    }

    /// Writes a row for every document that was removed: which stays for it, and how near that is.
    #[must_use]
    pub fn removed(self, path: impl Into<PathBuf>) -> Self {
        Self { removed: Some(path.into()), ..self }
    }

    /// Writes a row for every near-duplicate pair; [`Dedup::fold_equal`](crate::Dedup::fold_equal) makes the list
    /// short where many documents are equal.
    #[must_use]
    pub fn pairs(self, path: impl Into<PathBuf>) -> Self {
        Self { pairs: Some(path.into()), ..self }
    }

    /// Writes a row for every document of a cluster.
    #[must_use]
    pub fn clusters(self, path: impl Into<PathBuf>) -> Self {
        Self { clusters: Some(path.into()), ..self }
    }

    /// Writes the [`Summary`] as JSON.
    #[must_use]
    pub fn summary(self, path: impl Into<PathBuf>) -> Self {
        Self { summary: Some(path.into()), ..self }
    }

    /// Writes what stays as a segment, which a later job [compares with](Self::against) as with the texts
    /// themselves: ids, fingerprints and features. Its name must end in `.seg`. Of a job [in shards](Self::shards) it
    /// is a folder, with a segment for each input file.
    #[must_use]
    pub fn index_out(self, path: impl Into<PathBuf>) -> Self {
        Self { index_out: Some(path.into()), ..self }
    }

    /// Writes a page for people, which `render` makes.
    #[must_use]
    pub fn page(self, path: impl Into<PathBuf>, render: Render) -> Self {
        Self { page: Some((path.into(), render)), ..self }
    }

    /// Draws so many pairs just above the similarity, and as many just below it, for the [summary](Self::summary) and
    /// the [page](Self::page): each such pair with the same probability. They show what the job nearly did.
    #[must_use]
    pub fn audit(self, pairs: usize) -> Self {
        Self { audit: pairs, ..self }
    }

    /// Replaces outputs that exist.
    #[must_use]
    pub fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// Writes survivors to several files of at most so many bytes each, before compression.
    #[must_use]
    pub fn shard_size(self, bytes: NonZeroU64) -> Self {
        Self { shard_size: Some(bytes), ..self }
    }

    /// Goes on from the stages that an earlier run of the same job kept in the
    /// [work folder](crate::Dedup::work_dir).
    #[must_use]
    pub fn resume(self, resume: bool) -> Self {
        Self { resume, ..self }
    }
}
