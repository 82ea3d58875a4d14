//! Work on a sequence with many threads, the results in order. Knows nothing of documents.

use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::thread;

/// Takes items from `source` on one thread, maps them on `threads` others, and gives the results
/// to `sink` on the calling thread in the order of the source.
///
/// `state` is made once a worker and handed to each of its calls. At most `4 * threads + 4` items
/// are between source and sink, whatever their speed.
///
/// # Errors
/// The first error of `sink`; the rest of the source is then not taken.
pub(crate) fn ordered<T: Send, R: Send, S, E>(
    source: impl Iterator<Item = T> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let room = 4 * threads + 4;
    let (ticket_out, ticket_in) = bounded(room);
    let (item_out, item_in) = bounded(room);
    let (result_out, result_in) = bounded(room);
    for _ in 0..room {
        // The channel has room for all: sending cannot fail or wait.
        let _sent = ticket_out.try_send(());
    }
    let (state, work) = (&state, &work);
    // The channels move in: leaving early drops them, and the threads see it and end.
    thread::scope(move |scope| {
        scope.spawn(move || {
            for item in source.enumerate() {
                if ticket_in.recv().is_err() || item_out.send(item).is_err() {
                    return;
                }
            }
        });
        for _ in 0..threads {
            let (items, results) = (item_in.clone(), result_out.clone());
            scope.spawn(move || {
                let mut state = state();
                for (number, item) in items {
                    if results.send((number, work(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((item_in, result_out));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, result) in result_in {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                sink(result)?;
                // The source may be at its end and gone.
                let _sent = ticket_out.try_send(());
            }
        }
        Ok(())
    })
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
            ordered(source, 2, || (), |(), i| i, |i| if i == 100 { Err(i) } else { Ok(()) });
        assert_eq!(outcome, Err(100));
        assert!(taken.load(Ordering::Relaxed) < 200);
    }

    #[test]
    fn a_slow_sink_holds_the_source_back() {
        let taken = AtomicUsize::new(0);
        let source = (0..1000).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        let outcome = ordered(
            source,
            2,
            || (),
            |(), i| i,
            |i| {
                assert!(taken.load(Ordering::Relaxed) <= i + 4 * 2 + 6, "at {i}");
                Ok::<(), ()>(())
            },
        );
        assert_eq!(outcome, Ok(()));
    }
}
