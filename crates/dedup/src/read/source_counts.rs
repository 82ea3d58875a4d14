//! What was read of each source: counters. What became of it is handled by [`crate::write::overview`].

use crate::read::sketched::State;
use crate::read::sketched_batch::SketchedBatch;
use nearprint_rules::Featureless;
use serde::{Deserialize, Serialize};

/// Counts of one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCounts {
    /// Records, those that were skipped too.
    pub records: u64,
    /// Documents that are numbered: those that have features, and where equal ones collapse the others.
    pub numbered: u64,
    /// Documents without any feature.
    pub empty: u64,
    /// Records left out because of errors.
    pub skipped: u64,
    /// Bytes of the records, decompressed.
    pub bytes: u64,
}

impl SourceCounts {
    /// Adds the outcomes of a batch to the counts of its source in `all`.
    pub(crate) fn add(all: &mut Vec<Self>, sketch: &SketchedBatch, featureless: Featureless) {
        // What could not be read at all has no record.
        if sketch.records.is_empty() {
            return;
        }
        if all.len() <= sketch.source {
            all.resize(sketch.source + 1, Self::default());
        }
        let Some(counts) = all.get_mut(sketch.source) else { return };
        let number = |state| sketch.records.iter().filter(|r| r.state == state).count() as u64;
        let (records, empty) = (sketch.records.len() as u64, number(State::Empty));
        let skipped = number(State::Skipped);
        counts.records += records;
        counts.numbered += match featureless {
            Featureless::Keep => records - empty - skipped,
            Featureless::Collapse => records - skipped,
        };
        counts.empty += empty;
        counts.skipped += skipped;
        counts.bytes += sketch.bytes;
    }
}
