//! Deletes many documents: those whose ids begin alike, or that are older than a time. Each group of them is a
//! write like others; reads and other writes go on in between.

use crate::error::Error;
use crate::store::Store;
use crate::writing::write::{Outcome, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// Documents that are deleted together.
const TOGETHER: usize = 4096;
/// Documents that are read at a time: a reading keeps the room of deleted ones from being freed.
const READ: usize = 1 << 18;

impl Store {
    /// Deletes the documents whose ids begin with `prefix`, in the order of ids. Returns how many there were. Ends
    /// early once `stopped` returns true.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] while the disk fails; what was deleted before stays deleted.
    ///
    /// # Complexity
    /// Reads the ids that begin so, some thousand at a time, and holds those.
    pub fn delete_prefix(&self, prefix: &str, stopped: &dyn Fn() -> bool) -> Result<u64, Error> {
        let (mut deleted, mut from) = (0, prefix.to_owned());
        while !stopped() {
            let truth = self.shared().truth()?;
            let mut ids = Vec::new();
            for row in truth.ids_from(&truth.snapshot(), &from) {
                let (_, id) = truth.decode_id(row)?;
                if !id.starts_with(prefix.as_bytes()) || ids.len() == TOGETHER {
                    break;
                }
                let id = String::from_utf8(id.to_vec()).map_err(|_| truth.damaged("an id"))?;
                ids.push(id);
            }
            let Some(last) = ids.last() else { break };
            // The next possible id.
            from = format!("{last}\0");
            drop(truth);
            deleted += self.delete_all(ids.into_iter().map(Write::Delete).collect())?;
        }
        Ok(deleted)
    }

    /// Deletes the documents whose time is before `time`, in milliseconds since 1970, the oldest first. Returns
    /// how many there were. One that is replaced meanwhile stays if its new time is not before. Ends early once
    /// `stopped` returns true.
    ///
    /// # Errors
    /// [`Error::Ahead`] for a time that is yet to come; as [`Self::delete_prefix`].
    ///
    /// # Complexity
    /// Reads all documents, as times are in no order, and holds some thousand ids.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Document, Settings, Store, Write};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// for (id, time) in [("site/old", 1_000), ("site/new", 2_000), ("other", 3_000)] {
    ///     let code: AnyFingerprint = "00000000000000ff".parse()?;
    ///     store.write(Write::Add(Document { time, ..Document::new(id, code) }))?;
    /// }
    /// assert_eq!(store.forget_before(2_000, &|| false)?, 1);
    /// assert_eq!(store.delete_prefix("site/", &|| false)?, 1);
    /// assert_eq!(store.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_before(&self, time: u64, stopped: &dyn Fn() -> bool) -> Result<u64, Error> {
        check_past(time)?;
        let (mut deleted, mut from) = (0, 0);
        while !stopped() {
            let truth = self.shared().truth()?;
            let mut ids = Vec::new();
            let mut ended = true;
            for (read, row) in truth.documents_from(&truth.snapshot(), from).enumerate() {
                let (number, document) = truth.decode_document(row)?;
                if ids.len() == TOGETHER || read == READ {
                    ended = false;
                    break;
                }
                from = number + 1;
                if document.time < time {
                    ids.push(document.id);
                }
            }
            drop(truth);
            let writes = ids.into_iter().map(|id| Write::DeleteBefore(id, time)).collect();
            deleted += self.delete_all(writes)?;
            if ended {
                break;
            }
        }
        Ok(deleted)
    }

    /// How many documents have a time before `time`, in milliseconds since 1970, and how many there are. Ends early once
    /// `stopped` returns true.
    ///
    /// # Errors
    /// An error of the disk.
    ///
    /// # Complexity
    /// Reads all documents.
    pub fn count_before(&self, time: u64, stopped: &dyn Fn() -> bool) -> Result<(u64, u64), Error> {
        let (mut old, mut all, mut from, mut ended) = (0, 0, 0, false);
        while !ended && !stopped() {
            let truth = self.shared().truth()?;
            ended = true;
            for (read, row) in truth.documents_from(&truth.snapshot(), from).enumerate() {
                if read == READ {
                    ended = false;
                    break;
                }
                let (number, document) = truth.decode_document(row)?;
                from = number + 1;
                all += 1;
                old += u64::from(document.time < time);
            }
        }
        Ok((old, all))
    }

    /// Returns how many documents were there.
    fn delete_all(&self, writes: Vec<Write>) -> Result<u64, Error> {
        let mut deleted = 0;
        for outcome in self.write_all(writes)? {
            deleted += u64::from(outcome? == Outcome::Deleted);
        }
        Ok(deleted)
    }
}

/// Checks that documents from before a time may be deleted: that it is not yet to come, in which case these would be all.
///
/// # Errors
/// [`Error::Ahead`], which says where the time seems to be in another unit than milliseconds.
///
/// # Examples
/// ```
/// use nearprint_store::{Error, check_past};
///
/// assert!(check_past(1_763_000_000_000).is_ok());
/// let microseconds = check_past(1_763_000_000_000_000).unwrap_err();
/// assert!(microseconds.to_string().ends_with("; this one seems to be in microseconds"));
/// ```
pub fn check_past(time: u64) -> Result<(), Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let now = u64::try_from(now).unwrap_or(u64::MAX);
    if time <= now {
        return Ok(());
    }
    // Of these times in another unit, those that are at most ten times as long ago, or as far ahead.
    let is_near = |unit: u64| (now / 10..=now.saturating_mul(10)).contains(&(time / unit));
    let hint = match () {
        () if is_near(1_000_000) => "; this one seems to be in nanoseconds",
        () if is_near(1000) => "; this one seems to be in microseconds",
        () => "",
    };
    Err(Error::Ahead { found: time, now, hint })
}
