//! The job in a folder, as it was made: over documents, over passages, or over eval sets.

use crate::show::kept::kept;
use crate::show::remarks::{remarks, skipped};
use crate::show::warnings::{by_source, warnings};
use crate::usage::wrong;
use crate::verb::{decontaminate, dedup, passages};
use nearprint_dedup::{
    ContaminationShards, Cuts, PassagesShards, Progress, Shards, Step, StepStatus, Task,
};
use std::path::Path;

/// The flag that says what a job does, as the first of its arguments.
const FLAG: &str = "--job";

/// A job in shards.
pub(super) enum Job {
    Documents(Box<Shards>),
    Passages(Box<PassagesShards>),
    Contamination(Box<ContaminationShards>),
}

impl Job {
    /// The job of these arguments.
    pub(super) fn of(args: &[String], work: &Path) -> anyhow::Result<Self> {
        let (name, args) = match args {
            [flag, name, rest @ ..] if flag == FLAG => (name.as_str(), rest),
            [flag, rest @ ..] => {
                match flag.strip_prefix(FLAG).and_then(|it| it.strip_prefix('=')) {
                    Some(name) => (name, rest),
                    None => ("dedup", args),
                }
            }
            [] => ("dedup", args),
        };
        match name {
            "dedup" => Ok(Self::Documents(Box::new(dedup::shards(args, work)?))),
            "passages" => Ok(Self::Passages(Box::new(passages::shards(args, work)?))),
            "decontaminate" => {
                Ok(Self::Contamination(Box::new(decontaminate::shards(args, work)?)))
            }
            other => wrong(format!("--job {other}: use dedup, passages or decontaminate")),
        }
    }

    /// The job in a folder.
    pub(super) fn open(work: &Path) -> anyhow::Result<Self> {
        Self::of(&Shards::args(work)?, work)
    }

    /// Makes it.
    pub(super) fn create(&self, args: Vec<String>, cuts: Cuts) -> anyhow::Result<()> {
        Ok(match self {
            Self::Documents(job) => job.create(args, cuts),
            Self::Passages(job) => job.create(args, cuts),
            Self::Contamination(job) => job.create(args, cuts),
        }?)
    }

    /// Its stages.
    pub(super) fn stages(&self) -> &'static [Step] {
        match self {
            Self::Documents(_) => &Step::ALL,
            Self::Passages(_) => &Step::PASSAGES,
            Self::Contamination(_) => &Step::CONTAMINATION,
        }
    }

    /// Does the units of a stage that are a task's; returns their number.
    pub(super) fn run(&self, step: Step, task: Task, progress: &Progress) -> anyhow::Result<usize> {
        if !self.stages().contains(&step) {
            let stages: Vec<_> = self.stages().iter().map(|step| step.name()).collect();
            let stages = stages.join(", ");
            return wrong(format!("{step} is not a stage of this job: its stages are {stages}"));
        }
        Ok(match self {
            Self::Documents(job) => job.run(step, task, progress),
            Self::Passages(job) => job.run(step, task, progress),
            Self::Contamination(job) => job.run(step, task, progress),
        }?)
    }

    /// The stage behind one that is done.
    pub(super) fn next(&self, step: Step) -> anyhow::Result<Option<Step>> {
        Ok(match self {
            Self::Passages(job) => job.next(step)?,
            Self::Documents(_) | Self::Contamination(_) => {
                self.stages().iter().copied().skip_while(|other| *other != step).nth(1)
            }
        })
    }

    /// What the job did, once the last of its stages is done.
    pub(super) fn told(&self, step: Step) -> anyhow::Result<Vec<String>> {
        let summary = match self {
            Self::Documents(job) if step == Step::Write => job.summary()?,
            _ => None,
        };
        let Some(summary) = summary else { return Ok(Vec::new()) };
        let parts = [
            kept(&summary, "", None),
            by_source(&summary),
            remarks(&summary),
            skipped(&summary),
            warnings(&summary),
        ];
        Ok(parts.into_iter().flatten().collect())
    }

    /// What is done of every stage.
    pub(super) fn status(&self) -> anyhow::Result<Vec<StepStatus>> {
        Ok(match self {
            Self::Documents(job) => job.status(),
            Self::Passages(job) => job.status(),
            Self::Contamination(job) => job.status(),
        }?)
    }
}
