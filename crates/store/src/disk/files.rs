//! Writes files so that they appear whole or not at all.

use crate::error::Error;
use crate::platform;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// How the name of an unfinished file ends.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// Writes the file at `path`: beside its name, synced, and renamed when it is whole.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), Error> {
    let beside = unfinished(path);
    let mut file = File::create(&beside).map_err(Error::io(&beside))?;
    fill(&mut file).map_err(Error::io(&beside))?;
    finish(&file, path)
}

/// The name under which the file at `path` is written.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// Syncs the file that was written beside `path`, and renames it to `path`.
pub(crate) fn finish(file: &File, path: &Path) -> Result<(), Error> {
    let beside = unfinished(path);
    file.sync_all().map_err(Error::io(&beside))?;
    std::fs::rename(&beside, path).map_err(Error::io(path))?;
    sync_folder(above(path))
}

/// The folder that a path is in.
pub(crate) fn above(path: &Path) -> &Path {
    path.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."))
}

/// Makes the folder at `path`, unless it is there. A new one is open to its owner alone: a store may hold texts.
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above).map_err(Error::io(above))?;
    }
    match platform::make_folder(path) {
        Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
            Err(Error::io(path)(source))
        }
        _ => Ok(()),
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), Error> {
    platform::sync_folder(path).map_err(Error::io(path))
}
