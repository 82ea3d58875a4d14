//! Whether a corpus is the one that was read before, where nothing else reads all of it again. What is made of its
//! records is handled by others.

use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::input::{FirstReading, Input};
use crate::read::pipeline;
use crate::read::sketch::checksum;
use nearprint_corpus::{Lot, Reader};
use nearprint_fingerprint::mix64;
use std::sync::atomic::Ordering;

/// Reads the sources behind the reference, and compares them with the `first` reading.
///
/// # Errors
/// [`Error::InputChanged`] where they are others.
pub(crate) fn check(
    input: Input<'_>,
    first: FirstReading<'_>,
    progress: &Progress,
) -> Result<(), Error> {
    progress.enter(Stage::Verify);
    let reader = Reader::new(input.written(), input.reading.options);
    let bytes_read = reader.bytes_read();
    let mut sum = first.reference.checksum;
    let summed = |(): &mut (), lot: Lot| {
        lot.read().map_or((0, 0), |batch| (checksum(&batch), batch.len() as u64))
    };
    pipeline::ordered(
        reader.lots(),
        Lot::bytes,
        input.reading.threads,
        || (),
        summed,
        |(checksum, records)| -> Result<(), Error> {
            sum = mix64(sum ^ checksum);
            progress.advance(bytes_read.load(Ordering::Relaxed), records);
            progress.check()
        },
    )?;
    if sum == first.checksum { Ok(()) } else { Err(Error::InputChanged) }
}
