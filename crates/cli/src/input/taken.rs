//! What a verb takes of a file that it reads record by record: what is damaged is left out where that is asked for.

use nearprint_corpus::InvalidUtf8;
use nearprint_dedup::{Counts, Error, FileTally, OnError, Reading};

/// What becomes of invalid UTF-8.
pub(crate) fn invalid_utf8(reading: &Reading) -> InvalidUtf8 {
    match reading.on_error {
        OnError::Fail => InvalidUtf8::Fail,
        OnError::Skip => InvalidUtf8::Replace,
    }
}

/// What was read; nothing of what is to be left out, which is counted.
pub(crate) fn taken<T>(
    read: Result<T, nearprint_corpus::Error>,
    reading: &Reading,
    counts: &mut Counts,
) -> Result<Option<T>, Error> {
    match read.map_err(Error::from) {
        Ok(read) => Ok(Some(read)),
        Err(error) if reading.ends_with(&error) => Err(error),
        Err(error) => {
            counts.skip(&error);
            Ok(None)
        }
    }
}

/// The same of a part of a file, of which nothing else is known where it cannot be read.
pub(crate) fn part_taken<T>(
    read: Result<T, nearprint_corpus::Error>,
    reading: &Reading,
    counts: &mut Counts,
    tally: &mut FileTally<'_>,
) -> Result<Option<T>, Error> {
    match read.map_err(Error::from) {
        Ok(read) => Ok(Some(read)),
        Err(error) if reading.ends_with(&error) => Err(error),
        Err(error) => {
            tally.fail(&error)?;
            counts.skip(&error);
            Ok(None)
        }
    }
}
