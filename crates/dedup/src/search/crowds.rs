//! Documents of buckets with so many others that their pairs are not listed.

use crate::numbers::{DocumentNumber, narrow};
use nearprint_index::UnionFind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Documents of a page.
const PAGE: usize = 32;

/// How crowded each document is: the sum of the sizes of its crowded buckets; and which documents are decided
/// together.
///
/// Those are the connected components of a graph. Its edges are the pairs that a join finds, also those of two
/// crowded documents, and every document of a crowded bucket with the first of that bucket. So what is
/// decided of a component does not depend on other documents.
///
/// Memory: half a byte a document, and 4.5 bytes for each of a page in which one is crowded. Where one is, 4
/// bytes a document.
#[derive(Debug, Default)]
pub(crate) struct Crowds {
    documents: usize,
    pages: Vec<OnceLock<Box<[AtomicU32; PAGE]>>>,
    /// There from the first crowded bucket on.
    components: OnceLock<UnionFind>,
}

impl Crowds {
    /// Of so many documents none is crowded.
    pub(crate) fn new(documents: usize) -> Self {
        let pages = (0..documents.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Self { documents, pages, components: OnceLock::new() }
    }

    /// Notes that a document is in a crowded bucket of so many.
    pub(crate) fn add(&self, document: DocumentNumber, bucket: usize) {
        let page = self.pages.get(document.index() / PAGE);
        assert!(page.is_some(), "document {document} is one of the documents");
        let sum = page.and_then(|page| page.get_or_init(Box::default).get(document.index() % PAGE));
        if let Some(sum) = sum {
            let more = u32::try_from(bucket).unwrap_or(u32::MAX);
            let added = |sum: u32| Some(sum.saturating_add(more));
            let _before = sum.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
        }
    }

    /// Notes an edge between two documents.
    pub(crate) fn join(&self, a: DocumentNumber, b: DocumentNumber) {
        let components =
            self.components.get_or_init(|| UnionFind::new(narrow(self.documents as u64)));
        components.union(narrow(a.0), narrow(b.0));
    }

    /// The first document of a document's component; 0 where no document is crowded.
    pub(crate) fn component(&self, document: DocumentNumber) -> u32 {
        self.components.get().map_or(0, |components| components.find(narrow(document.0)))
    }

    /// Whether any document is crowded.
    pub(crate) fn are_there(&self) -> bool {
        self.components.get().is_some()
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

    /// The crowded documents by component, and ascending in each.
    pub(crate) fn by_component(&self) -> Vec<DocumentNumber> {
        let mut crowd: Vec<DocumentNumber> = self.documents().collect();
        crowd.sort_by_key(|document| self.component(*document));
        crowd
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
            let by_component = crowds.by_component();
            prop_assert!(by_component.is_sorted_by_key(|one| (crowds.component(*one), *one)));
            prop_assert_eq!(by_component.len(), crowds.documents().count());
        }
    }
}
