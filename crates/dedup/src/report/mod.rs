//! What a run leaves: survivors, reports, overview, segment.

pub(crate) mod excerpts;
pub(crate) mod index_out;
pub(crate) mod overview;
pub(crate) mod reports;
pub(crate) mod survivors;
