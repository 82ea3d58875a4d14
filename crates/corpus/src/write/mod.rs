//! Outputs: beside the final name, synced, renamed.

#[cfg(target_os = "linux")]
pub(crate) mod behind;
pub(crate) mod encoder;
pub(crate) mod finished;
pub(crate) mod mirror;
pub(crate) mod new_cells;
pub(crate) mod new_column;
pub(crate) mod new_folders;
pub(crate) mod output;
pub(crate) mod outputs;
pub(crate) mod parquet_output;
pub(crate) mod shards;
pub(crate) mod stdout;
pub(crate) mod target;
