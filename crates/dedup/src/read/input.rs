//! What a job reads, and what its first reading tells all later ones.

use crate::numbers::{DocumentNumber, RecordNumber};
use crate::read::left_out::{LeftOut, Roles};
use crate::read::reading::Reading;
use nearprint_corpus::Source;
use serde::{Deserialize, Serialize};

/// The input of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// How it is read.
    pub(crate) reading: &'a Reading,
    /// All sources, first those of the reference.
    pub(crate) sources: &'a [Source],
    /// How many sources, the first ones, are the reference.
    pub(crate) reference: usize,
}

/// The part of a corpus that is there to be compared with only: its first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Its records.
    pub records: u64,
    /// Its documents that have features.
    pub documents: u64,
    /// A checksum of what was read up to its end.
    pub checksum: u64,
}

/// What the first reading tells all later ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstReading<'a> {
    /// Records that are no numbered documents, ascending.
    pub(crate) left_out: &'a [LeftOut],
    /// Where the reference ends.
    pub(crate) reference: Reference,
    /// A checksum of all that was read.
    pub(crate) checksum: u64,
}

impl<'a> Input<'a> {
    /// The sources that survivors come from.
    pub(crate) fn written(&self) -> &'a [Source] {
        self.sources.get(self.reference..).unwrap_or_default()
    }
}

impl<'a> FirstReading<'a> {
    /// The roles of the records behind the reference.
    pub(crate) fn roles(&self) -> Roles<'a> {
        let Reference { records, documents, .. } = self.reference;
        Roles::after(self.left_out, RecordNumber(records), DocumentNumber(documents))
    }

    /// The roles of the records from one on.
    pub(crate) fn roles_from(&self, record: RecordNumber) -> Roles<'a> {
        let before = self.left_out.partition_point(|left_out| left_out.record < record);
        Roles::after(self.left_out, record, DocumentNumber(record.0 - before as u64))
    }

    /// Documents behind the reference that have no feature.
    pub(crate) fn empty(&self) -> u64 {
        let ours = self.left_out.iter().filter(|one| one.record.0 >= self.reference.records);
        ours.filter(|one| one.empty).count() as u64
    }
}
