//! Threads of a store. No two stores share any, and no store uses those of its process.

use crate::error::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::Path;
use std::thread::JoinHandle;

/// `count` threads for the store in a folder, each of which does `begin` first; with 0 one for each processor.
pub(crate) fn threads(
    store: &Path,
    name: &'static str,
    count: usize,
    begin: fn(),
) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(|_| name.to_owned());
    let pool = pool.start_handler(move |_| begin());
    pool.build().map_err(|error| Error::io(store)(std::io::Error::other(error)))
}

/// Starts a thread of the store in a folder, which does `begin` and then its work.
pub(crate) fn spawn(
    store: &Path,
    name: &str,
    begin: fn(),
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    let both = move || {
        begin();
        work();
    };
    thread.spawn(both).map_err(Error::io(store))
}
