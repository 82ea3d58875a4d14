//! Right and wrong pairs by the groups of their documents, which is all that resampling asks for.

use crate::labels::gold::Gold;
use crate::labels::label::Label;
use foldhash::{HashMap, HashSet};

/// Right and wrong pairs. Each is counted by groups: a right pair is within one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    right: HashMap<u32, u64>,
    wrong: HashMap<(u32, u32), u64>,
}

/// The same as lists, for weighing many times.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    right: Vec<(u32, f64)>,
    wrong: Vec<((u32, u32), f64)>,
}

impl Tally {
    /// Counts a pair that was found.
    pub(crate) fn add(&mut self, a: u32, b: u32, gold: &Gold) {
        let (x, y) = (gold.group(a), gold.group(b));
        match gold.label(a, b) {
            Label::Same => *self.right.entry(x).or_default() += 1,
            Label::Different => *self.wrong.entry((x.min(y), x.max(y))).or_default() += 1,
            Label::Grey => {}
        }
    }

    pub(crate) fn right(&self) -> u64 {
        self.right.values().sum()
    }

    pub(crate) fn wrong(&self) -> u64 {
        self.wrong.values().sum()
    }

    /// The groups that have a document in a pair.
    pub(crate) fn groups(&self) -> impl Iterator<Item = u32> + '_ {
        self.right.keys().copied().chain(self.wrong.keys().flat_map(|(x, y)| [*x, *y]))
    }

    /// In the order of the groups, so that sums are the same in every run.
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 pairs")]
    pub(crate) fn listed(&self) -> Listed {
        let mut right: Vec<_> = self.right.iter().map(|(x, n)| (*x, *n as f64)).collect();
        let mut wrong: Vec<_> = self.wrong.iter().map(|(x, n)| (*x, *n as f64)).collect();
        right.sort_unstable_by_key(|one| one.0);
        wrong.sort_unstable_by_key(|one| one.0);
        Listed { right, wrong }
    }
}

impl Listed {
    /// Right and wrong pairs where groups count so often.
    pub(crate) fn weighed(&self, weights: &[f64]) -> (f64, f64) {
        let right = self.right.iter().map(|(x, n)| n * weight(weights, *x));
        let wrong = self.wrong.iter().map(|((x, y), n)| match x == y {
            true => n * weight(weights, *x),
            false => n * weight(weights, *x) * weight(weights, *y),
        });
        (right.sum(), wrong.sum())
    }
}

/// How often a group counts.
pub(crate) fn weight(weights: &[f64], group: u32) -> f64 {
    weights.get(group as usize).copied().unwrap_or_default()
}

/// How many different groups there are.
pub(crate) fn distinct(groups: impl Iterator<Item = u32>) -> u64 {
    groups.collect::<HashSet<_>>().len() as u64
}
