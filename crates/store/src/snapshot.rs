//! A copy of a store at one moment, which is a store of its own. Writes go on meanwhile.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::files;
use crate::disk::manifest;
use crate::disk::new_folder::NewFolder;
use crate::disk::truth::{self, Truth};
use crate::error::Error;
use crate::store::Store;
use crate::views::captured::Captured;
use std::path::Path;

impl Store {
    /// Copies the store as it is at this moment into the folder `path`, which must be new or empty.
    /// Segments are linked where the file system allows it: they take no space until the store merges them.
    ///
    /// To restore the copy, open it.
    ///
    /// # Errors
    /// [`Error::Taken`]; [`Error::NoFolder`]; [`Error::Inside`]; an error of the disk. After an error nothing is left of the copy.
    ///
    /// # Complexity
    /// Reads and writes all documents.
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.snapshot_unless(path, &|| false)
    }

    /// As [`Self::snapshot`]. Ends early once `stopped` returns true.
    ///
    /// # Errors
    /// As [`Self::snapshot`]; [`Error::Closed`] once `stopped` returned true.
    pub fn snapshot_unless(
        &self,
        path: impl AsRef<Path>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        self.snapshot_at(path.as_ref(), stopped)
    }

    fn snapshot_at(&self, path: &Path, stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        self.check_place(path)?;
        let folder = NewFolder::make(path)?;
        let path = folder.path();
        let Captured { truth, snapshot, .. } = self.capture(Some(path))?;
        let copy = Truth::open(path, self.settings().width, &self.shared().options)?;
        truth.copy(&snapshot, &copy, stopped)?;
        let commits = copy.progress()?.commits;
        drop(copy);
        Acknowledged::create(path, commits)?;
        files::sync_folder(&path.join(manifest::FOLDER))?;
        // The settings make the folder a store, so they come last.
        self.settings().write(path)?;
        folder.finish()
    }

    /// Refuses a folder in none that is there, or among the files of this store.
    fn check_place(&self, path: &Path) -> Result<(), Error> {
        let whole = |path: &Path| path.canonicalize().map_err(Error::io(path));
        let above = files::above(path);
        if !above.is_dir() {
            return Err(Error::NoFolder { path: above.to_owned() });
        }
        let (above, store) = (whole(above)?, self.path());
        for own in [manifest::FOLDER, truth::FOLDER] {
            let own = store.join(own);
            if own.exists() && above.starts_with(whole(&own)?) {
                let (path, store) = (path.to_owned(), store.to_owned());
                return Err(Error::Inside { path, store });
            }
        }
        Ok(())
    }
}
