//! `nearprint store snapshot`: a copy that is a store.

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::reached::Reached;
use nearprint_corpus::FolderCopy;
#[cfg(feature = "serve")]
use serde_json::json;
use std::path::{Path, PathBuf};

/// Copy a store as it is at one moment to a new folder, which is then a store of its own
///
/// The folder may be in object storage: the copy is there when all of it is there. `store restore` brings a copy back.
/// A store that is being served is copied by the process that serves it, while requests go on.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Folder for the copy, new or empty; on disk or in object storage (s3://, gs://, az://)
    #[arg(value_name = "DIR")]
    copy: PathBuf,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store snapshot pages /backup/pages-monday
  nearprint store snapshot pages s3://backup/pages-monday";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let documents = match args.store.reach()? {
        Reached::Here(store) => {
            let make = |folder: &Path| store.snapshot(folder).map_err(|error| error.to_string());
            match FolderCopy::of_path(&args.copy)? {
                None => store.snapshot(&args.copy)?,
                Some(copy) => {
                    copy.upload_made(store.path(), make, &|| false).map_err(anyhow::Error::msg)?;
                }
            }
            count_of(store.len(), "document")
        }
        #[cfg(feature = "serve")]
        Reached::There(served) => {
            // The process there works in another folder.
            let place = match FolderCopy::of_path(&args.copy)? {
                None => std::path::absolute(&args.copy)?,
                Some(_) => args.copy.clone(),
            };
            let ended = served.task("/v1/snapshots", Some(&json!({ "place": place })))?;
            count_of(ended.documents, "document")
        }
    };
    if !args.quiet {
        say(&format!("{documents} copied to {}", args.copy.display()));
    }
    Ok(())
}
