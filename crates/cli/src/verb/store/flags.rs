//! Which store, and how it is opened.

use crate::arena;
use crate::flags::heading::RESOURCES;
use crate::flags::likeness::{portion, share_found};
use crate::flags::size::bytes;
use crate::usage::say;
use clap::builder::{PathBufValueParser, TypedValueParser};
use nearprint_fingerprint::estimate;
use nearprint_store::{Options, Repair, Settings, Store, Threshold};
#[cfg(feature = "serve")]
use std::path::Path;
use std::path::PathBuf;

/// Which store, and how it is opened.
#[derive(clap::Args)]
pub(crate) struct StoreFlags {
    /// Folder of the store
    #[arg(value_name = "STORE", value_parser = on_disk())]
    pub(super) path: PathBuf,
    /// Memory that the store may hold, at least 64M [default: 512MiB]
    ///
    /// The system's cache of its files is not included. K, M, G and T stand for powers of 1000, KiB
    /// and so on for powers of 1024.
    #[arg(long, value_parser = memory, value_name = "SIZE", help_heading = RESOURCES)]
    memory: Option<usize>,
}

impl StoreFlags {
    pub(crate) fn options(&self) -> Options {
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
    pub(crate) fn open(&self) -> anyhow::Result<Store> {
        let store = self.open_with(&self.options())?;
        say_repairs(store.repairs());
        Ok(store)
    }

    /// The same for those who say themselves what had to be mended.
    pub(crate) fn open_with(&self, options: &Options) -> anyhow::Result<Store> {
        arena::share();
        Ok(Store::open_with(&self.path, options)?)
    }
}

/// A size that a store works in.
fn memory(text: &str) -> Result<usize, String> {
    match bytes(text)? {
        less if less < Options::LEAST_MEMORY => Err("a store takes at least 64M".to_owned()),
        memory => Ok(memory),
    }
}

/// How a store finds documents, for a reader: the share that it finds, and in parentheses the figures behind it.
pub(super) fn said(settings: &Settings) -> String {
    let width = settings.width;
    match (settings.threshold, settings.threshold.bands()) {
        (Threshold::Similarity { similarity, verify, .. }, Ok(Some(bands))) => {
            let verdict = match verify {
                true => "compares each exactly".to_owned(),
                false => {
                    let (near, below) = (similarity, similarity - BELOW);
                    let called = |at: f64| portion(bands.estimated(at, similarity));
                    format!(
                        "estimates each, which calls {} the pairs at {near} duplicates, and {} those at {below:.2}",
                        called(near),
                        called(below)
                    )
                }
            };
            format!(
                "{}, and {verdict} ({} bands of {} rows, {width} bits)",
                share_found(bands.recall(similarity), "similarity", similarity),
                bands.bands(),
                bands.rows()
            )
        }
        (Threshold::Cosine { similarity, recall }, _) => {
            let bits = width.bits();
            let k = estimate::radius_at_cosine(similarity, bits, recall);
            let recall = estimate::recall_at_cosine(similarity, bits, k);
            format!(
                "{}, and compares each exactly (within {k} of {width} bits)",
                share_found(recall, "cosine", similarity)
            )
        }
        (threshold, _) => {
            format!(
                "finds all the pairs (within {} of {width} bits)",
                threshold.radius().unwrap_or(0)
            )
        }
    }
}

/// How far below the similarity pairs are of which it is said how many an estimate calls duplicates.
const BELOW: f64 = 0.05;

/// Parser of a folder, which is none where it is an address.
pub(super) fn on_disk() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let text = path.to_string_lossy();
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let plain = |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match scheme.filter(|scheme| scheme.len() > 1 && plain(scheme)) {
            Some(_) => Err("a store is a folder on disk, not an address"),
            None => Ok(path.clone()),
        }
    })
}

fn say_repairs(repairs: &[Repair]) {
    for repair in repairs {
        say(&format!("{}: {}: rebuilt", repair.path.display(), repair.reason));
    }
}
