//! What can go wrong in an evaluation. Imports no sibling.

use nearprint_bits::ErrorKind;
use nearprint_dedup::{ByReason, Verify};
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
    #[error(
        "{documents} document{} to compare, and a pair needs two: give more{}",
        if *documents == 1 { "" } else { "s" },
        skipped.behind_error()
    )]
    FewDocuments {
        /// Its documents.
        documents: u64,
        /// What could not be read.
        skipped: ByReason,
    },
    /// No document that was looked at has a feature.
    #[error(
        "none of {looked_at} documents that were looked at, of {documents}, has a feature to compare: their texts are \
         empty, or the recipe finds nothing in them; see them with `nearprint text`"
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
    /// The labels are about other documents.
    #[error(
        "none of the {labels} labels is about documents that were read: no document has an id such as {example:?}; \
         name the field of the ids with --id-field"
    )]
    Unknown {
        /// How many labels there are.
        labels: usize,
        /// An id of a label.
        example: String,
    },
    /// All that is said is that documents differ.
    #[error(
        "no two documents are labelled as the same, so there is nothing to find: recall has no meaning"
    )]
    NothingSame,
    /// All that is said is that documents are the same.
    #[error(
        "all labelled pairs are the same and others are ignored, so nothing can be wrong: precision has no meaning; \
         label pairs that are not the same (\"same\":false), or count all others as such (--unlisted different)"
    )]
    NothingDifferent,
    /// Several documents have one id.
    #[error(
        "{repeated} {} an id that an earlier one has, the first: {id:?}; labels name documents by their ids, so each \
         needs its own (--id-field names the field)",
        documents_have(*.repeated)
    )]
    RepeatedIds {
        /// How many.
        repeated: usize,
        /// The first of these ids.
        id: String,
    },
    /// The texts take more memory than they may.
    #[error(
        "the texts to compare take more than {most} bytes of memory; allow more with --memory, or label pairs that \
         are not the same too (\"same\":false): then only the labelled documents are held"
    )]
    TooLarge {
        /// What they may take.
        most: usize,
    },
    /// Too many pairs are equal.
    #[error(
        "more than {most} pairs of documents are equal; remove equal documents first, with `nearprint dedup`"
    )]
    TooManyEqual {
        /// How many pairs may be.
        most: usize,
    },
    /// No document can be near another.
    #[error(
        "none of the {documents} documents has enough text for the recipe {recipe}, so no two can be compared; name \
         the field of the texts with --text-field"
    )]
    TooShort {
        /// How many documents there are.
        documents: usize,
        /// The recipe.
        recipe: String,
    },
    /// A check whose similarity makes no curve.
    #[error("{measure}: a curve by similarity goes by jaccard, cosine or weighted-jaccard")]
    NoMeasure {
        /// What was asked for.
        measure: Verify,
    },
    /// A recipe of features in place of texts.
    #[error(
        "the recipe {name} takes features, and an evaluation compares texts; make fingerprints first, with `nearprint \
         fingerprint`: they are judged by radius"
    )]
    Features {
        /// Its name.
        name: String,
    },
    /// The recipe cannot be used.
    #[error(transparent)]
    Recipe(#[from] nearprint_fingerprint::RecipeError),
    /// The radius cannot be searched.
    #[error(transparent)]
    Radius(#[from] nearprint_index::Error),
}

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Corpus(error) => error.kind(),
            Self::Dedup(error) => error.kind(),
            Self::Recipe(error) => error.kind(),
            Self::Radius(error) => error.kind(),
            Self::Budget { .. } | Self::NoMeasure { .. } | Self::Features { .. } => {
                ErrorKind::Usage
            }
            Self::FewDocuments { .. }
            | Self::Featureless { .. }
            | Self::Row { .. }
            | Self::Contradiction { .. }
            | Self::NoLabels { .. }
            | Self::Unknown { .. }
            | Self::NothingSame
            | Self::NothingDifferent
            | Self::RepeatedIds { .. }
            | Self::TooManyEqual { .. }
            | Self::TooShort { .. } => ErrorKind::Input,
            Self::TooLarge { .. } => ErrorKind::Memory,
        }
    }
}

fn documents_have(repeated: usize) -> &'static str {
    if repeated == 1 { "document has" } else { "documents have" }
}

fn others(more: u64) -> String {
    match more {
        0 => String::new(),
        1 => " (one more row contradicts an earlier one)".to_owned(),
        more => format!(" ({more} more rows contradict earlier ones)"),
    }
}
