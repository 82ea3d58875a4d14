//! A job in shards: a task of a stage, and what is done.

use crate::distributed::done::{check_complete, not_done};
use crate::distributed::plan::{Cuts, Plan};
use crate::distributed::schema::{ClusterCounts, Schema};
use crate::distributed::shard_job::{Folders, ShardJob};
use crate::distributed::step::{Step, Task};
use crate::distributed::work_folder::WorkFolder;
use crate::distributed::written::Written;
use crate::distributed::{cluster, gather, join, sketch, solve, summary, write};
use crate::error::Error;
use crate::job::discovered::Discovered;
use crate::job::form::Form;
use crate::job::resolved::Job;
use crate::job::spec::{JobSpec, OutputSpec, Resources};
use crate::progress::Progress;
use crate::read::ties::Ties;
use crate::threads;
use crate::write::summary::Summary;
use nearprint_corpus::total_bytes;
use nearprint_rules::Finding;
use std::path::{Path, PathBuf};

/// A job in shards: stages over files, of which each does units that do not depend on one another.
/// [`JobSpec::shards`] makes one.
///
/// What stays and what is reported are what [`ReadyJob::run`](crate::ReadyJob::run) writes, for any number of tasks
/// in any order.
pub struct Shards {
    /// The job. Reports are none of its outputs: each is a folder of parts, which the arguments of the plan name.
    job: Job,
    folder: PathBuf,
    /// The folder of survivors.
    survivors: PathBuf,
    /// Folders of parts of reports and of segments, and the file of the figures.
    outputs: OutputSpec,
    /// Whether files that exist are replaced.
    force: bool,
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

impl JobSpec {
    /// The job in shards, whose tasks share the folder `work`: survivors go to a folder, reports and segments to
    /// folders of a part for each input file.
    ///
    /// # Errors
    /// [`Error::Undivided`] for what such a job cannot do; those of [`open`](Self::open), but for outputs that exist.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Cuts, InputSpec, JobSpec, OutputSpec, Progress, Resources, Step, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, work, output] = ["in.jsonl", "work", "out/"].map(|name| folder.path().join(name));
    /// std::fs::write(&input, "{\"id\":7,\"text\":\"a b c d\"}\n{\"id\":8,\"text\":\"A, b, c, d!\"}\n")?;
    /// let job = JobSpec {
    ///     input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
    ///     outputs: OutputSpec { survivors: Some(output.clone()), ..OutputSpec::default() },
    ///     ..JobSpec::default()
    /// };
    /// let shards = job.shards(&Resources::default(), &work)?;
    /// shards.create(Vec::new(), Cuts::default())?;
    /// for step in Step::ALL {
    ///     shards.run(step, Task::WHOLE, &Progress::default())?;
    /// }
    /// let kept = std::fs::read_to_string(output.join("in.jsonl"))?;
    /// assert_eq!(kept, "{\"id\":7,\"text\":\"a b c d\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shards(&self, with: &Resources, work: impl Into<PathBuf>) -> Result<Shards, Error> {
        self.criteria()?;
        let found = Discovered::find(&self.input, with)?;
        Discovered::refuse_streams(&found.against)?;
        Discovered::refuse_streams(&found.sources)?;
        let job = Job::new(self, with, found)?;
        let outputs = &self.outputs;
        for (asked, what) in [
            (
                job.criteria.likeness.finding() == Finding::Prefixes,
                "find pairs exactly, by their rarest features, as a recall of exact, a containment and a weighted Jaccard \
                 similarity need",
            ),
            (job.form != Form::Folder, "write one file and not a folder of files"),
            (outputs.page.is_some(), "write a report as a page"),
            (outputs.decisions.is_some(), "keep pairs for later decisions"),
            (outputs.kept.is_some(), "list kept documents"),
            (outputs.rejected.is_some(), "list rejected pairs"),
            (outputs.audit > 0, "draw pairs around the similarity"),
            (outputs.most_removed.is_some(), "limit the share of removed documents"),
            (outputs.shard_size.is_some(), "split the output by size"),
        ] {
            if asked {
                return Err(Error::Undivided { what });
            }
        }
        job.refuse()?;
        let job = Job { outputs: outputs.without_reports(), ..job };
        // A form that is a folder has its path.
        let survivors = outputs.survivors.clone().unwrap_or_default();
        let (folder, outputs, force) = (work.into(), outputs.clone(), with.force);
        Ok(Shards { job, folder, survivors, outputs, force })
    }
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
        let OutputSpec { removed, clusters, pairs, segment, summary, .. } = &self.outputs;
        let parts = [removed, clusters, pairs, segment].into_iter().flatten();
        Written {
            sources: &self.job.sources,
            written: self.job.input().written(),
            force: self.force,
            corpus: Some(&self.survivors),
            parts: parts.collect(),
            files: summary.iter().collect(),
        }
        .check(&self.folder)?;
        let identity = self.job.identity()?;
        folder.create(&Step::ALL)?;
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
        if let Some(before) = step.before(&Step::ALL) {
            check_complete(before, of.units(before), &missing(&of, before)?)?;
        }
        let ran = threads::pool(self.job.reading.threads)?.install(|| {
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
            if let Some(path) = self.outputs.summary.as_ref().filter(|_| step == Step::Write)
                && missing(&of, step)?.is_empty()
            {
                summary::write(&of, path)?;
            }
            Ok(done)
        });
        ran.map_err(|error| self.job.advised(error))
    }

    /// The figures of the job, once all of it is done.
    ///
    /// # Errors
    /// An input that changed; files that are damaged.
    pub fn summary(&self) -> Result<Option<Summary>, Error> {
        let progress = Progress::default();
        let of = self.of(&progress)?;
        let is_done = missing(&of, Step::Write)?.is_empty();
        is_done.then(|| summary::summary(&of)).transpose()
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
        plan.check(&folder, &self.job.identity()?)?;
        let shape = match self.job.criteria.likeness.finding() {
            Finding::Bands(shape) => Some(shape),
            _ => None,
        };
        let (job, outputs) = (&self.job, &self.outputs);
        let OutputSpec { annotate, removed, clusters, pairs, segment, .. } = outputs;
        let reports = [removed, clusters, pairs, segment].map(Option::as_deref);
        let named = *annotate || reports.iter().any(Option::is_some);
        let [removed, clusters, pairs, segments] = reports;
        let outputs = Folders { survivors: &self.survivors, removed, clusters, pairs, segments };
        let angle = job.criteria.likeness.finds_by_angle();
        let keep = job.criteria.keep;
        let ties = Ties::of(keep, &job.reading.fields).len();
        let schema = Schema {
            width: recipe.width,
            shape,
            together: plan.together,
            angle,
            scores: if keep.is_by_score() { 1 + ties } else { 0 },
            labels: job.reading.fields.labels.len(),
            counted: job.outputs.counts_copies(),
        };
        let id = plan.id();
        Ok(ShardJob { job, plan, id, schema, folder, outputs, named, progress })
    }

    /// Does a unit.
    fn unit(&self, of: &ShardJob<'_>, step: Step, unit: usize) -> Result<(), Error> {
        if step == Step::Sketch {
            self.job.check_segments(self.job.recipe()?, of.progress)?;
        }
        match step {
            Step::Sketch => sketch::run(of, unit),
            Step::Join => join::run(of, unit),
            Step::Cluster => cluster::run(of),
            Step::Gather => gather::run(of, unit),
            Step::Solve => solve::run(of, unit),
            Step::Write => write::run(of, unit),
            Step::Anchors
            | Step::Repeats
            | Step::Windows
            | Step::Firsts
            | Step::Runs
            | Step::Lend
            | Step::Cut
            | Step::Sample
            | Step::Look
            | Step::Sum => Ok(()),
        }
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
    not_done(&of.folder, step, of.units(step))
}
