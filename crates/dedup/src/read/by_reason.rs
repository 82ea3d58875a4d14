//! Counts by reason, with the first example of each.

use crate::error::Error;
use nearprint_corpus::{Batch, PassedOver};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Reasons that are told apart: each record of an archive may name a type of its own.
const MOST: usize = 100;
/// Characters of a reason.
const LONGEST: usize = 80;
/// What stands for all further reasons.
const OTHER: &str = "other";
/// Records of an archive that tell of others or of their file, and never are documents themselves.
const ABOUT_OTHERS: [&str; 4] = ["filedesc", "metadata", "request", "warcinfo"];

/// What was left out, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByReason {
    /// All of it.
    pub total: u64,
    /// How many for each reason. Behind a hundred reasons all others are `other`.
    pub reasons: BTreeMap<String, u64>,
    /// The first for each reason.
    pub examples: BTreeMap<String, String>,
}

impl ByReason {
    /// Counts so many more for a reason.
    pub fn add(&mut self, reason: &str, count: u64, example: impl FnOnce() -> String) {
        let end = reason.char_indices().nth(LONGEST).map_or(reason.len(), |(at, _)| at);
        let reason = reason.get(..end).unwrap_or_default();
        self.total += count;
        let many = self.reasons.len() >= MOST && !self.reasons.contains_key(reason);
        let reason = if many { OTHER } else { reason };
        *self.reasons.entry(reason.to_owned()).or_default() += count;
        self.examples.entry(reason.to_owned()).or_insert_with(example);
    }

    /// Counts what is left out because of an error.
    pub fn add_error(&mut self, error: &Error) {
        let reason = match error {
            Error::Corpus(error) => error.reason(),
            _ => "fingerprint",
        };
        self.add(reason, 1, || error.to_string());
    }

    /// Adds what was left out behind.
    pub fn merge(&mut self, other: &Self) {
        for (reason, count) in &other.reasons {
            self.add(reason, *count, || other.examples.get(reason).cloned().unwrap_or_default());
        }
    }

    /// How many records these are and an example, behind what an error says; empty where there is none.
    #[must_use]
    pub fn behind_error(&self) -> String {
        let Some(example) = self.examples.values().next() else { return String::new() };
        let (s, were) = if self.total == 1 { ("", "was") } else { ("s", "were") };
        format!("; {} record{s} {were} skipped, such as {example}", self.total)
    }

    /// Whether there is nothing of it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The records of a batch of an archive that are no documents.
    pub(crate) fn of_archive(batch: &Batch) -> Self {
        let mut records = Self::default();
        if batch.format().is_archive() {
            for carried in batch.carried() {
                let reason = carried.obstacle().unwrap_or_else(|| OTHER.to_owned());
                records.add(&reason, 1, || carried.place());
            }
        }
        records
    }

    /// Records that could have been documents, with how many there are, for each reason: not those of an archive that
    /// only tell of others or of the file, `request`, `metadata` and `warcinfo`.
    pub fn of_content(&self) -> impl Iterator<Item = (&str, u64)> {
        let reasons = self.reasons.iter().map(|(reason, count)| (reason.as_str(), *count));
        reasons.filter(|(reason, _)| !ABOUT_OTHERS.contains(reason))
    }

    /// How many such records there are, and the first example of one.
    pub(crate) fn content(&self) -> (u64, Option<String>) {
        let first = self
            .of_content()
            .next()
            .and_then(|(reason, _)| Some(format!("{reason}, {}", self.examples.get(reason)?)));
        (self.of_content().map(|(_, count)| count).sum(), first)
    }
}

/// Files and folders that were found and not read: no text (`binary`), a link that leads nowhere (`dangling-link`),
/// no right to open it (`unreadable`), or another name of a file that is read (`again`). What the patterns of a
/// [`Discovery`](nearprint_corpus::Discovery) leave out is not counted.
impl From<&[PassedOver]> for ByReason {
    fn from(passed_over: &[PassedOver]) -> Self {
        let mut files = Self::default();
        for PassedOver { obstacle, count, first } in passed_over {
            files.add(obstacle.name(), *count, || first.clone());
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_corpus::Obstacle;

    #[test]
    fn what_several_inputs_pass_over_is_added() {
        let passed =
            |obstacle, count, first: &str| PassedOver { obstacle, count, first: first.to_owned() };
        let all = [
            passed(Obstacle::Binary, 2, "a.png"),
            passed(Obstacle::Again, 1, "b"),
            passed(Obstacle::Binary, 3, "c.pdf"),
        ];
        let files = ByReason::from(&all[..]);
        assert_eq!(files.total, 6);
        let counted = [("again".to_owned(), 1), ("binary".to_owned(), 5)];
        assert_eq!(files.reasons, BTreeMap::from(counted));
        assert_eq!(files.examples["binary"], "a.png");
    }

    #[test]
    fn any_number_of_reasons_takes_bounded_memory() {
        let mut all = ByReason::default();
        (0..1000).for_each(|at| all.add(&format!("{at}{}", "ä".repeat(500)), 2, String::new));
        all.add("0", 1, String::new);
        let mut twice = all.clone();
        twice.merge(&all);
        assert_eq!((all.total, twice.total), (2001, 4002));
        assert_eq!((twice.reasons.len(), twice.reasons[OTHER]), (MOST + 1, 2 * 1801));
        assert!(twice.reasons.keys().all(|reason| reason.chars().count() <= LONGEST));
    }
}
