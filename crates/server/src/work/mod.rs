//! What endpoints share: sketches, the search for clusters, figures.

pub(crate) mod clustering;
pub(crate) mod duplicates;
pub(crate) mod exposition;
pub(crate) mod metrics;
pub(crate) mod payload;
pub(crate) mod process;
pub(crate) mod sketcher;
pub(crate) mod stall;
