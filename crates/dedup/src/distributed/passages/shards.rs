//! A job over passages in shards: a task of a stage, and what is done.

use crate::distributed::done::{check_complete, not_done};
use crate::distributed::passages::job::{CutUnitCounts, Divided, PassagesJob};
use crate::distributed::passages::{cutting, finding, summary};
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
use crate::passages::spec::PassagesSpec;
use crate::progress::Progress;
use crate::read::segment_row::refuse_segments;
use crate::threads;
use nearprint_corpus::total_bytes;
use std::path::PathBuf;

/// A job over passages in shards: stages over files, of which each does units that do not depend on one another.
/// [`PassagesSpec::shards`] makes one.
///
/// What is written is what [`ReadyPassages::run`](crate::ReadyPassages::run) writes, for any number of tasks in any order.
pub struct PassagesShards {
    job: Divided,
    folder: PathBuf,
    /// Whether files that exist are replaced.
    force: bool,
}

impl PassagesSpec {
    /// The job in shards, whose tasks share the folder `work`: the corpus goes to a folder, what was removed to a folder with
    /// a part for each input file; the last task of [`Step::Write`] writes the passages and the figures.
    ///
    /// # Errors
    /// [`Error::Undivided`] for what such a job cannot do; those of [`open`](Self::open), but for outputs that exist.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{
    ///     Cuts, InputSpec, PassageRule, PassagesOutput, PassagesSpec, Progress, Resources, Step, Task,
    /// };
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [input, work, output] = ["in.jsonl", "work", "out/"].map(|name| folder.path().join(name));
    /// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"x\\na b c d\\ny\"}\n")?;
    /// let job = PassagesSpec {
    ///     input: InputSpec { inputs: vec![input.display().to_string()], ..InputSpec::default() },
    ///     rule: PassageRule { length: Some(4), ..PassageRule::default() },
    ///     outputs: PassagesOutput { corpus: Some(output.clone()), ..PassagesOutput::default() },
    ///     ..PassagesSpec::default()
    /// };
    /// let shards = job.shards(&Resources::default(), &work)?;
    /// shards.create(Vec::new(), Cuts::default())?;
    /// let mut step = Some(Step::Anchors);
    /// while let Some(now) = step {
    ///     shards.run(now, Task::WHOLE, &Progress::default())?;
    ///     step = shards.next(now)?;
    /// }
    /// let cut = std::fs::read_to_string(output.join("in.jsonl"))?;
    /// assert_eq!(cut, "{\"text\":\"a b c d\"}\n{\"text\":\"x\\ny\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shards(
        &self,
        with: &Resources,
        work: impl Into<PathBuf>,
    ) -> Result<PassagesShards, Error> {
        self.check_recipe()?;
        let found = Discovered::find(&self.input, with)?;
        refuse_segments(&found.against)?;
        Discovered::refuse_streams(&found.against)?;
        Discovered::refuse_streams(&found.sources)?;
        let form = Form::of(&self.outputs.as_outputs(), &found.sources);
        for (asked, what) in [
            (self.rule.similarity.is_some(), "find near-duplicate lines or paragraphs"),
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
        let (reading, sources, room) = self.reading_over(&found, with, form)?;
        let job = Divided {
            spec: self.clone(),
            reading,
            sources,
            room,
            reference: found.against.len(),
            passed_over: found.passed_over,
            memory: with.memory,
            dir: with.temporary()?,
            mask: u64::MAX,
        };
        Ok(PassagesShards { job, folder: work.into(), force: with.force })
    }
}

impl PassagesShards {
    /// Makes the job, with arguments for its tasks to read.
    ///
    /// # Errors
    /// A job in the folder already; outputs that exist; folders that are those of others; the disk's.
    pub fn create(&self, args: Vec<String>, cuts: Cuts) -> Result<(), Error> {
        let Divided { spec, sources, reference, .. } = &self.job;
        let outputs = &spec.outputs;
        Written {
            sources,
            written: sources.get(*reference..).unwrap_or_default(),
            force: self.force,
            corpus: outputs.corpus.as_ref(),
            parts: outputs.removed.iter().collect(),
            files: [&outputs.passages, &outputs.summary].into_iter().flatten().collect(),
        }
        .check(&self.folder)?;
        let identity = spec.identity(sources, *reference)?;
        let folder = WorkFolder::new(&self.folder)?;
        folder.create(&Step::PASSAGES)?;
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
        if let Some(before) = step.before(&Step::PASSAGES) {
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
                summary::write(&of)?;
            }
            Ok(done)
        });
        ran.map_err(|error| {
            named(self.job.room, error, self.job.spec.reading.options.max_record_bytes)
        })
    }

    /// The stage to do behind one that is done: where windows turn out to share a hash that are not equal, some come again.
    ///
    /// # Errors
    /// As of [`status`](Self::status).
    pub fn next(&self, step: Step) -> Result<Option<Step>, Error> {
        let progress = Progress::default();
        let again = match step {
            Step::Cut => !missing(&self.of(&progress)?, Step::Cut)?.is_empty(),
            _ => false,
        };
        if again {
            return Ok(Some(Step::Repeats));
        }
        let mut behind = Step::PASSAGES.into_iter().skip_while(|other| *other != step);
        Ok(behind.nth(1))
    }

    /// What is done of every stage.
    ///
    /// # Errors
    /// An input that changed; a file of `cut` that is damaged.
    pub fn status(&self) -> Result<Vec<StepStatus>, Error> {
        let progress = Progress::default();
        let of = self.of(&progress)?;
        let status = |step| {
            let (units, missing) = (of.units(step), missing(&of, step)?);
            Ok(StepStatus { step, units, missing, components: None })
        };
        Step::PASSAGES.into_iter().map(status).collect()
    }

    /// The job with its plan, if it is that of the plan.
    fn of<'a>(&'a self, progress: &'a Progress) -> Result<PassagesJob<'a>, Error> {
        let folder = WorkFolder::new(&self.folder)?;
        let plan = Plan::load(&folder)?;
        let Divided { spec, sources, reference, .. } = &self.job;
        plan.check(&folder, &spec.identity(sources, *reference)?)?;
        let id = plan.id();
        let mut of = PassagesJob { job: &self.job, plan, id, folder, rounds: Vec::new(), progress };
        while missing(&of, Step::Cut)?.is_empty() {
            let (first, mut shared) = (of.rounds.len() * of.files(), Vec::new());
            for unit in first..first + of.files() {
                shared.extend(of.open(Step::Cut, unit)?.counts::<CutUnitCounts>()?.shared);
            }
            if shared.is_empty() {
                break;
            }
            of.rounds.push(shared);
        }
        Ok(of)
    }
}

/// Does a unit.
fn run_unit(of: &PassagesJob<'_>, step: Step, unit: usize) -> Result<(), Error> {
    match step {
        Step::Anchors => finding::anchors(of, unit),
        Step::Repeats => finding::repeats(of, unit),
        Step::Windows => finding::windows(of, unit),
        Step::Firsts => finding::firsts(of, unit),
        Step::Runs => finding::runs(of, unit),
        Step::Lend => cutting::lend(of, unit),
        Step::Cut => cutting::cut(of, unit),
        Step::Write => cutting::write(of, unit),
        Step::Sketch
        | Step::Join
        | Step::Cluster
        | Step::Gather
        | Step::Solve
        | Step::Sample
        | Step::Look
        | Step::Sum => {
            let problem = format!("the stage {step} does not belong to a job over passages");
            Err(Error::Bug { problem })
        }
    }
}

/// The units of a stage that are not done.
fn missing(of: &PassagesJob<'_>, step: Step) -> Result<Vec<usize>, Error> {
    not_done(&of.folder, step, of.units(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::spec::InputSpec;
    use crate::passages::rule::PassageRule;
    use crate::passages::spec::PassagesOutput;
    use std::fmt::Write as _;
    use std::fs;
    use std::num::NonZeroU8;

    #[test]
    fn windows_of_one_hash_are_told_apart_in_another_round() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("in")).unwrap();
        for file in 0..3 {
            let mut rows = String::new();
            for at in (0..60).filter(|at| at % 3 == file) {
                let text = format!("{} and {} are {} no no no no", at % 7, at % 5, at % 4);
                writeln!(rows, "{{\"id\":{at},\"text\":\"{text}\"}}").unwrap();
            }
            fs::write(path(&format!("in/{file}.jsonl")), rows).unwrap();
        }
        let run = |mask: u64| {
            let spec = PassagesSpec {
                input: InputSpec {
                    inputs: vec![path("in").display().to_string()],
                    ..InputSpec::default()
                },
                rule: PassageRule { length: Some(3), ..PassageRule::default() },
                outputs: PassagesOutput {
                    corpus: Some(path(&format!("out{mask}/"))),
                    removed: Some(path(&format!("removed{mask}"))),
                    passages: Some(path(&format!("passages{mask}.jsonl"))),
                    ..PassagesOutput::default()
                },
                ..PassagesSpec::default()
            };
            let work = path(&format!("work{mask}"));
            let mut shards = spec.shards(&Resources::default(), work).unwrap();
            shards.job.mask = mask;
            let ranges = NonZeroU8::new(2);
            shards.create(Vec::new(), Cuts { ranges, ..Cuts::default() }).unwrap();
            let (mut step, mut repeats) = (Some(Step::Anchors), 0);
            while let Some(now) = step {
                repeats += usize::from(now == Step::Repeats);
                shards.run(now, Task::WHOLE, &Progress::default()).unwrap();
                step = shards.next(now).unwrap();
            }
            let folders = ["out", "removed"].map(|name| path(&format!("{name}{mask}")));
            let mut written = fs::read(path(&format!("passages{mask}.jsonl"))).unwrap();
            for folder in folders {
                let mut files: Vec<_> =
                    fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
                files.sort();
                files.into_iter().for_each(|file| written.extend(fs::read(file).unwrap()));
            }
            (repeats, String::from_utf8(written).unwrap())
        };
        let (rounds, written) = run(u64::MAX);
        assert_eq!(rounds, 1);
        assert!(written.lines().count() > 80);
        for mask in [0, 7, 0xff] {
            let (rounds, weak) = run(mask);
            assert!(rounds > 1, "{mask}");
            assert_eq!(weak, written, "{mask}");
        }
    }
}
