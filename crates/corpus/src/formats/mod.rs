//! The formats, a file each. [`list`] has the only list of them.

pub(crate) mod arc;
pub(crate) mod arc_cutter;
pub(crate) mod arrow;
pub(crate) mod csv;
pub(crate) mod cutter;
pub(crate) mod cutting;
pub(crate) mod format;
pub(crate) mod html;
pub(crate) mod jsonl;
pub(crate) mod line_file;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod packed;
pub(crate) mod parquet;
pub(crate) mod record_reader;
pub(crate) mod segment;
pub(crate) mod table_cutter;
pub(crate) mod text;
pub(crate) mod tsv;
pub(crate) mod warc;
pub(crate) mod warc_cutter;
pub(crate) mod whole;
