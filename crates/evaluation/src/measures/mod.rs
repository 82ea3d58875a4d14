//! How much of what was found is right, and how much of what is right was found: for pairs and for clusters.

pub(crate) mod cluster_score;
pub(crate) mod contingency;
pub(crate) mod pair_score;
pub(crate) mod score;
pub(crate) mod tally;
