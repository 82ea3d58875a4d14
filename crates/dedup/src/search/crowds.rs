//! Documents of buckets with so many others that their pairs are not listed.

use crate::numbers::{DocumentNumber, narrow};
use nearprint_index::UnionFind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which documents are crowded, and which are decided together.
///
/// Those are the connected components of a graph. Its edges are the pairs that a join finds, also those of two
/// crowded documents, and every document of a crowded bucket with the first of that bucket. So what is
/// decided of a component does not depend on other documents.
///
/// Memory: a bit a document. Where one is crowded, 4 bytes a document.
#[derive(Debug, Default)]
pub(crate) struct Crowds {
    documents: usize,
    /// A bit for each document that is crowded.
    marks: Vec<AtomicU64>,
    /// There from the first crowded bucket on.
    components: OnceLock<UnionFind>,
}

impl Crowds {
    /// Of so many documents none is crowded.
    pub(crate) fn new(documents: usize) -> Self {
        let marks = (0..documents.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { documents, marks, components: OnceLock::new() }
    }

    /// Notes that a document is crowded.
    pub(crate) fn add(&self, document: DocumentNumber) {
        let word = self.marks.get(document.index() / 64);
        assert!(word.is_some(), "document {document} is one of the documents");
        let bit = 1 << (document.0 % 64);
        // Most are noted once for each band: a look is cheaper than a word that changes hands.
        if let Some(word) = word.filter(|word| word.load(Ordering::Relaxed) & bit == 0) {
            word.fetch_or(bit, Ordering::Relaxed);
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

    /// Whether a document is crowded.
    pub(crate) fn is_crowded(&self, document: DocumentNumber) -> bool {
        let word = self.marks.get(document.index() / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (document.0 % 64) & 1 == 1)
    }

    /// The crowded documents, ascending.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentNumber> + '_ {
        (0..).zip(&self.marks).flat_map(|(at, word)| {
            let word = word.load(Ordering::Relaxed);
            let crowded = (0..64).filter(move |bit| word >> bit & 1 == 1);
            crowded.map(move |bit| DocumentNumber(64 * at + bit))
        })
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
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn documents_are_crowded_once_they_were_noted(
            noted in prop::collection::vec((0_u64..200, 0_u64..200), 0..60),
        ) {
            let (crowds, mut expected) = (Crowds::new(200), BTreeSet::new());
            for (document, other) in noted {
                crowds.add(DocumentNumber(document));
                crowds.join(DocumentNumber(document), DocumentNumber(other));
                expected.insert(DocumentNumber(document));
            }
            prop_assert!(crowds.documents().eq(expected.iter().copied()));
            let all = (0..200).map(DocumentNumber);
            prop_assert!(all.filter(|document| crowds.is_crowded(*document)).eq(expected));
            let by_component = crowds.by_component();
            prop_assert!(by_component.is_sorted_by_key(|one| (crowds.component(*one), *one)));
            prop_assert_eq!(by_component.len(), crowds.documents().count());
        }
    }
}
