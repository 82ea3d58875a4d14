//! `nearprint shard`: `nearprint dedup`, `passages` and `decontaminate` as tasks that run anywhere, over files.

mod create;
mod job;
mod run;
mod stage;
mod status;

use clap::Subcommand;
use nearprint_dedup::Step;

/// Run dedup, passages or decontaminate in tasks that run anywhere
///
/// The stages follow each other: sketch, join, cluster, gather, solve, write. Those of a job over passages are anchors,
/// repeats, windows, firsts, runs, lend, cut, write. Those of a job over eval sets are sample, look, sum, write. Each
/// stage has units, which do not depend on one another; a task does some units of a stage. All share the folder WORK.
/// What is written is what dedup, passages or decontaminate write, byte for byte, for any number and order of tasks.
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
    /// Decide what is kept in each shard (a unit a shard)
    Solve(stage::Args),
    /// Write the kept documents, and the reports (a unit an input file)
    Write(stage::Args),
    /// Passages: read each input file for anchors (a unit an input file)
    Anchors(stage::Args),
    /// Passages: find anchors that repeat (a unit a range)
    Repeats(stage::Args),
    /// Passages: read the windows that are asked for (a unit an input file)
    Windows(stage::Args),
    /// Passages: group equal windows (a unit a range)
    Firsts(stage::Args),
    /// Passages: join copies to runs (a unit an input file)
    Runs(stage::Args),
    /// Passages: read what copies are compared with (a unit an input file)
    Lend(stage::Args),
    /// Passages: compare, and decide what is cut (a unit an input file)
    Cut(stage::Args),
    /// Decontaminate: read a sample of all input (one unit)
    Sample(stage::Args),
    /// Decontaminate: look for items in each input file (a unit an input file)
    Look(stage::Args),
    /// Decontaminate: add up what is known of each item (one unit)
    Sum(stage::Args),
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
        What::Anchors(args) => stage::run(args, Step::Anchors),
        What::Repeats(args) => stage::run(args, Step::Repeats),
        What::Windows(args) => stage::run(args, Step::Windows),
        What::Firsts(args) => stage::run(args, Step::Firsts),
        What::Runs(args) => stage::run(args, Step::Runs),
        What::Lend(args) => stage::run(args, Step::Lend),
        What::Cut(args) => stage::run(args, Step::Cut),
        What::Sample(args) => stage::run(args, Step::Sample),
        What::Look(args) => stage::run(args, Step::Look),
        What::Sum(args) => stage::run(args, Step::Sum),
        What::Status(args) => status::run(args),
        What::Run(args) => run::run(args),
    }
}
