//! A file that is one record.

use crate::error::Error;
use crate::fault::Fault;
use crate::formats::record_reader::RecordReader;
use crate::records::lot::Content;
use crate::records::opened::{Found, Opened, State};
use std::mem;

/// The one record of a file.
pub(crate) struct Whole(pub(crate) Opened);

impl RecordReader for Whole {
    fn next(&mut self) -> Option<Result<Content, Error>> {
        let Self(opened) = self;
        let limit = opened.options.max_record_bytes;
        let mut bytes = mem::take(&mut opened.head);
        loop {
            match mem::replace(&mut opened.state, State::Ended) {
                State::Failed(error) => return Some(Err(error)),
                State::Ended => return None,
                _ if bytes.len() > limit => break,
                State::Drained => break,
                State::Reading => opened.state = State::Reading,
            }
            let want = bytes.len().max(opened.options.batch_bytes);
            let room = limit.saturating_add(1) - bytes.len();
            opened.fill(&mut bytes, want.min(room));
        }
        let too_long = bytes.len() > limit;
        if too_long {
            bytes.clear();
        }
        let mut found = Found::default();
        found.record(0..bytes.len(), (1, 0), too_long.then_some(Fault::TooLong));
        Some(Ok(Content::Batch(opened.batch(0, bytes, found))))
    }
}
