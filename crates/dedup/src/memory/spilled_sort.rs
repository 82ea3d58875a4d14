//! Entries sorted within a memory budget: sorted runs on disk, merged.
//!
//! Knows nothing of what entries mean.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::{Appender, Entry, List, Reader, Spill};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Bytes of entries that go from a job to its sort at a time, and how many times as many may wait.
const BATCH: (usize, usize) = (32 << 10, 16);
/// Bytes of entries from which on a list has its whole room at once: what is not filled is no memory, and what is filled is
/// not copied again.
const SMALL: usize = 1 << 20;

/// How much of what may be in memory at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Bytes of entries that are sorted at once.
    pub(crate) bytes: usize,
    /// Bytes of a block in a file.
    pub(crate) block: usize,
    /// Lists that are written or read side by side, a block of each in memory.
    pub(crate) lists: usize,
}

impl Room {
    /// Bytes of a block: one sixty-fourth of the budget, within these bounds.
    const BLOCK: RangeInclusive<usize> = 1 << 10..=256 << 10;
    /// Most lists side by side.
    const MOST_LISTS: usize = 1 << 10;

    /// The room within `budget` bytes, for entries and for blocks.
    pub(crate) fn within(budget: usize) -> Self {
        let block = (budget / 64).clamp(*Self::BLOCK.start(), *Self::BLOCK.end());
        Self {
            bytes: shares::SORTED.of(budget),
            block,
            lists: (shares::SIDE_BY_SIDE.of(budget) / block).clamp(2, Self::MOST_LISTS),
        }
    }

    /// Entries of a block.
    pub(crate) fn entries<E: Entry>(&self) -> usize {
        (self.block / E::BYTES).max(1)
    }
}

/// What takes entries in order, some at a time.
pub(crate) type Sink<'a, E> = dyn FnMut(&[E]) -> Result<(), Error> + Send + 'a;
/// What emits entries to what it is given, some at a time, from any thread.
pub(crate) type Job<'a, E> = dyn FnMut(&(dyn Fn(&[E]) + Sync)) -> Result<(), Error> + 'a;

/// Hands what `job` emits, from any thread, in any order and as often as it likes, to `each`, sorted and
/// each entry once, when the job has ended. Returns what the job does, and the bytes spilled.
///
/// # Errors
/// Those of the job, of temporary files, and the first of `each`.
pub(crate) fn sorted_of<E: Entry>(
    room: Room,
    dir: &Path,
    job: &mut Job<'_, E>,
    each: &mut Sink<'_, E>,
) -> Result<u64, Error> {
    let (batch, waiting) = ((BATCH.0 / E::BYTES).max(1), BATCH.1);
    let (send, receive) = sync_channel::<Vec<E>>(waiting);
    let (mut send, mut done) = (Some(send), Ok(()));
    let sort = move || {
        let mut sorting = Sorting::new(room, dir);
        receive.iter().try_for_each(|entries| sorting.take(&entries))?;
        sorting.end(each)
    };
    let sorted = beside(Box::new(sort), &mut || {
        // Gone when this ends, in whatever way: then the sort has all.
        let Some(send) = send.take() else { return };
        let found = Mutex::new(Vec::with_capacity(batch));
        done = job(&|entries| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.extend_from_slice(entries);
            if found.len() >= batch {
                let full = std::mem::replace(&mut *found, Vec::with_capacity(batch));
                drop(found);
                // Fails only after the sort has: its error is the one to tell.
                let _sent = send.send(full);
            }
        });
        if done.is_ok() {
            let rest = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            let _sent = send.send(rest);
        }
    });
    done?;
    sorted
}

/// What `sort` returns on a thread of its own, while `job` runs here.
fn beside(
    sort: Box<dyn FnOnce() -> Result<u64, Error> + Send + '_>,
    job: &mut dyn FnMut(),
) -> Result<u64, Error> {
    thread::scope(|scope| {
        let sorting = scope.spawn(sort);
        job();
        sorting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Hands the entries to `each`, ascending, and of equal ones only one. Returns the bytes spilled.
pub(crate) fn sorted<E: Entry>(
    entries: &mut dyn Iterator<Item = Result<E, Error>>,
    room: Room,
    dir: &Path,
    each: &mut Sink<'_, E>,
) -> Result<u64, Error> {
    let mut sorting = Sorting::new(room, dir);
    for entry in entries {
        sorting.take(&[entry?])?;
    }
    sorting.end(each)
}

/// Entries that are being sorted.
struct Sorting<'a, E> {
    room: Room,
    dir: &'a Path,
    waiting: Vec<E>,
    /// Sorted runs, and their file.
    spilled: Option<(Spill, Vec<List>)>,
}

impl<'a, E: Entry> Sorting<'a, E> {
    fn new(room: Room, dir: &'a Path) -> Self {
        Self { room, dir, waiting: Vec::new(), spilled: None }
    }

    /// Takes the entries that follow.
    fn take(&mut self, mut entries: &[E]) -> Result<(), Error> {
        let most = (self.room.bytes / size_of::<E>()).max(1);
        while !entries.is_empty() {
            if self.waiting.len() == most {
                self.make_room(most)?;
            }
            let waiting = &mut self.waiting;
            let (next, rest) = entries.split_at(entries.len().min(most - waiting.len()));
            if waiting.capacity() - waiting.len() < next.len() {
                let left = most - waiting.len();
                let is_small = waiting.len() < SMALL / size_of::<E>();
                if is_small || waiting.try_reserve_exact(left).is_err() {
                    waiting.reserve_exact(next.len().max(waiting.len()).max(1024).min(left));
                }
            }
            waiting.extend_from_slice(next);
            entries = rest;
        }
        Ok(())
    }

    /// Writes what waits as a run; where most were repetitions there is room again.
    fn make_room(&mut self, most: usize) -> Result<(), Error> {
        distinct(&mut self.waiting);
        if 2 * self.waiting.len() > most { self.spill() } else { Ok(()) }
    }

    /// Writes what waits, sorted and without repetitions, as a run.
    fn spill(&mut self) -> Result<(), Error> {
        let Self { room, dir, waiting, spilled } = self;
        let new = || (Spill::new(dir, room.block), Vec::new());
        let (spill, runs) = spilled.get_or_insert_with(new);
        let mut list = List::default();
        let blocks = &mut waiting.chunks(room.entries::<E>());
        blocks.try_for_each(|block| spill.append(&mut list, block))?;
        runs.push(list);
        waiting.clear();
        Ok(())
    }

    /// Hands all entries to `each`. Returns the bytes spilled.
    fn end(mut self, each: &mut Sink<'_, E>) -> Result<u64, Error> {
        distinct(&mut self.waiting);
        if self.spilled.is_some() {
            self.spill()?;
        }
        let Self { room, dir, waiting, spilled } = self;
        let block = room.entries::<E>();
        let Some((mut spill, mut runs)) = spilled else {
            each(&waiting)?;
            return Ok(0);
        };
        drop(waiting);
        let mut bytes = spill.len();
        while runs.len() > room.lists {
            let mut fewer = Spill::new(dir, room.block);
            let mut merged = Vec::new();
            for some in runs.chunks(room.lists) {
                let mut run = Appender::<E>::default();
                merge(&spill, some, block, &mut |entries| {
                    entries.iter().try_for_each(|entry| run.push(*entry, block, &mut fewer))
                })?;
                merged.push(run.finish(&mut fewer)?);
            }
            bytes += fewer.len();
            (spill, runs) = (fewer, merged);
        }
        merge(&spill, &runs, block, each)?;
        Ok(bytes)
    }
}

/// Sorts entries, and drops all but one of equal ones.
fn distinct<E: Entry>(waiting: &mut Vec<E>) {
    waiting.par_sort_unstable();
    waiting.dedup();
}

/// Hands the entries of sorted runs to `each` in order, `together` of them at a time.
fn merge<E: Entry>(
    spill: &Spill,
    runs: &[List],
    together: usize,
    each: &mut Sink<'_, E>,
) -> Result<(), Error> {
    let mut readers: Vec<_> = runs.iter().map(|run| Reader::<E>::new(spill, run)).collect();
    let mut heads = BinaryHeap::with_capacity(readers.len());
    for (run, reader) in readers.iter_mut().enumerate() {
        heads.extend(reader.next()?.map(|entry| Reverse((entry, run))));
    }
    let (mut merged, mut last) = (Vec::with_capacity(together), None);
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((entry, run)) = *head;
        match readers.get_mut(run).map_or(Ok(None), Reader::next)? {
            Some(next) => head.0.0 = next,
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
        if last.replace(entry) != Some(entry) {
            merged.push(entry);
            if merged.len() == together {
                each(&merged)?;
                merged.clear();
            }
        }
    }
    each(&merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Fingerprint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_room_sorts_alike(
            values in prop::collection::vec((0_u64..50, 0_u64..30), 0..400),
            bytes in 16_usize..9000,
            lists in 2_usize..5,
        ) {
            let entries = || values.iter().map(|(value, i)| (Fingerprint::from(*value), !i));
            let mut expected: Vec<_> = entries().collect();
            expected.sort_unstable();
            expected.dedup();
            let dir = tempfile::tempdir().unwrap();
            let mut found = Vec::new();
            let room = Room { bytes, block: 64, lists };
            let spilled = sorted(&mut entries().map(Ok), room, dir.path(), &mut |entries| {
                found.extend_from_slice(entries);
                Ok(())
            }).unwrap();
            prop_assert_eq!(&found, &expected);
            prop_assert!(spilled == 0 || values.len() > bytes / 16);
            prop_assert!(spilled > 0 || found.len() <= bytes / 16);
        }
    }
}
