//! The columns of the files of units, by stage, and what their metadata count.

use crate::read::counts::Counts;
use crate::read::fields_seen::FieldsSeen;
use crate::shards::cells::{Column, Kind};
use crate::shards::step::Step;
use nearprint_fingerprint::BandShape;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The columns of a sketch before those of bands.
pub(crate) const SKETCH: usize = 7;

/// The column of the codes of angles.
pub(crate) const ANGLE: &str = "angle";

/// What decides the columns of files: how wide fingerprints are, and how documents are sketched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema {
    pub(crate) words: usize,
    /// The bands that candidates are found by, if they are.
    pub(crate) shape: Option<BandShape>,
    /// Bands whose keys are in a column of a sketch.
    pub(crate) together: usize,
    /// Whether candidates are found by the codes of angles.
    pub(crate) angle: bool,
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
}

/// What was found in a shard, as [`Summary`](crate::report::summary::Summary) has it.
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
    /// Documents that do not.
    pub(crate) removed: u64,
    /// Records of WARC that went with the response of their capture.
    pub(crate) others_removed: u64,
}

impl AddAssign for WrittenCounts {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.removed += other.removed;
        self.others_removed += other.others_removed;
    }
}

impl Schema {
    /// The columns of the files of a stage.
    pub(crate) fn columns(self, step: Step) -> Vec<Column> {
        use Kind::{Bytes, Fixed, Number, Text};
        let code = Fixed(8 * self.words);
        let columns: &[(&str, Kind)] = match step {
            Step::Sketch => &[
                ("state", Number),
                ("fingerprint", code),
                ("content", Fixed(16)),
                ("worth", Number),
                ("id", Text),
                ("id_hashes", Bytes),
                ("short", Number),
            ],
            Step::Join => &[("a", Number), ("b", Number)],
            Step::Cluster => &[("number", Number), ("shard", Number), ("compared", Number)],
            Step::Gather => &[
                ("shard", Number),
                ("fingerprint", code),
                ("content", Fixed(16)),
                ("worth", Number),
                ("id", Text),
                ("number", Number),
                ("record", Number),
                ("state", Number),
                ("features", Bytes),
            ],
            Step::Solve => &[
                ("number", Number),
                ("record", Number),
                ("head", Number),
                ("representative", Number),
                ("representative_file", Number),
                ("representative_record", Number),
                ("removed", Number),
                ("near", Number),
                ("near_file", Number),
                ("near_record", Number),
                ("distance", Number),
                ("similarity", Number),
                ("cosine", Number),
                ("id", Text),
                ("representative_id", Text),
                ("near_id", Text),
            ],
            Step::Write => &[("number", Number)],
        };
        let mut columns: Vec<Column> =
            columns.iter().map(|(name, kind)| Column::new(*name, *kind)).collect();
        let compared = self.compared();
        match step {
            Step::Sketch => {
                columns.extend(
                    compared.into_iter().map(|(name, bytes)| Column::new(name, Fixed(bytes))),
                );
            }
            Step::Gather if !compared.is_empty() => {
                let bytes = compared.iter().map(|(_, bytes)| bytes).sum();
                columns.push(Column::new("bands", Fixed(bytes)));
            }
            _ => {}
        }
        columns
    }

    /// The columns of a sketch by which candidates are found, with the bytes of a document in each: groups of bands,
    /// or codes of angles; none where fingerprints find them.
    pub(crate) fn compared(self) -> Vec<(String, usize)> {
        if self.angle {
            return vec![(ANGLE.to_owned(), 8 * self.words)];
        }
        (0..self.groups()).map(|group| (self.group_name(group), self.key_bytes(group))).collect()
    }

    /// Groups of bands, each with a column of a sketch; none where bands find no candidates.
    pub(crate) fn groups(self) -> usize {
        self.bands().div_ceil(self.together.max(1))
    }

    /// The name of the column of a group: the number of its first band.
    pub(crate) fn group_name(self, group: usize) -> String {
        format!("band{:03}", group * self.together)
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
