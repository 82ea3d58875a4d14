//! `nearprint shard create`: the plan of a job.

use crate::flags::heading::RESOURCES;
use crate::usage::say;
use crate::verb::shard::job::Job;
use nearprint_dedup::{Cuts, Step};
use std::num::{NonZeroU8, NonZeroU16};
use std::path::PathBuf;

/// Make a job: its plan, in a new folder
///
/// The flags are those of nearprint dedup; after --job passages or --job decontaminate those of that command. The
/// output is a folder, with a file for each input file. --removed and --clusters name folders, with a part for each
/// input file: concatenated, the parts are what dedup writes. --pairs names a folder, too: its parts hold the pairs of
/// dedup, in another order. --index-out names a folder, with a segment for each input file. These folders are new or
/// empty. The last task of the stage write writes the --summary, the --passages and the --items. WORK and all outputs
/// may be in object storage (s3://bucket/work). Tasks run in the folder where the job was made, or inputs and outputs
/// have absolute paths.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Ranges of the keys of each band, or of hashes [default: one for each 8 GiB of input]
    ///
    /// A unit of the stage join holds a range, one of repeats and firsts sorts it. More ranges take less memory a task, and read more in all.
    /// At most 255. Give the flag before WORK.
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    ranges: Option<NonZeroU8>,
    /// Shards, the units of the stage solve [default: one for each GiB of input, and 4 at least]
    ///
    /// A unit holds the documents of its shard. No shard is smaller than the largest group of documents that are
    /// linked. Give the flag before WORK.
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    shards: Option<NonZeroU16>,
    /// Folder for the files of the job, seen by all tasks
    #[arg(value_name = "WORK")]
    work: PathBuf,
    /// Inputs, and flags of nearprint dedup, or --job and a command, passages or decontaminate, and flags of that
    #[arg(
        value_name = "IN|FLAG",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    args: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  nearprint shard create work/ 'crawl/*.jsonl.zst' -o clean/
  nearprint shard create work/ crawl/ -o clean/ --removed removed/ --clusters clusters/ --threads 2
  nearprint shard create work/ --job passages clean/ -o cut/ --removed cuts/ --passages repeats.jsonl
  nearprint shard create work/ --job decontaminate cut/ --against evals/ -o final/ --items items.jsonl
  nearprint shard create s3://corpus/work s3://corpus/crawl -o s3://corpus/clean --summary summary.json";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let job = Job::of(&args.args, &args.work)?;
    job.create(args.args.clone(), Cuts { ranges: args.ranges, shards: args.shards })?;
    for status in job.status()? {
        let units = match (status.step, status.units) {
            (Step::Cluster, _) | (_, 1) => "1 unit".to_owned(),
            (_, units) => format!("{units} units"),
        };
        say(&format!("{}: {units}", status.step));
    }
    Ok(())
}
