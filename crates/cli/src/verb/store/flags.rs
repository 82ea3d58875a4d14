//! Which store, and how it is opened.

use crate::arena;
use crate::flags::heading::RESOURCES;
use crate::flags::size::bytes;
use crate::show::figures::count_of;
use crate::usage::say;
use nearprint_store::{Options, Repair, Settings, StoreOf};
#[cfg(feature = "serve")]
use std::path::Path;
use std::path::PathBuf;

/// Which store, and how it is opened.
#[derive(clap::Args)]
pub(crate) struct StoreFlags {
    /// Folder of the store
    #[arg(value_name = "STORE")]
    pub(super) path: PathBuf,
    /// Memory that the store may hold [default: 512MiB]
    ///
    /// The system's cache of its files is not included. K, M, G and T stand for powers of 1000, KiB
    /// and so on for powers of 1024.
    #[arg(long, value_parser = bytes, value_name = "SIZE", help_heading = RESOURCES)]
    memory: Option<usize>,
}

impl StoreFlags {
    pub(super) fn options(&self) -> Options {
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
    pub(crate) fn open<const WORDS: usize>(&self) -> anyhow::Result<StoreOf<WORDS>> {
        arena::share();
        let store = StoreOf::open(&self.path, &self.options())?;
        say_repairs(store.repairs());
        Ok(store)
    }

    /// The same for those who need not know the width.
    #[cfg(feature = "serve")]
    pub(crate) fn open_any(&self) -> anyhow::Result<nearprint_store::Store> {
        arena::share();
        let store = nearprint_store::Store::open_with(&self.path, &self.options())?;
        say_repairs(store.repairs());
        Ok(store)
    }
}

/// The number of documents in a store, in words.
pub(super) fn holds<const WORDS: usize>(store: &StoreOf<WORDS>) -> anyhow::Result<String> {
    Ok(count_of(store.stats()?.documents, "document"))
}

fn say_repairs(repairs: &[Repair]) {
    for repair in repairs {
        say(&format!("{}: {}: made anew", repair.path.display(), repair.reason));
    }
}
