//! What decides: which pairs count, what makes a cluster, whom to keep.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod cluster_rule;
pub(crate) mod criteria;
pub(crate) mod featureless;
pub(crate) mod keep;
pub(crate) mod likeness;
pub(crate) mod measure;
pub(crate) mod order;
pub(crate) mod pair_histograms;
pub(crate) mod recall;
pub(crate) mod verify;
