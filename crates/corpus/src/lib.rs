//! Files to documents, and back: the room between the disk and the batch job.
//!
//! | room | what it does |
//! |---|---|
//! | `read` | finds the inputs and reads them one after the other |
//! | `formats` | a file a format: how it is recognized, cut into records and written. `formats/list.rs` has the only list |
//! | `records` | a source, its bytes without their compression, and batches of records |
//! | `documents` | parses a record into id, text and score: JSON rows, tables, feature lists |
//! | `columns` | rows of typed columns: Parquet |
//! | `archive` | WARC records and the HTTP responses inside them |
//! | `html` | character sets of pages, their full text and their main text |
//! | `outputs` | refuses outputs that would destroy data; a folder like the inputs |
//! | `write` | writes files, and publishes them |
//! | `remote` | objects of buckets and web servers, with the feature `objects` |
//!
//! Below them lie `error`, `format`, `compression`, `id` and a few other small files.
//!
//! **Reading.** [`discover`] turns what the user typed into [`Source`]s, in a stable order. A [`Reader`]
//! decompresses each source and cuts it into [`Batch`]es of whole [`Record`]s. A worker then parses a
//! record into a [`Document`] or a [`Vector`]. A batch also holds bytes that belong to no document, such as
//! the header of a table ([`Carried`]). A file of columns has no lines: a thread unpacks its rows into cells,
//! and a row becomes JSON only where somebody writes it so.
//!
//! **Writing.** A job reads its inputs twice, in the same order, and writes the survivors in the second
//! reading. [`Outputs`] refuses any path that would overwrite an input or an earlier result, before the
//! first reading. [`Output`] writes one file, a [`RowWriter`] one file of columns, [`Mirror`] a folder like
//! the inputs. Each writes under a hidden name, syncs, and renames on commit.
//!
//! Only files of columns, large outputs and objects have threads of their own. Nothing here knows of
//! fingerprints but what their bytes are in a column ([`BytesForm`]).
//!
//! # Examples
//!
//! ```
//! use nearprint_corpus::{Fields, InvalidUtf8, OutputOptions, Outputs, ReadOptions, Reader, discover};
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
mod byte_size;
mod columns;
mod compression;
mod documents;
mod error;
mod error_parts;
mod fault;
mod finite;
mod format;
mod formats;
mod html;
mod id;
mod identity;
mod iso_2022_jp;
mod kinds;
mod outputs;
mod own_folder;
mod place;
mod printed;
mod read;
mod reason;
mod records;
mod remote;
mod unescaped;
mod utf_16;
mod wide_text;
mod within;
mod write;

pub use archive::capture::Capture;
pub use archive::capture_id::CaptureId;
pub use byte_size::ByteSize;
pub use columns::arrow_cells::{json_of, value_at};
pub use columns::fingerprint_bytes::BytesForm;
pub use compression::Compression;
pub use documents::column_labels::column_labels;
pub use documents::document::{Document, InvalidUtf8};
pub use documents::feature_entries::FeatureEntries;
pub use documents::fields::{Fields, NullText, Tie};
pub use documents::joined_text::{conversation, has_half_pair, unknown_part};
pub use documents::labels::label_of;
pub use documents::message::messages_in;
pub use documents::python_literal::json_of_python;
pub use documents::score::{NoScore, Scale, Score};
pub use documents::table::Table;
pub use documents::vector::Vector;
pub use error::Error;
pub use finite::{padded_json, read_json};
pub use format::InputFormat;
pub use html::charset::Markup;
pub use html::page::{Page, Part};
pub use html::trust::{Fallback, PageRules};
pub use id::Id;
pub use outputs::mirror::Mirror;
pub use outputs::outputs::{OutputOptions, Outputs};
pub use own_folder::OwnFolder;
pub use read::appetite::{listing_bytes, reading_bytes};
pub use read::discovery::Discovery;
pub use read::inputs::discover;
pub use read::passed_over::{Obstacle, PassedOver};
pub use read::reader::Reader;
pub use read::shared_files::refuse_shared;
pub use read::sniff::Instead;
pub use records::batch::{Batch, Carried};
pub use records::decoder::Decoder;
pub use records::dialect::{Dialect, Quote};
pub use records::lot::Lot;
pub use records::order::{Order, Place};
pub use records::read_options::ReadOptions;
pub use records::record::Record;
pub use records::source::{Source, total_bytes};
pub use remote::folder_copy::FolderCopy;
pub use remote::object::ObjectFolder;
pub use write::finished::{Finished, publish, replace};
pub use write::line_writer::{LineEnd, LineWriter};
pub use write::new_column::{NewCell, NewColumn, NewColumnKind};
pub use write::new_folders::NewFolders;
pub use write::output::Output;
pub use write::row_writer::RowWriter;
pub use write::shards::first_shard;
pub use write::stated::other_format;
pub use write::stdout::write_stdout;
