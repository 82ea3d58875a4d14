//! What a page shows of a job over eval sets, beside its figures: items and the places where they stand.

use crate::contamination::rule::Verdict;
use std::cmp::Ordering;

/// Places that are shown of those that go, and of those that are only told.
const SHOWN: usize = 60;
const TOLD: usize = 20;

/// What a page shows of a job over eval sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContaminationOverview {
    /// Places that go, the most doubtful first.
    pub removed: Vec<ShownFinding>,
    /// Places that are told and stay, those with the greatest share first.
    pub told: Vec<ShownFinding>,
}

/// An item and the place where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownFinding {
    /// The id of the document.
    pub id: String,
    /// What the eval set calls the item, and the set.
    pub item: String,
    /// See above.
    pub eval: String,
    /// What is said of it.
    pub verdict: Verdict,
    /// The share of the item that stands there, and the bits of evidence.
    pub share: f32,
    /// See above.
    pub bits: f32,
    /// Choices and answers that stand there, and those that there are.
    pub answers: u32,
    /// See above.
    pub of_answers: u32,
    /// The item.
    pub question: String,
    /// The place.
    pub text: String,
}

/// Findings of which those are kept that are shown.
pub(crate) struct Showing<T> {
    most: usize,
    kept: Vec<(f32, T)>,
}

impl<T> Showing<T> {
    /// Of what goes.
    pub(crate) fn removed() -> Self {
        Self { most: SHOWN, kept: Vec::new() }
    }

    /// Of what is told.
    pub(crate) fn told() -> Self {
        Self { most: TOLD, kept: Vec::new() }
    }

    /// Adds one of this rank: the least are shown, of equal ones the earlier.
    pub(crate) fn add(&mut self, rank: f32, shown: T) {
        let at =
            self.kept.partition_point(|(other, _)| other.total_cmp(&rank) != Ordering::Greater);
        if at < self.most {
            self.kept.insert(at, (rank, shown));
            self.kept.truncate(self.most);
        }
    }

    pub(crate) fn finish(self) -> impl Iterator<Item = T> {
        self.kept.into_iter().map(|(_, shown)| shown)
    }
}
