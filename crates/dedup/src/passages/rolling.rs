//! Hashes of all runs of some units of a document, and the anchors among them.
//!
//! # References
//! S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.

use nearprint_fingerprint::mix64;
use std::ops::Range;

/// Odd, so that no run of units is lost at its first one.
const BASE: u64 = 0x5851_f42d_4c95_7f2d;

/// Hashes of all runs of so many units. They need not be good: a hash that different runs share costs time alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rolling {
    pub(crate) units: usize,
    /// What a unit that leaves the run counts there.
    leaving: u64,
}

/// The sum of a run with one more unit, before it is mixed.
#[inline]
pub(crate) const fn enter(sum: u64, hash: u64) -> u64 {
    sum.wrapping_mul(BASE).wrapping_add(hash)
}

impl Rolling {
    pub(crate) fn new(units: usize) -> Self {
        let leaving = (0..units).fold(1, |power: u64, _| power.wrapping_mul(BASE));
        Self { units, leaving }
    }

    /// Puts the hash of each run, by its first unit, into `into`.
    ///
    /// # Complexity
    /// Linear in the number of hashes.
    pub(crate) fn hash(self, hashes: &[u64], into: &mut Vec<u64>) {
        into.clear();
        if hashes.len() < self.units {
            return;
        }
        into.reserve(hashes.len() + 1 - self.units);
        let (first, rest) = hashes.split_at(self.units);
        let mut sum = first.iter().fold(0, |sum, hash| enter(sum, *hash));
        into.push(mix64(sum));
        for (entering, leaving) in rest.iter().zip(hashes) {
            sum = enter(sum, *entering).wrapping_sub(self.leaving.wrapping_mul(*leaving));
            into.push(mix64(sum));
        }
    }
}

/// How anchors are chosen for windows of some length: of all runs of half as many units in a window, the one with the
/// least hash, the last of equals. So equal windows have equal anchors. Short windows are their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchors {
    pub(crate) rolling: Rolling,
    /// Runs of a window.
    runs: usize,
}

impl Anchors {
    /// Windows of fewer units are their own anchors.
    const LEAST: usize = 8;

    pub(crate) fn of(length: usize) -> Self {
        let units = if length < Self::LEAST { length } else { length.div_ceil(2) };
        Self { rolling: Rolling::new(units), runs: length + 1 - units }
    }

    /// Hands all windows, by their first units, to `emit`, those of one anchor together, with its place among the hashes
    /// of runs.
    ///
    /// # Complexity
    /// Linear for hashes in no order.
    pub(crate) fn each(self, hashes: &[u64], mut emit: impl FnMut(Range<usize>, usize)) {
        let Some(first) = hashes.get(..self.runs) else { return };
        let (mut begun, (mut least, mut hash)) = (0, last_least(first));
        for (end, entering) in hashes.iter().enumerate().skip(self.runs) {
            let start = end + 1 - self.runs;
            let next = if *entering <= hash {
                (end, *entering)
            } else if least >= start {
                continue;
            } else {
                let (at, hash) = last_least(&hashes[start..=end]);
                (start + at, hash)
            };
            emit(begun..start, least);
            (begun, (least, hash)) = (start, next);
        }
        emit(begun..hashes.len() + 1 - self.runs, least);
    }
}

/// The least of some hashes, the last of equals, behind its place.
fn last_least(hashes: &[u64]) -> (usize, u64) {
    let hashes = hashes.iter().copied().enumerate();
    hashes.fold((0, u64::MAX), |least, next| if next.1 <= least.1 { next } else { least })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hashes_and_anchors_are_those_of_the_run_alone(
            units in prop::collection::vec(0_u64..4, 0..60),
            length in 2_usize..20,
        ) {
            let anchors = Anchors::of(length);
            let mut hashes = Vec::new();
            anchors.rolling.hash(&units, &mut hashes);
            let mut windows: Vec<(usize, usize)> = Vec::new();
            anchors.each(&hashes, |of_anchor, anchor| {
                assert_ne!(windows.last().map(|(_, last)| *last), Some(anchor));
                windows.extend(of_anchor.map(|start| (start, anchor)));
            });
            prop_assert_eq!(windows.len(), (units.len() + 1).saturating_sub(length));
            for (start, anchor) in windows {
                let window = &units[start..start + length];
                let mut alone = Vec::new();
                anchors.rolling.hash(window, &mut alone);
                let mut found = None;
                anchors.each(&alone, |_, anchor| found = Some(alone[anchor]));
                prop_assert_eq!(Some(hashes[anchor]), found);
                prop_assert!(anchor >= start && anchor + anchors.rolling.units <= start + length);
            }
        }
    }
}
