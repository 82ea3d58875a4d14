//! A file of a store that could not be used. Imports no sibling.

use std::path::PathBuf;

/// A segment, or the file of the settings, that could not be used, and was made again: when the store was opened, or since
/// then ([`Stats::damage`](crate::Stats::damage)).
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
/// store.compact()?;
/// drop(store);
/// for segment in std::fs::read_dir(path.join("segments"))? {
///     std::fs::remove_file(segment?.path())?;
/// }
/// let store = Store::open(&path)?;
/// assert_eq!(store.repairs().len(), 1);
/// assert_eq!(store.verify()?.searched, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The file that could not be used.
    pub path: PathBuf,
    /// Why it could not be used.
    pub reason: String,
}
