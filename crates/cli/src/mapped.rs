//! Files lent as memory, with what that asks of the user.
#![expect(unsafe_code, reason = "mapping a file is a promise that nobody changes it")]

use crate::usage::refuse_missing;
use anyhow::{Context, bail};
use memmap2::Mmap;
use std::fs::File;
use std::path::Path;

/// Maps a file for reading.
///
/// A file that shrinks while it is mapped ends the process (SIGBUS); one that changes gives wrong
/// answers, which the checksums of a segment tell. Segments are written under another name and
/// renamed, so that `nearprint` itself never changes one in place.
pub(crate) fn map(path: &Path) -> anyhow::Result<Mmap> {
    refuse_missing(path)?;
    if path.is_dir() {
        bail!("{}: a folder, and a file is expected", path.display());
    }
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    // SAFETY: the map is read-only, so that this process cannot write through it. That no other
    // process shortens or changes the file meanwhile cannot be made sure of from here: `index build`
    // never writes to a file that has its final name, and the help of the verbs asks that nobody
    // else does. Readers check every offset against the length of the map.
    let map = unsafe { Mmap::map(&file) };
    map.with_context(name)
}
