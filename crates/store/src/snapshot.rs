//! A copy of a store at one moment, made while it is written to: a store of its own.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::files;
use crate::disk::manifest;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::store_of::{StoreOf, new_folder};
use crate::views::captured::Captured;
use std::path::Path;

impl<const WORDS: usize> StoreOf<WORDS> {
    /// Copies the store as it is at this moment into the folder `path`, which must be new or empty.
    /// Segments are linked where the file system allows it, so that on the same one they take no space
    /// until the store merges them.
    ///
    /// To restore it, open it.
    ///
    /// # Errors
    /// [`Error::Taken`]; the disk's. What was begun is no store then.
    ///
    /// # Complexity
    /// A reading and a writing of all documents.
    pub fn snapshot(&self, path: &Path) -> Result<(), Error> {
        new_folder(path)?;
        let Captured { truth, snapshot, .. } = self.capture(Some(path))?;
        let copy = Truth::open(path, &self.shared().options)?;
        truth.copy(&snapshot, &copy)?;
        let commits = copy.progress()?.commits;
        drop(copy);
        Acknowledged::open(path)?.write(commits)?;
        files::sync_folder(&path.join(manifest::FOLDER))?;
        // What makes the folder a store comes last.
        self.settings().write(path)
    }
}
