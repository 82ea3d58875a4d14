//! Work on a sequence with many threads, the results in order. Knows nothing of documents.

use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Bytes of an item of the usual size, at most.
const USUAL: usize = 1 << 19;

/// Takes items from `source` on one thread, maps them on `threads` others, and gives the results
/// to `sink` on the calling thread in the order of the source.
///
/// `state` is made once a worker and handed to each of its calls. At most `3 * threads + 2` items
/// are between source and sink, whatever their speed, and of large ones as many bytes as that many of the usual
/// size have, or a single one: `weigh` tells the bytes of an item.
///
/// A panic of `work` goes on from here.
///
/// # Errors
/// The first error of `sink`; the rest of the source is then not taken.
pub(crate) fn ordered<T: Send, R: Send, S, E>(
    source: impl Iterator<Item = T> + Send,
    weigh: impl Fn(&T) -> usize + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let most = 3 * threads + 2;
    let (item_out, item_in) = bounded(most);
    let (result_out, result_in) = bounded(most);
    let room = &Room::new(most);
    let (state, work) = (&state, &work);
    // The channels and the door move in: leaving early drops them, and the threads see it and end.
    let door = Door(room);
    thread::scope(move |scope| {
        let _door = door;
        scope.spawn(move || {
            for (number, item) in source.enumerate() {
                let bytes = weigh(&item);
                if !room.enter(bytes) || item_out.send((number, bytes, item)).is_err() {
                    return;
                }
            }
        });
        for _ in 0..threads {
            let (items, results) = (item_in.clone(), result_out.clone());
            scope.spawn(move || {
                let mut state = state();
                for (number, bytes, item) in items {
                    // Without its result nothing behind it would ever come.
                    let result = catch_unwind(AssertUnwindSafe(|| work(&mut state, item)));
                    let panicked = result.is_err();
                    if results.send((number, bytes, result)).is_err() || panicked {
                        return;
                    }
                }
            });
        }
        drop((item_in, result_out));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, bytes, result) in result_in {
            let result = result.unwrap_or_else(|panic| resume_unwind(panic));
            waiting.insert(number, (bytes, result));
            while let Some((bytes, result)) = waiting.remove(&next) {
                next += 1;
                sink(result)?;
                room.leave(bytes);
            }
        }
        Ok(())
    })
}

/// Room for the items between source and sink.
struct Room {
    held: Mutex<Held>,
    freed: Condvar,
    most: Held,
}

/// What is between source and sink.
#[derive(Clone, Copy, Default)]
struct Held {
    items: usize,
    bytes: usize,
    /// Nobody takes results any more.
    closed: bool,
}

/// Closes the room when it is dropped.
struct Door<'a>(&'a Room);

impl Room {
    fn new(items: usize) -> Self {
        let most = Held { items, bytes: items * USUAL, closed: false };
        Self { held: Mutex::default(), freed: Condvar::new(), most }
    }

    /// Waits until there is room for an item of so many bytes; false where nobody wants it any more.
    fn enter(&self, bytes: usize) -> bool {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |held: &mut Held| {
            let fits = held.items < self.most.items && held.bytes + bytes <= self.most.bytes;
            !(fits || held.items == 0 || held.closed)
        };
        let held = self.freed.wait_while(held, is_full);
        let mut held = held.unwrap_or_else(PoisonError::into_inner);
        held.items += 1;
        held.bytes += bytes;
        !held.closed
    }

    fn leave(&self, bytes: usize) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.items = held.items.saturating_sub(1);
        held.bytes = held.bytes.saturating_sub(bytes);
        // The source is woken for several items at once, not for each.
        if held.items <= self.most.items / 2 && held.bytes <= self.most.bytes / 2 {
            self.freed.notify_all();
        }
    }
}

impl Drop for Door<'_> {
    fn drop(&mut self) {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let slow_first = |(): &mut (), i: usize| {
                if i.is_multiple_of(5) {
                    thread::sleep(std::time::Duration::from_micros(300));
                }
                i * 2
            };
            let outcome = ordered(
                0..500,
                |_| 0,
                threads,
                || (),
                slow_first,
                |r| {
                    seen.push(r);
                    Ok::<(), ()>(())
                },
            );
            assert_eq!(outcome, Ok(()));
            assert!(seen.iter().copied().eq((0..500).map(|i| i * 2)), "{threads} threads");
        }
    }

    #[test]
    fn an_error_of_the_sink_stops_the_source() {
        let taken = AtomicUsize::new(0);
        let source = (0..1_000_000).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        let outcome =
            ordered(source, |_| 0, 2, || (), |(), i| i, |i| if i == 100 { Err(i) } else { Ok(()) });
        assert_eq!(outcome, Err(100));
        assert!(taken.load(Ordering::Relaxed) < 200);
    }

    #[test]
    fn a_panic_of_a_worker_ends_the_sequence() {
        let work = |(): &mut (), i: usize| {
            assert_ne!(i, 100, "as a test wants");
            i
        };
        let mut seen = 0;
        let sink = |i| {
            assert_eq!(seen, i);
            seen += 1;
            Ok::<(), ()>(())
        };
        let run = || ordered(0..1_000_000, |_| 0, 3, || (), work, sink);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!(seen <= 100);
    }

    #[test]
    fn a_slow_sink_holds_the_source_back() {
        let taken = AtomicUsize::new(0);
        let source = (0..1000).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        let outcome = ordered(
            source,
            |_| 0,
            2,
            || (),
            |(), i| i,
            |i| {
                assert!(taken.load(Ordering::Relaxed) <= i + 3 * 2 + 4, "at {i}");
                Ok::<(), ()>(())
            },
        );
        assert_eq!(outcome, Ok(()));
    }

    #[test]
    fn large_items_come_one_at_a_time() {
        let (under_way, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let source = (0..40).inspect(|i| {
            // The source has the next one in hand before it waits.
            let now = under_way.fetch_add(1, Ordering::SeqCst) + 1;
            if i % 2 == 0 {
                most.fetch_max(now, Ordering::SeqCst);
            }
        });
        let weigh = |i: &usize| if i.is_multiple_of(2) { 1 << 30 } else { 1 };
        let sink = |_| {
            under_way.fetch_sub(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        assert_eq!(ordered(source, weigh, 3, || (), |(), i| i, sink), Ok(()));
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
    }
}
