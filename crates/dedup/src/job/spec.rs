//! What is asked of a job, by flags, Python or Rust; what is not set is what `nearprint dedup` takes.

use crate::error::Error;
use crate::job::temporary_folder::temporary_folder;
use crate::memory::limits::Memory;
use crate::read::sketch::{OnError, Origin};
use crate::threads;
use crate::write::overview::Render;
use crate::write::rehydrate::Rehydrate;
use nearprint_corpus::{Dialect, Fields, InputFormat, PassedOver, ReadOptions, Source};
use nearprint_fingerprint::{Recipe, Statistics, Weighting, Width};
use nearprint_rules::{ClusterRule, Criteria, Featureless, KeepRule, Likeness, Recall, Verify};
use std::num::NonZeroU64;
use std::path::PathBuf;

/// A job as it is asked for: all that decides a byte of its output.
///
/// [`open`](Self::open) finds the input and opens the outputs; what it answers can run.
///
/// # Examples
/// ```
/// use nearprint_dedup::{CriteriaSpec, InputSpec, JobSpec, OutputSpec, Progress, Resources};
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"A, b, c, d!\"}\n{\"text\":\"x y z\"}\n")?;
/// let job = JobSpec {
///     input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
///     criteria: CriteriaSpec { k: Some(3), ..CriteriaSpec::default() },
///     outputs: OutputSpec { survivors: Some(output.clone()), ..OutputSpec::default() },
///     ..JobSpec::default()
/// };
/// let progress = Progress::default();
/// let outcome = job.open(&Resources::default(), &progress)?.run(&progress)?;
/// assert_eq!((outcome.summary.kept, outcome.summary.removed), (2, 1));
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"text\":\"a b c d\"}\n{\"text\":\"x y z\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JobSpec {
    /// How text becomes fingerprints.
    pub fingerprints: FingerprintSpec,
    /// What is read.
    pub input: InputSpec,
    /// How it is read.
    pub reading: ReadingSpec,
    /// What makes documents near-duplicates, and which of them stays.
    pub criteria: CriteriaSpec,
    /// The fields by which documents are grouped and counted.
    pub labels: LabelSpec,
    /// What is written.
    pub outputs: OutputSpec,
}

/// The fields by which documents are grouped and counted. A label is a text, a number or a truth value; documents
/// without one have the same.
#[derive(Clone, Debug, Default)]
pub struct LabelSpec {
    /// Only documents of equal labels are compared: each dump, site or language by itself.
    pub within: Option<String>,
    /// Only documents of different labels are compared: what two dumps, sites or languages share. All pairs are
    /// listed first, as where they are [written](OutputSpec::pairs), and those of two documents with one label left out.
    pub across: Option<String>,
    /// Copies are counted by label, too.
    pub count_by: Option<String>,
    /// Each label has the same shares in the parts of a [split](crate::SplitSpec).
    pub stratify: Option<String>,
    /// The [summary](crate::Summary::by_source) tells of each label how much stays, in place of each file.
    pub group_by: Option<String>,
}

/// How text becomes fingerprints.
#[derive(Clone, Debug, Default)]
pub struct FingerprintSpec {
    /// The recipe.
    pub recipe: Recipe,
    /// The statistics of a corpus, for a recipe that takes weights or phrases from them.
    pub statistics: Option<Statistics>,
    /// The bits of a fingerprint. By default a built-in recipe has the [usual width](JobSpec::usual_width), and any
    /// other recipe its own.
    pub width: Option<Width>,
}

/// What is read, and what it is compared with.
#[derive(Clone, Debug, Default)]
pub struct InputSpec {
    /// Files, folders (read recursively), patterns, `-` for standard input, or objects of a store.
    pub inputs: Vec<String>,
    /// Sources that were found already, before these.
    pub sources: Vec<Source>,
    /// What was passed over where sources were found already.
    pub passed_over: Vec<PassedOver>,
    /// The same where those to compare with were.
    pub against_passed_over: Vec<PassedOver>,
    /// The format of the input, in place of what names and content tell.
    pub format: Option<InputFormat>,
    /// How the tables and texts among the files are written that the job finds by their names, the eval sets included.
    pub dialect: Dialect,
    /// The recipe in place of that of the job where all input is archives of the web, as the first bytes of a stream
    /// tell.
    pub archives_recipe: Option<Recipe>,
    /// Files to compare with: documents near one of theirs are removed, and they are not written. A segment that an
    /// earlier job wrote answers as its documents.
    pub against: Vec<String>,
    /// The same of sources that were found already.
    pub against_sources: Vec<Source>,
    /// Of texts in memory so many, the first ones, are there to be compared with.
    pub reference_texts: usize,
}

/// How the input is read.
#[derive(Clone, Debug, Default)]
pub struct ReadingSpec {
    /// The fields of a row that are read.
    pub fields: Fields,
    /// What happens to a record that cannot be read.
    pub on_error: OnError,
    /// Whether a file that gives few documents or none ends the job: [`Reading::fail_on_empty`](crate::Reading).
    pub fail_on_empty: bool,
    /// Limits of the reader.
    pub options: ReadOptions,
}

/// What makes documents near-duplicates, and which of them stays; `None` is the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct CriteriaSpec {
    /// The least similarity of near-duplicates.
    pub similarity: Option<f64>,
    /// The share of the pairs of exactly the similarity that are found at least.
    pub recall: Option<Recall>,
    /// The radius, in place of a similarity.
    pub k: Option<u32>,
    /// What a pair must pass. Pairs are found at its threshold: a similarity that differs is refused.
    pub verify: Option<Verify>,
    /// Only documents whose texts are equal byte for byte are duplicates, in place of all these.
    pub equal_bytes: bool,
    /// What makes a cluster of pairs.
    pub cluster_rule: ClusterRule,
    /// Which document of a cluster stays.
    pub keep: Option<KeepRule>,
    /// What may be a duplicate of a document without any feature.
    pub featureless: Featureless,
}

impl CriteriaSpec {
    /// A similarity and a check at another threshold, of which only one can decide.
    pub(crate) fn two_thresholds(&self) -> Option<(f64, Verify)> {
        let both = self.similarity.zip(self.verify);
        both.filter(|(similarity, verify)| {
            verify.is_checked() && verify.least().total_cmp(similarity).is_ne()
        })
    }
}

/// What is written. All outputs appear at the end of a job, or none.
#[derive(Clone, Debug, Default)]
pub struct OutputSpec {
    /// Where survivors go: a file, a folder that mirrors the input, or `-` for standard output. It is a folder where
    /// it is one already, where it ends in `/`, and where it has no extension and the input is several files, texts
    /// or pages. `None` where the reports are all that is asked for.
    pub survivors: Option<PathBuf>,
    /// Survivors go to several files of at most so many bytes each, before compression.
    pub shard_size: Option<NonZeroU64>,
    /// Every document is written, with a field `nearprint` that says what became of it.
    pub annotate: bool,
    /// Every survivor has a field `nearprint` that says how many documents it stands for.
    pub copies: bool,
    /// How often a survivor is written, or what it weighs, by the documents that it stands for.
    pub rehydrate: Option<Rehydrate>,
    /// Where a greater share of the documents would go, of 1, the job fails and writes nothing.
    pub most_removed: Option<f64>,
    /// The `request` and `metadata` records of WARC stay where the response of their capture does not.
    pub keep_requests: bool,
    /// A row for every document that does not stay.
    pub removed: Option<PathBuf>,
    /// A row for every near-duplicate pair.
    pub pairs: Option<PathBuf>,
    /// Equal documents stay folded where pairs are listed.
    pub fold_equal: bool,
    /// A row for every pair that was compared and is less similar than asked for, with equal documents folded.
    pub rejected: Option<PathBuf>,
    /// A row for every document of a cluster.
    pub clusters: Option<PathBuf>,
    /// A row for every document that stays, but for those without any feature that nothing may equal.
    pub kept: Option<PathBuf>,
    /// Every pair with its similarity, and what else it takes to [decide again](crate::DecisionSpec) without the corpus.
    pub decisions: Option<PathBuf>,
    /// The figures, as JSON.
    pub summary: Option<PathBuf>,
    /// What stays, as a segment for a later job to compare with.
    pub segment: Option<PathBuf>,
    /// A page for people.
    pub page: Option<Page>,
    /// How many pairs just above the similarity, and how many just below it, the figures and the page show.
    pub audit: usize,
}

/// A page for people, and what makes it.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it is written.
    pub path: PathBuf,
    /// Makes it of the figures of a job and of what it found.
    pub render: Render,
}

/// What a job may take. It decides no byte of output.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// Worker threads. The default is a thread for each processor.
    pub threads: Option<usize>,
    /// What memory the job may take.
    pub memory: Memory,
    /// Where temporary files go that memory has no room for; the default is the system's folder for them. A folder
    /// that is named here is made where it is not there, and keeps finished stages until the job has ended well.
    pub work_dir: Option<PathBuf>,
    /// Goes on from the stages that an earlier run of the same job kept.
    pub resume: bool,
    /// Replaces outputs that exist.
    pub force: bool,
}

/// Why documents are not compared within and across one field.
pub(crate) const WITHIN_ACROSS: &str = "no two documents have the same value and different values of one field: name two fields, or one of the two";

/// Why equal documents are not folded across the values of a field.
pub(crate) const EQUAL_ACROSS: &str =
    "equal documents with one value of the field are no pairs: list all pairs";

/// Why no segment is written of documents that are compared by a field.
const NO_FIELDS: &str =
    "a segment keeps no fields to compare documents within or across: leave out one of the two";

/// Why refused pairs are not listed across the values of a field.
const LISTED_ACROSS: &str = "pairs that are not similar enough are listed whatever their values of the field: leave out one of the two";

impl JobSpec {
    /// What makes documents near-duplicates, and which of them stays.
    ///
    /// # Errors
    /// A radius over the width, a similarity that fingerprints of that width cannot tell or that differs from that of
    /// the check, a central document of connected clusters, or a rule by a score that no field holds.
    pub fn criteria(&self) -> Result<Criteria, Error> {
        let CriteriaSpec { recall, k, verify, cluster_rule, keep, featureless, .. } = self.criteria;
        let width = self.width();
        self.check_bytes()?;
        self.check_thresholds()?;
        let likeness = match (k, recall) {
            _ if self.criteria.equal_bytes => Likeness::by_bytes(width),
            (Some(_), Some(_)) => return Err(nearprint_rules::Error::NoBands.into()),
            (Some(k), None) => Likeness::by_radius(k, width)?,
            (None, Some(Recall::Exact)) => {
                Likeness::by_features(verify.unwrap_or(self.sought()), width)?
            }
            (None, _) => {
                let recipe = self.fingerprints.recipe.with_width(width);
                Likeness::by_measure(self.sought(), &recipe)?
            }
        };
        let likeness = match verify {
            Some(verify) => likeness.verified_by(verify)?,
            None => likeness,
        };
        let likeness = match recall {
            Some(Recall::Share(share)) => likeness.recalling(share)?,
            _ => likeness,
        };
        likeness.check_chance()?;
        let keep = match (cluster_rule, keep) {
            (ClusterRule::Connected, Some(KeepRule::Central)) => {
                return Err(Error::CentralOfConnected);
            }
            (rule, keep) => keep.unwrap_or(KeepRule::of(rule)),
        };
        if matches!(keep, KeepRule::Highest | KeepRule::Lowest)
            && self.reading.fields.score.is_none()
        {
            return Err(Error::NoScore { rule: keep.name() });
        }
        Ok(Criteria { likeness, cluster_rule, keep, featureless })
    }

    /// Refuses what labels and counts have no use for.
    pub(crate) fn check_labels(&self) -> Result<(), Error> {
        let OutputSpec { copies, rehydrate, annotate, segment, .. } = &self.outputs;
        let OutputSpec { fold_equal, rejected, audit, .. } = &self.outputs;
        let LabelSpec { within, across, count_by, .. } = &self.labels;
        let counts = *copies || rehydrate.is_some_and(Rehydrate::is_weight);
        let (what, settings): (&'static str, &'static [&'static str]) = match () {
            () if count_by.is_some() && !copies => {
                ("counts by a field are counts of copies: count copies too", &["count-by"])
            }
            () if *annotate && (counts || rehydrate.is_some()) => (
                "copies are not counted if every document is written with its cluster: leave out one of the two",
                &["annotate"],
            ),
            () if self.criteria.keep == Some(KeepRule::Nothing)
                && (counts || rehydrate.is_some()) =>
            {
                (
                    "copies are counted beside the document of a cluster that is kept, and --keep none keeps none: leave out \
                     one of the two",
                    &["keep"],
                )
            }
            () if within.is_some() && segment.is_some() => (NO_FIELDS, &["within", "index-out"]),
            () if across.is_some() && segment.is_some() => (NO_FIELDS, &["across", "index-out"]),
            () if across.is_some() && within == across => (WITHIN_ACROSS, &["within", "across"]),
            () if across.is_some() && *fold_equal => (EQUAL_ACROSS, &["across", "fold-equal"]),
            () if across.is_some() && rejected.is_some() => {
                (LISTED_ACROSS, &["across", "rejected"])
            }
            () if across.is_some() && *audit > 0 => (LISTED_ACROSS, &["across", "audit"]),
            () => return Ok(()),
        };
        Err(Error::Labels { what, settings })
    }

    /// Refuses what texts that are equal byte for byte have no use for.
    fn check_bytes(&self) -> Result<(), Error> {
        let CriteriaSpec { similarity, recall, k, verify, equal_bytes, .. } = self.criteria;
        let given = self.fingerprints.recipe.weights == Weighting::Given;
        let asked = similarity.is_some() || recall.is_some() || k.is_some() || verify.is_some();
        match (equal_bytes, given, asked, &self.outputs.segment) {
            (true, true, ..) => Err(Error::BytesAlone { what: "a recipe of given features" }),
            (true, _, true, _) => {
                Err(Error::BytesAlone { what: "a similarity, a recall, a radius and a check" })
            }
            (true, _, _, Some(_)) => {
                Err(Error::BytesAlone { what: "a segment, which has no bytes" })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a similarity beside a check at another threshold: pairs would be found by one and decided by the other.
    fn check_thresholds(&self) -> Result<(), Error> {
        match self.criteria.two_thresholds() {
            Some((similarity, verify)) => Err(Error::Thresholds { similarity, verify }),
            None => Ok(()),
        }
    }

    /// The bits of a fingerprint that suit what is asked for. A radius is about the recipe's own fingerprints, of 64
    /// bits unless the recipe says otherwise: those that are written to a file. A similarity takes 128, or 256 where
    /// pairs of a cosine are found by the angle of their fingerprints, as so many bits leave few other pairs to
    /// compare.
    #[must_use]
    pub fn usual_width(&self) -> Width {
        let recipe = &self.fingerprints.recipe;
        match self.criteria.k {
            Some(_) => recipe.width,
            None => Likeness::usual_width(self.sought(), recipe.weights),
        }
    }

    /// Where fingerprints come from: the recipe at the width that was chosen.
    pub(crate) fn origin(&self) -> Result<Origin, Error> {
        let FingerprintSpec { recipe, statistics, width: _ } = &self.fingerprints;
        let mut recipe = recipe.with_width(self.width());
        if let Some(statistics) = statistics {
            recipe = recipe.bound_to_statistics(statistics)?;
        }
        Ok(Origin::Text { recipe: Box::new(recipe), statistics: statistics.clone() })
    }

    /// The similarity that pairs are found by: that of the check; where it has none, one in the measure that suits the
    /// recipe.
    fn sought(&self) -> Verify {
        let CriteriaSpec { similarity, verify, .. } = self.criteria;
        let suiting = |least| Verify::suiting(self.fingerprints.recipe.weights, least);
        match verify {
            None | Some(Verify::None) => suiting(similarity.unwrap_or(Likeness::SIMILARITY)),
            // All pairs of a containment are found, whatever stands here.
            Some(Verify::Containment(_)) => suiting(Likeness::SIMILARITY),
            Some(measured) => measured,
        }
    }

    /// The bits of a fingerprint.
    fn width(&self) -> Width {
        let FingerprintSpec { recipe, width, .. } = &self.fingerprints;
        let is_built_in = Recipe::builtin().contains(recipe);
        let chosen = is_built_in.then(|| self.usual_width());
        width.or(chosen).unwrap_or(recipe.width)
    }
}

impl OutputSpec {
    /// The same but for reports.
    pub(crate) fn without_reports(&self) -> Self {
        Self {
            removed: None,
            pairs: None,
            rejected: None,
            clusters: None,
            kept: None,
            decisions: None,
            summary: None,
            segment: None,
            page: None,
            audit: 0,
            ..self.clone()
        }
    }

    /// Whether the documents are counted that a survivor stands for.
    pub(crate) fn counts_copies(&self) -> bool {
        self.copies || self.rehydrate.is_some()
    }

    /// Whether survivors have notes of the documents that they stand for.
    pub(crate) fn notes_copies(&self) -> bool {
        self.copies || self.rehydrate.is_some_and(Rehydrate::is_weight)
    }

    /// The names of the reports that are asked for.
    pub(crate) fn reports(&self) -> Vec<&'static str> {
        let asked = [
            ("removed", self.removed.is_some()),
            ("pairs", self.pairs.is_some()),
            ("clusters", self.clusters.is_some()),
            ("summary", self.summary.is_some()),
            ("report", self.page.is_some()),
            ("segment", self.segment.is_some()),
            ("kept", self.kept.is_some()),
            ("rejected", self.rejected.is_some()),
            ("decisions", self.decisions.is_some()),
        ];
        asked.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }

    /// Whether what is written names documents.
    pub(crate) fn name_documents(&self) -> bool {
        self.annotate
            || self.removed.is_some()
            || self.pairs.is_some()
            || self.clusters.is_some()
            || self.kept.is_some()
            || self.rejected.is_some()
            || self.decisions.is_some()
            || self.segment.is_some()
            || self.audit > 0
    }
}

impl Resources {
    /// Worker threads.
    ///
    /// # Errors
    /// No thread at all.
    pub(crate) fn thread_count(&self) -> Result<usize, Error> {
        match self.threads {
            Some(0) => Err(Error::Threads { message: "at least one has to work".to_owned() }),
            Some(threads) => Ok(threads),
            None => Ok(threads::all()),
        }
    }

    /// The [folder of temporary files](temporary_folder).
    ///
    /// # Errors
    /// Those of a folder that is named and cannot be used.
    pub(crate) fn temporary(&self) -> Result<PathBuf, Error> {
        temporary_folder(self.work_dir.as_deref())
    }
}
