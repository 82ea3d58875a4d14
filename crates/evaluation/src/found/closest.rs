//! The nearest pairs of many, in bounded memory.

use crate::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};

/// Two documents by their positions, the lesser first, and how near they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NearPair {
    pub(crate) level: u16,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// Takes pairs from many threads. Where there are too many, the farthest steps are given up whole.
pub(crate) struct Closest {
    most: usize,
    /// Pairs at this step and beyond are not taken.
    end: AtomicU16,
    pairs: Mutex<Vec<NearPair>>,
}

/// The pairs of all steps below `end`, by step, then by documents.
#[derive(Debug)]
pub(crate) struct Nearest {
    pub(crate) pairs: Vec<NearPair>,
    pub(crate) end: u16,
}

impl Closest {
    /// Takes pairs of the steps below `end`, at most so many.
    pub(crate) fn new(end: u16, most: usize) -> Self {
        Self { most, end: AtomicU16::new(end), pairs: Mutex::default() }
    }

    pub(crate) fn push(&self, level: u16, a: u32, b: u32) {
        if level >= self.end.load(Ordering::Relaxed) {
            return;
        }
        let Ok(mut pairs) = self.pairs.lock() else { return };
        pairs.push(NearPair { level, a: a.min(b), b: a.max(b) });
        if pairs.len() > self.most {
            let farthest = pairs.iter().map(|pair| pair.level).max().unwrap_or_default();
            pairs.retain(|pair| pair.level < farthest);
            self.end.store(farthest, Ordering::Relaxed);
        }
    }

    /// What was taken.
    ///
    /// # Errors
    /// Too many pairs of the first step.
    pub(crate) fn finish(self) -> Result<Nearest, Error> {
        let (end, most) = (self.end.into_inner(), self.most);
        if end == 0 {
            return Err(Error::TooManyEqual { most });
        }
        let mut pairs = self.pairs.into_inner().unwrap_or_default();
        // A pair may have come in while the end moved.
        pairs.retain(|pair| pair.level < end);
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        Ok(Nearest { pairs, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_steps_are_given_up_whole() {
        let closest = Closest::new(9, 4);
        for (level, a, b) in
            [(3, 1, 2), (0, 4, 3), (2, 1, 3), (3, 1, 4), (9, 1, 5), (1, 2, 4), (3, 0, 1)]
        {
            closest.push(level, a, b);
        }
        let Nearest { pairs, end } = closest.finish().unwrap();
        assert_eq!((pairs.len(), end), (3, 3));
        assert_eq!(pairs[0], NearPair { level: 0, a: 3, b: 4 });
        let crowded = Closest::new(9, 1);
        (1..4).for_each(|b| crowded.push(0, 0, b));
        assert!(matches!(crowded.finish(), Err(Error::TooManyEqual { most: 1 })));
    }
}
