//! How the command runs: threads, talk, and where temporary files go.

use crate::flags::heading::RESOURCES;
use crate::usage::{say, wrong};
use clap::Args;
use nearprint_dedup::temporary_folder;
use std::path::PathBuf;
use std::thread;

/// Most worker threads that can be asked for: more are a slip of the pen, and would be started.
const MAX_THREADS: usize = 1024;

/// How the command runs.
#[derive(Args)]
pub(crate) struct RunFlags {
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    threads: Option<usize>,
    /// No progress bar, no closing summary
    #[arg(long, short, help_heading = RESOURCES)]
    pub(crate) quiet: bool,
}

impl RunFlags {
    /// The number of worker threads.
    pub(crate) fn threads(&self) -> anyhow::Result<usize> {
        match self.threads {
            Some(0) => wrong("--threads 0: use at least one thread"),
            Some(threads) if threads > MAX_THREADS => {
                wrong(format!("--threads {threads}: use 1 to {MAX_THREADS}"))
            }
            Some(threads) => Ok(threads),
            None => Ok(thread::available_parallelism().map_or(1, usize::from)),
        }
    }
}

/// Says which stages of an earlier run serve that is resumed.
pub(crate) fn say_resumed(stages: Option<Vec<&str>>, work_dir: Option<&PathBuf>) {
    let (Some(stages), Some(work_dir)) = (stages, work_dir) else { return };
    say(&match stages.as_slice() {
        [] => format!("nothing to resume in {}: starting from the beginning", work_dir.display()),
        stages => format!("resuming after: {}", stages.join(", ")),
    });
}

/// The folder of temporary files of a run, as it was asked for; of an estimate, which makes no folder, only one that is
/// there.
pub(crate) fn work_dir_of(asked: Option<&PathBuf>, is_estimate: bool) -> Option<PathBuf> {
    asked.filter(|folder| !is_estimate || folder.exists()).cloned()
}

/// Where temporary files go.
pub(crate) fn work_dir(asked: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    Ok(temporary_folder(asked.map(PathBuf::as_path))?)
}
