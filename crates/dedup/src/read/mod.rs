//! The first reading: documents to fingerprints, in order.

pub(crate) mod documents;
pub(crate) mod pipeline;
pub(crate) mod sketch;
pub(crate) mod source_counts;
pub mod stored;
pub(crate) mod training;
