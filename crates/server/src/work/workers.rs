//! The threads that answer requests, each on a processor of its own.
//!
//! Linux wakes a thread on an idle processor if there is one, otherwise on its previous one or its waker's. Background work
//! of low priority makes a processor look busy, so threads that answer would crowd onto the others. Pinned workers keep
//! their part of each processor.

use nearprint_store::ahead;
use std::io;
use std::sync::mpsc::channel;
use tokio::runtime::{Builder, Runtime};

/// A runtime of so many workers, which come before work in the background. If there are as many of them as processors,
/// each stays on one.
pub(crate) fn runtime(workers: usize) -> io::Result<Runtime> {
    let processors = Processors::of(workers);
    let (start, started) = channel();
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(workers).thread_name("serve").enable_all();
    builder.on_thread_start(move || {
        ahead();
        processors.take();
        // Only the first are waited for.
        let _later = start.send(());
    });
    let runtime = builder.build()?;
    // Threads that start later are no workers.
    started.iter().take(workers).for_each(drop);
    Ok(runtime)
}

#[cfg(target_os = "linux")]
use linux::Processors;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Processors, to be taken by threads.
    pub(super) struct Processors {
        all: CpuSet,
        /// One for each worker; none where there are more or fewer, or the system does not tell.
        each: Vec<usize>,
        taken: AtomicUsize,
    }

    impl Processors {
        pub(super) fn of(workers: usize) -> Self {
            let all = sched_getaffinity(None).unwrap_or_default();
            let each: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|at| all.is_set(*at)).collect();
            let each = if each.len() == workers { each } else { Vec::new() };
            Self { all, each, taken: AtomicUsize::new(0) }
        }

        /// The thread that calls this stays on the next processor. Once each is taken, it may be on any, whatever the
        /// thread may that started it.
        pub(super) fn take(&self) {
            if self.each.is_empty() {
                return;
            }
            let mut mine = self.all;
            if let Some(at) = self.each.get(self.taken.fetch_add(1, Ordering::Relaxed)) {
                mine.clear();
                mine.set(*at);
            }
            // Where that is refused, the system chooses.
            let _refused = sched_setaffinity(None, &mine);
        }
    }
}

#[cfg(not(target_os = "linux"))]
struct Processors;

#[cfg(not(target_os = "linux"))]
impl Processors {
    fn of(_workers: usize) -> Self {
        Self
    }

    fn take(&self) {}
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity};
    use std::sync::{Arc, Barrier};

    fn processors() -> CpuSet {
        sched_getaffinity(None).unwrap()
    }

    /// Where each of so many workers may be, and a thread that one of them starts.
    fn places(workers: usize) -> (Vec<CpuSet>, CpuSet) {
        let runtime = runtime(workers).unwrap();
        let all = Arc::new(Barrier::new(workers));
        let tasks: Vec<_> = (0..workers)
            .map(|_| {
                let all = Arc::clone(&all);
                // Holds its worker until each has one.
                runtime.spawn(async move {
                    all.wait();
                    processors()
                })
            })
            .collect();
        let places = tasks.into_iter().map(|task| runtime.block_on(task).unwrap()).collect();
        let started = runtime.spawn(async { tokio::task::spawn_blocking(processors).await });
        (places, runtime.block_on(started).unwrap().unwrap())
    }

    #[test]
    fn each_worker_has_a_processor_where_there_are_as_many_and_other_threads_have_all() {
        let all = processors();
        let count = all.count() as usize;
        let (places, other) = places(count);
        assert_eq!(other, all);
        let mut together = CpuSet::new();
        for place in &places {
            assert_eq!(place.count(), 1);
            (0..CpuSet::MAX_CPU).filter(|at| place.is_set(*at)).for_each(|at| together.set(at));
        }
        assert_eq!(together, all);
        assert_eq!(processors(), all);
    }

    #[test]
    fn more_workers_than_processors_may_be_on_any() {
        let all = processors();
        let (places, other) = places(all.count() as usize + 1);
        assert!(places.into_iter().chain([other]).all(|place| place == all));
    }
}
