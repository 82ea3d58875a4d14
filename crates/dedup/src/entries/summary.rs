//! What a job reports of itself, as numbers. Printing them for people is the affair of the command
//! line.

use crate::entries::pages::Pages;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Records that were left out, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// All of them.
    pub total: u64,
    /// How many for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// The first message for each reason.
    pub examples: BTreeMap<String, String>,
}

impl Skipped {
    pub(crate) fn add(&mut self, error: &Error) {
        let reason = match error {
            Error::Corpus(error) => error.reason(),
            _ => "fingerprint",
        };
        self.total += 1;
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
        self.examples.entry(reason.to_owned()).or_insert_with(|| error.to_string());
    }
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading and fingerprinting.
    pub fingerprint: f64,
    /// Joining and clustering.
    pub join: f64,
    /// Reading again and writing.
    pub write: f64,
    /// From start to end.
    pub total: f64,
}

/// The figures of a finished `dedup` job.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Documents read, empty ones and the reference included.
    pub documents: u64,
    /// Documents of the reference, those without any feature not included.
    pub reference: u64,
    /// Bytes read, decompressed.
    pub bytes: u64,
    /// Documents written.
    pub kept: u64,
    /// Documents left out as somebody's near-duplicate.
    pub removed: u64,
    /// Documents without any feature: kept, nobody's duplicate; those of the reference not included.
    pub empty: u64,
    /// Documents with fewer features than the recipe asks for, or fewer tokens than a shingle.
    pub short: u64,
    /// Documents in which one feature has more than half of all weight.
    pub dominant: u64,
    /// What may be a duplicate of those that are short or dominated: the recipe's setting.
    pub degenerate: String,
    /// Documents whose invalid UTF-8 was replaced for fingerprinting.
    pub replaced_utf8: u64,
    /// HTML pages taken with all their text in place of the main text.
    pub pages: Pages,
    /// WARC records that are no documents, and were written as they are.
    pub others: u64,
    /// Documents with an id that an earlier one has: told apart by position.
    pub repeated_ids: u64,
    /// Records left out because of errors.
    pub skipped: Skipped,
    /// Documents left out as near one of a segment.
    pub seen: u64,
    /// The radius to documents of segments.
    pub seen_k: u32,
    /// Documents whose content one before them has, once normalised; those of the reference not
    /// included.
    pub exact: u64,
    /// Pairs within the radius, of documents that stand for those of equal content and fingerprint.
    pub candidates: u64,
    /// Pairs that were compared feature by feature: those of documents that have their place are not.
    pub compared: u64,
    /// Near-duplicate pairs, where they were asked for.
    pub pairs: Option<u64>,
    /// Groups of two or more documents.
    pub clusters: u64,
    /// Documents of the largest group.
    pub largest_cluster: u64,
    /// Seconds by stage.
    pub seconds: Seconds,
    /// Greatest resident memory of the process so far, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// Name of the recipe.
    pub recipe: String,
    /// Id of the recipe.
    pub recipe_id: String,
    /// Bits of a fingerprint.
    pub width: u32,
    /// The radius.
    pub k: u32,
    /// The check that pairs within the radius had to pass.
    pub verify: String,
    /// What made clusters of pairs.
    pub cluster_rule: String,
    /// Which document of a cluster stays.
    pub keep: String,
    /// Worker threads.
    pub threads: usize,
}

impl Summary {
    /// The figures as a JSON object on lines of its own.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A map of strings and numbers always has a JSON form.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }
}
