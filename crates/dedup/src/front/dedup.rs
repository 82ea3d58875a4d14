//! The front door: a builder for what counts as a duplicate and what a job may take.

use crate::error::Error;
use crate::front::dedup_files::DedupFiles;
use crate::front::found::Found;
use crate::front::settings::Settings;
use crate::front::texts::Texts;
use crate::kernels::linker::Linker;
use crate::kernels::router::Router;
use crate::memory::Memory;
use crate::progress::Progress;
use nearprint_corpus::Source;
use nearprint_fingerprint::{Recipe, Statistics, Width};
use nearprint_rules::{ClusterRule, Criteria, Featureless, KeepRule, Match, Recall, Verify};
use std::num::NonZeroU32;
use std::path::PathBuf;
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
pub struct Dedup(Settings);

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
    pub fn similarity(self, similarity: f64) -> Self {
        Self(Settings { similarity: Some(similarity), k: None, ..self.0 })
    }

    /// The share of the pairs of exactly the similarity that are found at least, above 0 and below 1; of
    /// pairs above the similarity more are. With [`Recall::Exact`] all are. The default is
    /// [`Likeness::RECALL`](crate::Likeness::RECALL).
    #[must_use]
    pub fn recall(self, recall: impl Into<Recall>) -> Self {
        Self(Settings { recall: Some(recall.into()), ..self.0 })
    }

    /// Near-duplicates are documents whose fingerprints differ in at most `k` bits, in place of a
    /// similarity. Features are not compared, unless [`verify`](Self::verify) asks for it.
    #[must_use]
    pub fn k(self, k: u32) -> Self {
        Self(Settings { k: Some(k), similarity: None, ..self.0 })
    }

    /// What a pair must pass, in place of the similarity that is asked for. By a cosine or a weighted Jaccard
    /// similarity pairs are found too, unless a similarity or a radius is asked for: see
    /// [`Likeness::by_measure`](crate::Likeness::by_measure).
    #[must_use]
    pub fn verify(self, verify: Verify) -> Self {
        Self(Settings { verify: Some(verify), ..self.0 })
    }

    /// How text becomes a fingerprint. The default is [`Recipe::DEFAULT`].
    #[must_use]
    pub fn recipe(self, recipe: Recipe) -> Self {
        Self(Settings { recipe, ..self.0 })
    }

    /// The statistics of a corpus, for a recipe that takes weights or phrases from them.
    #[must_use]
    pub fn statistics(self, statistics: Statistics) -> Self {
        Self(Settings { statistics: Some(statistics), ..self.0 })
    }

    /// The bits of a fingerprint. Where nobody says, a built-in recipe has the
    /// [usual width](Self::usual_width), and any other recipe its own.
    #[must_use]
    pub fn width(self, width: Width) -> Self {
        Self(Settings { width: Some(width), ..self.0 })
    }

    /// What makes a cluster of pairs. The default is [`ClusterRule::Star`].
    #[must_use]
    pub fn cluster_rule(self, cluster_rule: ClusterRule) -> Self {
        Self(Settings { cluster_rule, ..self.0 })
    }

    /// Which document of a cluster stays. The default is that of [`KeepRule::of`].
    #[must_use]
    pub fn keep(self, keep: KeepRule) -> Self {
        Self(Settings { keep: Some(keep), ..self.0 })
    }

    /// What may be a duplicate of a document without any feature. The default is [`Featureless::Keep`].
    #[must_use]
    pub fn featureless(self, featureless: Featureless) -> Self {
        Self(Settings { featureless, ..self.0 })
    }

    /// Of texts in memory so many, the first ones, are there to be compared with, as with the files of
    /// [`DedupFiles::against`]: texts near one of them are removed, and they stay.
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
    pub fn reference_texts(self, count: usize) -> Self {
        Self(Settings { reference_texts: count, ..self.0 })
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
    pub fn fold_equal(self, fold_equal: bool) -> Self {
        Self(Settings { fold_equal, ..self.0 })
    }

    /// Worker threads. The default is a thread for each processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self(Settings { threads: Some(threads), ..self.0 })
    }

    /// What memory the job may take. The default is [`Memory::Frugal`].
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self(Settings { memory, ..self.0 })
    }

    /// Where temporary files go that memory has no room for. The default is the system's folder for
    /// them. A job over files keeps its finished stages in a folder that is named here, so that a later
    /// run can [resume](DedupFiles::resume).
    #[must_use]
    pub fn work_dir(self, work_dir: impl Into<PathBuf>) -> Self {
        Self(Settings { work_dir: Some(work_dir.into()), ..self.0 })
    }

    /// Counters that show how far a job is, and by which another thread can end it.
    #[must_use]
    pub fn progress(self, progress: Arc<Progress>) -> Self {
        Self(Settings { progress, ..self.0 })
    }

    /// Finds the near-duplicates among texts in memory. A text goes by its position.
    ///
    /// Memory: that of [`DedupJob`](crate::DedupJob) beside the texts. Temporary files are written where
    /// pairs or features take more than a few hundred kilobytes.
    ///
    /// # Errors
    /// A recipe that cannot be used, or takes features in place of texts; a similarity that fingerprints
    /// of that width cannot tell; [`Error::Interrupted`]; those of temporary files.
    pub fn texts<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Result<Found, Error> {
        self.texts_by(texts.len(), |position| texts.get(position).map_or("", AsRef::as_ref))
    }

    /// As [`Self::texts`], of `count` texts that lie elsewhere: `text` gives the one at a position, the same
    /// each time. It is asked from all threads, for a text several times. No list of the texts is made.
    ///
    /// # Errors
    /// As [`Self::texts`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// let (all, ends) = ("one two three four|One, two, three, four!|five six", [0, 19, 42, 50]);
    /// let found = Dedup::new().texts_by(3, |at| all[ends[at]..ends[at + 1]].trim_end_matches('|'))?;
    /// assert_eq!(found.kept(), [0, 2]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    pub fn texts_by<'t>(
        &self,
        count: usize,
        text: impl Fn(usize) -> &'t str + Sync,
    ) -> Result<Found, Error> {
        self.search(count, &text, None)
    }

    /// As [`Self::texts_by`], and hands every pair of near-duplicates to `pair`, by the first text, then the second.
    /// [`fold_equal`](Self::fold_equal) makes the list short where many texts are equal.
    ///
    /// # Errors
    /// As [`Self::texts`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// let (texts, mut pairs) = (["one two three four", "five six", "One, two, three, four!"], Vec::new());
    /// Dedup::new().texts_and_pairs_by(3, |at| texts[at], |pair| pairs.push((pair.a, pair.b)))?;
    /// assert_eq!(pairs, [(0, 2)]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    pub fn texts_and_pairs_by<'t>(
        &self,
        count: usize,
        text: impl Fn(usize) -> &'t str + Sync,
        mut pair: impl FnMut(Match<usize>) + Send,
    ) -> Result<Found, Error> {
        self.search(count, &text, Some(&mut pair))
    }

    /// Not generic: a crate that calls it compiles no search of its own.
    fn search<'t>(
        &self,
        count: usize,
        text: &(dyn Fn(usize) -> &'t str + Sync),
        pairs: Option<&mut (dyn FnMut(Match<usize>) + Send)>,
    ) -> Result<Found, Error> {
        let settings = &self.0;
        let (origin, criteria) = (settings.origin()?, settings.criteria()?);
        let (work_dir, threads) = (settings.temporary(), settings.thread_count()?);
        let found = Texts {
            count,
            text,
            reference: settings.reference_texts,
            origin: &origin,
            criteria,
            fold_equal: settings.fold_equal,
            memory: settings.memory,
            work_dir: &work_dir,
            threads,
            progress: &settings.progress,
        };
        found.search(pairs)
    }

    /// Makes entries of texts, in so many ranges: the first part of a search that an engine moves between machines.
    /// [`Components`](crate::Components) has the whole of it.
    ///
    /// # Errors
    /// [`Error::NoEntries`] where pairs are not found by bands; those of [`texts`](Self::texts) before it reads.
    pub fn router(&self, ranges: NonZeroU32) -> Result<Router, Error> {
        Router::new(&self.0.origin()?, &self.0.criteria()?, ranges)
    }

    /// Finds links between documents, of entries that a [`router`](Self::router) of the same settings made.
    ///
    /// # Errors
    /// Those of [`router`](Self::router).
    pub fn linker(&self) -> Result<Linker, Error> {
        Linker::new(&self.0.origin()?, &self.0.criteria()?)
    }

    /// Near-duplicates are to be removed from files, folders (read recursively), patterns, `-` for
    /// standard input, or objects of a store.
    #[must_use]
    pub fn files<I: Into<String>>(self, inputs: impl IntoIterator<Item = I>) -> DedupFiles {
        DedupFiles::new(self.0, inputs.into_iter().map(Into::into).collect(), Vec::new())
    }

    /// Near-duplicates are to be removed from what was found already.
    #[must_use]
    pub fn sources(self, sources: Vec<Source>) -> DedupFiles {
        DedupFiles::new(self.0, Vec::new(), sources)
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
        self.0.usual_width()
    }

    /// What makes documents near-duplicates, and which of them stays.
    ///
    /// # Errors
    /// A radius over the width, a similarity that fingerprints of that width cannot tell, or a central
    /// document of connected clusters.
    pub fn criteria(&self) -> Result<Criteria, Error> {
        self.0.criteria()
    }
}
