//! Rows of columns that a thread of its own unpacks: packed, in chunks. The form of a packed row is
//! `packed_row`'s; a format decides what is unpacked.

use crate::buffers::Buffers;
use crate::columns::packed_row::Columns;
use std::io;
use std::mem;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Chunks that wait: enough of the usual size for a page of 1024 texts, whose rows come all at once.
const AHEAD: usize = 16;

/// The rows of a file, from the first on.
///
/// The thread ends with the rows, or when they are dropped.
///
/// Memory: some chunks of rows, and what the thread holds.
pub(crate) struct Unpacking {
    columns: Arc<Columns>,
    buffers: Arc<Buffers>,
    chunks: Receiver<io::Result<Option<Chunk>>>,
    /// None once it was joined.
    thread: Option<JoinHandle<()>>,
}

/// Rows that follow each other, packed.
pub(crate) struct Chunk {
    pub(crate) bytes: Vec<u8>,
    /// Where each of the rows ends in them.
    pub(crate) ends: Vec<usize>,
}

/// Where the thread puts rows.
pub(crate) struct Packing {
    chunks: SyncSender<io::Result<Option<Chunk>>>,
    buffers: Arc<Buffers>,
    /// Bytes of a buffer.
    room: usize,
    chunk: Chunk,
}

impl Unpacking {
    /// Starts the thread, which `name` tells in messages of the system. Chunks are of `room` bytes, but of
    /// one row where that is longer.
    pub(crate) fn start(
        name: &str,
        columns: Columns,
        room: usize,
        unpack: impl FnOnce(&mut Packing) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (send, chunks) = sync_channel(AHEAD);
        let buffers = Arc::new(Buffers::new(room));
        let chunk = Chunk { bytes: buffers.take(room), ends: Vec::new() };
        let mut packing = Packing { chunks: send, buffers: Arc::clone(&buffers), room, chunk };
        let run = move || {
            let unpacked = unpack(&mut packing);
            let chunk = packing.chunk;
            let rest = (!chunk.ends.is_empty()).then_some(Ok(Some(chunk)));
            for last in rest.into_iter().chain([unpacked.map(|()| None)]) {
                // The reader may have stopped.
                let _ = packing.chunks.send(last);
            }
        };
        let thread = Some(thread::Builder::new().name(name.to_owned()).spawn(run)?);
        Ok(Self { columns: Arc::new(columns), buffers, chunks, thread })
    }

    pub(crate) fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    /// Where the memory of chunks goes.
    pub(crate) fn buffers(&self) -> &Arc<Buffers> {
        &self.buffers
    }

    /// The next rows; none behind the last, where the caller stops asking.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let Ok(chunk) = self.chunks.recv() else {
            // Only a panic leaves out the last word, and is no end of the rows.
            if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                resume_unwind(panic);
            }
            return Err(io::Error::new(io::ErrorKind::InvalidData, "unpacking broke off"));
        };
        chunk
    }
}

impl Packing {
    /// The bytes that the cells of the next row are appended to.
    pub(crate) fn row(&mut self) -> &mut Vec<u8> {
        &mut self.chunk.bytes
    }

    /// Ends the row; returns whether further ones are wanted.
    pub(crate) fn end_row(&mut self) -> bool {
        self.chunk.ends.push(self.chunk.bytes.len());
        // Of the usual rows another still has room, so that the buffer does not grow.
        if self.chunk.bytes.len() < self.room - self.room / 4 {
            return true;
        }
        let next = Chunk { bytes: self.buffers.take(self.room), ends: Vec::new() };
        let full = mem::replace(&mut self.chunk, next);
        self.chunks.send(Ok(Some(full))).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_of_the_thread_is_no_end_of_the_rows() {
        let columns = Columns(vec!["text".to_owned()]);
        let mut rows = Unpacking::start("test", columns, 64, |packing| {
            packing.row().extend_from_slice(&[0; 64]);
            packing.end_row();
            panic!("as a test wants");
        })
        .unwrap();
        assert!(rows.next().unwrap().is_some());
        assert!(catch_unwind(AssertUnwindSafe(|| rows.next().is_ok())).is_err());
    }
}
