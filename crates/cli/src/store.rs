//! `nearprint store`: the durable store, told and asked.

mod add;
mod check;
mod compact;
mod delete;
mod export;
mod feed;
mod get;
mod init;
mod query;
mod rebuild;
mod row;
mod snapshot;
mod stats;
mod verify;

use crate::arena;
use crate::figures::count_of;
use crate::flags::bytes;
use crate::usage::say;
use clap::Subcommand;
use nearprint_store::{Options, Settings, Store};
#[cfg(feature = "serve")]
use std::path::Path;
use std::path::PathBuf;

/// Keep fingerprints in a durable store that answers whether a document was seen
///
/// A store is a folder that one process at a time owns. What was answered is on the disk: it survives a
/// kill and a loss of power. Its recipe, width and radius are set when it is made; documents are named
/// by their ids.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Init(init::Args),
    Add(Box<add::Args>),
    Check(Box<check::Args>),
    Query(Box<query::Args>),
    Get(get::Args),
    Delete(delete::Args),
    Stats(stats::Args),
    Verify(verify::Args),
    Compact(compact::Args),
    Snapshot(snapshot::Args),
    Export(export::Args),
    Rebuild(rebuild::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint store init pages --recipe web -k 3
  nearprint store add pages crawl/*.warc.gz --unless-duplicate
  nearprint store check pages new.jsonl
  crawler | nearprint store add pages - --unless-duplicate --format json
  nearprint store snapshot pages /backup/pages-monday";

/// Which store, and how it is opened.
#[derive(clap::Args)]
pub(crate) struct StoreFlags {
    /// Folder of the store
    #[arg(value_name = "STORE")]
    path: PathBuf,
    /// Memory that the store may hold, the system's cache of its files not included; K, M and G stand
    /// for 2^10, 2^20 and 2^30 [default: 512M]
    #[arg(long, value_parser = bytes, value_name = "SIZE")]
    memory: Option<usize>,
}

impl StoreFlags {
    fn options(&self) -> Options {
        let default = Options::default();
        Options { memory: self.memory.unwrap_or(default.memory), ..default }
    }

    /// Its folder.
    #[cfg(feature = "serve")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the store is made for.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings::read(&self.path)?)
    }

    /// The store, opened; says what had to be mended.
    pub(crate) fn open<const WORDS: usize>(&self) -> anyhow::Result<Store<WORDS>> {
        arena::share();
        let store = Store::open(&self.path, &self.options())?;
        for repair in store.repairs() {
            say(&format!("{}: {}: made anew", repair.path.display(), repair.reason));
        }
        Ok(store)
    }
}

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Init(args) => init::run(args),
        What::Add(args) => add::run(args),
        What::Check(args) => check::run(args),
        What::Query(args) => query::run(args),
        What::Get(args) => get::run(args),
        What::Delete(args) => delete::run(args),
        What::Stats(args) => stats::run(args),
        What::Verify(args) => verify::run(args),
        What::Compact(args) => compact::run(args),
        What::Snapshot(args) => snapshot::run(args),
        What::Export(args) => export::run(args),
        What::Rebuild(args) => rebuild::run(args),
    }
}

/// The number of documents in a store, in words.
fn holds<const WORDS: usize>(store: &Store<WORDS>) -> anyhow::Result<String> {
    Ok(count_of(store.stats()?.documents, "document"))
}
