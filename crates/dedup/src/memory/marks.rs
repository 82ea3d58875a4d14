//! A bit for each document.

use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{DocumentNumber, entry};
use std::io::{self, Write};

/// A mark for each document, in their order.
///
/// Memory: a bit a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    words: Vec<u64>,
    documents: u64,
}

impl Marks {
    /// Marks the next document, or does not.
    pub(crate) fn push(&mut self, marked: bool) {
        let bit = self.documents % 64;
        if bit == 0 {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= u64::from(marked) << bit;
        }
        self.documents += 1;
    }

    /// Whether a document is marked.
    pub(crate) fn of(&self, document: DocumentNumber) -> bool {
        document.0 < self.documents
            && entry(&self.words, document.index() / 64) >> (document.0 % 64) & 1 == 1
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// Puts in all of it.
    pub(crate) fn save<W: Write>(&self, state: &mut StateWriter<W>) -> io::Result<()> {
        state.value(&self.documents)?;
        state.numbers(self.words.iter().copied())
    }

    /// What [`Self::save`] put in.
    pub(crate) fn load(state: &mut StateReader) -> io::Result<Self> {
        Ok(Self { documents: state.value()?, words: state.numbers()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_document_has_its_mark() {
        let mut marks = Marks::default();
        (0..130).for_each(|document| marks.push(document % 63 == 0));
        let marked: Vec<u64> = (0..200).filter(|at| marks.of(DocumentNumber(*at))).collect();
        assert_eq!((marked, marks.held_bytes()), (vec![0, 63, 126], 24));
    }
}
