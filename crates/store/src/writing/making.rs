//! What is being made, and who waits for it.

use crate::error::Error;
use crossbeam_channel::Sender;

/// What the maker does.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Making {
    /// Nothing.
    #[default]
    Nothing,
    /// A segment of recent documents, or of other segments.
    Segment,
    /// One of the documents of a damaged segment.
    Anew,
    /// A segment that cannot be used: while it was made, one turned out to be damaged.
    Spoiled,
}

/// Who waits for a compaction.
#[derive(Default)]
pub(crate) struct Compactions {
    pub(super) waiting: Vec<Sender<Result<(), Error>>>,
    /// Whether everything is still to be merged.
    pub(super) due: bool,
}
