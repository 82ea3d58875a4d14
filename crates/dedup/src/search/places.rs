//! Some documents of a corpus, and their places among each other.

use crate::numbers::{DocumentNumber, entry};

/// Which documents there are, and how many of them are before each.
///
/// Memory: 12 bytes for 64 documents of the corpus.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// A bit for each document of the corpus, up to the last one there is.
    bits: Vec<u64>,
    /// Documents there are before those of each word.
    before: Vec<u32>,
}

impl Places {
    /// The places of some documents.
    pub(crate) fn of(documents: impl IntoIterator<Item = DocumentNumber>) -> Self {
        let mut places = Self::default();
        documents.into_iter().for_each(|document| places.insert(document));
        places.counted()
    }

    /// Adds a document. Places are told once they were [counted](Self::counted) again.
    pub(crate) fn insert(&mut self, document: DocumentNumber) {
        let at = document.index() / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        if let Some(word) = self.bits.get_mut(at) {
            *word |= 1 << (document.0 % 64);
        }
    }

    /// The same documents with their places.
    pub(crate) fn counted(self) -> Self {
        let before = self.bits.iter().scan(0, |sum, word| {
            let before = *sum;
            *sum += word.count_ones();
            Some(before)
        });
        Self { before: before.collect(), bits: self.bits }
    }

    /// Whether a document is among them.
    pub(crate) fn contain(&self, document: DocumentNumber) -> bool {
        let word = self.bits.get(document.index() / 64);
        word.is_some_and(|word| word >> (document.0 % 64) & 1 == 1)
    }

    /// How many of the documents are before this one, which is among them.
    pub(crate) fn place(&self, document: DocumentNumber) -> usize {
        let (at, bit) = (document.index() / 64, 1 << (document.0 % 64));
        let word = entry(&self.bits, at);
        assert!(word & bit != 0, "document {document} has a place");
        (entry(&self.before, at) + (word & (bit - 1)).count_ones()) as usize
    }

    /// The documents, ascending.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentNumber> + '_ {
        (0..).zip(&self.bits).flat_map(|(at, word)| {
            let is_there = move |bit: &u64| word >> bit & 1 == 1;
            (0..64).filter(is_there).map(move |bit| DocumentNumber(64 * at + bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_have_the_places_of_a_list(
            documents in prop::collection::btree_set(0_u64..1000, 0..300),
        ) {
            let documents: Vec<_> = documents.into_iter().map(DocumentNumber).collect();
            let places = Places::of(documents.iter().rev().chain(&documents).copied());
            prop_assert_eq!(places.documents().collect::<Vec<_>>(), &documents[..]);
            let there = (0..1100).filter(|document| places.contain(DocumentNumber(*document)));
            prop_assert!(there.eq(documents.iter().map(|document| document.0)));
            for (at, document) in documents.iter().enumerate() {
                prop_assert_eq!(places.place(*document), at);
            }
        }
    }
}
