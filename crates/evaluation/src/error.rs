//! What can go wrong in an evaluation. Imports no sibling.

use thiserror::Error;

/// Why an evaluation has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The labels or the documents could not be read.
    #[error(transparent)]
    Corpus(#[from] nearprint_corpus::Error),
    /// A row of labels says something else than labels do.
    #[error("{place}: {problem}")]
    Row {
        /// File and line.
        place: String,
        /// What was expected and found.
        problem: String,
    },
    /// Two rows contradict each other.
    #[error(
        "{place}: {problem} at {before}; keep one of the two rows{}",
        others(*.more)
    )]
    Contradiction {
        /// The later row.
        place: String,
        /// The earlier row.
        before: String,
        /// What this row says, and the earlier one.
        problem: String,
        /// How many further rows contradict earlier ones.
        more: u64,
    },
    /// No row of labels is there.
    #[error(
        "{name}: no label; one row a pair {{\"a\",\"b\",\"same\"}} or one row a document \
         {{\"id\",\"cluster\"}} is needed"
    )]
    NoLabels {
        /// The file.
        name: String,
    },
}

fn others(more: u64) -> String {
    match more {
        0 => String::new(),
        1 => " (one more row contradicts an earlier one)".to_owned(),
        more => format!(" ({more} more rows contradict earlier ones)"),
    }
}
