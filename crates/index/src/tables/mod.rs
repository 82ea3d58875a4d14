//! Permuted tables: blocks, families of prefixes, permutations, and how many a radius takes.

pub(crate) mod blocks;
pub(crate) mod family;
pub(crate) mod join_cost;
pub(crate) mod join_tables;
pub(crate) mod permutation;
pub(crate) mod prefix;
pub(crate) mod rule;
