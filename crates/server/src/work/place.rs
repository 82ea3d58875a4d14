//! Where a snapshot goes: a folder on disk, or one in object storage.

use crate::platform;
use nearprint_corpus::FolderCopy;
use nearprint_store::{Error as StoreError, Store};
use std::io;
use std::path::{Path, PathBuf};

/// Where a snapshot goes.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// What clients call it.
    name: String,
    /// The folder or the address.
    path: PathBuf,
    /// The folder or the address of all snapshots, if it is in one. The first snapshot makes the folder.
    within: Option<PathBuf>,
}

impl Place {
    /// The folder or the address of this name.
    pub(crate) fn named(name: String) -> Self {
        Self { path: PathBuf::from(&name), name, within: None }
    }

    /// One of this name in the folder or at the address of all snapshots.
    pub(crate) fn within(folder: &Path, name: String) -> Self {
        Self { path: folder.join(&name), name, within: Some(folder.to_owned()) }
    }

    /// Whether the folder of all snapshots is there, or can be made; an address is not looked at.
    pub(crate) fn can_be_made(folder: &Path) -> bool {
        let is_address = FolderCopy::of_path(folder).is_ok_and(|copy| copy.is_some());
        let above = folder.parent().filter(|above| *above != Path::new(""));
        is_address || folder.is_dir() || above.unwrap_or(Path::new(".")).is_dir()
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
            None => {
                self.within.as_deref().map_or(Ok(()), make_one)?;
                make(&self.path)?;
            }
            // In the folder of the store, where segments are linked.
            Some(copy) => copy.upload_made(store.path(), make, stopped)?,
        }
        Ok(documents)
    }
}

/// Makes a folder in one that is there, for its owner alone, unless it is there already.
fn make_one(folder: &Path) -> Result<(), String> {
    match platform::make_folder(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(format!("{}: {error}; check that its disk is mounted", folder.display()))
        }
        _ => Ok(()),
    }
}
