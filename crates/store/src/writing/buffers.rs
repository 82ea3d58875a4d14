//! The buffers of the database (its memtables), freed where nobody waits for it.
//!
//! The database lets go of a buffer that it has written to a table while it holds a lock that every read and write
//! needs. To free its rows, a hundred thousand and more, takes some 60 ms. So the writer keeps each buffer until the
//! database has let go of it, and another thread frees it.

use crate::disk::truth::Truth;
use crossbeam_channel::Sender;
use std::any::Any;
use std::sync::Arc;

/// A buffer; the database decides what is in it.
pub(crate) type Buffer = Arc<dyn Any + Send + Sync>;

/// The buffers that the database may still use.
#[derive(Debug)]
pub(crate) struct Buffers {
    held: Vec<Buffer>,
    /// To the thread that frees them.
    free: Sender<Buffer>,
}

impl Buffers {
    pub(crate) fn new(free: Sender<Buffer>) -> Self {
        Self { held: Vec::new(), free }
    }

    /// Keeps those that take writes now, and gives away those that nobody else holds.
    pub(crate) fn keep(&mut self, truth: &Truth) {
        for buffer in truth.buffers() {
            if !self.held.iter().any(|held| Arc::ptr_eq(held, &buffer)) {
                self.held.push(buffer);
            }
        }
        for buffer in self.held.extract_if(.., |held| Arc::strong_count(held) == 1) {
            // Without that thread it is freed here.
            let _freed = self.free.send(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crossbeam_channel::unbounded;
    use nearprint_fingerprint::Width;
    use std::thread;
    use std::time::{Duration, Instant};

    /// The settings of a database whose buffers are soon full.
    fn small() -> Options {
        Options { memory: 64 << 20, ..Options::default() }
    }

    #[test]
    fn a_buffer_is_given_away_once_it_is_written_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let truth = Truth::open(folder.path(), Width::W64, &small()).unwrap();
        let (free, unused) = unbounded();
        let mut buffers = Buffers::new(free);
        buffers.keep(&truth);
        let first: Vec<*const ()> =
            buffers.held.iter().map(|held| Arc::as_ptr(held).cast()).collect();
        buffers.keep(&truth);
        assert_eq!((buffers.held.len(), unused.len()), (first.len(), 0));
        let begun = Instant::now();
        let mut rows = 0_u64;
        while unused.is_empty() && begun.elapsed() < Duration::from_secs(60) {
            let mut changes = truth.loose_changes();
            for _ in 0..1000 {
                rows += 1;
                changes.bury(rows);
            }
            changes.commit().unwrap();
            buffers.keep(&truth);
            // Its writing needs a processor too.
            thread::sleep(Duration::from_millis(1));
        }
        let given = unused.try_recv().unwrap();
        assert!(first.contains(&Arc::as_ptr(&given).cast()));
        assert_eq!(Arc::strong_count(&given), 1);
        let now: Vec<_> = truth.buffers().collect();
        assert!(now.iter().all(|buffer| !Arc::ptr_eq(buffer, &given)));
        assert!(now.iter().all(|buffer| buffers.held.iter().any(|held| Arc::ptr_eq(held, buffer))));
    }
}
