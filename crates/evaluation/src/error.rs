//! What can go wrong in an evaluation. Imports no sibling.

use std::time::Duration;
use thiserror::Error;

/// Why an evaluation has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The labels or the documents could not be read.
    #[error(transparent)]
    Corpus(#[from] nearprint_corpus::Error),
    /// The documents could not be compared.
    #[error(transparent)]
    Dedup(#[from] nearprint_dedup::Error),
    /// A corpus in which nothing can be near anything.
    #[error("the corpus has {documents} document{}: give two or more", if *documents == 1 { "" } else { "s" })]
    FewDocuments {
        /// Its documents.
        documents: u64,
    },
    /// No document that was looked at has a feature.
    #[error(
        "none of {looked_at} documents that were looked at, of {documents}, has a feature to compare: their texts are \
         empty, or the recipe finds nothing in them"
    )]
    Featureless {
        /// Documents that were looked at.
        looked_at: u64,
        /// Documents of the corpus.
        documents: u64,
    },
    /// The time ended before anything was compared.
    #[error(
        "a budget of {:.1} s is too small: after {:.1} s nothing was compared yet; give several times as much, or less \
         input",
        .given.as_secs_f64(),
        .took.as_secs_f64()
    )]
    Budget {
        /// The time that was given.
        given: Duration,
        /// The time that it took to count and to draw.
        took: Duration,
    },
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
