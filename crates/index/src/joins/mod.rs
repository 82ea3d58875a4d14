//! All pairs within the radius: in memory, over a stream, a partition at a time.

pub(crate) mod join;
pub(crate) mod join_table;
pub(crate) mod pair_list;
pub(crate) mod query_tables;
pub(crate) mod searcher;
pub(crate) mod stream_join;
