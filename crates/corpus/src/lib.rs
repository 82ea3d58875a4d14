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
//! use nearprint_corpus::{Fields, InvalidUtf8};
//! use nearprint_corpus::discover;
//! use nearprint_corpus::{OutputOptions, Outputs};
//! use nearprint_corpus::{ReadOptions, Reader};
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

mod archive;
mod buffers;
mod columns;
mod compression;
mod documents;
mod error;
mod fault;
mod format;
mod html;
mod id;
mod identity;
mod read;
mod remote;
mod write;

pub use compression::Compression;
pub use documents::document::{Document, InvalidUtf8};
pub use documents::fields::Fields;
pub use documents::table::with_fields;
pub use documents::vector::Vector;
pub use error::Error;
pub use format::InputFormat;
pub use html::charset::Markup;
pub use html::page::{Fallback, Page, Part};
pub use id::Id;
pub use read::batch::{Batch, Carried};
pub use read::decoder::Decoder;
pub use read::inputs::discover;
pub use read::read_options::ReadOptions;
pub use read::reader::Reader;
pub use read::record::Record;
pub use read::source::{Source, total_bytes};
pub use write::finished::{Finished, publish};
pub use write::mirror::Mirror;
pub use write::output::Output;
pub use write::outputs::{OutputOptions, Outputs};
pub use write::parquet_output::ParquetOutput;
