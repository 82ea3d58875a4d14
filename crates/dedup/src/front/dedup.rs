//! The front door: a builder for what counts as a duplicate and what a job may take.

use crate::distributed::shards::Shards;
use crate::error::Error;
use crate::front::text_labels::TextLabels;
use crate::job::ready::ReadyJob;
use crate::job::spec::{CriteriaSpec, JobSpec, Page, Resources};
use crate::memory::limits::Memory;
use crate::progress::Progress;
use crate::read::sketch::OnError;
use crate::write::overview::Render;
use crate::write::summary::Summary;
use nearprint_corpus::{Fields, InputFormat, PassedOver, ReadOptions, Source};
use nearprint_fingerprint::{Recipe, Statistics, Width};
use nearprint_rules::{ClusterRule, Criteria, Featureless, KeepRule, Recall, Verify};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Removes near-duplicates: from texts in memory, or from files.
///
/// What is not set is what `nearprint dedup` takes: documents are near-duplicates where they share
/// 80 % of their features, and of each group the central document stays. Texts and rows of a file with
/// these texts come to the same result.
///
/// # Examples
/// ```
/// use nearprint_dedup::Dedup;
///
/// let texts = [
///     "The city council approved the new budget on Monday after a long debate about schools.",
///     "A storm is expected to reach the northern coast by the end of the week.",
///     "the city council approved the new budget on Monday, after a long debate about schools",
/// ];
/// let found = Dedup::new().similarity(0.8).texts(&texts)?;
/// assert_eq!(found.kept(), [0, 1]);
/// let removed = &found.removed()[0];
/// assert_eq!((removed.position, removed.near, removed.evidence.similarity()), (2, 0, Some(1.0)));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
///
/// ```
/// use nearprint_dedup::Dedup;
///
/// # let folder = tempfile::tempdir()?;
/// # let (crawl, clean) = (folder.path().join("crawl"), folder.path().join("clean"));
/// # std::fs::create_dir(&crawl)?;
/// # std::fs::write(crawl.join("a.jsonl"), "{\"text\":\"one two three four\"}\n".repeat(3))?;
/// # let (crawl, clean) = (crawl.display().to_string(), clean.display().to_string() + "/");
/// let summary = Dedup::new().files([crawl]).write(clean)?;
/// assert_eq!((summary.kept, summary.removed), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dedup {
    pub(super) spec: JobSpec,
    pub(super) with: Resources,
    pub(super) labels: Arc<TextLabels>,
    pub(super) progress: Arc<Progress>,
}

impl From<JobSpec> for Dedup {
    fn from(spec: JobSpec) -> Self {
        Self { spec, ..Self::default() }
    }
}

impl Dedup {
    /// The defaults of the command.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Near-duplicates share at least this part of their features, from 0 to 1: their Jaccard
    /// similarity, or the cosine of their weights for a recipe whose weights are real numbers
    /// ([`Verify::suiting`]). The default is [`Likeness::SIMILARITY`](crate::Likeness::SIMILARITY).
    #[must_use]
    pub fn similarity(mut self, similarity: f64) -> Self {
        self.spec.criteria.similarity = Some(similarity);
        self.spec.criteria.k = None;
        self
    }

    /// The share of the pairs of exactly the similarity that are found at least, above 0 and below 1; of
    /// pairs above the similarity more are. With [`Recall::Exact`] all are. The default is
    /// [`Likeness::RECALL`](crate::Likeness::RECALL).
    #[must_use]
    pub fn recall(mut self, recall: impl Into<Recall>) -> Self {
        self.spec.criteria.recall = Some(recall.into());
        self
    }

    /// Near-duplicates are documents whose fingerprints differ in at most `k` bits, in place of a
    /// similarity. Features are not compared, unless [`verify`](Self::verify) asks for it.
    #[must_use]
    pub fn k(mut self, k: u32) -> Self {
        self.spec.criteria.k = Some(k);
        self.spec.criteria.similarity = None;
        self
    }

    /// Only documents whose texts are equal byte for byte are duplicates, in place of a similarity or a radius: nothing
    /// is fingerprinted.
    #[must_use]
    pub fn equal_bytes(mut self) -> Self {
        self.spec.criteria = CriteriaSpec {
            similarity: None,
            recall: None,
            k: None,
            verify: None,
            equal_bytes: true,
            ..self.spec.criteria
        };
        self
    }

    /// A file that gives no document, or of which more than half of the records are passed over, is an error.
    #[must_use]
    pub fn fail_on_empty(mut self, fail: bool) -> Self {
        self.spec.reading.fail_on_empty = fail;
        self
    }

    /// What a pair must pass. Pairs are found at its threshold too, unless a radius is asked for: see
    /// [`Likeness::by_measure`](crate::Likeness::by_measure). A similarity that differs from it is refused.
    #[must_use]
    pub fn verify(mut self, verify: Verify) -> Self {
        self.spec.criteria.verify = Some(verify);
        self
    }

    /// How text becomes a fingerprint. The default is [`Recipe::DEFAULT`].
    #[must_use]
    pub fn recipe(mut self, recipe: Recipe) -> Self {
        self.spec.fingerprints.recipe = recipe;
        self
    }

    /// The statistics of a corpus, for a recipe that takes weights or phrases from them.
    #[must_use]
    pub fn statistics(mut self, statistics: Statistics) -> Self {
        self.spec.fingerprints.statistics = Some(statistics);
        self
    }

    /// The bits of a fingerprint. Where nobody says, a built-in recipe has the
    /// [usual width](Self::usual_width), and any other recipe its own.
    #[must_use]
    pub fn width(mut self, width: Width) -> Self {
        self.spec.fingerprints.width = Some(width);
        self
    }

    /// What makes a cluster of pairs. The default is [`ClusterRule::Star`].
    #[must_use]
    pub fn cluster_rule(mut self, cluster_rule: ClusterRule) -> Self {
        self.spec.criteria.cluster_rule = cluster_rule;
        self
    }

    /// Which document of a cluster stays. The default is that of [`KeepRule::of`].
    #[must_use]
    pub fn keep(mut self, keep: KeepRule) -> Self {
        self.spec.criteria.keep = Some(keep);
        self
    }

    /// What may be a duplicate of a document without any feature. The default is [`Featureless::Keep`].
    #[must_use]
    pub fn featureless(mut self, featureless: Featureless) -> Self {
        self.spec.criteria.featureless = featureless;
        self
    }

    /// Of texts in memory so many, the first ones, are there to be compared with, as with the files of
    /// [`against`](Self::against): texts near one of them are removed, and they are kept.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Dedup, KeepRule};
    ///
    /// let texts = ["one two three four", "One two three four!", "One; two three four", "five six"];
    /// let found = Dedup::new().keep(KeepRule::Last).reference_texts(2).texts(&texts)?;
    /// assert_eq!(found.kept(), [0, 1, 3]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    #[must_use]
    pub fn reference_texts(mut self, count: usize) -> Self {
        self.spec.input.reference_texts = count;
        self
    }

    /// Equal documents stay folded where pairs are listed. Those of equal content are equal, or of equal
    /// fingerprints where a radius alone decides. The first of each group has a pair with each of the others, and it
    /// alone has pairs with documents outside of the group. The default is that every pair is listed.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// let (texts, mut pairs) = (["one two three four", "One two three four!", "One; two three four"], Vec::new());
    /// let dedup = Dedup::new().fold_equal(true);
    /// let found = dedup.texts_and_pairs_by(3, |at| texts[at], |pair| pairs.push((pair.a, pair.b)))?;
    /// assert_eq!(pairs, [(0, 1), (0, 2)]);
    /// assert_eq!(found.summary().pairs, Some(3));
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    #[must_use]
    pub fn fold_equal(mut self, fold_equal: bool) -> Self {
        self.spec.outputs.fold_equal = fold_equal;
        self
    }

    /// Worker threads. The default is a thread for each processor.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.with.threads = Some(threads);
        self
    }

    /// What memory the job may take. The default is [`Memory::Frugal`].
    #[must_use]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.with.memory = memory;
        self
    }

    /// Where temporary files go that memory has no room for. The default is the system's folder for
    /// them. A job over files keeps its finished stages in a folder that is named here, so that a later
    /// run can [resume](Self::resume).
    #[must_use]
    pub fn work_dir(mut self, work_dir: impl Into<PathBuf>) -> Self {
        self.with.work_dir = Some(work_dir.into());
        self
    }

    /// Counters that show how far a job is, and by which another thread can end it.
    #[must_use]
    pub fn progress(self, progress: Arc<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// Near-duplicates are to be removed from files, folders (read recursively), patterns, `-` for
    /// standard input, or objects of a store.
    #[must_use]
    pub fn files<I: Into<String>>(mut self, inputs: impl IntoIterator<Item = I>) -> Self {
        self.spec.input.inputs.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// Near-duplicates are to be removed from what was found already.
    #[must_use]
    pub fn sources(mut self, sources: Vec<Source>) -> Self {
        self.spec.input.sources = sources;
        self
    }

    /// The format of the input, in place of what names and content tell.
    #[must_use]
    pub fn format(mut self, format: InputFormat) -> Self {
        self.spec.input.format = Some(format);
        self
    }

    /// The field of a row that holds the id, in place of `id`.
    #[must_use]
    pub fn id_field(mut self, name: impl Into<String>) -> Self {
        self.spec.reading.fields.id = name.into();
        self
    }

    /// The field of a row that holds the text, in place of `text`.
    #[must_use]
    pub fn text_field(mut self, name: impl Into<String>) -> Self {
        self.spec.reading.fields.text = name.into();
        self
    }

    /// All fields of a row that are read.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Self {
        self.spec.reading.fields = fields;
        self
    }

    /// What happens to a record that cannot be read; the default is that the job fails.
    #[must_use]
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.spec.reading.on_error = on_error;
        self
    }

    /// Limits of the reader.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.spec.reading.options = options;
        self
    }

    /// Files to compare with: documents near one of theirs are removed, and they are not written. A file
    /// whose name ends in `.seg` is a segment that [`index_out`](Self::index_out) wrote.
    #[must_use]
    pub fn against<I: Into<String>>(mut self, inputs: impl IntoIterator<Item = I>) -> Self {
        self.spec.input.against.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// The same of files that were found already.
    #[must_use]
    pub fn against_sources(mut self, against_sources: Vec<Source>) -> Self {
        self.spec.input.against_sources = against_sources;
        self
    }

    /// What was passed over where sources were found already: [`Summary::passed_over`] counts it.
    #[must_use]
    pub fn passed_over(mut self, passed_over: Vec<PassedOver>) -> Self {
        self.spec.input.passed_over = passed_over;
        self
    }

    /// Every document is written, with a note of what became of it.
    #[must_use]
    pub fn annotate(mut self, annotate: bool) -> Self {
        self.spec.outputs.annotate = annotate;
        self
    }

    /// Of a response of WARC that is removed, the `request` and `metadata` records of the same capture stay. By default
    /// they are removed too: those that name it or that it names, within some dozen records.
    #[must_use]
    pub fn keep_requests(mut self, keep_requests: bool) -> Self {
        self.spec.outputs.keep_requests = keep_requests;
        self
    }

    /// Writes a row for every document that was removed: which stays for it, and how near that is.
    #[must_use]
    pub fn removed(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.removed = Some(path.into());
        self
    }

    /// Writes a row for every near-duplicate pair; [`fold_equal`](Self::fold_equal) makes the list
    /// short where many documents are equal.
    #[must_use]
    pub fn pairs(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.pairs = Some(path.into());
        self
    }

    /// Writes a row for every document of a cluster.
    #[must_use]
    pub fn clusters(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.clusters = Some(path.into());
        self
    }

    /// Writes the [`Summary`] as JSON.
    #[must_use]
    pub fn summary(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.summary = Some(path.into());
        self
    }

    /// Writes what stays as a segment, which a later job [compares with](Self::against) as with the texts
    /// themselves: ids, fingerprints and features. Its name must end in `.seg`. Of a job [in shards](Self::shards) it
    /// is a folder, with a segment for each input file.
    #[must_use]
    pub fn index_out(mut self, path: impl Into<PathBuf>) -> Self {
        self.spec.outputs.segment = Some(path.into());
        self
    }

    /// Writes a page for people, which `render` makes.
    #[must_use]
    pub fn page(mut self, path: impl Into<PathBuf>, render: Render) -> Self {
        self.spec.outputs.page = Some(Page { path: path.into(), render });
        self
    }

    /// Draws so many pairs just above the similarity, and as many just below it, for the [summary](Self::summary) and
    /// the [page](Self::page): each such pair with the same probability. They show what the job nearly did.
    #[must_use]
    pub fn audit(mut self, pairs: usize) -> Self {
        self.spec.outputs.audit = pairs;
        self
    }

    /// Replaces outputs that exist.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.with.force = force;
        self
    }

    /// Writes survivors to several files of at most so many bytes each, before compression.
    #[must_use]
    pub fn shard_size(mut self, bytes: NonZeroU64) -> Self {
        self.spec.outputs.shard_size = Some(bytes);
        self
    }

    /// Goes on from the stages that an earlier run of the same job kept in the
    /// [work folder](Self::work_dir).
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.with.resume = resume;
        self
    }

    /// Runs the job and writes what stays to `output`, byte for byte as it came: to a file, or to a
    /// folder that mirrors the input.
    ///
    /// The output is a folder where it is one already, where it ends in `/`, and where it has no
    /// extension and the input is several files, texts or pages. All outputs appear at the end, or none.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output, and with what was asked for.
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
    pub fn write(&self, output: impl AsRef<Path>) -> Result<Summary, Error> {
        Ok(self.open(output)?.run(&self.progress)?.summary)
    }

    /// The job that writes what stays to `output`, with its inputs and outputs open: what cannot be done was refused.
    ///
    /// # Errors
    /// Those of [`JobSpec::open`].
    pub fn open(&self, output: impl AsRef<Path>) -> Result<ReadyJob, Error> {
        self.writing(Some(output.as_ref())).open(&self.with, &self.progress)
    }

    /// Runs the job for its reports alone: nothing is written of what stays.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, pairs] = ["in.jsonl", "pairs.jsonl"].map(|name| folder.path().join(name));
    /// std::fs::write(&input, "{\"id\":7,\"text\":\"a b c d\"}\n{\"id\":8,\"text\":\"A, b, c, d!\"}\n")?;
    /// let summary = Dedup::new().files([input.display().to_string()]).pairs(&pairs).report()?;
    /// assert_eq!((summary.pairs, summary.removed), (Some(1), 1));
    /// assert_eq!(
    ///     std::fs::read_to_string(&pairs)?,
    ///     "{\"a\":7,\"b\":8,\"distance\":0,\"similarity\":1.0000,\"measure\":\"jaccard\"}\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Result<Summary, Error> {
        let job = self.writing(None).open(&self.with, &self.progress)?;
        Ok(job.run(&self.progress)?.summary)
    }

    /// The job [in shards](JobSpec::shards), whose tasks share the folder `work`: what stays goes to the folder
    /// `output`, reports and segments to folders of a part for each input file.
    ///
    /// # Errors
    /// Those of [`JobSpec::shards`].
    pub fn shards(
        &self,
        work: impl Into<PathBuf>,
        output: impl AsRef<Path>,
    ) -> Result<Shards, Error> {
        self.writing(Some(output.as_ref())).shards(&self.with, work)
    }

    /// The job that writes survivors there.
    fn writing(&self, output: Option<&Path>) -> JobSpec {
        let mut spec = self.spec.clone();
        spec.outputs.survivors = output.map(Path::to_owned);
        spec
    }

    /// The bits of a fingerprint that suit what is asked for. A radius is about the recipe's own fingerprints, of 64
    /// bits unless the recipe says otherwise. A similarity takes 128, or 256 where pairs of a cosine are found by the
    /// angle of their fingerprints, as so many bits leave few other pairs to compare.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Dedup, Verify};
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let words = Dedup::new().recipe(Recipe::named("words")?);
    /// assert_eq!(words.usual_width(), Width::W128);
    /// assert_eq!(words.clone().k(3).usual_width(), Width::W64);
    /// assert_eq!(words.verify(Verify::Cosine(0.8)).usual_width(), Width::W256);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn usual_width(&self) -> Width {
        self.spec.usual_width()
    }

    /// What makes documents near-duplicates, and which of them stays.
    ///
    /// # Errors
    /// A radius over the width, a similarity that fingerprints of that width cannot tell, or a central
    /// document of connected clusters.
    pub fn criteria(&self) -> Result<Criteria, Error> {
        self.spec.criteria()
    }
}
