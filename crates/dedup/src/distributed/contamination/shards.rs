//! A job over eval sets in shards: a task of a stage, and what is done.

use crate::contamination::spec::ContaminationSpec;
use crate::distributed::contamination::job::{ContaminationJob, Divided};
use crate::distributed::contamination::{looking, summing, writing};
use crate::distributed::done::{check_complete, not_done};
use crate::distributed::plan::{Cuts, Plan};
use crate::distributed::shards::StepStatus;
use crate::distributed::step::{Step, Task};
use crate::distributed::work_folder::WorkFolder;
use crate::distributed::written::Written;
use crate::error::Error;
use crate::job::discovered::Discovered;
use crate::job::form::Form;
use crate::job::needs::named;
use crate::job::spec::Resources;
use crate::progress::Progress;
use crate::read::segment_row::refuse_segments;
use crate::threads;
use nearprint_corpus::{OutputOptions, Outputs, total_bytes};
use std::path::PathBuf;

/// A job over eval sets in shards: stages over files, of which each does units that do not depend on one another.
/// [`ContaminationSpec::shards`] makes one.
///
/// What is written is what [`ReadyContamination::run`](crate::ReadyContamination::run) writes, for any number of tasks in
/// any order.
pub struct ContaminationShards {
    job: Divided,
    folder: PathBuf,
    /// Whether files that exist are replaced.
    force: bool,
}

impl ContaminationSpec {
    /// The job in shards, whose tasks share the folder `work`: the corpus goes to a folder, what was found to a folder with
    /// a part for each input file; the last task of [`Step::Write`] writes the items and the figures.
    ///
    /// # Errors
    /// [`Error::Undivided`] for what such a job cannot do; those of [`open`](Self::open), but for outputs that exist.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{
    ///     ContaminationOutput, ContaminationSpec, Cuts, InputSpec, Progress, Resources, Step, Task,
    /// };
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, evals, work, output] = ["in.jsonl", "evals.jsonl", "work", "out/"].map(|name| folder.path().join(name));
    /// let question = "Which of the planets turns around the sun in the shortest time?";
    /// std::fs::write(&evals, format!("{{\"question\":\"{question}\"}}\n"))?;
    /// std::fs::write(&input, format!("{{\"text\":\"Other words.\"}}\n{{\"text\":\"Quiz: {question}\"}}\n"))?;
    /// let job = ContaminationSpec {
    ///     input: InputSpec {
    ///         inputs: vec![input.display().to_string()],
    ///         against: vec![evals.display().to_string()],
    ///         ..InputSpec::default()
    ///     },
    ///     outputs: ContaminationOutput { corpus: Some(output.clone()), ..ContaminationOutput::default() },
    ///     ..ContaminationSpec::default()
    /// };
    /// let shards = job.shards(&Resources::default(), &work)?;
    /// shards.create(Vec::new(), Cuts::default())?;
    /// for step in Step::CONTAMINATION {
    ///     shards.run(step, Task::WHOLE, &Progress::default())?;
    /// }
    /// assert_eq!(std::fs::read_to_string(output.join("in.jsonl"))?, "{\"text\":\"Other words.\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shards(
        &self,
        with: &Resources,
        work: impl Into<PathBuf>,
    ) -> Result<ContaminationShards, Error> {
        self.check_recipe()?;
        let found = Discovered::find(&self.input_alone(), with)?;
        let evals = self.evals(with)?;
        refuse_segments(&evals.sources)?;
        Discovered::refuse_streams(&evals.sources)?;
        Discovered::refuse_streams(&found.sources)?;
        let form = Form::of(&self.as_outputs(), &found.sources);
        for (asked, what) in [
            (
                !matches!(form, Form::Folder | Form::Nothing),
                "write one file and not a folder of files",
            ),
            (self.outputs.page.is_some(), "write a report as a page"),
            (self.outputs.shard_size.is_some(), "split the output by size"),
        ] {
            if asked {
                return Err(Error::Undivided { what });
            }
        }
        let (reading, room) = self.reading_over(&found.sources, with, form)?;
        let job = Divided {
            spec: self.clone(),
            reading,
            sources: found.sources,
            room,
            evals,
            passed_over: found.passed_over.ours,
            memory: with.memory,
            dir: with.temporary()?,
        };
        Ok(ContaminationShards { job, folder: work.into(), force: with.force })
    }
}

impl ContaminationShards {
    /// Makes the job, with arguments for its tasks to read.
    ///
    /// # Errors
    /// A job in the folder already; outputs that exist; folders that are those of others; the disk's.
    pub fn create(&self, args: Vec<String>, cuts: Cuts) -> Result<(), Error> {
        let Divided { spec, sources, evals, .. } = &self.job;
        let (outputs, evals) = (&spec.outputs, &evals.sources);
        let read = [evals.as_slice(), sources].concat();
        spec.reserve_index(&mut Outputs::new(&read, OutputOptions { force: self.force }))?;
        let new_index = spec.index.as_ref().filter(|index| !index.exists());
        let files = [outputs.items.as_ref(), outputs.summary.as_ref(), new_index];
        Written {
            sources: &read,
            written: sources,
            force: self.force,
            corpus: outputs.corpus.as_ref(),
            parts: outputs.removed.iter().collect(),
            files: files.into_iter().flatten().collect(),
        }
        .check(&self.folder)?;
        let identity = spec.identity(sources, evals)?;
        let folder = WorkFolder::new(&self.folder)?;
        folder.create(&Step::CONTAMINATION)?;
        let bytes = total_bytes(sources).unwrap_or(0);
        Plan::new(args, identity, bytes, cuts).save(&folder)
    }

    /// Does the units of a stage that are a task's and not done yet; returns their number.
    ///
    /// # Errors
    /// [`Error::Unready`] where the stage before is not complete; an input that changed; files that are damaged
    /// or of another job; those of the stage.
    pub fn run(&self, step: Step, task: Task, progress: &Progress) -> Result<usize, Error> {
        let of = self.of(progress)?;
        if let Some(before) = step.before(&Step::CONTAMINATION) {
            check_complete(before, of.units(before), &missing(&of, before)?)?;
        }
        let ran = threads::pool(self.job.reading.threads)?.install(|| {
            let mut done = 0;
            for unit in (0..of.units(step)).filter(|unit| task.does(*unit)) {
                progress.check()?;
                if of.folder.has(&of.folder.unit(step, unit))? {
                    of.open(step, unit)?;
                } else {
                    run_unit(&of, step, unit)?;
                    done += 1;
                }
            }
            // The last task of all, whichever that is, finds all done.
            if step == Step::Write && missing(&of, step)?.is_empty() {
                writing::finish(&of)?;
            }
            Ok(done)
        });
        ran.map_err(|error| {
            named(self.job.room, error, self.job.spec.reading.options.max_record_bytes)
        })
    }

    /// What is done of every stage.
    ///
    /// # Errors
    /// An input that changed.
    pub fn status(&self) -> Result<Vec<StepStatus>, Error> {
        let progress = Progress::default();
        let of = self.of(&progress)?;
        let status = |step| {
            let (units, missing) = (of.units(step), missing(&of, step)?);
            Ok(StepStatus { step, units, missing, components: None })
        };
        Step::CONTAMINATION.into_iter().map(status).collect()
    }

    /// The job with its plan, if it is that of the plan.
    fn of<'a>(&'a self, progress: &'a Progress) -> Result<ContaminationJob<'a>, Error> {
        let folder = WorkFolder::new(&self.folder)?;
        let plan = Plan::load(&folder)?;
        let Divided { spec, sources, evals, .. } = &self.job;
        plan.check(&folder, &spec.identity(sources, &evals.sources)?)?;
        Ok(ContaminationJob::new(&self.job, plan.id(), folder, progress))
    }
}

/// Does a unit.
fn run_unit(of: &ContaminationJob<'_>, step: Step, unit: usize) -> Result<(), Error> {
    match step {
        Step::Sample => looking::sample(of),
        Step::Look => looking::look(of, unit),
        Step::Sum => summing::sum(of),
        Step::Write => writing::write(of, unit),
        _ => {
            let problem = format!("the stage {step} does not belong to a job over eval sets");
            Err(Error::Bug { problem })
        }
    }
}

/// The units of a stage that are not done.
fn missing(of: &ContaminationJob<'_>, step: Step) -> Result<Vec<usize>, Error> {
    not_done(&of.folder, step, of.units(step))
}
