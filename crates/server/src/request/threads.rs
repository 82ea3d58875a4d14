//! Threads for long work, apart from those that answer requests.

use crate::request::problem::{Kind, Problem};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A number of threads that work apart from those that answer requests.
#[derive(Clone)]
pub(crate) struct Threads {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Places of the queue.
    length: usize,
}

impl Threads {
    /// Threads for at most `count` pieces of work at a time, and a queue of so many requests, those under way
    /// included.
    pub(crate) fn new(count: usize, queue: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(count)),
            queue: Arc::new(Semaphore::new(queue)),
            length: queue,
        }
    }

    /// Requests in the queue, those under way included.
    pub(crate) fn requests(&self) -> usize {
        self.length.saturating_sub(self.queue.available_permits())
    }

    /// Does a request's work on a thread apart. Refuses it if too many requests wait already.
    pub(crate) async fn for_request<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = |_| Problem::new(Kind::Busy, "too many requests wait for a thread");
        let _place = self.queue.try_acquire().map_err(busy)?;
        self.run(work).await
    }

    /// Does work on a thread apart, after the work that waits already. For callers whose number is limited
    /// elsewhere.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let places = Arc::clone(&self.places);
        let place = places.acquire_owned().await.map_err(|_| Problem::lost())?;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|_| Problem::lost())
    }
}
