//! The folder of a store that is being made. Where there is none of its name, it has another name until the store is
//! finished: what a kill leaves is in nobody's way. It goes again if the store is not finished.

use crate::disk::files;
use crate::disk::lock::{LOCK, lock};
use crate::disk::manifest;
use crate::error::Error;
use crate::platform;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder that holds no store yet.
pub(crate) struct NewFolder {
    /// The folder as it is named now.
    path: PathBuf,
    /// The name that it gets, if it was made, and the lock that keeps others out until then.
    made: Option<(PathBuf, Option<File>)>,
    finished: bool,
}

impl NewFolder {
    /// Makes the folder of a store, with a folder for segments. `path` must be new or empty. A new one is open to
    /// its owner alone: a store may hold texts.
    pub(crate) fn make(path: &Path) -> Result<Self, Error> {
        // Without a slash at its end, behind which another name would be one inside.
        let path: PathBuf = path.components().collect();
        if let Some(file) = path.ancestors().find(|above| above.is_file()) {
            return Err(Error::Taken { path: file.to_owned(), what: "a file is there" });
        }
        if path.exists() {
            return Self::fill(path, None);
        }
        let unfinished = files::unfinished(&path);
        // Who asks knows the folder by the name that it gets.
        files::make_folder(&unfinished).map_err(|error| match error {
            Error::Io { path: at, source } if at == unfinished => Error::io(&path)(source),
            other => other,
        })?;
        // What nobody locked is not what a kill left, and is not removed.
        let is_empty = fs::read_dir(&unfinished).map_err(Error::io(&unfinished))?.next().is_none();
        if !is_empty && !unfinished.join(LOCK).exists() {
            return Err(Error::taken(unfinished));
        }
        // Whoever has the lock is about to make the same store.
        let lock = lock(&unfinished)?;
        for entry in fs::read_dir(&unfinished).map_err(Error::io(&unfinished))? {
            let old = entry.map_err(Error::io(&unfinished))?;
            if old.file_name() != LOCK {
                remove(&old.path()).map_err(Error::io(&old.path()))?;
            }
        }
        Self::fill(unfinished, Some((path, Some(lock))))
    }

    fn fill(path: PathBuf, made: Option<(PathBuf, Option<File>)>) -> Result<Self, Error> {
        let inside = fs::read_dir(&path).map_err(Error::io(&path))?;
        if inside.flatten().any(|entry| made.is_none() || entry.file_name() != LOCK) {
            return Err(Error::taken(path));
        }
        let segments = path.join(manifest::FOLDER);
        // Whoever makes this folder owns what is in the other: somebody else may be as far.
        fs::create_dir(&segments).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::taken(path.clone()),
            _ => Error::io(&segments)(source),
        })?;
        let folder = Self { path, made, finished: false };
        files::sync_folder(&folder.path)?;
        Ok(folder)
    }

    /// The folder as it is named until the store is finished.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder is a store now: it gets its name, and stays.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if let Some((name, lock)) = self.made.take() {
            let lock = lock.filter(|_| platform::RENAMES_AROUND_OPEN_FILES);
            if let Err(error) = fs::rename(&self.path, &name).map_err(Error::io(&name)) {
                self.made = Some((name, lock));
                return Err(error);
            }
            self.finished = true;
            files::sync_folder(files::above(&name))?;
        }
        self.finished = true;
        Ok(())
    }
}

impl Drop for NewFolder {
    /// Removes what can be removed: the error that is under way tells the user why there is no store.
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let _removed = remove(&entry.path());
        }
        if self.made.is_some() {
            let _removed = fs::remove_dir(&self.path);
        }
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_finished_goes_and_what_was_there_stays() {
        let room = tempfile::tempdir().unwrap();
        let (new, empty) = (room.path().join("new"), room.path().join("empty"));
        fs::create_dir(&empty).unwrap();
        for path in [&new, &empty] {
            let folder = NewFolder::make(path).unwrap();
            fs::write(folder.path().join("acknowledged"), "").unwrap();
            assert_eq!(path.exists(), *path == empty);
            drop(folder);
            assert!(!files::unfinished(path).exists());
            NewFolder::make(path).unwrap().finish().unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(path).unwrap().permissions().mode() & 0o777;
                assert_eq!(mode == 0o700, *path == new, "{mode:o}");
            }
            assert!(path.join(manifest::FOLDER).exists());
            assert!(matches!(NewFolder::make(path), Err(Error::Taken { .. })));
            assert!(path.join(manifest::FOLDER).exists());
        }
    }

    #[test]
    fn what_a_kill_left_is_in_nobodys_way() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("new/");
        let left = NewFolder::make(&path).unwrap();
        fs::write(left.path().join("part"), "of it").unwrap();
        // As long as somebody is about to make it, nobody else does.
        assert!(matches!(NewFolder::make(&path), Err(Error::InUse { .. })));
        let unfinished = left.path().to_owned();
        let again = room.path().join("kept");
        fs::create_dir(&again).unwrap();
        fs::write(again.join("part"), "of it").unwrap();
        fs::write(again.join(LOCK), "").unwrap();
        drop(left);
        // As a kill leaves it.
        fs::rename(&again, &unfinished).unwrap();
        let folder = NewFolder::make(&path).unwrap();
        assert!(!folder.path().join("part").exists());
        folder.finish().unwrap();
        assert!(path.join(manifest::FOLDER).exists() && !unfinished.exists());
    }
}
