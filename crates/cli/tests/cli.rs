//! The command as a person at a terminal meets it: the real binary, real files, what it prints and
//! how it ends. One file a noun; what a library alone can show is tested in its own crate.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "cli/agreement.rs"]
mod agreement;
#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/bad_output.rs"]
mod bad_output;
#[cfg(feature = "objects")]
#[path = "cli/bucket.rs"]
mod bucket;
#[path = "cli/budget.rs"]
mod budget;
#[path = "cli/corpus.rs"]
mod corpus;
#[path = "cli/degenerate.rs"]
mod degenerate;
#[path = "cli/dictionary.rs"]
mod dictionary;
#[path = "cli/estimate.rs"]
mod estimate;
#[path = "cli/expectation.rs"]
mod expectation;
#[path = "cli/features.rs"]
mod features;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/full_disk.rs"]
mod full_disk;
#[path = "cli/html.rs"]
mod html;
#[path = "cli/idf.rs"]
mod idf;
#[path = "cli/index.rs"]
mod index;
#[path = "cli/interrupt.rs"]
mod interrupt;
#[path = "cli/keeping.rs"]
mod keeping;
#[path = "cli/labelled.rs"]
mod labelled;
#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/nearprint.rs"]
mod nearprint;
#[cfg(feature = "objects")]
#[path = "cli/objects.rs"]
mod objects;
#[path = "cli/parquet.rs"]
mod parquet;
#[path = "cli/report.rs"]
mod report;
#[path = "cli/resume.rs"]
mod resume;
#[path = "cli/room.rs"]
mod room;
#[path = "cli/samples.rs"]
mod samples;
#[path = "cli/scale.rs"]
mod scale;
#[path = "cli/seen.rs"]
mod seen;
#[cfg(feature = "serve")]
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/stats.rs"]
mod stats;
#[path = "cli/store.rs"]
mod store;
#[path = "cli/warc.rs"]
mod warc;
