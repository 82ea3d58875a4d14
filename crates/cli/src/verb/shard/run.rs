//! `nearprint shard run`: all stages in one process.

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::signals::heed_in_order;
use crate::usage::{say, wrong};
use crate::verb::shard::job::Job;
use nearprint_dedup::{Progress, Task};
use std::path::PathBuf;
use std::sync::Arc;

/// Run all stages, one after the other, in this process
///
/// Units that are done are not done again: a run that was stopped continues.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the job
    #[arg(value_name = "WORK")]
    work: PathBuf,
    /// Tasks of each stage, one after the other
    #[arg(long, value_name = "N", default_value = "1", help_heading = RESOURCES)]
    tasks: usize,
}

const EXAMPLES: &str = "Examples:
  nearprint shard run work/";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let progress = Arc::new(Progress::default());
    heed_in_order(&progress);
    let Ok(tasks) = (1..=args.tasks)
        .map(|number| format!("{number}/{}", args.tasks).parse::<Task>())
        .collect::<Result<Vec<_>, _>>()
    else {
        return wrong("--tasks: give a number of tasks from 1 on");
    };
    if tasks.is_empty() {
        return wrong("--tasks 0: use at least one task");
    }
    let job = Job::open(&args.work)?;
    let mut stage = job.stages().first().copied();
    while let Some(step) = stage {
        let mut done = 0;
        for task in &tasks {
            done += job.run(step, *task, &progress)?;
        }
        say(&format!("{step}: {} done", count_of(done as u64, "unit")));
        job.told(step)?.iter().for_each(|line| say(line));
        stage = job.next(step)?;
    }
    Ok(())
}
