//! How much a batch weighs among those under way. Waiting for room is `pipeline`'s.

use nearprint_corpus::{Batch, Error};

/// Bytes of the records of a batch.
pub(crate) fn bytes_of(batch: &Result<Batch, Error>) -> usize {
    batch.as_ref().map_or(0, Batch::bytes)
}
