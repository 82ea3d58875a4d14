//! A written file that waits for its name. Writing it is `output`'s.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::error::Error;

/// A complete file, safe on disk under a name of its own. Dropped without
/// [`publish`](Self::publish) it is removed.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) temp: TempPath,
    pub(crate) target: PathBuf,
    /// Whether a file that has the final name is replaced.
    pub(crate) replace: bool,
}

impl Finished {
    /// Gives the file its final name, which is safe on disk after [`sync_folders`].
    fn publish(self) -> Result<PathBuf, Error> {
        let path = || self.target.display().to_string();
        if !self.replace && self.target.exists() {
            return Err(Error::OutputExists { path: path() });
        }
        let failed =
            |error: tempfile::PathPersistError| Error::Write { path: path(), source: error.error };
        self.temp.persist(&self.target).map_err(failed)?;
        Ok(self.target)
    }
}

/// Gives every file its final name, safe on disk when this returns.
pub(crate) fn publish(files: impl IntoIterator<Item = Finished>) -> Result<(), Error> {
    let mut folders = BTreeSet::new();
    for file in files {
        let target = file.publish()?;
        folders.extend(target.parent().map(Path::to_owned));
    }
    for folder in folders {
        sync_folder(&folder)
            .map_err(|source| Error::Write { path: folder.display().to_string(), source })?;
    }
    Ok(())
}

/// Makes the names in a folder safe. Only Unix lets a folder be opened for that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
