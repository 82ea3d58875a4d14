//! What answers share: the store, the sketcher, background searches, figures.

pub(crate) mod clustering;
pub(crate) mod duplicates;
pub(crate) mod metrics;
pub(crate) mod payload;
pub(crate) mod sketcher;
