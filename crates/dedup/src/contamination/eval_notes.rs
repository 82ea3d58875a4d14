//! What is to be told of how eval sets were read, beside their items.

use crate::contamination::eval_file::EvalFile;
use crate::read::by_reason::ByReason;
use nearprint_corpus::PassedOver;
use serde::{Deserialize, Serialize};

/// What is to be told of how eval sets were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EvalNotes {
    /// The files, in the order in which they were read.
    pub(crate) files: Vec<EvalFile>,
    /// Files beside them that were not read.
    pub(crate) passed_over: Vec<PassedOver>,
    /// Rows that were left out.
    pub(crate) skipped: ByReason,
    /// Rows of which an item was read, in which something that is no character was replaced.
    #[serde(default)]
    pub(crate) replaced: u64,
    /// Fields that were named, with the sets that have none of them.
    pub(crate) absent: Vec<(String, Vec<String>)>,
}
