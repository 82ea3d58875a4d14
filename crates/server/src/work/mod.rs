//! What endpoints share: sketches, long tasks, figures.

pub(crate) mod duplicates;
pub(crate) mod exposition;
pub(crate) mod load;
pub(crate) mod metrics;
pub(crate) mod payload;
pub(crate) mod place;
pub(crate) mod process;
pub(crate) mod sketcher;
pub(crate) mod stall;
pub(crate) mod task;
pub(crate) mod unwanted;
pub(crate) mod workers;
