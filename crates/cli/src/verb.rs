//! The verbs: each takes its arguments, makes one library call and prints what came of it.

pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decontaminate;
pub(crate) mod dedup;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod fingerprint;
pub(crate) mod idf;
pub(crate) mod index;
pub(crate) mod man;
pub(crate) mod pairs;
pub(crate) mod passages;
#[cfg(feature = "serve")]
pub(crate) mod ping;
pub(crate) mod plan;
pub(crate) mod recipe;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shard;
pub(crate) mod stats;
pub(crate) mod store;
pub(crate) mod text;
#[cfg(feature = "serve")]
pub(crate) mod token;
pub(crate) mod tune;
