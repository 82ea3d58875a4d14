//! Where a snapshot goes: a folder on disk, or one in object storage.

use nearprint_corpus::FolderCopy;
use nearprint_store::{Error as StoreError, Store};
use std::path::{Path, PathBuf};

/// Where a snapshot goes.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// What clients call it.
    name: String,
    /// The folder or the address.
    path: PathBuf,
}

impl Place {
    pub(crate) fn new(name: String, path: PathBuf) -> Self {
        Self { name, path }
    }

    /// What clients call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Copies the store there as it is at this moment; returns its documents.
    ///
    /// # Errors
    /// Why not, in words.
    pub(crate) fn take(
        &self,
        store: &Store,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<u64, String> {
        let said = |error: StoreError| match error {
            StoreError::Closed => "the server is being stopped".to_owned(),
            error => error.to_string(),
        };
        let documents = store.len();
        let make = |folder: &Path| store.snapshot_unless(folder, stopped).map_err(said);
        match FolderCopy::of_path(&self.path).map_err(|error| error.to_string())? {
            None => make(&self.path)?,
            // In the folder of the store, where segments are linked.
            Some(copy) => copy.upload_made(store.path(), make, stopped)?,
        }
        Ok(documents)
    }
}
