//! A job in parts that run anywhere, in any order and any number of times: stages over files of a work folder, and
//! functions over batches that an engine calls.
//!
//! | file | what it is |
//! |---|---|
//! | `step`, `links`, `keyed` | the stages, which units a task does, and what a unit of `join` links |
//! | `plan` | what is decided once for all tasks |
//! | `work_folder`, `stored`, `chunk` | where files are, a file that is read at any place, and a part of it |
//! | `unit_file`, `cells`, `lists` | the file of a unit, its columns, and lists in it |
//! | `schema`, `columns`, `codes`, `measure`, `worths`, `sketch_rows` | what the files of each stage hold, and how |
//! | `label_columns`, `label_shares` | the same of labels, and how much of each stays |
//! | `shard_job` | the job as stages see it |
//! | `sketch`, `join`, `cluster`, `gather`, `solve`, `write` | a stage each |
//! | `part`, `segment_part`, `summary` | the part of a report, and of segments, that a unit writes, and the figures of all |
//! | `shards`, `done`, `written` | a task of a stage, what is done, and what will be written |
//! | `passages`, `contamination` | the same of jobs over passages and over eval sets, with stages of their own |
//! | `router`, `linker`, `components` | for an engine: texts to entries by range, these to links, these to shards |
//! | `entries`, `sets` | what is known of documents in their bands, as bytes; documents that links join |
//!
//! [`Dedup::texts`](crate::Dedup::texts) decides the documents of a shard of an engine.

pub(crate) mod cells;
pub(crate) mod chunk;
pub(crate) mod cluster;
pub(crate) mod codes;
pub(crate) mod columns;
pub(crate) mod components;
pub(crate) mod contamination;
pub(crate) mod done;
pub(crate) mod entries;
pub(crate) mod gather;
pub(crate) mod join;
pub(crate) mod keyed;
pub(crate) mod label_columns;
pub(crate) mod label_shares;
pub(crate) mod linker;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod measure;
pub(crate) mod part;
pub(crate) mod passages;
pub(crate) mod plan;
pub(crate) mod revisit_rows;
pub(crate) mod router;
pub(crate) mod schema;
pub(crate) mod segment_part;
pub(crate) mod sets;
pub(crate) mod shard_job;
pub(crate) mod shards;
pub(crate) mod sketch;
pub(crate) mod sketch_rows;
pub(crate) mod solve;
pub(crate) mod step;
pub(crate) mod stored;
pub(crate) mod summary;
pub(crate) mod unit_file;
pub(crate) mod work_folder;
pub(crate) mod worths;
pub(crate) mod write;
pub(crate) mod written;
