//! `nearprint store snapshot`: a copy that is a store.

use crate::at_width::at_width;
use crate::flags::heading::RESOURCES;
use crate::usage::say;
use crate::verb::store::flags::{StoreFlags, holds};
use std::path::PathBuf;

/// Copy a store as it is at one moment to a new folder, which is then a store of its own
///
/// To restore it, put it in the place of the other.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Folder for the copy, new or empty
    #[arg(value_name = "DIR")]
    copy: PathBuf,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store snapshot pages /backup/pages-monday";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    at_width!(args.store.settings()?.width, snapshot(args))
}

fn snapshot<const WORDS: usize>(args: &Args) -> anyhow::Result<()> {
    let store = args.store.open::<WORDS>()?;
    store.snapshot(&args.copy)?;
    if !args.quiet {
        say(&format!("{} copied to {}", holds(&store)?, args.copy.display()));
    }
    Ok(())
}
