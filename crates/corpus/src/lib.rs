//! Documents from files, and back: the room between the disk and the batch job.
//!
//! A run reads its inputs twice and in the same order. [`inputs::discover`] turns what the user
//! typed into [`source::Source`]s. A [`reader::Reader`] cuts them into [`batch::Batch`]es of whole
//! [`record::Record`]s, and a record parses into a [`document::Document`] on whichever thread holds
//! its batch. In the second reading the raw bytes of the survivors go to an [`output::Output`] (one
//! file) or a [`mirror::Mirror`] (a folder like the inputs'), both made by [`outputs::Outputs`],
//! which refuses what would destroy data.
//!
//! Inputs and outputs may be objects: `s3://`, `gs://`, `az://`, and `http://` or `https://` to read,
//! where the crate is built with the feature `objects`. But for the one that waits for their network
//! the crate starts no thread, and it knows nothing of fingerprints.
//!
//! # Examples
//!
//! ```
//! use nearprint_corpus::document::{Fields, InvalidUtf8};
//! use nearprint_corpus::inputs::discover;
//! use nearprint_corpus::outputs::{OutputOptions, Outputs};
//! use nearprint_corpus::reader::{ReadOptions, Reader};
//!
//! # let folder = tempfile::tempdir()?;
//! # let input = folder.path().join("pages.jsonl");
//! # std::fs::write(&input, "{\"id\": 7, \"text\": \"a page\"}\n{\"text\": \"\"}\n")?;
//! # let result = folder.path().join("kept.jsonl");
//! let sources = discover(&[input.display().to_string()], None)?;
//! let mut outputs = Outputs::new(&sources, OutputOptions::default());
//! let mut kept = outputs.create(&result)?;
//! let fields = Fields::default();
//! for batch in Reader::new(&sources, ReadOptions::default()) {
//!     for record in batch?.records() {
//!         let document = record.document(&fields, InvalidUtf8::Fail)?;
//!         if !document.text.is_empty() {
//!             kept.write_record(&record.raw())?;
//!         }
//!     }
//! }
//! kept.commit()?;
//! assert_eq!(std::fs::read(&result)?, b"{\"id\": 7, \"text\": \"a page\"}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
#[cfg(target_os = "linux")]
mod behind;
mod buffers;
pub mod charset;
pub mod compression;
mod cutter;
pub mod decoder;
pub mod document;
mod encoder;
pub mod error;
mod fault;
pub mod finished;
pub mod format;
mod full_text;
mod head;
mod http;
pub mod id;
mod identity;
pub mod inputs;
mod main_text;
pub mod mirror;
mod new_folders;
#[cfg(feature = "objects")]
mod object;
#[cfg(not(feature = "objects"))]
#[path = "object_absent.rs"]
mod object;
mod object_url;
pub mod output;
pub mod outputs;
mod packed_row;
pub mod page;
mod parquet_group;
pub mod parquet_output;
mod parquet_rows;
pub mod reader;
pub mod record;
mod row;
mod score;
mod shards;
pub mod source;
mod stream;
pub mod table;
mod table_cutter;
mod target;
pub mod vector;
mod warc;
mod warc_cutter;
mod xz;
