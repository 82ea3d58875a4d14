//! `nearprint store rebuild`: segments from the documents.

use crate::at_width::at_width;
use crate::flags::heading::RESOURCES;
use crate::usage::say;
use crate::verb::store::flags::{StoreFlags, holds};
use nearprint_store::StoreOf;

/// Make all segments of a store anew from its documents
///
/// For segments that were lost or damaged; opening a store does the same for those that it notices.
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
  nearprint store rebuild pages";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    at_width!(args.store.settings()?.width, rebuild(args))
}

fn rebuild<const WORDS: usize>(args: &Args) -> anyhow::Result<()> {
    let store = StoreOf::<WORDS>::rebuild(&args.store.path, &args.store.options())?;
    if !args.quiet {
        say(&format!("segments made anew of {}", holds(&store)?));
    }
    Ok(())
}
