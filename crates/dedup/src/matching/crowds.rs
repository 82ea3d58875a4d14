//! Documents of buckets with so many others that their pairs are not listed.

use crate::numbers::DocumentNumber;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How crowded each document is: the sum of the sizes of its crowded buckets.
///
/// Memory: none as long as no bucket is crowded, then 4 bytes a document.
#[derive(Debug, Default)]
pub(crate) struct Crowds {
    documents: usize,
    sums: OnceLock<Vec<AtomicU32>>,
}

impl Crowds {
    /// Of so many documents none is crowded.
    pub(crate) fn new(documents: usize) -> Self {
        Self { documents, sums: OnceLock::new() }
    }

    /// Notes that a document is in a crowded bucket of so many.
    pub(crate) fn add(&self, document: DocumentNumber, bucket: usize) {
        let sums = self.sums.get_or_init(|| (0..self.documents).map(|_| 0.into()).collect());
        let sum = sums.get(document.index());
        debug_assert!(sum.is_some(), "document {document} is one of the documents");
        if let Some(sum) = sum {
            let more = u32::try_from(bucket).unwrap_or(u32::MAX);
            let added = |sum: u32| Some(sum.saturating_add(more));
            let _before = sum.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
        }
    }

    /// The sum of the sizes of a document's crowded buckets: 0 where it is not crowded.
    pub(crate) fn sum(&self, document: DocumentNumber) -> u32 {
        let sum = self.sums.get().and_then(|sums| sums.get(document.index()));
        sum.map_or(0, |sum| sum.load(Ordering::Relaxed))
    }

    /// Whether a document is crowded.
    pub(crate) fn is_crowded(&self, document: DocumentNumber) -> bool {
        self.sum(document) > 0
    }

    /// The crowded documents, ascending.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentNumber> + '_ {
        let sums = self.sums.get().map(Vec::as_slice).unwrap_or_default();
        let crowded = |(_, sum): &(_, &AtomicU32)| sum.load(Ordering::Relaxed) > 0;
        (0..).map(DocumentNumber).zip(sums).filter(crowded).map(|(document, _)| document)
    }
}
