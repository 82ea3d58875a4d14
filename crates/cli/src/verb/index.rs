//! `nearprint index`: segments, the static files that are searched without being read into memory.

mod build;
mod query;
mod segment;
mod stats;
mod stream;
mod verify;

use clap::Subcommand;

/// Build, query and check segments: fingerprints in one file, searched in place
///
/// A segment answers which documents are within the radius of a query. It is mapped into memory, and opens at once,
/// however large it is. It never changes after it was built, and no other program may change it while it is in use.
/// Documents are named by their number in the input, from 0.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Build(build::Args),
    Query(query::Args),
    Stats(stats::Args),
    Verify(verify::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint index build corpus.jsonl -o corpus.seg -k 3
  nearprint index query corpus.seg new.jsonl
  nearprint index stats corpus.seg
  nearprint index verify corpus.seg";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Build(args) => build::run(args),
        What::Query(args) => match &args.stream {
            Some(big) => stream::run(args, big),
            None => query::run(args),
        },
        What::Stats(args) => stats::run(args),
        What::Verify(args) => verify::run(args),
    }
}
