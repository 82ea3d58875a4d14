//! The one place where this crate waits for what is asynchronous: a runtime of a single thread that
//! is started with the first object and lives as long as the process.

use std::future::Future;
use std::io;
use std::sync::OnceLock;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Runs on the side until it is waited for. Dropped, it is called off.
#[derive(Debug)]
pub(super) struct Pending<T>(JoinHandle<T>);

/// Starts `work`.
///
/// # Errors
///
/// The thread cannot be started.
pub(super) fn start<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> io::Result<Pending<T>> {
    Ok(Pending(runtime()?.spawn(work)))
}

/// Runs `work` to its end.
///
/// # Errors
///
/// The thread cannot be started.
pub(super) fn wait<T>(work: impl Future<Output = T>) -> io::Result<T> {
    Ok(runtime()?.block_on(work))
}

impl<T> Pending<T> {
    /// Waits for the end.
    ///
    /// # Errors
    ///
    /// The work panicked.
    pub(super) fn wait(mut self) -> io::Result<T> {
        wait(&mut self.0)?.map_err(io::Error::other)
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("objects")
        .enable_all()
        .build()?;
    // Where two threads come here at once, one of them made it for nothing.
    Ok(RUNTIME.get_or_init(|| made))
}
