//! Texts that stand in the place of those of some rows, until the rows are written. The writer decides where that
//! ends.

#![deny(clippy::indexing_slicing)]

use std::mem;
use std::ops::Range;

/// Bytes of texts with which there is no room for more.
const FULL: usize = 4 << 20;

/// The new texts of a column, each with its row among those that are written.
#[derive(Debug, Default)]
pub(crate) struct NewTexts {
    field: String,
    texts: Vec<(usize, String)>,
    bytes: usize,
}

impl NewTexts {
    /// Adds the text of a row, which is behind the others.
    pub(crate) fn push(&mut self, row: usize, field: &str, text: &str) {
        if self.field != field {
            field.clone_into(&mut self.field);
        }
        self.bytes += text.len();
        self.texts.push((row, text.to_owned()));
    }

    /// The column that they are of; none where there are none.
    pub(crate) fn field(&self) -> Option<&str> {
        if self.texts.is_empty() { None } else { Some(&self.field) }
    }

    /// Whether there is no room for another.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    /// Those of some rows.
    pub(crate) fn of(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
        let from = self.texts.partition_point(|(row, _)| *row < rows.start);
        let texts = self.texts.get(from..).unwrap_or_default().iter();
        texts.take_while(move |(row, _)| *row < rows.end).map(|(row, text)| (*row, text.as_str()))
    }

    /// Those that are there; then there are none.
    pub(crate) fn take(&mut self) -> Self {
        mem::take(self)
    }
}
