//! Sorting and joining what does not fit into memory.

pub(crate) mod columns;
pub(crate) mod cross_join;
pub(crate) mod folded_pairs;
pub(crate) mod lists;
pub(crate) mod prefixes;
pub(crate) mod sorted_list;
pub(crate) mod spill;
pub(crate) mod spilled_join;
pub(crate) mod spilled_sort;
pub(crate) mod state;
