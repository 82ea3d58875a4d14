//! What Unix and Windows do in different ways with folders.

use std::fs::{DirBuilder, File};
use std::io;
use std::path::Path;

/// Whether a folder takes another name while a file in it is open.
pub(crate) const RENAMES_AROUND_OPEN_FILES: bool = cfg!(unix);

/// Makes a folder that is open to its owner alone; on Windows, to whom the folder above is.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    #[cfg_attr(windows, expect(unused_mut, reason = "no rights are set"))]
    let mut folder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Makes the names in a folder durable. Windows lets nobody ask for that.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
