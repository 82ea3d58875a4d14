//! What is said of one pair of documents, and the row that says it.

use serde::{Deserialize, Serialize};

/// What is said of a pair of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// They are near-duplicates.
    Same,
    /// They are none.
    Different,
    /// It can be said either way: the pair counts neither way.
    Grey,
}

impl Label {
    /// The label as the field `same` of a row has it.
    #[must_use]
    pub const fn same(self) -> Option<bool> {
        match self {
            Self::Same => Some(true),
            Self::Different => Some(false),
            Self::Grey => None,
        }
    }
}

impl From<Option<bool>> for Label {
    fn from(same: Option<bool>) -> Self {
        match same {
            Some(true) => Self::Same,
            Some(false) => Self::Different,
            None => Self::Grey,
        }
    }
}

/// A row of a file of labels: two documents by their ids, and whether they are the same.
///
/// # Examples
/// ```
/// use nearprint_evaluation::{Label, PairLabel};
///
/// let row = PairLabel::new("a", "b", Label::Grey);
/// assert_eq!(serde_json::to_string(&row).unwrap(), r#"{"a":"a","b":"b","same":null}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairLabel {
    /// The id of the one.
    pub a: String,
    /// The id of the other.
    pub b: String,
    /// Whether they are the same; null where it can be said either way.
    pub same: Option<bool>,
}

impl PairLabel {
    /// A row about two documents.
    #[must_use]
    pub fn new(a: impl Into<String>, b: impl Into<String>, label: Label) -> Self {
        Self { a: a.into(), b: b.into(), same: label.same() }
    }
}
