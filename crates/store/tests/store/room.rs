//! A folder for one test, and the store in it.

use nearprint_fingerprint::{BandSketcher, Fingerprint, Width};
use nearprint_store::{Document, Options, Settings, Store, Threshold};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) struct Room(TempDir);

impl Room {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// In memory, where the system has a folder for that: syncs take no time there.
    pub(crate) fn in_memory() -> Self {
        let memory = std::path::Path::new("/dev/shm");
        let room = memory.is_dir().then(|| tempfile::tempdir_in(memory));
        room.and_then(Result::ok).map_or_else(Self::new, Self)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A new store of 64 bits and radius 3.
    pub(crate) fn store(&self) -> Store {
        Store::create_with(self.path("store"), &settings(), &options()).unwrap()
    }

    /// The same store again.
    pub(crate) fn open(&self) -> Store {
        Store::open_with(self.path("store"), &options()).unwrap()
    }
}

/// The smallest memtables, so that segments are made soon.
pub(crate) fn options() -> Options {
    Options { memory: 1, ..Options::default() }
}

pub(crate) fn settings() -> Settings {
    Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(3) }
}

/// By similarity, as it is estimated.
pub(crate) fn alike_settings() -> Settings {
    Settings { threshold: Threshold::similarity(0.8).estimated(), ..settings() }
}

/// A document of a store by similarity, whose features are the bits of its code with their places.
pub(crate) fn alike_document(id: impl ToString, code: u64) -> Document {
    let mut document = document(id, code);
    let keys: Vec<u64> = (0..64).map(|bit| random(bit << 1 | code >> bit & 1)).collect();
    let bands = alike_settings().threshold.bands().unwrap().unwrap();
    BandSketcher::new(bands).sketch(&keys, &mut document.sketch.bands);
    document
}

pub(crate) fn document(id: impl ToString, code: u64) -> Document {
    Document::new(id.to_string(), Fingerprint::from(code))
}

/// Numbers that look random, the same each time.
pub(crate) fn random(seed: u64) -> u64 {
    nearprint_fingerprint::mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The files of segments in a store.
pub(crate) fn segments(store: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(store.join("segments")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}
