//! `nearprint shard`: `nearprint dedup` as tasks that run anywhere, over files.

mod create;
mod job;
mod run;
mod stage;
mod status;

use clap::Subcommand;
use nearprint_dedup::Step;

/// Do what dedup does in tasks that run anywhere, in any number
///
/// The stages follow each other: sketch, join, cluster, gather, solve, write. Each stage has units, which
/// do not depend on one another; a task does some units of a stage. All share the folder WORK. What is written
/// is what dedup writes, byte for byte, whatever the number of tasks and their order.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Create(create::Args),
    /// Read each input file: fingerprints and sketches (a unit an input file)
    Sketch(stage::Args),
    /// Link documents that may be near (a unit a range of a band)
    Join(stage::Args),
    /// Join links to components, and give these to shards (one unit)
    Cluster(stage::Args),
    /// Read again the documents in components (a unit an input file)
    Gather(stage::Args),
    /// Decide what stays in each shard (a unit a shard)
    Solve(stage::Args),
    /// Write what stays, and the reports (a unit an input file)
    Write(stage::Args),
    Status(status::Args),
    Run(run::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint shard create work/ 'crawl/*.jsonl.zst' -o clean/ --removed removed/
  nearprint shard sketch work/ --task 3/16
  nearprint shard status work/
  nearprint shard run work/

Exit status: 0 all units of the task are done, 1 failed, 2 wrong usage, 3 the stage before is not
complete.";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Create(args) => create::run(args),
        What::Sketch(args) => stage::run(args, Step::Sketch),
        What::Join(args) => stage::run(args, Step::Join),
        What::Cluster(args) => stage::run(args, Step::Cluster),
        What::Gather(args) => stage::run(args, Step::Gather),
        What::Solve(args) => stage::run(args, Step::Solve),
        What::Write(args) => stage::run(args, Step::Write),
        What::Status(args) => status::run(args),
        What::Run(args) => run::run(args),
    }
}
