//! The command as a person at a terminal meets it: the real binary, real files, what it prints and
//! how it ends. One file a noun; what a library alone can show is tested in its own crate.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod advice;
mod agreement;
mod annotate;
mod audit;
mod bad_fingerprints;
mod bad_input;
mod bad_output;
#[cfg(feature = "objects")]
mod bucket;
mod budget;
mod clean;
mod coded;
mod copies;
mod corpus;
mod cuts;
mod decide;
mod decontaminate;
mod decontaminate_shards;
mod degenerate;
mod dictionary;
mod equal_bytes;
mod estimate;
mod eval_sets;
mod evaluate;
mod expectation;
mod explain;
mod features;
mod fields;
#[cfg(feature = "serve")]
mod follow;
mod formats;
mod full_disk;
mod html;
mod idf;
mod ids;
mod index;
mod inputs;
mod interrupt;
mod item_index;
mod keeping;
mod labelled;
mod labels;
mod leaks;
mod left_out;
mod memory;
mod near_passages;
mod nearprint;
#[cfg(feature = "objects")]
mod objects;
mod one_answer;
mod pages;
mod parquet;
mod passages;
mod passages_runs;
mod ping;
mod raw_words;
mod readme;
mod rejected;
mod report;
mod resume;
mod room;
mod row_places;
mod samples;
mod scale;
mod seen;
#[cfg(feature = "serve")]
mod serve;
mod served;
mod shards;
mod short;
mod sources;
mod split;
mod stats;
mod store;
mod store_damage;
mod tune;
mod warc;
mod warnings;
mod weighted;
mod width;
mod wild;
mod word_files;
mod work_dir;
