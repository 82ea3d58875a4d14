//! Reads all documents of one moment; later writes do not change what it reads.

use crate::disk::document::Document;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::store::Store;
use fjall::Snapshot;
use std::sync::Arc;

/// All documents of one moment, in the order that [`Store::scan`] or [`Store::scan_ids`] names.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Fingerprint, Width};
/// use nearprint_store::{Settings, Store};
/// # let room = tempfile::tempdir().unwrap();
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// for (id, code) in [("b", 0xff_u64), ("a", 0xff00)] {
///     store.add(id, Fingerprint::from(code))?;
/// }
/// let oldest = store.scan()?.next().unwrap()?;
/// let first = store.scan_ids("")?.next().unwrap()?;
/// assert_eq!((oldest.id.as_str(), first.id.as_str()), ("b", "a"));
/// # Ok::<(), nearprint_store::Error>(())
/// ```
pub struct Scan {
    truth: Arc<Truth>,
    snapshot: Snapshot,
    rows: fjall::Iter,
    /// Whether the rows are ids: then each document is looked up.
    ids: bool,
}

impl Store {
    /// Every document, the oldest first.
    ///
    /// While a scan lives, the space of deleted documents is not freed.
    ///
    /// # Errors
    /// [`Error::Closed`]; for single documents [`Error::Damaged`] and errors of the disk.
    pub fn scan(&self) -> Result<Scan, Error> {
        let truth = self.shared().truth()?;
        let snapshot = truth.snapshot();
        let rows = truth.all_documents(&snapshot);
        Ok(Scan { truth, snapshot, rows, ids: false })
    }

    /// The documents from the id `from` on, in the order of the bytes of ids. Ids with the same beginning
    /// follow each other.
    ///
    /// # Errors
    /// As [`Self::scan`].
    ///
    /// # Complexity
    /// Some microseconds a document: each is looked up.
    pub fn scan_ids(&self, from: &str) -> Result<Scan, Error> {
        let truth = self.shared().truth()?;
        let snapshot = truth.snapshot();
        let rows = truth.ids_from(&snapshot, from);
        Ok(Scan { truth, snapshot, rows, ids: true })
    }
}

impl Iterator for Scan {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(if self.ids {
            self.truth.document_of_id(&self.snapshot, row)
        } else {
            self.truth.decode_document(row).map(|(_, document)| document)
        })
    }
}
