//! The first reading: documents to fingerprints, in order.

pub(crate) mod by_reason;
pub(crate) mod counts;
pub(crate) mod documents;
pub(crate) mod extra;
pub(crate) mod few_documents;
pub(crate) mod fields_seen;
pub(crate) mod ids;
mod ids_file;
pub(crate) mod input;
pub(crate) mod labels;
pub(crate) mod left_out;
pub(crate) mod names;
pub(crate) mod pages;
pub(crate) mod pipeline;
pub(crate) mod rarity;
pub(crate) mod reading;
pub(crate) mod repeated_ids;
pub(crate) mod search_input;
pub(crate) mod seen_record;
pub(crate) mod segment_row;
pub(crate) mod sketch;
pub(crate) mod sketched;
pub(crate) mod sketched_batch;
pub(crate) mod source_counts;
pub mod stored;
pub(crate) mod training;
pub(crate) mod weight;
