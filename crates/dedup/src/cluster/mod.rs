//! From pairs to clusters.

pub(crate) mod clusters;
pub(crate) mod fates;
pub(crate) mod groups;
pub(crate) mod neighborhood;
pub(crate) mod packing;
pub(crate) mod spilled_pairs;
