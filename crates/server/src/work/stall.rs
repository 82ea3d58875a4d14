//! Notices a client that does not read its answer.

use futures_util::Stream;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A stream that tells when nobody takes what it has.
pub(crate) struct Watched<S> {
    stream: Pin<Box<S>>,
    handed: Arc<Handed>,
}

/// When the last item was handed over, while nobody has asked for the next one.
#[derive(Default)]
struct Handed(Mutex<Option<Instant>>);

impl Handed {
    fn set(&self, when: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = when;
    }

    fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Stream> Watched<S> {
    /// Calls `stalled` each time that the reader has taken nothing for `patience`, or up to half of that later.
    pub(crate) fn new(stream: S, patience: Duration, stalled: impl Fn() + Send + 'static) -> Self {
        let handed = Arc::new(Handed::default());
        let watched = Arc::downgrade(&handed);
        tokio::spawn(async move {
            let mut told = None;
            loop {
                sleep(patience / 2).await;
                let Some(handed) = watched.upgrade() else { return };
                let since = handed.get().filter(|since| since.elapsed() >= patience);
                if since.is_some() && since != told {
                    told = since;
                    stalled();
                }
            }
        });
        Self { stream: Box::pin(stream), handed }
    }
}

impl<S: Stream> Stream for Watched<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let next = self.stream.as_mut().poll_next(context);
        self.handed.set(matches!(next, Poll::Ready(Some(_))).then(Instant::now));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{StreamExt, stream};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn only_a_reader_that_takes_nothing_is_told_of() {
        let told = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&told);
        let stalled = move || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let patience = Duration::from_millis(300);
        // The last item is long in coming: that is not the reader's fault.
        let slow = stream::iter(0..3).then(|at| async move {
            if at == 2 {
                sleep(2 * patience).await;
            }
            at
        });
        let mut items = Watched::new(slow, patience, stalled);
        let told = || told.load(Ordering::Relaxed);
        assert_eq!(items.next().await, Some(0));
        assert_eq!((items.next().await, told()), (Some(1), 0));
        assert_eq!((items.next().await, told()), (Some(2), 0));
        sleep(4 * patience).await;
        assert_eq!(told(), 1, "once for each time");
        assert_eq!((items.next().await, told()), (None, 1));
        sleep(2 * patience).await;
        assert_eq!(told(), 1, "what has ended does not stall");
    }
}
