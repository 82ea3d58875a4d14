//! Threads of a store. No two stores share any, and no store uses those of its process.

use crate::error::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::Path;

/// How far threads in the background stand behind: where processors are short, they get about a tenth of one.
#[cfg(target_os = "linux")]
const BEHIND: i32 = 10;

/// Where processors are short, the thread that calls this goes behind those that answer somebody, and so do the threads
/// that it starts: as those do by which a store makes segments.
///
/// # Examples
/// ```
/// let copied = std::thread::spawn(|| {
///     nearprint_store::step_back();
///     // Copy a store, while other threads answer.
/// });
/// # copied.join().unwrap();
/// ```
pub fn step_back() {
    // Linux counts the priority by thread. Where that is refused, work in the background slows answers down.
    #[cfg(target_os = "linux")]
    let _refused = rustix::process::setpriority_process(None, BEHIND);
}

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
