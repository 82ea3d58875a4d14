//! Reading a source: one call a batch, whatever its format is.

use crate::error::Error;
use crate::records::batch::Batch;

/// Reads one source into batches.
pub(crate) trait RecordReader: Send {
    /// The next batch, whose first record has the number `first_record`; none behind the last.
    fn next(&mut self, first_record: u64) -> Option<Result<Batch, Error>>;
}
