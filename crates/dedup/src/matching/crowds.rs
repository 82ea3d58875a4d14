//! Documents of buckets with so many others that their pairs are not listed.

use crate::numbers::DocumentNumber;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Documents of a page.
const PAGE: usize = 32;

/// How crowded each document is: the sum of the sizes of its crowded buckets.
///
/// Memory: half a byte a document, and 4.5 bytes for each of a page in which one is crowded.
#[derive(Debug, Default)]
pub(crate) struct Crowds {
    pages: Vec<OnceLock<Box<[AtomicU32; PAGE]>>>,
}

impl Crowds {
    /// Of so many documents none is crowded.
    pub(crate) fn new(documents: usize) -> Self {
        Self { pages: (0..documents.div_ceil(PAGE)).map(|_| OnceLock::new()).collect() }
    }

    /// Notes that a document is in a crowded bucket of so many.
    pub(crate) fn add(&self, document: DocumentNumber, bucket: usize) {
        let page = self.pages.get(document.index() / PAGE);
        debug_assert!(page.is_some(), "document {document} is one of the documents");
        let sum = page.and_then(|page| page.get_or_init(Box::default).get(document.index() % PAGE));
        if let Some(sum) = sum {
            let more = u32::try_from(bucket).unwrap_or(u32::MAX);
            let added = |sum: u32| Some(sum.saturating_add(more));
            let _before = sum.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
        }
    }

    /// The sum of the sizes of a document's crowded buckets: 0 where it is not crowded.
    pub(crate) fn sum(&self, document: DocumentNumber) -> u32 {
        let page = self.pages.get(document.index() / PAGE).and_then(OnceLock::get);
        let sum = page.and_then(|page| page.get(document.index() % PAGE));
        sum.map_or(0, |sum| sum.load(Ordering::Relaxed))
    }

    /// Whether a document is crowded.
    pub(crate) fn is_crowded(&self, document: DocumentNumber) -> bool {
        self.sum(document) > 0
    }

    /// The crowded documents, ascending.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentNumber> + '_ {
        let pages = (0..).step_by(PAGE).zip(&self.pages);
        let pages = pages.filter(|(_, page)| page.get().is_some());
        let documents = pages.flat_map(|(first, _)| (first..).take(PAGE).map(DocumentNumber));
        documents.filter(|document| self.is_crowded(*document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn sums_are_those_of_a_map(
            buckets in prop::collection::vec((0_u64..200, 257_usize..1000), 0..60),
        ) {
            let (crowds, mut sums) = (Crowds::new(200), BTreeMap::new());
            for (document, bucket) in buckets {
                crowds.add(DocumentNumber(document), bucket);
                *sums.entry(document).or_insert(0) += bucket;
            }
            let found = crowds.documents().map(|document| (document.0, crowds.sum(document) as usize));
            prop_assert!(found.eq(sums));
        }
    }
}
