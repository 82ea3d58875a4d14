//! What was found beside the files of a job and is not read.

use crate::read::by_reason::ByReason;
use nearprint_corpus::PassedOver;

/// Files and folders that were found and are not read, by what is found beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotRead {
    /// Beside the input.
    pub(crate) ours: Vec<PassedOver>,
    /// Beside what is there to be compared with only.
    pub(crate) reference: Vec<PassedOver>,
}

impl NotRead {
    /// All of them, counted, and of these those of the reference.
    pub(crate) fn counted(&self) -> [ByReason; 2] {
        let reference = ByReason::from(self.reference.as_slice());
        let mut all = ByReason::from(self.ours.as_slice());
        all.merge(&reference);
        [all, reference]
    }
}
