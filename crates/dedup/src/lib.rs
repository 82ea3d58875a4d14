//! The batch job: documents to fingerprints, near-duplicate pairs, clusters, one representative of
//! each, survivors and a report.
//!
//! The journey goes one way: a first reading keeps a few bytes a document, a search finds what is near,
//! a rule chooses whom to keep, and a second reading writes what stays. [`DedupJob`] runs it.

mod cluster;
mod disk;
mod error;
mod front;
mod job;
mod matching;
mod memory;
mod numbers;
mod progress;
mod read;
mod report;
mod resume;
mod rules;
mod threads;

pub use cluster::clusters::Clusters;
pub use cluster::groups::Groups;
pub use disk::cross_join::CrossJoin;
pub use disk::spilled_join::SpilledJoin;
pub use error::{Error, Unannotated};
pub use front::dedup::Dedup;
pub use front::dedup_files::DedupFiles;
pub use front::found::{Found, Removed};
pub use front::prepared::Prepared;
pub use job::dedup_job::DedupJob;
pub use job::forecast::{Forecast, join_seconds};
pub use matching::seen::Seen;
pub use memory::Memory;
pub use numbers::{DocumentNumber, RecordNumber};
pub use progress::{Progress, Stage};
pub use read::counts::Counts;
pub use read::documents::{Documents, LeftApart, Wanted};
pub use read::ids::Ids;
pub use read::pages::Pages;
pub use read::reading::Reading;
pub use read::sketch::{OnError, Origin, Sketched, SketchedBatch, State, fields_for};
pub use read::stored;
pub use read::training::train;
pub use report::excerpts::Excerpt;
pub use report::index_out::IndexOut;
pub use report::overview::{LargeCluster, Member, Overview, SourceFate, View};
pub use report::reports::{Reports, write_clusters, write_pairs, write_spilled_pairs};
pub use report::rows;
pub use report::summary::Summary;
pub use report::survivors::Destination;
pub use resume::checkpoint::Checkpoint;
pub use rules::cluster_rule::ClusterRule;
pub use rules::criteria::Criteria;
pub use rules::keep::KeepRule;
pub use rules::likeness::Likeness;
pub use rules::pair_histograms::PairHistograms;
pub use rules::verify::Verify;
