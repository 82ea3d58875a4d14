//! The words by which documents are grouped or counted: the values of one field, each kept once.

use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{DocumentNumber, entry, narrow};
use std::collections::HashMap;
use std::io::{self, Write};

/// The label of each document, of one field.
///
/// Memory: 4 bytes a document, also of those without any feature, and every different label once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    /// The number of the label of each document: 0 where it has none.
    of: Vec<u32>,
    /// The same of each document without any feature, which has no number, in their order.
    of_featureless: Vec<u32>,
    /// The labels, in the order in which they came, by their numbers from 1.
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Labels {
    /// Adds the label of the next document.
    pub(crate) fn push(&mut self, label: Option<&str>) {
        let number = self.number_of(label);
        self.of.push(number);
    }

    /// Adds the label of the next document without any feature.
    pub(crate) fn push_featureless(&mut self, label: Option<&str>) {
        let number = self.number_of(label);
        self.of_featureless.push(number);
    }

    /// The labels of the documents without any feature, in their order.
    pub(crate) fn featureless(&self) -> impl Iterator<Item = Option<&str>> {
        self.of_featureless.iter().map(|number| self.name(*number))
    }

    /// The number of a label, which no document needs to have.
    pub(crate) fn number_of(&mut self, label: Option<&str>) -> u32 {
        label.map_or(0, |label| self.number(label))
    }

    fn number(&mut self, label: &str) -> u32 {
        // Documents one behind the other often have one label.
        let last = self.of.last().copied().unwrap_or_default();
        if self.name(last) == Some(label) {
            return last;
        }
        if let Some(number) = self.numbers.get(label) {
            return *number;
        }
        self.names.push(label.to_owned());
        let number = narrow(self.names.len() as u64);
        self.numbers.insert(label.to_owned(), number);
        number
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
        let at = (number as usize).checked_sub(1)?;
        self.names.get(at).map(String::as_str)
    }

    /// Bytes in memory, about.
    pub(crate) fn held_bytes(&self) -> usize {
        /// A name, its twin in the map, and their places.
        const OF_NAME: usize = 2 * size_of::<String>() + 16;
        let bytes: usize = self.names.iter().map(String::len).sum();
        (self.of.capacity() + self.of_featureless.capacity()) * 4
            + 2 * bytes
            + self.names.capacity() * OF_NAME
    }

    /// Puts in all of it.
    pub(crate) fn save<W: Write>(&self, state: &mut StateWriter<W>) -> io::Result<()> {
        for numbers in [&self.of, &self.of_featureless] {
            state.numbers(numbers.iter().map(|number| u64::from(*number)))?;
        }
        state.value(&self.names)
    }

    /// What [`Self::save`] put in.
    pub(crate) fn load(state: &mut StateReader) -> io::Result<Self> {
        let mut numbers =
            || io::Result::Ok(state.numbers()?.into_iter().map(narrow).collect::<Vec<u32>>());
        let (of, of_featureless) = (numbers()?, numbers()?);
        let names: Vec<String> = state.value()?;
        let numbers = names.iter().cloned().zip(1..).collect();
        Ok(Self { of, of_featureless, names, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_one_label_have_one_number() {
        let mut labels = Labels::default();
        for label in [None, Some("a"), Some("b"), Some("b"), Some(""), Some("a"), None] {
            labels.push(label);
        }
        assert_eq!(labels.of_documents(), [0, 1, 2, 2, 3, 1, 0]);
        let names: Vec<_> = (0..5).map(|number| labels.name(number)).collect();
        assert_eq!(names, [None, Some("a"), Some("b"), Some(""), None]);
        assert_eq!(labels.of(DocumentNumber(4)), 3);
        for label in [None, Some("c"), Some("b")] {
            labels.push_featureless(label);
        }
        assert_eq!(labels.of_documents().len(), 7);
        assert_eq!(labels.featureless().collect::<Vec<_>>(), [None, Some("c"), Some("b")]);
    }
}
