//! Counts the duplicates that were answered since the server started: by distance, and the documents that
//! had the most.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Most documents that have a count of their own.
const COUNTED: usize = 512;

/// The counts, in bounded memory.
#[derive(Debug)]
pub(crate) struct Duplicates {
    /// When counting began, in milliseconds since 1970.
    pub(crate) since: u64,
    /// Documents that were checked.
    checked: AtomicU64,
    /// Answers by distance.
    by_distance: Vec<AtomicU64>,
    spikes: Mutex<Spikes>,
}

/// How often single documents were named. Every document with more than one in [`COUNTED`] + 1 of all names
/// is among them. No count is too low by more than `missed`.
///
/// Misra, Gries, "Threshold repeated elements", Science of Computer Programming 2, 1982.
#[derive(Debug, Default)]
struct Spikes {
    counts: HashMap<Box<str>, u64>,
    missed: u64,
}

/// The documents with the most duplicates.
pub(crate) struct Most {
    /// Their ids with their counts, the most first.
    pub(crate) documents: Vec<(Box<str>, u64)>,
    /// By how much a count may be too low.
    pub(crate) missed: u64,
}

impl Duplicates {
    /// Counts that begin now, for fingerprints of `width` bits.
    pub(crate) fn new(width: u32) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            since: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            checked: AtomicU64::new(0),
            by_distance: (0..=width).map(|_| AtomicU64::new(0)).collect(),
            spikes: Mutex::default(),
        }
    }

    /// Counts documents that were checked, whatever the answer was.
    pub(crate) fn count_checked(&self, documents: usize) {
        self.checked.fetch_add(documents as u64, Ordering::Relaxed);
    }

    /// How many documents were checked.
    pub(crate) fn checked(&self) -> u64 {
        self.checked.load(Ordering::Relaxed)
    }

    /// Counts duplicates: the ids of the nearest stored documents with the distances.
    pub(crate) fn note<'a>(&self, near: impl Iterator<Item = (&'a str, u32)>) {
        let mut near = near.peekable();
        if near.peek().is_none() {
            return;
        }
        let mut spikes = self.spikes.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, distance) in near {
            let count = self.by_distance.get(distance as usize);
            debug_assert!(count.is_some(), "{distance} is more than the width");
            if let Some(count) = count {
                count.fetch_add(1, Ordering::Relaxed);
            }
            spikes.note(id);
        }
    }

    /// The number of duplicates at each distance that occurred, the nearest first.
    pub(crate) fn by_distance(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let counts = self.by_distance.iter().map(|count| count.load(Ordering::Relaxed));
        (0..).zip(counts).filter(|(_, count)| *count > 0)
    }

    /// The documents with the most duplicates, at most `limit`.
    pub(crate) fn most(&self, limit: usize) -> Most {
        let spikes = self.spikes.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = spikes.counts.iter();
        let mut documents: Vec<_> = counts.map(|(id, count)| (id.clone(), *count)).collect();
        let missed = spikes.missed;
        drop(spikes);
        documents.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        documents.truncate(limit);
        Most { documents, missed }
    }
}

impl Spikes {
    fn note(&mut self, id: &str) {
        if let Some(count) = self.counts.get_mut(id) {
            *count += 1;
        } else if self.counts.len() < COUNTED {
            self.counts.insert(id.into(), 1);
        } else {
            self.missed += 1;
            self.counts.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_often_is_found_among_many_that_are_not() {
        let duplicates = Duplicates::new(64);
        let (mut all, mut named) = (0, 0_u64);
        for round in 0..40_000_u32 {
            let id = format!("seldom-{round}");
            duplicates.note(std::iter::once((id.as_str(), 3)));
            all += 1;
            if round % 100 == 0 {
                duplicates.note([("often", 0)].into_iter());
                (all, named) = (all + 1, named + 1);
            }
        }
        let most = duplicates.most(1);
        let (id, count) = &most.documents[0];
        assert_eq!(&**id, "often");
        assert!(*count <= named && *count + most.missed >= named, "{count} {}", most.missed);
        assert!(most.missed <= all / (COUNTED as u64 + 1));
        assert!(duplicates.most(usize::MAX).documents.len() <= COUNTED);
        assert_eq!(duplicates.by_distance().collect::<Vec<_>>(), [(0, named), (3, 40_000)]);
    }
}
