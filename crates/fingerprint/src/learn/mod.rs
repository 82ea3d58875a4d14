//! Counting a corpus: how statistics and phrases are made.

pub(crate) mod pair_counts;
pub(crate) mod statistics_builder;
pub(crate) mod token_counts;
