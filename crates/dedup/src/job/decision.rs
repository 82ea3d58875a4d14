//! Which documents stay, decided again from the pairs that an earlier job kept: without a text, in seconds. The form of
//! what it kept is handled by `decisions_file`.

use crate::decide::again::{Again, Decided};
use crate::decide::heads::Heads;
use crate::decide::matches::{Matches, exact_among};
use crate::error::Error;
use crate::job::clock::Clock;
use crate::job::decisions_file::DecisionsFile;
use crate::job::discovered::Discovered;
use crate::job::opening::Opened;
use crate::job::resolved::{Job, Searched};
use crate::job::spec::{
    CriteriaSpec, FingerprintSpec, InputSpec, JobSpec, LabelSpec, OutputSpec, ReadingSpec,
    Resources, WITHIN_ACROSS,
};
use crate::job::sweep::{self, Met, Swept, Target};
use crate::numbers::{DocumentNumber, entry};
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::sketched::GROUPLESS;
use crate::read::ties::{rule, rule_name};
use crate::read::unchanged;
use crate::search::exact::Exact;
use crate::search::features::Features;
use crate::search::kept_pairs::{KeptPairs, PairList};
use crate::search::order::Order;
use crate::search::ranking::Ranking;
use crate::threads;
use crate::write::outcome::Outcome;
use nearprint_corpus::{Fields, Source};
use nearprint_fingerprint::mix64;
use nearprint_rules::{ClusterRule, Criteria, KeepRule};
use rayon::ThreadPool;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Documents and pairs that are looked at where a similarity is searched for among all, at most.
const LOOKS: u64 = 1 << 24;

/// Bytes of the features of documents that no pair compares with the document that stays.
const FEATURES: usize = 64 << 20;

/// A decision as it is asked for, over the pairs that a job [kept](OutputSpec::decisions).
///
/// The same settings give what [`JobSpec`] gives over the corpus, as far as both look at the same pairs: byte for byte where
/// all pairs are found, no document is crowded and fingerprints have the width of the job. Where documents are connected, one that goes may be compared with the one
/// that stays by no pair; what is said of the two is then measured with the corpus, and estimated by the
/// fingerprints without it.
///
/// # Examples
/// ```
/// use nearprint_dedup::{
///     CriteriaSpec, DecisionSpec, InputSpec, JobSpec, OutputSpec, Progress, Resources,
/// };
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, kept] = ["in.jsonl", "in.decisions"].map(|name| folder.path().join(name));
/// let row = |id: u32, words: &str| format!("{{\"id\":{id},\"text\":\"a b c d e f g h i j {words}\"}}\n");
/// std::fs::write(&input, row(1, "k l m n") + &row(2, "k l m o") + &row(3, "k l m n"))?;
/// let (progress, with) = (Progress::default(), Resources::default());
/// let job = JobSpec {
///     input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
///     criteria: CriteriaSpec { similarity: Some(0.5), ..CriteriaSpec::default() },
///     outputs: OutputSpec { decisions: Some(kept.clone()), ..OutputSpec::default() },
///     ..JobSpec::default()
/// };
/// assert_eq!(job.open(&with, &progress)?.run(&progress)?.summary.kept, 1);
/// let decide = |similarity| DecisionSpec { file: kept.clone(), similarity: Some(similarity), ..DecisionSpec::default() };
/// let kept = |similarity| -> Result<u64, nearprint_dedup::Error> {
///     let decision = decide(similarity).open(&with, &progress)?.run(&progress)?;
///     Ok(decision.outcome.summary.kept)
/// };
/// assert_eq!((kept(0.5)?, kept(0.95)?), (1, 2));
/// assert!(decide(0.4).open(&with, &progress).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DecisionSpec {
    /// The file that a job kept its pairs in.
    pub file: PathBuf,
    /// The least similarity of near-duplicates, no less than that of the job: by default that.
    pub similarity: Option<f64>,
    /// In place of a similarity, how much is to stay at most. Where even the lowest similarity of the file leaves more,
    /// a decision that writes something is [`Error::TargetUnmet`].
    pub target: Option<Target>,
    /// What makes a cluster of pairs: by default what made one in the job.
    pub cluster_rule: Option<ClusterRule>,
    /// Which document of a cluster stays: by default as in the job, or, where that had the usual rule of its clusters, the
    /// usual one of these.
    pub keep: Option<KeepRule>,
    /// The field of the scores that a keep rule goes by: of those that the job read.
    pub score: Option<String>,
    /// The fields by which documents are grouped and counted: of those that the job read labels of. By default documents are
    /// compared within and across those of the job.
    pub labels: LabelSpec,
    /// The corpus, without what it was compared with: for survivors, and for similarities that no pair says.
    pub input: InputSpec,
    /// How the corpus is read.
    pub reading: ReadingSpec,
    /// What is written: anything but lists of pairs, segments and pages.
    pub outputs: OutputSpec,
}

/// A decision that is ready to be made. [`DecisionSpec::open`] makes one.
pub struct ReadyDecision {
    job: Job,
    file: DecisionsFile,
    /// Whether documents are compared within the labels of a place, and were not by the job.
    regroups: bool,
    /// Whether the corpus is there.
    has_corpus: bool,
    /// The least similarity that the file tells of.
    least: f64,
    target: Option<Target>,
    /// Whether anything is written.
    writes: bool,
    opened: Opened,
}

/// What was decided.
#[derive(Debug)]
pub struct Decision {
    /// The figures, and what becomes of each document.
    pub outcome: Outcome,
    /// The similarity.
    pub similarity: f64,
    /// Whether it leaves what was asked for, where that was how much is to stay.
    pub met: Option<Met>,
}

impl DecisionSpec {
    /// Opens the file and all outputs.
    ///
    /// # Errors
    /// A file that is none, is damaged, or does not tell what is asked for; outputs that exist.
    pub fn open(&self, with: &Resources, progress: &Progress) -> Result<ReadyDecision, Error> {
        let file = DecisionsFile::open(&self.file)?;
        self.check_outputs()?;
        let has_corpus = !self.input.inputs.is_empty() || !self.input.sources.is_empty();
        let mut found = Discovered::named(file.sources());
        if has_corpus {
            let input = InputSpec { against: Vec::new(), ..self.input.clone() };
            let Discovered { sources, passed_over, .. } = Discovered::find(&input, with)?;
            found = Discovered { sources, passed_over, ..found };
        }
        let spec = self.job(&file)?;
        let mut outputs = self.outputs.opened(&found, with, None);
        outputs.protect(&[Source::named(self.file.display().to_string(), None)]);
        let reports = spec.reports(&mut outputs)?;
        let found = match has_corpus {
            true => found.spooled(&self.reading, with, progress)?,
            false => found,
        };
        let job = Job::new(&spec, with, found)?;
        let least = job.criteria.likeness.verify().least();
        let mut job = self.over(&file, job)?;
        job.refuse()?;
        let opened = Opened { destination: job.destination(&mut outputs)?, reports };
        let regroups = job.within.is_some() && file.labels().1[0].is_none();
        let target = self.target;
        let writes = self.outputs.survivors.is_some() || !self.outputs.reports().is_empty();
        Ok(ReadyDecision { job, file, regroups, has_corpus, least, target, writes, opened })
    }

    /// Refuses what cannot be written without a search, and survivors without a corpus.
    fn check_outputs(&self) -> Result<(), Error> {
        let OutputSpec { survivors, pairs, rejected, segment, page, decisions, audit, .. } =
            &self.outputs;
        let is_of_search = pairs.is_some()
            || rejected.is_some()
            || segment.is_some()
            || page.is_some()
            || decisions.is_some()
            || *audit > 0;
        let has_corpus = !self.input.inputs.is_empty() || !self.input.sources.is_empty();
        let problem = match () {
            () if is_of_search => {
                "a decision lists no pairs, and writes no segment and no page: a job over the corpus does"
            }
            () if survivors.is_some() && !has_corpus => {
                "survivors are written from the corpus: name it too"
            }
            () => return Ok(()),
        };
        Err(Error::Undecidable { problem: problem.to_owned() })
    }

    /// The job that a file was kept by, with what is asked for now.
    fn job(&self, file: &DecisionsFile) -> Result<JobSpec, Error> {
        let of_job = file.criteria;
        let cluster_rule = self.cluster_rule.unwrap_or(of_job.cluster_rule);
        let keep = self.keep.or(of_job.keep);
        let criteria = CriteriaSpec { cluster_rule, keep, ..of_job };
        let is_by_score = self.keep.is_some_and(KeepRule::is_by_score);
        let ties = self.reading.fields.ties.iter().flatten().map(|tie| &tie.field);
        let mut asked = self.score.iter().chain(ties).filter(|_| is_by_score);
        let scores = file.scores();
        if asked.any(|field| !scores.contains(field)) {
            let has = match &*scores {
                [] => "without a field to keep documents by".to_owned(),
                fields => format!("with values of {}", fields.join(", ")),
            };
            let fields = Fields { score: self.score.clone(), ..self.reading.fields.clone() };
            let asked = rule_name(self.keep.unwrap_or_default(), &fields);
            let problem = format!(
                "was made {has}, and {asked} was asked for: run `nearprint dedup --keep-by {asked} --decisions FILE` again"
            );
            return Err(undecidable(file, &problem));
        }
        let (labels, own) = file.labels();
        let LabelSpec { within, across, count_by, group_by, .. } = &self.labels;
        let is_kept = |field: &&String| !labels.contains(field);
        if let Some(field) =
            within.iter().chain(across).chain(count_by).chain(group_by).find(is_kept)
        {
            let problem = format!(
                "has no values of the field {field:?}: run `nearprint dedup --group-by {field} --decisions FILE` again"
            );
            return Err(undecidable(file, &problem));
        }
        let own = own[0].and_then(|own| labels.get(own));
        if let Some((own, within)) = own.zip(within.as_ref()).filter(|(own, within)| own != within)
        {
            let problem = format!(
                "was made with `--within {own}`, so that it has no pair of documents with different {own}, and `--within \
                 {within}` was asked for: run `nearprint dedup --within {within} --decisions FILE` again"
            );
            return Err(undecidable(file, &problem));
        }
        let fields = file.fields(&self.reading.fields).map_err(|(own, asked)| {
            let problem = format!(
                "was made with the field {own:?}, and {asked:?} was asked for: leave it out, the file knows the fields"
            );
            undecidable(file, &problem)
        })?;
        let recipe = file.recipe.clone();
        let fields = match self.keep {
            None if keep.is_some_and(KeepRule::is_by_score) => file.by_scores(fields),
            _ => Fields { score: self.score.clone(), ..fields },
        };
        Ok(JobSpec {
            fingerprints: FingerprintSpec { width: Some(recipe.width), recipe, statistics: None },
            reading: ReadingSpec { fields, ..self.reading.clone() },
            criteria,
            labels: LabelSpec { stratify: None, ..self.labels.clone() },
            outputs: self.outputs.clone(),
            ..JobSpec::default()
        })
    }

    /// The same job at the similarity that is asked for, with the labels of the file.
    fn over(&self, file: &DecisionsFile, mut job: Job) -> Result<Job, Error> {
        let least = job.criteria.likeness.verify().least();
        let asked = self.similarity.unwrap_or(least);
        check(file, asked, least)?;
        job.criteria = at(job.criteria, asked)?;
        let (labels, [within, across]) = file.labels();
        let place = |field: &Option<String>| {
            let field = field.as_ref()?;
            labels.iter().position(|label| label == field)
        };
        job.within = within.or(place(&self.labels.within));
        // Who names one field for the other asks for it in place of what the job did.
        let within_own = place(&self.labels.within);
        job.across = place(&self.labels.across).or(across.filter(|at| within_own != Some(*at)));
        if job.across.is_some() && job.across == job.within {
            return Err(Error::Labels { what: WITHIN_ACROSS, settings: &["within", "across"] });
        }
        job.count_by = place(&self.labels.count_by);
        job.group_by = place(&self.labels.group_by);
        job.reading.fields.labels = labels.to_vec();
        Ok(job)
    }
}

impl ReadyDecision {
    /// Decides, on the threads of the job. All outputs appear at the end, or none.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name. [`Error::Decisions`] where
    /// the corpus is not the one of the file.
    pub fn run(self, progress: &Progress) -> Result<Decision, Error> {
        let pool = self.pool()?;
        pool.install(|| self.run_here(progress))
    }

    /// What each similarity leaves, one after the other; nothing is written.
    ///
    /// # Errors
    /// A similarity that the file does not tell of; whatever goes wrong with the file; a corpus that is not the one of the
    /// file.
    pub fn sweep(self, similarities: &[f64], progress: &Progress) -> Result<Vec<Swept>, Error> {
        let pool = self.pool()?;
        pool.install(|| {
            let Self { job, file, regroups, has_corpus, least, .. } = self;
            similarities.iter().try_for_each(|one| check(&file, *one, least))?;
            let path = file.path().to_owned();
            let kept = Kept::read(file, &job, regroups)?;
            if has_corpus {
                let checked =
                    unchanged::check(job.input(), kept.documents.first_reading(), progress);
                checked.map_err(|error| of_other_corpus(error, &path))?;
            }
            similarities.iter().map(|one| kept.swept(*one, &job, progress)).collect()
        })
    }

    /// The threads of the job.
    fn pool(&self) -> Result<ThreadPool, Error> {
        self.job.memory.check(self.job.reading.threads)?;
        threads::pool(self.job.reading.threads)
    }

    fn run_here(self, progress: &Progress) -> Result<Decision, Error> {
        let Self { mut job, file, regroups, has_corpus, least, target, writes, opened } = self;
        let (mut clock, path) = (Clock::start(), file.path().to_owned());
        let kept = Kept::read(file, &job, regroups)?;
        let mut met = None;
        if let Some(target) = target {
            let higher = |similarity| kept.thresholds(similarity, &job);
            let swept = |similarity| kept.swept(similarity, &job, progress);
            let (similarity, found) = target.find(least, higher, swept)?;
            if found == Met::MoreIsLeft && writes {
                let left = kept.swept(similarity, &job, progress)?;
                return Err(target.unmet(&left, &path));
            }
            job.criteria = at(job.criteria, similarity)?;
            job.target = Some((target, found));
            met = Some(found);
        }
        clock.fingerprinted();
        let again = kept.again(&job, progress);
        let decided = again.decide()?;
        let is_shown = job.outputs.removed.is_some() || job.outputs.annotate;
        let known = if is_shown { again.known(&decided.roots)? } else { Vec::new() };
        let rule = job.criteria.likeness.verify();
        let Kept { documents, ranking, contents, heads: _, pairs } = kept;
        let told = (pairs.len(), known);
        let mut matches = Again::matches(ranking, decided, told, (rule, contents));
        let other_corpus = |error| of_other_corpus(error, &path);
        if is_shown && has_corpus {
            matches.features = job.unknown(&documents, &matches, progress).map_err(other_corpus)?;
        }
        // Whatever reads all of it compares it with the file, but a stream has what was written before.
        let compares = job.outputs.survivors.is_some() && !opened.destination.is_stream();
        if has_corpus && matches.features.is_none() && !compares {
            let first = documents.first_reading();
            unchanged::check(job.input(), first, progress).map_err(other_corpus)?;
        }
        let searched = Searched { documents, matches, pairs: None, has_texts: has_corpus };
        let concluded = job.conclude(searched, opened, None, clock, progress);
        Ok(Decision { outcome: concluded.map_err(other_corpus)?, similarity: rule.least(), met })
    }
}

impl Job {
    /// The features of documents that go, and of those that stand for them, where no pair says how similar they are; none
    /// where the corpus does not tell them: of a reference, or by the statistics of another corpus.
    fn unknown(
        &self,
        documents: &Documents,
        matches: &Matches,
        progress: &Progress,
    ) -> Result<Option<Features>, Error> {
        let recipe = self.recipe()?;
        let mut unknown = matches.unknown();
        if unknown.is_empty() || self.reference > 0 || recipe.statistics.is_some() {
            return Ok(None);
        }
        unknown.sort_unstable();
        unknown.dedup();
        progress.enter(Stage::Verify);
        let (room, weighs) = ((self.work_dir.as_path(), FEATURES), self.check()?.weighs());
        Features::take(&self.reread(documents), unknown, weighs, room, progress).map(Some)
    }
}

/// What a file holds, in the order and the groups that are asked for.
struct Kept {
    documents: Documents,
    ranking: Ranking,
    /// Documents of equal content, where documents are compared across labels: the ranking has those then that a document
    /// stands for.
    contents: Option<Exact>,
    heads: Heads,
    pairs: KeptPairs,
}

impl Kept {
    fn read(file: DecisionsFile, job: &Job, regroups: bool) -> Result<Self, Error> {
        let rules = rules(job, &file.scores());
        let (mut documents, pairs) = file.read(job.memory)?;
        let by_number = |documents: &Documents| {
            Exact::new(&documents.contents, &documents.degenerate, &Order::Input)
        };
        // What pairs name is the first document of each content in the groups of the job.
        documents.across = job.across;
        let is_across = documents.sides().is_some();
        let before = (regroups || is_across).then(|| by_number(&documents));
        if regroups {
            documents.within = job.within;
            let groups = documents.groups().to_vec();
            for (content, group) in documents.contents.iter_mut().zip(groups) {
                let own = mix64(u64::from(group) + 1);
                *content ^= (u128::from(own) << 64 | u128::from(mix64(own))) & !GROUPLESS;
            }
        }
        let keep = job.criteria.keep;
        documents.worths = documents.measures.worths(&rules);
        let mut ranking = Ranking::of(&mut documents, keep)?;
        let twins = before
            .as_ref()
            .filter(|_| is_across)
            .map(|exact| Heads::twins(exact, &documents, &ranking.order));
        let contents = twins.map(|twins| std::mem::replace(&mut ranking.exact, twins));
        let heads = match before {
            Some(exact) => Heads::of(&exact, &documents, &ranking.order),
            None if ranking.order == Order::Input => {
                Heads::of(&ranking.exact, &documents, &ranking.order)
            }
            None => Heads::of(&by_number(&documents), &documents, &ranking.order),
        };
        documents.contents = Vec::new();
        Ok(Self { documents, ranking, contents, heads, pairs })
    }

    /// What a similarity leaves.
    fn swept(&self, similarity: f64, job: &Job, progress: &Progress) -> Result<Swept, Error> {
        let (documents, ranking) = (&self.documents, &self.ranking);
        let criteria = at(job.criteria, similarity)?;
        let least = Some(criteria.likeness.verify());
        let again = Again { criteria, least, ..self.again(job, progress) };
        let Decided { roots, pairs } = again.decide()?;
        let reference = documents.reference.documents;
        let clusters = Matches::clusters_of(roots, &ranking.order, job.criteria.keep, reference);
        let ours = (reference..documents.len() as u64).map(DocumentNumber);
        let (mut kept, mut removed, mut bytes) = (documents.first_reading().empty(), 0, 0);
        for document in ours {
            if clusters.keeps(document) {
                kept += 1;
                bytes += entry(&documents.measures.lengths, document.index());
            } else {
                removed += 1;
            }
        }
        let contents = self.contents.as_ref().unwrap_or(&ranking.exact);
        Ok(Swept {
            similarity,
            pairs,
            kept,
            removed,
            exact: exact_among(contents, &ranking.order, documents, &clusters),
            clusters: clusters.len() as u64,
            largest_cluster: clusters.sizes().iter().copied().max().unwrap_or(0),
            bytes,
        })
    }

    /// The similarities above one, to four digits, at which other pairs decide than a little higher; ascending. `None`
    /// where these are more than can be looked at.
    ///
    /// Where documents are connected there is none to look at: the higher a similarity, the more it leaves.
    fn thresholds(&self, similarity: f64, job: &Job) -> Result<Option<Vec<f64>>, Error> {
        if job.criteria.cluster_rule == ClusterRule::Connected {
            return Ok(Some(Vec::new()));
        }
        let all = self.documents.len() as u64 + self.pairs.len();
        if all > LOOKS / 8 {
            return Ok(None);
        }
        let verify = job.criteria.likeness.verify();
        let mut parts = BTreeSet::new();
        self.pairs.each(&mut |pair| {
            parts.extend(sweep::last_part(|least| verify.at(least).reaches(pair.similarity)));
            Ok(())
        })?;
        let higher = parts.into_iter().map(sweep::part).filter(|one| *one > similarity);
        let higher: Vec<f64> = higher.collect();
        Ok((all * higher.len() as u64 <= LOOKS).then_some(higher))
    }

    /// What decides about it.
    fn again<'a>(&'a self, job: &'a Job, progress: &'a Progress) -> Again<'a> {
        Again {
            criteria: job.criteria,
            documents: &self.documents,
            ranking: &self.ranking,
            heads: &self.heads,
            pairs: &self.pairs,
            least: Some(job.criteria.likeness.verify()),
            memory: job.memory,
            work_dir: &job.work_dir,
            progress,
        }
    }
}

/// The keep rule of a job and those that break ties, each with the place of its field among those of which scores are kept.
fn rules(job: &Job, scores: &[String]) -> Vec<(KeepRule, usize)> {
    let (keep, fields) = (job.criteria.keep, &job.reading.fields);
    let place = |field: &String| scores.iter().position(|score| score == field).unwrap_or(0);
    let ties = fields.ties.iter().flatten().filter(|_| keep.is_by_score());
    let ties = ties.map(|tie| (rule(tie.is_least), place(&tie.field)));
    std::iter::once((keep, fields.score.as_ref().map_or(0, place))).chain(ties).collect()
}

/// The same criteria at another similarity.
fn at(criteria: Criteria, similarity: f64) -> Result<Criteria, Error> {
    let verify = criteria.likeness.verify().at(similarity);
    Ok(Criteria { likeness: criteria.likeness.verified_by(verify)?, ..criteria })
}

/// Refuses a similarity that a file does not tell of whose pairs were kept from `least` on.
fn check(file: &DecisionsFile, asked: f64, least: f64) -> Result<(), Error> {
    let problem = match () {
        () if !(0.0..=1.0).contains(&asked) => format!("{asked} is not a similarity from 0 to 1"),
        () if asked < least => format!(
            "the file has pairs from {least} on, not from {asked}: use {least} or more, or create the file again at a \
             lower similarity"
        ),
        () => return Ok(()),
    };
    Err(undecidable(file, &problem))
}

/// An error over a corpus, which may be another one than that of the file at this path.
fn of_other_corpus(error: Error, path: &Path) -> Error {
    match error {
        Error::InputChanged => Error::Decisions {
            path: path.to_owned(),
            problem: "its pairs come from another corpus than the one named, from another state of it, or from one that was \
                      read in another order or with other flags"
                .to_owned(),
        },
        error => error,
    }
}

/// A refusal of what a file does not tell.
fn undecidable(file: &DecisionsFile, problem: &str) -> Error {
    Error::Undecidable { problem: format!("{}: {problem}", file.path().display()) }
}
