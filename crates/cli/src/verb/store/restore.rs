//! `nearprint store restore`: a store of a snapshot.

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use anyhow::bail;
use nearprint_corpus::FolderCopy;
use nearprint_store::{Error, Store, restore};
use std::path::PathBuf;

/// Make a store from a snapshot, which is left unchanged
///
/// Reads all of the new store and compares its parts, as `store verify` does. A segment that is damaged in the snapshot
/// is rebuilt in the store, and the command says so.
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
        None => match restore(&args.snapshot, &args.store.path) {
            Err(Error::NoStore { path }) => bail!(
                "{}: no snapshot here; name the folder that `nearprint store snapshot` wrote",
                path.display()
            ),
            restored => restored?,
        },
    }
    let mut store = args.store.open()?;
    match store.verify() {
        Err(error) if error.is_mended() => {
            say(&format!(
                "{error}; the snapshot is damaged there: the store rebuilds its segments"
            ));
            drop(store);
            store = Store::rebuild(&args.store.path, &args.store.options())?;
            store.verify()?;
        }
        whole => drop(whole?),
    }
    if !args.quiet {
        let documents = count_of(store.len(), "document");
        say(&format!("{documents} restored to {}", args.store.path.display()));
    }
    Ok(())
}
