//! The batch job: documents to fingerprints, near-duplicate pairs, clusters, one representative of
//! each, survivors and a report.
//!
//! The journey goes one way: [`documents`] reads the corpus once and keeps a few bytes a document,
//! [`groups`] and [`clusters`] join what is within the radius, [`keep`] chooses whom to keep, [`survivors`] reads
//! the corpus again and writes what stays. [`job::DedupJob`] runs it from end to end.

mod cluster;
mod disk;
mod entries;
mod error;
mod forecast;
mod job;
mod matching;
mod memory;
mod progress;
mod read;
mod report;
mod resume;
mod rules;

pub use cluster::clusters::Clusters;
pub use cluster::groups::Groups;
pub use disk::cross_join::CrossJoin;
pub use disk::spilled_join::SpilledJoin;
pub use entries::ids::Ids;
pub use entries::pages::Pages;
pub use entries::rows;
pub use entries::summary::Summary;
pub use error::Error;
pub use forecast::{Forecast, join_seconds};
pub use job::DedupJob;
pub use matching::seen::Seen;
pub use memory::Memory;
pub use progress::{Progress, Stage};
pub use read::documents::{Counts, Documents, LeftApart, Reading, Wanted};
pub use read::sketch::{OnError, Origin, Sketched, SketchedBatch, State, fields_for};
pub use read::stored;
pub use read::training::train;
pub use report::excerpts::Excerpt;
pub use report::index_out::IndexOut;
pub use report::overview::{LargeCluster, Member, Overview, SourceFate, View};
pub use report::reports::{Reports, write_clusters, write_pairs, write_spilled_pairs};
pub use report::survivors::Destination;
pub use resume::checkpoint::Checkpoint;
pub use rules::cluster_rule::ClusterRule;
pub use rules::keep::KeepRule;
pub use rules::pair_histograms::PairHistograms;
pub use rules::verify::Verify;
