//! A folder for one test, and what is in it before and after a run.

use crate::nearprint::{Run, command, run_with};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder that is also the folder of temporary files of whatever runs in it, so that nothing that
/// a run leaves behind stays unseen.
pub(crate) struct Room(TempDir);

impl Room {
    pub(crate) fn new() -> Room {
        Room(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file as an argument for a run elsewhere.
    pub(crate) fn arg(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Every file and folder, hidden ones included.
    pub(crate) fn names(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                names.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
                if path.is_dir() && !path.is_symlink() {
                    walk(&path, root, names);
                }
            }
        }
        let mut names = Vec::new();
        walk(self.0.path(), self.0.path(), &mut names);
        names.sort();
        names
    }

    /// A run in this room, to be started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = command(self.0.path(), args);
        command.env("TMPDIR", self.0.path());
        command
    }

    /// A run in this room.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        run_with(self.command(args), "")
    }

    /// A run that is refused with exactly this code and message, and leaves every file as it was
    /// and nothing new.
    #[track_caller]
    pub(crate) fn refuses(&self, args: &[&str], code: i32, message: &str) {
        let before = self.contents();
        self.run(args).refused(code, message);
        assert_eq!(self.contents(), before, "the run left its traces");
    }

    /// Names, and the bytes of regular files.
    pub(crate) fn contents(&self) -> Vec<(String, Option<Vec<u8>>)> {
        let bytes = |name: &String| {
            let path = self.path(name);
            path.is_file().then(|| fs::read(path).unwrap())
        };
        self.names().into_iter().map(|name| (name.clone(), bytes(&name))).collect()
    }
}

/// `bytes` in gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// `bytes` in zstd.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}
