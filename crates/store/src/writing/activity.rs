//! Counts what a store did since it was opened: commits and their times, segments.

use crate::invariant::invariant;
use crate::repair::Repair;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the classes of [`CommitTimes`], in microseconds; a last class has none.
const BOUNDS: [u64; 12] =
    [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 125_000, 250_000, 1_000_000];

/// Most damaged segments that are remembered.
const DAMAGE: usize = 100;

/// The counters. Only the writer counts commits and segments; any thread reads.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    classes: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
    flushes: AtomicU64,
    merges: AtomicU64,
    /// Searches that met a crowded key.
    crowded: AtomicU64,
    damaged: AtomicU64,
    /// The latest damage that was found.
    damage: Mutex<Vec<Repair>>,
}

/// How long commits took since the store was opened. [`Stats`](crate::Stats) has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitTimes {
    /// Classes of commits by their time, the shortest first: the upper bound (`None` for the last class)
    /// and the number of commits.
    pub classes: Vec<(Option<Duration>, u64)>,
    /// The sum of all times.
    pub total: Duration,
}

impl Activity {
    /// Counts a commit.
    pub(crate) fn committed(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let class = BOUNDS.partition_point(|bound| *bound < microseconds);
        if let Some(class) = invariant(self.classes.get(class), class) {
            class.fetch_add(1, Ordering::Relaxed);
        }
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Counts a segment: made of other segments, or of a memtable.
    pub(crate) fn made(&self, of_segments: bool) {
        let counter = if of_segments { &self.merges } else { &self.flushes };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a search that met a crowded key, if it did.
    pub(crate) fn crowded(&self, met: bool) {
        self.crowded.fetch_add(met.into(), Ordering::Relaxed);
    }

    /// Notes that a segment is damaged.
    pub(crate) fn note_damage(&self, damage: Repair) {
        self.damaged.fetch_add(1, Ordering::Relaxed);
        let mut all = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == DAMAGE {
            all.remove(0);
        }
        all.push(damage);
    }

    pub(crate) fn damage(&self) -> Vec<Repair> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn damaged(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }

    pub(crate) fn crowded_searches(&self) -> u64 {
        self.crowded.load(Ordering::Relaxed)
    }

    pub(crate) fn commit_times(&self) -> CommitTimes {
        let bounds = BOUNDS.iter().map(|bound| Some(Duration::from_micros(*bound)));
        let counts = self.classes.iter().map(|class| class.load(Ordering::Relaxed));
        CommitTimes {
            classes: bounds.chain([None]).zip(counts).collect(),
            total: Duration::from_micros(self.microseconds.load(Ordering::Relaxed)),
        }
    }

    pub(crate) fn flushes(&self) -> u64 {
        self.flushes.load(Ordering::Relaxed)
    }

    pub(crate) fn merges(&self) -> u64 {
        self.merges.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_on_a_bound_is_within_it() {
        let activity = Activity::default();
        for microseconds in [0, 250, 251, 1_000_000, 1_000_001] {
            activity.committed(Duration::from_micros(microseconds));
        }
        let CommitTimes { classes, total } = activity.commit_times();
        let counts: Vec<_> = classes.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(classes[0].0, Some(Duration::from_micros(250)));
        assert_eq!(total, Duration::from_micros(2_000_502));
    }
}
