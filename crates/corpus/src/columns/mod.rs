//! The rows of Parquet files.

pub(crate) mod packed_row;
pub(crate) mod pages;
pub(crate) mod parquet_error;
pub(crate) mod parquet_group;
pub(crate) mod parquet_rows;
