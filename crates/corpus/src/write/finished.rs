//! Written files that wait for their names. Writing them is `output`'s and `mirror`'s.

use crate::error::Error;
use crate::remote::object::Upload;
use crate::write::new_folders::NewFolders;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Complete files, safe on disk under names of their own until [`publish`] gives them the final
/// ones. Dropped, they are removed.
#[derive(Debug, Default)]
pub struct Finished {
    pub(crate) files: Vec<FinishedFile>,
    /// The folders made for them, dropped behind them: those that nothing came into go.
    pub(crate) folders: NewFolders,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct FinishedFile {
    pub(crate) data: Data,
    pub(crate) target: PathBuf,
    /// Whether a file that has the final name is replaced.
    pub(crate) replace: bool,
}

/// Where the bytes wait.
#[derive(Debug)]
pub(crate) enum Data {
    /// Beside the final name.
    File(TempPath),
    /// In the store, as parts of an object to be.
    Object(Upload),
    /// Nowhere: the file of that name goes.
    Stale,
}

impl FinishedFile {
    /// An earlier output that the others leave no place for.
    pub(crate) fn stale(target: PathBuf) -> Self {
        Self { data: Data::Stale, target, replace: true }
    }

    /// Gives the file its final name, which is safe on disk after [`sync_folders`]; returns the folder.
    fn publish(self) -> Result<Option<PathBuf>, Error> {
        let Self { data, target, replace } = self;
        let path = || target.display().to_string();
        match data {
            Data::Object(upload) => match upload.publish(replace) {
                Ok(()) => Ok(None),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    Err(Error::OutputExists { path: path() })
                }
                Err(source) => Err(Error::Write { path: path(), source }),
            },
            Data::Stale => {
                fs::remove_file(&target).map_err(|source| Error::Write { path: path(), source })?;
                Ok(target.parent().map(Path::to_owned))
            }
            Data::File(_) if !replace && target.exists() => {
                Err(Error::OutputExists { path: path() })
            }
            Data::File(temp) => {
                let named = temp.persist(&target);
                named.map_err(|error| Error::Write { path: path(), source: error.error })?;
                Ok(target.parent().map(Path::to_owned))
            }
        }
    }
}

/// Gives every file its final name, one after the other; safe on disk when this returns.
///
/// Finish all outputs of a run first, then publish them together: a full disk is then met before any
/// name appears.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{OutputOptions, Outputs, publish};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// let mut outputs = Outputs::new(&[], OutputOptions::default());
/// let (kept, removed) = (outputs.create(&path("kept"))?, outputs.create(&path("removed"))?);
/// let finished = [kept.finish()?, removed.finish()?];
/// assert!(!path("kept").exists());
/// publish(finished)?;
/// assert!(path("kept").exists() && path("removed").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Error::OutputExists`] if a file of that name has appeared since and may not be replaced,
/// [`Error::Write`] if the disk fails.
pub fn publish(finished: impl IntoIterator<Item = Finished>) -> Result<(), Error> {
    let finished: Vec<_> = finished.into_iter().collect();
    let (files, new): (Vec<_>, Vec<_>) =
        finished.into_iter().map(|Finished { files, folders }| (files, folders)).unzip();
    let mut folders = BTreeSet::new();
    for file in files.into_iter().flatten() {
        folders.extend(file.publish()?);
    }
    drop(new);
    for folder in folders {
        sync_folder(&folder)
            .map_err(|source| Error::Write { path: folder.display().to_string(), source })?;
    }
    Ok(())
}

/// Replaces a file as a whole: what `write` writes beside it gets its name once that is safe on disk.
/// Whoever opens the name finds the old file or the new one, and nothing in between.
///
/// # Errors
///
/// The first of `write` and the disk.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("state");
/// nearprint_corpus::replace(&path, |file| file.write_all(b"one"))?;
/// nearprint_corpus::replace(&path, |file| file.write_all(b"two"))?;
/// assert_eq!(std::fs::read(&path)?, b"two");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // As of any file: a temporary one would be its owner's alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(folder)
}

/// Makes the names in a folder safe. Only Unix lets a folder be opened for that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
