//! Makes a store of a snapshot, of which it only reads.

use crate::disk::files::{self, UNFINISHED};
use crate::disk::lock::LOCK;
use crate::disk::manifest;
use crate::disk::new_folder::NewFolder;
use crate::error::Error;
use crate::settings::{self, SOCKET, Settings};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// Copies a snapshot to the folder `to`, which must be new or empty. Reads the snapshot and writes nothing to it, so
/// it may lie where nobody can write. What is damaged in it is damaged in the copy.
///
/// # Errors
/// [`Error::NoStore`]; [`Error::InUse`] where a process has it open as a store; [`Error::Taken`]; an error of the disk.
/// After an error nothing is left of the copy.
///
/// # Complexity
/// Reads and writes each file once.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{Settings, Store, restore};
/// # let room = tempfile::tempdir()?;
/// # let path = |name: &str| room.path().join(name);
///
/// let store = Store::create(path("pages"), &Settings::ready_made(Width::W64))?;
/// store.snapshot(path("monday"))?;
/// restore(path("monday"), path("again"))?;
/// assert!(Store::open(path("again"))?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn restore(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), Error> {
    restored(from.as_ref(), to.as_ref())
}

fn restored(from: &Path, to: &Path) -> Result<(), Error> {
    let settings = Settings::read(from)?;
    let _kept = keep(from)?;
    let folder = NewFolder::make(to)?;
    copy(from, folder.path(), &[LOCK, SOCKET, settings::FILE])?;
    files::sync_folder(&folder.path().join(manifest::FOLDER))?;
    // The settings make the folder a store, so they come last.
    let file = from.join(settings::FILE);
    match file.is_file() {
        true => copy_file(&file, &folder.path().join(settings::FILE))?,
        false => settings.write(folder.path())?,
    }
    folder.finish()
}

/// Keeps processes from opening the snapshot as a store. Where nobody can write, nobody does.
fn keep(from: &Path) -> Result<Option<File>, Error> {
    let Ok(file) = File::open(from.join(LOCK)) else { return Ok(None) };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::InUse { path: from.to_owned() }),
        _ => Ok(Some(file)),
    }
}

/// Copies what is in a folder, but for files of these names and what nobody has finished.
fn copy(from: &Path, to: &Path, without: &[&str]) -> Result<(), Error> {
    for entry in fs::read_dir(from).map_err(Error::io(from))? {
        let entry = entry.map_err(Error::io(from))?;
        let name = entry.file_name();
        let (here, there) = (entry.path(), to.join(&name));
        if entry.file_type().map_err(Error::io(&here))?.is_dir() {
            files::make_folder(&there)?;
            copy(&here, &there, &[])?;
            files::sync_folder(&there)?;
        } else if !without.iter().any(|other| name == *other)
            && !name.to_string_lossy().ends_with(UNFINISHED)
        {
            copy_file(&here, &there)?;
        }
    }
    Ok(())
}

/// Copies the bytes of a file alone: the copy is its owner's to write.
fn copy_file(from: &Path, to: &Path) -> Result<(), Error> {
    let mut source = File::open(from).map_err(Error::io(from))?;
    let mut target = File::create(to).map_err(Error::io(to))?;
    io::copy(&mut source, &mut target).and_then(|_| target.sync_all()).map_err(Error::io(to))
}
