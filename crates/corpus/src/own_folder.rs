//! Folders that nearprint makes for itself, and how each is told: their files are no documents.

use std::fmt;
use std::path::Path;

/// What a folder is that nearprint made for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnFolder {
    /// A store of documents.
    Store,
    /// The work folder of a job in shards.
    Shards,
    /// The finished stages of a job, which it can go on from.
    Stages,
}

impl OwnFolder {
    /// What the folder at a path is; none where it is none of these.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let (file, folder) =
            (|name: &str| path.join(name).is_file(), |name: &str| path.join(name).is_dir());
        if file("store.toml") && (folder("truth") || folder("segments") || file("lock")) {
            return Some(Self::Store);
        }
        // One of these is the first stage of each job.
        if file("plan.json") && ["sketch", "anchors", "sample", "look"].into_iter().any(folder) {
            return Some(Self::Shards);
        }
        let is_named =
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"nearprint-"));
        (is_named && file("manifest.json") && file("lock")).then_some(Self::Stages)
    }

    /// Whether a folder is one of these or lies in one, as far as its path says.
    pub(crate) fn holds(folder: &Path) -> bool {
        let mut folders = folder.ancestors().filter(|folder| !folder.as_os_str().is_empty());
        folders.any(|folder| Self::of(folder).is_some())
    }
}

impl fmt::Display for OwnFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Store => "a store",
            Self::Shards => "the work folder of a job in shards",
            Self::Stages => "a folder of the finished stages of a job",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_is_told_by_more_than_one_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        for (name, own, files) in [
            ("store", Some(OwnFolder::Store), &["store.toml", "truth/version"][..]),
            ("shards", Some(OwnFolder::Shards), &["plan.json", "anchors/00000.parquet"]),
            ("nearprint-0f", Some(OwnFolder::Stages), &["manifest.json", "lock"]),
            ("shop", None, &["store.toml", "plan.json", "manifest.json"]),
            ("locked", None, &["manifest.json", "lock"]),
        ] {
            for file in files {
                let path = folder.path().join(name).join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            let path = folder.path().join(name);
            assert_eq!(OwnFolder::of(&path), own, "{name}");
            assert_eq!(OwnFolder::holds(&path.join("a/b")), own.is_some(), "{name}");
        }
    }
}
