//! The words by which documents are grouped or counted: the values of one field, each kept once.

use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{DocumentNumber, entry, narrow};
use std::collections::HashMap;
use std::io;

/// The label of each document, of one field.
///
/// Memory: 4 bytes a document, and every different label once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    /// The number of the label of each document.
    of: Vec<u32>,
    /// The labels, in the order in which they came. The first stands for documents without one.
    names: Vec<Option<String>>,
    numbers: HashMap<Option<String>, u32>,
}

impl Labels {
    /// Adds the label of the next document.
    pub(crate) fn push(&mut self, label: Option<&String>) {
        // Documents one behind the other often have one label.
        let last = self.of.last().copied().unwrap_or_default();
        let is_last = self.names.get(last as usize).is_some_and(|name| name.as_ref() == label);
        let number = if is_last { last } else { self.number(label.cloned()) };
        self.of.push(number);
    }

    fn number(&mut self, label: Option<String>) -> u32 {
        let next = narrow(self.names.len() as u64);
        *self.numbers.entry(label).or_insert_with_key(|label| {
            self.names.push(label.clone());
            next
        })
    }

    /// The number of each document's label: documents of one label have one number.
    pub(crate) fn of_documents(&self) -> &[u32] {
        &self.of
    }

    /// The number of a document's label.
    pub(crate) fn of(&self, document: DocumentNumber) -> u32 {
        entry(&self.of, document.index())
    }

    /// The label of a number; none of documents that have none.
    pub(crate) fn name(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize)?.as_deref()
    }

    /// Bytes in memory, about.
    pub(crate) fn held_bytes(&self) -> usize {
        /// A name, its twin in the map, and their places.
        const OF_NAME: usize = 2 * size_of::<String>() + 16;
        let bytes: usize = self.names.iter().flatten().map(String::len).sum();
        self.of.capacity() * 4 + 2 * bytes + self.names.capacity() * OF_NAME
    }

    /// Puts in all of it.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.of.iter().map(|number| u64::from(*number)))?;
        state.value(&self.names)
    }

    /// What [`Self::save`] put in.
    pub(crate) fn load(state: &mut StateReader) -> io::Result<Self> {
        let of = state.numbers()?.into_iter().map(narrow).collect();
        let names: Vec<Option<String>> = state.value()?;
        let numbers = names.iter().cloned().zip(0..).collect();
        Ok(Self { of, names, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_one_label_have_one_number() {
        let mut labels = Labels::default();
        let all = ["a", "b", "b", "", "a"].map(|label| Some(label.to_owned()));
        labels.push(None);
        all.iter().for_each(|label| labels.push(label.as_ref()));
        labels.push(None);
        assert_eq!(labels.of_documents(), [0, 1, 2, 2, 3, 1, 0]);
        let names: Vec<_> = (0..5).map(|number| labels.name(number)).collect();
        assert_eq!(names, [None, Some("a"), Some("b"), Some(""), None]);
        assert_eq!(labels.of(DocumentNumber(4)), 3);
    }
}
