//! What the first reading counts.

use crate::error::Error;
use crate::read::by_reason::ByReason;
use crate::read::few_documents::{FewDocuments, FileTally};
use crate::read::pages::Pages;
use crate::read::sketched::{Sketched, State};
use crate::read::sketched_batch::SketchedBatch;
use nearprint_corpus::Batch;
use serde::{Deserialize, Serialize};

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
    /// These by what they are.
    #[serde(default, skip_serializing_if = "ByReason::is_empty")]
    pub other_records: ByReason,
    /// Documents that state an id which an earlier one stated.
    pub repeated_ids: u64,
    /// Whether some row may have a field by the name of a note, where that was looked for.
    #[serde(default)]
    pub noted: bool,
    /// Records left out.
    pub skipped: ByReason,
    /// Files that gave few documents or none.
    #[serde(flatten)]
    pub few_documents: FewDocuments,
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
        self.others += sketch.others.total;
        self.other_records.merge(&sketch.others);
        sketch.errors.iter().for_each(|error| self.skip(error));
    }

    /// Adds what a batch carries along to these and to the counts of its file, and its records there, of which so many
    /// were [skipped](Self::skip).
    ///
    /// # Errors
    /// Those of [`FileTally::add`].
    pub fn add_batch(
        &mut self,
        batch: &Batch,
        skipped: u64,
        tally: &mut FileTally<'_>,
    ) -> Result<(), Error> {
        let others = ByReason::of_archive(batch);
        let ((content, other), records) = (others.content(), batch.len() as u64);
        let error = || self.skipped.examples.values().next().filter(|_| skipped > 0).cloned();
        let (source, documents) = (batch.source_index(), records - skipped);
        tally.add(source, records + content, documents, || other.or_else(error))?;
        self.others += others.total;
        self.other_records.merge(&others);
        Ok(())
    }

    /// Counts a record that is left out because of an error.
    pub fn skip(&mut self, error: &Error) {
        self.skipped.add_error(error);
    }

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
        self.noted |= other.noted;
        self.other_records.merge(&other.other_records);
        self.skipped.merge(&other.skipped);
        self.few_documents.merge(other.few_documents);
    }
}
