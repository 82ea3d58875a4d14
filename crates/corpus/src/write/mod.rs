//! Outputs: beside the final name, synced, renamed.

pub(crate) mod arrow_output;
pub(crate) mod arrow_schema;
#[cfg(target_os = "linux")]
pub(crate) mod behind;
pub(crate) mod encoder;
pub(crate) mod finished;
pub(crate) mod line_writer;
pub(crate) mod new_cells;
pub(crate) mod new_column;
pub(crate) mod new_folders;
pub(crate) mod new_texts;
pub(crate) mod output;
pub(crate) mod parquet_output;
mod parquet_values;
pub(crate) mod row_writer;
pub(crate) mod shards;
pub(crate) mod stated;
pub(crate) mod stdout;
mod stored_schema;
pub(crate) mod target;
