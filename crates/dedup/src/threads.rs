//! The threads of a job.

use crate::error::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// As many threads as the machine runs at a time.
pub(crate) fn all() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// So many threads for work on memory.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { message: error.to_string() })
}
