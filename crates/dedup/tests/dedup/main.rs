//! The search for duplicates from outside, beside comparing all documents with each other.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

mod across;
mod contamination;
mod crowded;
mod decide;
mod exact;
mod fingerprints;
mod kernels;
mod label_shards;
mod labels;
mod memory;
mod pairs;
mod passages;
mod passages_shards;
mod reference;
mod segments;
mod short;
mod split;
mod ties;
