//! The threads that look up and search for a group of writes, and that make tables of what is new.

use crate::error::Error;
use crate::precedence::ahead;
use crate::writing::threads::threads;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::path::Path;

/// Threads of the store's own: rayon's global ones would be lost in a process forked from one that used them.
pub(crate) struct Crew(ThreadPool);

impl Crew {
    /// As many threads as there are processors.
    pub(crate) fn new(store: &Path) -> Result<Self, Error> {
        Ok(Self(threads(store, "store-group", 0, ahead)?))
    }

    /// What `work` makes of each part of so many items. A single part stays on this thread: to wake another one would
    /// take longer than it saves.
    pub(crate) fn in_parts<T: Sync, R: Send>(
        &self,
        items: &[T],
        each: usize,
        work: impl Fn(&[T]) -> R + Sync,
    ) -> Vec<R> {
        if items.len() <= each {
            return vec![work(items)];
        }
        self.0.install(|| items.par_chunks(each).map(&work).collect())
    }

    /// What `work` makes, with these threads for its parts.
    pub(crate) fn make<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_their_order_and_a_single_one_stays_here() {
        let crew = Crew::new(Path::new("nowhere")).unwrap();
        let here = std::thread::current().id();
        let items: Vec<u32> = (0..1000).collect();
        let work = |part: &[u32]| (part.to_vec(), std::thread::current().id());
        for (count, parts) in [(0, 1), (10, 1), (100, 1), (101, 2), (1000, 10)] {
            let made = crew.in_parts(&items[..count], 100, work);
            assert_eq!(made.len(), parts);
            assert!(made.iter().all(|(_, thread)| (*thread == here) == (parts == 1)));
            let all: Vec<u32> = made.into_iter().flat_map(|(part, _)| part).collect();
            assert_eq!(all, items[..count]);
        }
    }
}
