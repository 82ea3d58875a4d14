//! Rows of columns as batches.

use crate::columns::unpacking::{Chunk, Unpacking};
use crate::error::Error;
use crate::fault::Fault;
use crate::formats::record_reader::RecordReader;
use crate::records::explained::explain;
use crate::records::lot::Content;
use crate::records::opened::{Found, Opened, State};
use std::io;
use std::sync::Arc;

/// How much longer batches of rows are than those that a buffer of bytes stands before.
const ROW_BATCH: usize = 4;

/// The rows of a source, which a thread unpacks.
pub(crate) struct Packed {
    opened: Opened,
    rows: Unpacking,
    /// What the source holds, for messages.
    data: &'static str,
    offset: u64,
    line: u64,
}

impl Packed {
    /// The rows that `unpack` begins to unpack, in chunks of so many bytes.
    pub(crate) fn open(
        mut opened: Opened,
        data: &'static str,
        unpack: impl FnOnce(&mut Opened, usize) -> Result<io::Result<Unpacking>, Error>,
    ) -> Result<Self, Error> {
        if opened.source.bytes() == Some(0) {
            let (path, compression) = (opened.source.name().to_owned(), data);
            return Err(Error::Empty { path, compression });
        }
        let room = opened.options.batch_bytes.saturating_mul(ROW_BATCH);
        let rows = unpack(&mut opened, room)?
            .map_err(|error| explain(opened.source.name(), data, 0, error))?;
        opened.buffers = Arc::clone(rows.buffers());
        Ok(Self { opened, rows, data, offset: 0, line: 1 })
    }
}

impl RecordReader for Packed {
    fn next(&mut self) -> Option<Result<Content, Error>> {
        if matches!(self.opened.state, State::Ended) {
            return None;
        }
        let Chunk { bytes, ends } = match self.rows.next() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                self.opened.state = State::Ended;
                let columns = Some(Arc::clone(self.rows.columns()));
                let found = Found { columns, is_rowless: true, ..Found::default() };
                let is_rowless = self.line == 1;
                return is_rowless
                    .then(|| Ok(Content::Batch(self.opened.batch(0, Vec::new(), found))));
            }
            Err(error) => {
                self.opened.state = State::Ended;
                let name = self.opened.source.name();
                return Some(Err(explain(name, self.data, self.offset, error)));
            }
        };
        let (mut found, mut start) = (Found::default(), 0);
        for end in ends {
            let too_long = end - start > self.opened.options.max_record_bytes;
            let place = (self.line, self.offset + start as u64);
            found.record(start..end, place, too_long.then_some(Fault::TooLong));
            start = end;
            self.line += 1;
        }
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        found.columns = Some(Arc::clone(self.rows.columns()));
        Some(Ok(Content::Batch(self.opened.batch(offset, bytes, found))))
    }
}
