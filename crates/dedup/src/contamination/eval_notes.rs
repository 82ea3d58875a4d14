//! What is to be told of how eval sets were read, beside their items.

use crate::read::by_reason::ByReason;

/// What is to be told of how eval sets were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EvalNotes {
    /// Rows that were left out.
    pub(crate) skipped: ByReason,
    /// Fields that were named, with the sets that have none of them.
    pub(crate) absent: Vec<(String, Vec<String>)>,
}
