//! `nearprint store restore`: a store of a snapshot.

use crate::at_width::at_width;
use crate::flags::heading::RESOURCES;
use crate::usage::say;
use crate::verb::store::flags::{StoreFlags, holds};
use anyhow::Context;
use nearprint_corpus::FolderCopy;
use nearprint_store::{Settings, StoreOf};
use std::path::PathBuf;

/// Make a store of a snapshot, which stays as it is
///
/// The folder of the store appears when all of the snapshot is there and its checksums are right.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the snapshot, or its address in object storage (s3://, gs://, az://)
    #[arg(value_name = "SNAPSHOT")]
    snapshot: PathBuf,
    #[command(flatten)]
    store: StoreFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store restore /backup/pages-monday pages
  nearprint store restore s3://backup/pages-monday pages";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    match FolderCopy::of_path(&args.snapshot)? {
        Some(copy) => {
            copy.download(&args.store.path)?;
        }
        None => at_width!(Settings::read(&args.snapshot)?.width, copy(args))?,
    }
    at_width!(args.store.settings()?.width, tell(args))
}

/// A snapshot on disk is a store; a snapshot of it is another one.
fn copy<const WORDS: usize>(args: &Args) -> anyhow::Result<()> {
    let snapshot = StoreOf::<WORDS>::open(&args.snapshot, &args.store.options());
    let snapshot = snapshot.with_context(|| args.snapshot.display().to_string())?;
    Ok(snapshot.snapshot(&args.store.path)?)
}

fn tell<const WORDS: usize>(args: &Args) -> anyhow::Result<()> {
    let store = args.store.open::<WORDS>()?;
    if !args.quiet {
        say(&format!("{} restored to {}", holds(&store)?, args.store.path.display()));
    }
    Ok(())
}
