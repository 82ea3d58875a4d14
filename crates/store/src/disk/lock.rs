//! The lock of a store, which one process holds at a time.

use crate::error::Error;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// The file that keeps other processes out.
pub(crate) const LOCK: &str = "lock";
/// How long to wait for a lock: a forked child holds its parent's lock until it runs its own program.
const FORKED: Duration = Duration::from_millis(250);

/// Keeps other processes out of the store at `path`, and reads its settings, which only its owner changes.
pub(crate) fn own<S>(
    path: &Path,
    settings: impl Fn(&Path) -> Result<S, Error>,
) -> Result<(File, S), Error> {
    // Where there is no store, no file is made.
    settings(path)?;
    let lock = lock(path)?;
    Ok((lock, settings(path)?))
}

/// Keeps other processes out of the store at `path` until the file is closed.
pub(crate) fn lock(path: &Path) -> Result<File, Error> {
    let name = path.join(LOCK);
    let file = File::options().write(true).create(true).truncate(false).open(&name);
    let file = file.map_err(Error::io(&name))?;
    let until = Instant::now() + FORKED;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(FORKED / 50);
            }
            Err(TryLockError::WouldBlock) => return Err(Error::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(Error::io(&name)(error)),
        }
    }
}
