//! What the first reading counts.

use crate::error::Error;
use crate::read::pages::Pages;
use crate::read::sketched::{Sketched, State};
use crate::read::sketched_batch::SketchedBatch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of the first reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents, empty ones included, skipped records not.
    pub documents: u64,
    /// Bytes of the records, decompressed.
    pub bytes: u64,
    /// Documents without any feature.
    pub empty: u64,
    /// Documents with fewer features than the recipe asks for.
    pub short: u64,
    /// Documents that a single feature decides, where fingerprints do.
    pub dominant: u64,
    /// Documents whose invalid UTF-8 was replaced.
    pub replaced_utf8: u64,
    /// Pages whose main text was not found.
    pub pages: Pages,
    /// WARC records that are no documents, and are written as they are.
    pub others: u64,
    /// Documents that state an id which an earlier one stated.
    pub repeated_ids: u64,
    /// Records left out.
    pub skipped: Skipped,
}

impl Counts {
    /// Adds the outcomes of a batch.
    pub fn add(&mut self, sketch: &SketchedBatch) {
        let number = |state| sketch.records.iter().filter(|r| r.state == state).count() as u64;
        self.documents += sketch.records.len() as u64 - number(State::Skipped);
        self.bytes += sketch.bytes;
        self.empty += number(State::Empty);
        self.short += sketch.records.iter().filter(|r| r.flags.short).count() as u64;
        let dominant = |r: &&Sketched| r.flags.dominant && !sketch.verified;
        self.dominant += sketch.records.iter().filter(dominant).count() as u64;
        self.replaced_utf8 += sketch.replaced_utf8;
        self.pages += sketch.pages;
        self.others += sketch.others;
        sketch.errors.iter().for_each(|error| self.skipped.add(error));
    }
}

impl Counts {
    /// Adds those of what was read behind.
    pub(crate) fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.empty += other.empty;
        self.short += other.short;
        self.dominant += other.dominant;
        self.replaced_utf8 += other.replaced_utf8;
        self.pages += other.pages;
        self.others += other.others;
        self.repeated_ids += other.repeated_ids;
        self.skipped.total += other.skipped.total;
        for (reason, count) in other.skipped.reasons {
            *self.skipped.reasons.entry(reason).or_default() += count;
        }
        for (reason, example) in other.skipped.examples {
            self.skipped.examples.entry(reason).or_insert(example);
        }
    }
}

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
    /// Counts one more.
    pub fn add(&mut self, error: &Error) {
        let reason = match error {
            Error::Corpus(error) => error.reason(),
            _ => "fingerprint",
        };
        self.total += 1;
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
        self.examples.entry(reason.to_owned()).or_insert_with(|| error.to_string());
    }
}
