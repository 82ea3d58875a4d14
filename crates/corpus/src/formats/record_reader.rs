//! Reading a source: one call a batch or part, whatever its format is.

use crate::error::Error;
use crate::records::lot::Content;

/// Reads one source into batches, or cuts it into parts that others read.
pub(crate) trait RecordReader: Send {
    /// The next batch or part, whose records have no number yet; none behind the last.
    fn next(&mut self) -> Option<Result<Content, Error>>;
}
