//! `nearprint store compact`: one segment of all.

use crate::at_width::at_width;
use crate::flags::heading::RESOURCES;
use crate::show::figures::{count_of, megabytes};
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;

/// Make one segment of all documents and give back the room of deleted ones
///
/// Nothing that was stored changes; searches are as exact before as after, and faster then.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store compact pages
  nearprint store compact pages --memory 4G";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    at_width!(args.store.settings()?.width, compact(args))
}

fn compact<const WORDS: usize>(args: &Args) -> anyhow::Result<()> {
    let store = args.store.open::<WORDS>()?;
    store.compact()?;
    if !args.quiet {
        let stats = store.stats()?;
        let segments = stats.segments.iter().map(|segment| segment.bytes).sum();
        say(&format!(
            "{}: {:.1} MB of documents, {:.1} MB of segments",
            count_of(stats.documents, "document"),
            megabytes(stats.database_bytes),
            megabytes(segments)
        ));
    }
    Ok(())
}
