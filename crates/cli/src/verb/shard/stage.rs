//! `nearprint shard sketch` and the stages behind it: the units of a task.

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::signals::heed_in_order;
use crate::usage::say;
use crate::verb::shard::job::Job;
use nearprint_dedup::{Progress, Step, Task};
use std::path::PathBuf;
use std::sync::Arc;

/// A task of a stage.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the job
    #[arg(value_name = "WORK")]
    work: PathBuf,
    /// Do every Nth unit from the Ith on, of those that are not done
    ///
    /// I counts from 1. An array of Slurm that is submitted with --array=1-N numbers its jobs so
    /// ($SLURM_ARRAY_TASK_ID), GNU parallel too ({#}). N may differ from stage to stage and from run to run.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = str::parse::<Task>, help_heading = RESOURCES)]
    task: Task,
}

const EXAMPLES: &str = "Examples:
  nearprint shard sketch work/
  nearprint shard sketch work/ --task $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT
  seq 16 | parallel nearprint shard join work/ --task {}/16";

pub(super) fn run(args: &Args, step: Step) -> anyhow::Result<()> {
    let progress = Arc::new(Progress::default());
    heed_in_order(&progress);
    let job = Job::open(&args.work)?;
    let done = job.run(step, args.task, &progress)?;
    say(&format!("{step}: {} done", count_of(done as u64, "unit")));
    job.told(step)?.iter().for_each(|line| say(line));
    Ok(())
}
