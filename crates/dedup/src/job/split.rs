//! A corpus cut into parts, such as train, valid and test, so that no near-duplicates are in different ones.

use crate::error::Error;
use crate::job::cut_parts::{CutParts, SplitSummary};
use crate::job::discovered::Discovered;
use crate::job::form::Form;
use crate::job::leak::Leak;
use crate::job::needs::named;
use crate::job::parts::{PartShare, Parting};
use crate::job::resolved::Job;
use crate::job::spec::{JobSpec, OutputSpec, Resources};
use crate::job::stages::Beside;
use crate::numbers::DocumentNumber;
use crate::progress::{Progress, Stage};
use crate::read::documents::Documents;
use crate::read::names::{FilePlaces, Names};
use crate::threads;
use crate::write::destination::Destination;
use crate::write::note::Note;
use crate::write::revisits::Revisits;
use crate::write::summary::Method;
use crate::write::survivors::{self, Writing};
use nearprint_corpus::{Finished, Id, InputFormat, NewFolders, Output, Source, total_bytes};
use nearprint_rules::{ClusterRule, Featureless, KeepRule, Verify};
use serde_json::Value;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// What stands for the name of a part in a path.
const PLACEHOLDER: &str = "{part}";

/// A corpus that is cut into parts: all that decides a byte of them.
///
/// Documents that pairs at the similarity connect are a cluster, and a cluster is in one part. So are documents of one id.
/// Which part, a hash of the id of the first document says, or of its content where it has no id: it stays where it is
/// when others are added behind, as long as none of these connects two clusters.
///
/// # Examples
/// ```
/// use nearprint_dedup::{InputSpec, JobSpec, Progress, Resources, SplitSpec};
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output] = ["in.jsonl", "out"].map(|name| folder.path().join(name));
/// let row = |id: u32| format!("{{\"id\":{id},\"text\":\"one two three {} and {}\"}}\n", id / 2, id / 2 + 1);
/// std::fs::write(&input, (0..2000).map(row).collect::<String>())?;
/// let input = InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() };
/// let split = SplitSpec {
///     job: JobSpec { input, ..JobSpec::default() },
///     parts: SplitSpec::parts_of("train=80,test=20")?,
///     output: output.clone(),
///     ..SplitSpec::default()
/// };
/// let progress = Progress::default();
/// let summary = split.open(&Resources::default(), &progress)?.run(&progress)?;
/// assert_eq!(summary.parts.iter().map(|part| part.documents).sum::<u64>(), 2000);
/// let rows = |part| std::fs::read_to_string(output.join(part)).map(|text| text.lines().count() as u64);
/// assert_eq!(rows("train.jsonl")?, summary.parts[0].documents);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SplitSpec {
    /// What is read, and what makes documents near-duplicates; its outputs, its cluster rule and which document stays
    /// are not looked at.
    pub job: JobSpec,
    /// The parts, at least two.
    pub parts: Vec<PartShare>,
    /// Decides which cluster is in which part.
    pub seed: u64,
    /// Parts have their sizes as nearly as clusters let them; then documents that are added may move others.
    pub balanced: bool,
    /// A field whose values each have the same shares in all parts, which are balanced then.
    pub stratify: Option<String>,
    /// A folder with a file for each part, or with a folder for each where the input is several files; or a path with
    /// `{part}` in the place of its name.
    pub output: PathBuf,
    /// A row for every document, with its part.
    pub assignments: Option<PathBuf>,
    /// The figures, as JSON.
    pub summary: Option<PathBuf>,
    /// What is written of the parts behind the job: this name is refused as that of another output would be.
    pub reserved: Option<PathBuf>,
}

/// A corpus that is ready to be cut. [`SplitSpec::open`] makes one.
pub struct ReadySplit {
    spec: SplitSpec,
    job: Job,
    /// Where each part goes.
    paths: Vec<PathBuf>,
    destinations: Vec<Destination>,
    assignments: Option<Output>,
    summary: Option<Output>,
    /// Dropped behind what is written into them.
    folders: NewFolders,
}

/// What was cut, the files of each part, and those beside.
type Cut = (SplitSummary, Vec<(PathBuf, Finished)>, Vec<Finished>);

impl SplitSpec {
    /// The parts that a text such as `train=90,valid=5,test=5` names.
    ///
    /// # Errors
    /// What cannot be read; a name twice; shares that are not 100, or 1, together.
    pub fn parts_of(text: &str) -> Result<Vec<PartShare>, Error> {
        PartShare::all(text)
    }

    /// Finds the input and opens the outputs.
    ///
    /// # Errors
    /// Fewer than two parts; those of [`JobSpec::open`].
    pub fn open(&self, with: &Resources, progress: &Progress) -> Result<ReadySplit, Error> {
        PartShare::check(&self.parts)?;
        let mut spec = self.job.clone();
        spec.criteria.cluster_rule = ClusterRule::Connected;
        spec.criteria.keep = Some(KeepRule::First);
        // Equal texts without a feature are in one part, too.
        spec.criteria.featureless = Featureless::Collapse;
        spec.labels.stratify.clone_from(&self.stratify);
        spec.outputs = OutputSpec::default();
        spec.criteria()?;
        let found = Discovered::find(&spec.input, with)?;
        let mut outputs = spec.outputs.opened(&found, with, None);
        self.refuse_one_file()?;
        // The first bytes of a stream tell what its parts are called.
        let found = found.spooled(&spec.reading, with, progress)?;
        let (makes_folder, paths) = self.paths(&found.sources);
        // Dropped behind all that may fail from here on, so that a folder without a part goes again.
        let mut folders = NewFolders::default();
        if makes_folder {
            let failed = |source| nearprint_corpus::Error::Write {
                path: self.output.display().to_string(),
                source,
            };
            folders.create(&self.output).map_err(failed)?;
        }
        let mut report = |path: &Option<PathBuf>| -> Result<Option<Output>, Error> {
            Ok(path.as_ref().map(|path| outputs.create(path)).transpose()?)
        };
        let (assignments, summary) = (report(&self.assignments)?, report(&self.summary)?);
        drop(report(&self.reserved)?);
        found.suit(&self.job.input, &mut spec.fingerprints.recipe);
        let job = Job::new(&spec, with, found)?;
        let job = Job { names: true, keys: true, ..job };
        job.refuse()?;
        let mut destinations = Vec::new();
        for path in &paths {
            let own = OutputSpec { survivors: Some(path.clone()), ..OutputSpec::default() };
            let written = job.input().written();
            let (form, read) = (Form::of(&own, written), (&job.reading, written));
            destinations.push(own.destination(form, read, &mut outputs)?);
        }
        Ok(ReadySplit {
            spec: self.clone(),
            job,
            paths,
            destinations,
            assignments,
            summary,
            folders,
        })
    }

    /// Whether the output names a file for each part.
    fn has_placeholder(&self) -> bool {
        self.output.to_string_lossy().contains(PLACEHOLDER)
    }

    /// Refuses an output that is one file.
    fn refuse_one_file(&self) -> Result<(), Error> {
        let output = self.output.to_string_lossy();
        let is_named_as_file = !self.output.is_dir()
            && !output.ends_with(std::path::is_separator)
            && InputFormat::of_name(&self.output).is_some();
        let is_file = self.output.is_file() || self.output == Path::new("-") || is_named_as_file;
        if self.has_placeholder() || !is_file {
            return Ok(());
        }
        Err(Error::Parts {
            problem: format!(
                "{output} is one file, and there are {} parts: name a folder, or a path with {PLACEHOLDER} in it, such \
                 as out/{PLACEHOLDER}.jsonl",
                self.parts.len()
            ),
        })
    }

    /// Where each part goes, and whether they are in a folder that may have to be made.
    fn paths(&self, sources: &[Source]) -> (bool, Vec<PathBuf>) {
        if self.has_placeholder() {
            let output = self.output.to_string_lossy();
            let of = |part: &PartShare| PathBuf::from(output.replace(PLACEHOLDER, &part.name));
            return (false, self.parts.iter().map(of).collect());
        }
        let ending = match sources {
            [source] if !Form::is_folder(sources) => source.ending(),
            _ => "/".to_owned(),
        };
        let of = |part: &PartShare| self.output.join(format!("{}{ending}", part.name));
        (true, self.parts.iter().map(of).collect())
    }
}

impl ReadySplit {
    /// The files of the input, streams copied.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.job.input().written()
    }

    /// Bytes of all input as it lies on disk, where that is known.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        total_bytes(&self.job.sources)
    }

    /// The file or folder of each part, in their order.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Cuts the corpus, on its threads. All outputs appear at the end, or none.
    ///
    /// # Complexity
    /// That of a job over the corpus, and a reading for each part.
    ///
    /// # Errors
    /// Whatever goes wrong with input or output; then nothing appears under a final name.
    pub fn run(self, progress: &Progress) -> Result<SplitSummary, Error> {
        self.cut(progress)?.publish()
    }

    /// The same, with names still to come.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn cut(mut self, progress: &Progress) -> Result<CutParts, Error> {
        let folders = std::mem::take(&mut self.folders);
        let (room, longest) = (self.job.record_room(), self.job.longest_asked);
        self.job.memory.check(self.job.reading.threads)?;
        let pool = threads::pool(self.job.reading.threads)?;
        let ran = pool.install(|| self.run_here(progress));
        let (told, parts, reports) = ran.map_err(|error| named(room, error, longest))?;
        Ok(CutParts::new(told, parts, reports, folders))
    }

    /// What was cut, the files of each part, and those beside.
    fn run_here(self, progress: &Progress) -> Result<Cut, Error> {
        let Self { spec, job, paths, destinations, assignments, summary, .. } = self;
        job.check_segments(job.recipe()?, progress)?;
        let (mut documents, search_input) = job.documents(false, None, progress)?;
        progress.enter(Stage::Join);
        let rule = job.check()?.rule();
        let beside = Beside {
            keeps_contents: false,
            audit: 0,
            lists_pairs: false,
            lists_rejected: !matches!(rule, Verify::None | Verify::Containment(_)),
        };
        let (mut matches, _) = job.find(&mut documents, search_input, beside, progress)?;
        let clusters = matches.clusters(KeepRule::First, 0);
        let rejected = matches.rejected.take();
        drop(matches);
        let labels = job.stratify.and_then(|at| documents.labels.get(at));
        let keys = &documents.keys;
        let parting = Parting { parts: &spec.parts, seed: spec.seed, keys, strata: labels };
        let is_balanced = spec.balanced || labels.is_some();
        let together = clusters.joined_by(keys);
        let part_of = match is_balanced {
            true => parting.balanced(&together),
            false => parting.stable(&together),
        };
        drop(together);
        let compared_below = rejected.as_ref().map(|_| rule.least());
        let leak = rejected.as_ref().map(|pairs| Leak::largest(pairs, &part_of)).transpose()?;
        let leak = leak.flatten().map(|leak| leak.named(&documents, &job.sources, &spec.parts));
        drop(rejected);
        let (mut finished, mut reports) = (Vec::new(), Vec::new());
        let first = documents.first_reading();
        let mut others = 0;
        for (part, (path, mut destination)) in (0..).zip(paths.into_iter().zip(destinations)) {
            let stays = |document: DocumentNumber| Some(*part_of.get(document.index())? == part);
            let writing = Writing::<Note<'_>> {
                note: None,
                columns: &job.note_columns,
                all: false,
                times: None,
                whole_captures: !job.outputs.keep_requests,
                alone: Some(part == 0),
                watch: None,
                revisits: &mut Revisits::default(),
            };
            let input = job.input();
            let written =
                survivors::write(input, first, &stays, &mut destination, writing, progress)?;
            others = written.alone;
            finished.push((path, destination.finish()?));
        }
        if let Some(mut output) = assignments {
            write_assignments(&mut output, &job, &documents, &spec.parts, &part_of)?;
            reports.push(output.finish()?);
        }
        let mut told = SplitSummary {
            version: env!("CARGO_PKG_VERSION"),
            documents: documents.len() as u64,
            clusters: clusters.len() as u64,
            largest_cluster: clusters.sizes().iter().copied().max().unwrap_or(0),
            parts: parting.told(&part_of),
            repeated_ids: documents.counts.repeated_ids,
            skipped: documents.counts.skipped.clone(),
            replaced_utf8: documents.counts.replaced_utf8,
            few_documents: documents.counts.few_documents.clone(),
            repeated_id: repeated_id(&documents),
            others,
            compared_below,
            largest_leak: leak,
            seed: spec.seed,
            balanced: is_balanced,
            method: Method::of(&job.criteria.likeness),
            recipe: job.recipe()?.name.clone(),
            recipe_id: job.recipe()?.id().to_string(),
        };
        told.parts.iter_mut().for_each(|part| {
            part.actual = share_of(part.documents, told.documents);
        });
        if let Some(mut output) = summary {
            // A map of strings and numbers always has a JSON form.
            let json = serde_json::to_string_pretty(&told).unwrap_or_default();
            output.write_record(format!("{json}\n").as_bytes())?;
            reports.push(output.finish()?);
        }
        Ok((told, finished, reports))
    }
}

/// The first id that several documents have.
///
/// Memory: 8 bytes a document, where there is one.
fn repeated_id(documents: &Documents) -> Option<Value> {
    if documents.counts.repeated_ids == 0 {
        return None;
    }
    let all = || (0..documents.len() as u64).map(DocumentNumber);
    let hash = |document| xxh3_64(Id::key(&documents.ids.json(document)).as_bytes());
    let mut hashes: Vec<u64> = all().map(hash).collect();
    hashes.sort_unstable();
    let is_repeated = |document: &DocumentNumber| {
        let hash = hash(*document);
        let first = hashes.partition_point(|other| *other < hash);
        hashes.get(first + 1) == Some(&hash)
    };
    let first = all().find(is_repeated)?;
    serde_json::from_str(&documents.ids.json(first)).ok()
}

/// A row for every document: `{"id","part"}`.
fn write_assignments(
    output: &mut Output,
    job: &Job,
    documents: &Documents,
    parts: &[PartShare],
    part_of: &[u16],
) -> Result<(), Error> {
    let places = FilePlaces::of_repeated(documents, &job.sources);
    let names = Names::of_documents(documents, places.as_ref());
    for (document, part) in (0..).map(DocumentNumber).zip(part_of) {
        let part = parts.get(usize::from(*part)).map_or("", |part| &part.name);
        let (id, part) = (names.of(document).members("id"), Value::from(part));
        output.write_record(format!("{{{id},\"part\":{part}}}\n").as_bytes())?;
    }
    Ok(())
}

/// A count as a share of all.
#[expect(clippy::cast_precision_loss, reason = "a share")]
fn share_of(count: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { count as f64 / all as f64 }
}
