//! The crate as its users see it: real files in, documents and messages out. A file a room.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod arc;
mod archives;
mod arrow;
mod arrow_versions;
mod changed_columns;
mod charsets;
mod column_bytes;
mod compressed;
mod dialects;
mod encoded;
mod fingerprints;
mod inputs;
mod main_text;
mod marked_json;
mod members;
mod message_parts;
mod messages;
mod messages_in_strings;
mod pages;
mod parquet;
mod parquet_types;
mod parsing;
mod parts;
mod payloads;
mod reading;
mod shards;
mod tables;
mod vectors;
mod wacz;
mod writing;

use nearprint_corpus::{Error, Source, discover};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder for one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as a user types it.
    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.name(name)
    }

    /// The sources of some names in this folder.
    fn sources(&self, names: &[&str]) -> Vec<Source> {
        self.discover(names).unwrap()
    }

    fn discover(&self, names: &[&str]) -> Result<Vec<Source>, Error> {
        let inputs: Vec<String> = names.iter().map(|name| self.name(name)).collect();
        discover(&inputs, None)
    }

    /// A message with this folder taken out of it.
    fn message(&self, error: &Error) -> String {
        let folder = format!("{}/", self.0.path().display());
        let real = format!("{}/", fs::canonicalize(self.0.path()).unwrap().display());
        error.to_string().replace(&folder, "").replace(&real, "")
    }

    /// Every file below the folder, hidden ones too.
    fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                } else {
                    found.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        let mut found = Vec::new();
        walk(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

/// A gzip member.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A bzip2 stream.
fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An xz stream.
fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A Zstandard frame with a checksum.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
