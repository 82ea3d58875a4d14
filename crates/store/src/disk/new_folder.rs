//! The folder of a store that is being made. It goes again if the store is not finished, so that the next
//! try finds its place free.

use crate::disk::files;
use crate::disk::manifest;
use crate::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// A folder that holds no store yet.
pub(crate) struct NewFolder<'a> {
    path: &'a Path,
    /// Whether the folder itself was made too.
    made: bool,
    finished: bool,
}

impl<'a> NewFolder<'a> {
    /// Makes the folder of a store, with a folder for segments. `path` must be new or empty. A new one is open to
    /// its owner alone: a store may hold texts.
    pub(crate) fn make(path: &'a Path) -> Result<Self, Error> {
        let made = !path.exists();
        files::make_folder(path)?;
        let mut inside = fs::read_dir(path).map_err(Error::io(path))?;
        if inside.next().is_some() {
            return Err(Error::Taken { path: path.to_owned() });
        }
        let segments = path.join(manifest::FOLDER);
        // Whoever makes this folder owns what is in the other: somebody else may be as far.
        fs::create_dir(&segments).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Taken { path: path.to_owned() },
            _ => Error::io(&segments)(source),
        })?;
        let folder = Self { path, made, finished: false };
        files::sync_folder(path)?;
        Ok(folder)
    }

    /// The folder is a store now, and stays.
    pub(crate) fn finish(mut self) {
        self.finished = true;
    }
}

impl Drop for NewFolder<'_> {
    /// Removes what can be removed: the error that is under way tells the user why there is no store.
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for entry in fs::read_dir(self.path).into_iter().flatten().flatten() {
            let path = entry.path();
            let _removed =
                if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
        if self.made {
            let _removed = fs::remove_dir(self.path);
        }
    }
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
            fs::write(path.join("acknowledged"), "").unwrap();
            drop(folder);
            assert_eq!(path.exists(), *path == empty);
            NewFolder::make(path).unwrap().finish();
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
}
