//! The columns of the files of units, by stage and in their order, and what their metadata count.

use crate::distributed::cells::{Column, Field};
use crate::distributed::columns::{
    A, ANGLE, B, BANDS, BYTES, CODE, COMPARED, CONTENT, COUNTED, DISTANCE, DOCUMENTS, FEATURES,
    FINGERPRINT, HEAD, ID, ID_HASHES, KEPT, KEPT_BYTES, LABEL, MEASURE, NAME, NEAR, NEAR_FILE,
    NEAR_ID, NEAR_RECORD, NUMBER, RECORD, REMOVED, REPRESENTATIVE, REPRESENTATIVE_FILE,
    REPRESENTATIVE_ID, REPRESENTATIVE_RECORD, SHARD, SHORT, SIMILARITY, STATE, WORTH,
};
use crate::distributed::step::Step;
use crate::read::counts::Counts;
use crate::read::fields_seen::FieldsSeen;
use crate::write::note_names::Taken;
use crate::write::urls::Urls;
use nearprint_fingerprint::{BandShape, Fingerprint128, Width};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What decides the columns of files: how wide fingerprints are, and how documents are sketched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema {
    pub(crate) width: Width,
    /// The bands that candidates are found by, if they are.
    pub(crate) shape: Option<BandShape>,
    /// Bands whose keys are in a column of a sketch.
    pub(crate) together: usize,
    /// Whether candidates are found by the codes of angles.
    pub(crate) angle: bool,
    /// The scores that the keep rule goes by, those that break ties too.
    pub(crate) scores: usize,
    /// The fields of labels that are read.
    pub(crate) labels: usize,
    /// Whether the documents are counted that a survivor stands for.
    pub(crate) counted: bool,
}

/// What is counted of an input file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FileCounts {
    /// Documents that are numbered.
    pub(crate) documents: u64,
    /// A checksum of all that was read.
    pub(crate) checksum: u64,
    pub(crate) counts: Counts,
    pub(crate) fields: FieldsSeen,
    /// Names of notes that something else has.
    #[serde(default)]
    pub(crate) taken: Taken,
}

/// What is known of the whole corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClusterCounts {
    /// Documents.
    pub(crate) documents: u64,
    /// Components of two and more.
    pub(crate) components: u64,
    /// Documents in these.
    pub(crate) joined: u64,
    /// Documents of the largest.
    pub(crate) largest: u64,
    /// Documents that state an id which an earlier one stated.
    pub(crate) repeated_ids: u64,
    /// The number of the first document of each input file.
    pub(crate) firsts: Vec<u64>,
    /// Names of notes that something else has.
    #[serde(default)]
    pub(crate) taken: Taken,
}

/// What was found in a shard, as [`Summary`](crate::write::summary::Summary) has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SolvedCounts {
    pub(crate) exact: u64,
    pub(crate) candidates: u64,
    pub(crate) crowded: u64,
    pub(crate) cut_short: u64,
    pub(crate) compared: u64,
    pub(crate) pairs: u64,
    #[serde(default)]
    pub(crate) pairs_listed: u64,
    pub(crate) clusters: u64,
    pub(crate) largest_cluster: u64,
}

impl SolvedCounts {
    /// Adds what was found in another shard.
    pub(crate) fn merge(&mut self, other: Self) {
        self.exact += other.exact;
        self.candidates += other.candidates;
        self.crowded += other.crowded;
        self.cut_short += other.cut_short;
        self.compared += other.compared;
        self.pairs += other.pairs;
        self.pairs_listed += other.pairs_listed;
        self.clusters += other.clusters;
        self.largest_cluster = self.largest_cluster.max(other.largest_cluster);
    }
}

/// What was written of an input file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrittenCounts {
    /// Documents that stay.
    pub(crate) kept: u64,
    /// Records of documents.
    #[serde(default)]
    pub(crate) rows: u64,
    /// Documents that do not.
    pub(crate) removed: u64,
    /// Records of WARC that went with the response of their capture.
    pub(crate) others_removed: u64,
    /// Rows with a field by the usual name of a note.
    #[serde(default)]
    pub(crate) renamed: u64,
    /// Rows with a note in the place of one that an earlier run wrote.
    #[serde(default)]
    pub(crate) replaced: u64,
    /// Documents that do not stay, by their URLs.
    #[serde(default)]
    pub(crate) of_urls: Urls,
    /// Bytes of the records of documents, and of those that stay.
    #[serde(default)]
    pub(crate) bytes: u64,
    #[serde(default)]
    pub(crate) kept_bytes: u64,
}

impl AddAssign for WrittenCounts {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.rows += other.rows;
        self.removed += other.removed;
        self.others_removed += other.others_removed;
        self.renamed += other.renamed;
        self.replaced += other.replaced;
        self.of_urls += other.of_urls;
        self.bytes += other.bytes;
        self.kept_bytes += other.kept_bytes;
    }
}

impl Schema {
    /// The columns of the files of a stage; none of one that jobs over passages have.
    pub(crate) fn columns(self, step: Step) -> Vec<Field> {
        let code = 8 * self.width.words();
        match step {
            Step::Sketch => {
                let mut fields = vec![
                    STATE.numbers(),
                    FINGERPRINT.fixed(code),
                    CONTENT.fixed(16),
                    WORTH.numbers(),
                    ID.text(),
                    ID_HASHES.bytes(),
                    SHORT.numbers(),
                ];
                fields.extend(self.further_worths().into_iter().map(Column::numbers));
                fields.extend(self.shape.map(|_| CODE.fixed(Fingerprint128::BYTES)));
                let compared = self.compared().into_iter();
                fields.extend(compared.map(|(column, bytes)| column.fixed(bytes)));
                fields.extend(self.labels().into_iter().map(Column::text));
                fields
            }
            Step::Join => vec![A.numbers(), B.numbers()],
            Step::Cluster => vec![NUMBER.numbers(), SHARD.numbers(), COMPARED.numbers()],
            Step::Gather => {
                let mut fields = vec![
                    SHARD.numbers(),
                    FINGERPRINT.fixed(code),
                    CONTENT.fixed(16),
                    WORTH.numbers(),
                    ID.text(),
                    NUMBER.numbers(),
                    RECORD.numbers(),
                    STATE.numbers(),
                    FEATURES.bytes(),
                ];
                let bytes = self.compared().iter().map(|(_, bytes)| bytes).sum();
                fields.extend(self.further_worths().into_iter().map(Column::numbers));
                fields.extend(self.bands_column().map(|bands| bands.fixed(bytes)));
                fields.extend(self.labels().into_iter().map(Column::text));
                fields
            }
            Step::Solve => [
                NUMBER.numbers(),
                RECORD.numbers(),
                HEAD.numbers(),
                REPRESENTATIVE.numbers(),
                REPRESENTATIVE_FILE.numbers(),
                REPRESENTATIVE_RECORD.numbers(),
                REMOVED.numbers(),
                NEAR.numbers(),
                NEAR_FILE.numbers(),
                NEAR_RECORD.numbers(),
                DISTANCE.numbers(),
                SIMILARITY.numbers(),
                MEASURE.numbers(),
                ID.text(),
                REPRESENTATIVE_ID.text(),
                NEAR_ID.text(),
            ]
            .into_iter()
            .chain(self.counted.then(|| COUNTED.text()))
            .collect(),
            Step::Write => vec![
                LABEL.text(),
                DOCUMENTS.numbers(),
                KEPT.numbers(),
                BYTES.numbers(),
                KEPT_BYTES.numbers(),
                NAME.numbers(),
            ],
            Step::Anchors
            | Step::Repeats
            | Step::Windows
            | Step::Firsts
            | Step::Runs
            | Step::Lend
            | Step::Cut
            | Step::Sample
            | Step::Look
            | Step::Sum => Vec::new(),
        }
    }

    /// The columns of worths behind the first, where these go by scores: its high half, and both halves of others.
    pub(crate) fn further_worths(self) -> Vec<Column<u64>> {
        let halves = (0..2 * self.scores).skip(1);
        halves.map(|half| Column::named(format!("worth{half:03}"))).collect()
    }

    /// The columns of labels, of each field.
    pub(crate) fn labels(self) -> Vec<Column<str>> {
        (0..self.labels).map(|at| Column::named(format!("label{at:03}"))).collect()
    }

    /// The columns of a sketch by which candidates are found, with the bytes of a document in each: groups of bands,
    /// or codes of angles; none where fingerprints find them.
    pub(crate) fn compared(self) -> Vec<(Column<[u8]>, usize)> {
        if self.angle {
            return vec![(ANGLE, 8 * self.width.words())];
        }
        (0..self.groups()).map(|group| (self.group(group), self.key_bytes(group))).collect()
    }

    /// The column of gathered documents with all by which candidates are found; `None` where fingerprints find them.
    pub(crate) fn bands_column(self) -> Option<Column<[u8]>> {
        (self.angle || self.groups() > 0).then_some(BANDS)
    }

    /// Groups of bands, each with a column of a sketch; none where bands find no candidates.
    pub(crate) fn groups(self) -> usize {
        self.bands().div_ceil(self.together.max(1))
    }

    /// The column of a group: it has the number of its first band.
    pub(crate) fn group(self, group: usize) -> Column<[u8]> {
        Column::named(format!("band{:03}", group * self.together))
    }

    /// Bytes of the keys of a document in the column of a group.
    pub(crate) fn key_bytes(self, group: usize) -> usize {
        let bands = self.bands().saturating_sub(group * self.together).min(self.together);
        bands * BandShape::KEY_BYTES
    }

    fn bands(self) -> usize {
        self.shape.map_or(0, |shape| shape.bands() as usize)
    }
}
