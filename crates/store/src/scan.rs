//! Going through all documents of a moment, whatever is written meanwhile.

use crate::disk::document::Document;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::store_of::StoreOf;
use fjall::Snapshot;
use nearprint_fingerprint::Fingerprint;
use std::sync::Arc;

/// Documents, in an order of their own; made by [`StoreOf::scan`] and [`StoreOf::scan_ids`].
pub struct Scan<const WORDS: usize> {
    truth: Arc<Truth>,
    snapshot: Snapshot,
    rows: fjall::Iter,
    /// Whether the rows are ids, whose documents are to be read.
    ids: bool,
}

impl<const WORDS: usize> StoreOf<WORDS> {
    /// Every document, the oldest first.
    ///
    /// As long as a scan lives, the space of what is removed is not freed.
    ///
    /// # Errors
    /// [`Error::Closed`].
    pub fn scan(&self) -> Result<Scan<WORDS>, Error> {
        let truth = self.shared().truth()?;
        let snapshot = truth.snapshot();
        let rows = truth.all_documents(&snapshot);
        Ok(Scan { truth, snapshot, rows, ids: false })
    }

    /// The documents from the id `from` on, in the order of ids, which is that of their bytes. Ids that
    /// begin alike stand together.
    ///
    /// # Errors
    /// [`Error::Closed`].
    ///
    /// # Complexity
    /// Some microseconds a document: each is looked up.
    pub fn scan_ids(&self, from: &str) -> Result<Scan<WORDS>, Error> {
        let truth = self.shared().truth()?;
        let snapshot = truth.snapshot();
        let rows = truth.ids_from(&snapshot, from);
        Ok(Scan { truth, snapshot, rows, ids: true })
    }
}

impl<const WORDS: usize> Iterator for Scan<WORDS> {
    type Item = Result<Document<Fingerprint<WORDS>>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(if self.ids {
            self.truth.document_of_id(&self.snapshot, row)
        } else {
            self.truth.decode_document(row).map(|(_, document)| document)
        })
    }
}
