//! Rows of typed columns: Parquet and Arrow.

pub(crate) mod arrow_cells;
pub(crate) mod arrow_messages;
pub(crate) mod arrow_plain;
pub(crate) mod arrow_rows;
pub(crate) mod arrow_wide;
pub(crate) mod batches;
pub(crate) mod fingerprint_bytes;
pub(crate) mod json_value;
pub(crate) mod library;
pub(crate) mod packed_row;
pub(crate) mod pages;
pub(crate) mod parquet_encryption;
pub(crate) mod parquet_error;
pub(crate) mod parquet_group;
pub(crate) mod parquet_json;
pub(crate) mod parquet_leaves;
pub(crate) mod parquet_rows;
pub(crate) mod parquet_shown;
pub(crate) mod text_forms;
pub(crate) mod unpacking;
