//! The batch job: documents to fingerprints, near-duplicate pairs, clusters, one representative of
//! each, survivors and a report.
//!
//! The journey goes one way: [`documents`] reads the corpus once and keeps a few bytes a document,
//! [`groups`] and [`clusters`] join what is within the radius, [`keep`] chooses whom to keep, [`survivors`] reads
//! the corpus again and writes what stays. [`job::DedupJob`] runs it from end to end.

mod alike;
mod candidates;
pub mod checkpoint;
pub mod cluster_rule;
pub mod clusters;
pub mod cross_join;
pub mod documents;
pub mod error;
mod exact;
pub mod excerpts;
mod features;
pub mod forecast;
pub mod groups;
pub mod ids;
pub mod index_out;
pub mod job;
mod job_identity;
pub mod keep;
mod matches;
pub mod memory;
pub mod neighborhood;
pub mod note;
mod order;
pub mod overview;
pub mod pages;
pub mod pair_histograms;
mod pipeline;
pub mod progress;
pub mod reports;
pub mod rows;
mod search;
pub mod seen;
pub mod sketch;
pub mod source_counts;
mod spill;
pub mod spilled_join;
pub mod spilled_pairs;
mod spilled_sort;
mod stages;
mod state;
pub mod stored;
pub mod summary;
pub mod survivors;
pub mod training;
mod verification;
pub mod verify;
