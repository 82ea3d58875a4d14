//! A job in shards: a task of a stage, and what is done.

use crate::error::Error;
use crate::job::dedup_job::DedupJob;
use crate::progress::Progress;
use crate::report::reports::Reports;
use crate::shards::plan::{Cuts, Plan};
use crate::shards::schema::{ClusterCounts, Schema};
use crate::shards::shard_job::{Folders, ShardJob};
use crate::shards::step::{Step, Task};
use crate::shards::work_folder::WorkFolder;
use crate::shards::{cluster, gather, join, sketch, solve, summary, write};
use crate::threads;
use nearprint_corpus::{OutputOptions, Outputs, total_bytes};
use nearprint_fingerprint::Width;
use nearprint_rules::Finding;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Units that an error names at most.
const NAMED: usize = 10;

/// A job in shards: stages over files, of which each does units that do not depend on one another.
/// [`DedupFiles::shards`](crate::DedupFiles::shards) makes one.
///
/// What stays and what is reported are those of [`DedupFiles::write`](crate::DedupFiles::write), whatever the
/// number of tasks and their order.
pub struct Shards {
    pub(crate) job: DedupJob,
    pub(crate) folder: PathBuf,
    /// Folders: what stays, and parts of reports.
    pub(crate) survivors: PathBuf,
    pub(crate) removed: Option<PathBuf>,
    pub(crate) clusters: Option<PathBuf>,
    pub(crate) pairs: Option<PathBuf>,
    /// A folder of segments of what stays, one for each input file.
    pub(crate) segments: Option<PathBuf>,
    /// The file of the figures.
    pub(crate) summary: Option<PathBuf>,
    /// Whether files that exist are replaced.
    pub(crate) force: bool,
}

/// What is done of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepStatus {
    /// The stage.
    pub step: Step,
    /// Its units.
    pub units: usize,
    /// Those that are not done.
    pub missing: Vec<usize>,
    /// Of [`Step::Cluster`] once it is done: what it found.
    pub components: Option<ComponentCounts>,
}

/// The connected components of the links between documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentCounts {
    /// ComponentCounts of two documents and more.
    pub count: u64,
    /// Documents in these.
    pub documents: u64,
    /// Documents of the largest, which is one of unit 0 of [`Step::Solve`]: no task is cut smaller than a component.
    pub largest: u64,
}

impl Shards {
    /// The arguments that the job in a folder was made with.
    ///
    /// # Errors
    /// No job there.
    pub fn args(folder: impl AsRef<Path>) -> Result<Vec<String>, Error> {
        Ok(Plan::load(&WorkFolder::new(folder.as_ref())?)?.args)
    }

    /// Makes the job, with arguments for its tasks to read.
    ///
    /// # Errors
    /// A job in the folder already; outputs that exist; folders that are those of others; the disk's.
    pub fn create(&self, args: Vec<String>, cuts: Cuts) -> Result<(), Error> {
        let folder = WorkFolder::new(&self.folder)?;
        let written = self.job.sources.get(self.job.reference..).unwrap_or_default();
        let mut outputs = Outputs::new(&self.job.sources, OutputOptions { force: self.force });
        drop(outputs.mirror(&self.survivors, written)?);
        // Tasks find the inputs anew, and make their outputs apart from each other.
        let mut taken = vec![outputs.outside_inputs(&self.survivors)?];
        let reports = [&self.removed, &self.clusters, &self.pairs, &self.segments];
        let reports = reports.into_iter().flatten();
        for path in reports.clone().chain([&self.folder]) {
            let refused =
                |problem: &str| Error::Shards { path: path.clone(), problem: problem.to_owned() };
            let place = outputs.outside_inputs(path)?;
            if taken.contains(&place) {
                return Err(refused(
                    "survivors, segments, each report and the files of the job need folders of their own",
                ));
            }
            taken.push(place);
        }
        for path in reports {
            if !WorkFolder::new(path)?.is_empty()? {
                let problem =
                    "parts of a report or segments go there, and it has files; name a new folder";
                return Err(Error::Shards { path: path.clone(), problem: problem.to_owned() });
            }
        }
        if let Some(path) = &self.summary {
            drop(outputs.create(path)?);
        }
        let identity = self.job.identity(self.job.recipe()?, &Reports::default())?;
        folder.create()?;
        let bytes = total_bytes(&self.job.sources).unwrap_or(0);
        Plan::new(args, identity, bytes, cuts).save(&folder)
    }

    /// Does the units of a stage that are a task's and not done yet; returns their number.
    ///
    /// # Errors
    /// [`Error::Unready`] where the stage before is not complete; an input that changed; files that are damaged
    /// or of another job; those of the stage.
    pub fn run(&self, step: Step, task: Task, progress: &Progress) -> Result<usize, Error> {
        self.job.memory.check(self.job.reading.threads)?;
        let of = self.of(progress)?;
        if let Some(before) = step.before() {
            check_complete(&of, before)?;
        }
        threads::pool(self.job.reading.threads)?.install(|| {
            let mut done = 0;
            for unit in (0..of.units(step)).filter(|unit| task.does(*unit)) {
                progress.check()?;
                if of.folder.has(&of.folder.unit(step, unit))? {
                    of.open(step, unit)?;
                } else {
                    self.unit(&of, step, unit)?;
                    done += 1;
                }
            }
            // The last task of all, whichever that is, finds all done.
            if let Some(path) = self.summary.as_ref().filter(|_| step == Step::Write)
                && missing(&of, step)?.is_empty()
            {
                summary::write(&of, path)?;
            }
            Ok(done)
        })
    }

    /// What is done of every stage.
    ///
    /// # Errors
    /// An input that changed; a file of `cluster` that is damaged.
    pub fn status(&self) -> Result<Vec<StepStatus>, Error> {
        let progress = Progress::default();
        let of = self.of(&progress)?;
        let status = |step| {
            let (units, missing) = (of.units(step), missing(&of, step)?);
            let clustered = step == Step::Cluster && missing.is_empty();
            let components = clustered.then(|| components(&of)).transpose()?;
            Ok(StepStatus { step, units, missing, components })
        };
        Step::ALL.into_iter().map(status).collect()
    }

    /// The job with its plan, if it is that of the plan.
    fn of<'a>(&'a self, progress: &'a Progress) -> Result<ShardJob<'a>, Error> {
        let folder = WorkFolder::new(&self.folder)?;
        let plan = Plan::load(&folder)?;
        let recipe = self.job.recipe()?;
        plan.check(&folder, &self.job.identity(recipe, &Reports::default())?)?;
        let shape = match self.job.criteria.likeness.finding() {
            Finding::Bands(shape) => Some(shape),
            _ => None,
        };
        let words = match recipe.width {
            Width::W64 => 1,
            Width::W128 => 2,
            Width::W256 => 4,
        };
        let Self { job, survivors, .. } = self;
        let folders = [&self.removed, &self.clusters, &self.pairs, &self.segments];
        let named = job.annotate || folders.iter().any(|folder| folder.is_some());
        let [removed, clusters, pairs, segments] = folders.map(Option::as_deref);
        let outputs = Folders { survivors, removed, clusters, pairs, segments };
        let angle = job.criteria.likeness.finds_by_angle();
        let schema = Schema { words, shape, together: plan.together, angle };
        let id = plan.id();
        Ok(ShardJob { job, plan, id, schema, folder, outputs, named, progress })
    }

    /// Does a unit.
    fn unit(&self, of: &ShardJob<'_>, step: Step, unit: usize) -> Result<(), Error> {
        if step == Step::Sketch {
            self.job.check_segments(self.job.recipe()?, of.progress)?;
        }
        match of.schema.words {
            1 => unit_wide::<1>(of, step, unit),
            2 => unit_wide::<2>(of, step, unit),
            _ => unit_wide::<4>(of, step, unit),
        }
    }
}

fn unit_wide<const WORDS: usize>(of: &ShardJob<'_>, step: Step, unit: usize) -> Result<(), Error> {
    match step {
        Step::Sketch => sketch::run(of, unit),
        Step::Join => join::run::<WORDS>(of, unit),
        Step::Cluster => cluster::run(of),
        Step::Gather => gather::run(of, unit),
        Step::Solve => solve::run::<WORDS>(of, unit),
        Step::Write => write::run(of, unit),
    }
}

/// What [`Step::Cluster`] found.
fn components(of: &ShardJob<'_>) -> Result<ComponentCounts, Error> {
    let counts: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
    let ClusterCounts { components: count, joined: documents, largest, .. } = counts;
    Ok(ComponentCounts { count, documents, largest })
}

/// The units of a stage that are not done.
fn missing(of: &ShardJob<'_>, step: Step) -> Result<Vec<usize>, Error> {
    let done: HashSet<usize> = of.folder.done(step)?.into_iter().collect();
    Ok((0..of.units(step)).filter(|unit| !done.contains(unit)).collect())
}

fn check_complete(of: &ShardJob<'_>, step: Step) -> Result<(), Error> {
    let missing = missing(of, step)?;
    if missing.is_empty() {
        return Ok(());
    }
    let some: Vec<String> = missing.iter().take(NAMED).map(usize::to_string).collect();
    let more = if missing.len() > NAMED { " and others" } else { "" };
    let (count, units) = (missing.len(), of.units(step));
    let missing = format!("{count} of {units}: {}{more}", some.join(", "));
    Err(Error::Unready { stage: step.name(), missing })
}
