//! A durable store of documents by their fingerprints: which were seen, and which are near.
//!
//! A program opens a [`Store`]; [`Store`] is the same for one width, which the type names.
//!
//! | room | what it holds |
//! |---|---|
//! | `disk` | what is on the disk: the database of documents (`truth`), segments, the manifest |
//! | `raw` | the files of the database, read without it: before it opens them, and to salvage them |
//! | `views` | what readers search: segments, memtables, and which documents are deleted |
//! | `writing` | the writer: groups of writes, commits, the making of segments |
//!
//! - **A write** goes to the one writer, which decides a group of writes at a time, commits the group to
//!   the database, notes the commit (`acknowledged`), makes the next view and answers.
//! - **A search** takes the view of the moment, searches its segments and memtables, and reads the
//!   document that it finds from the database.
//! - **After a crash** the database tells what was committed. Segments derive from it: the store makes
//!   missing and damaged segments again. It refuses to open if acknowledged writes are missing.

mod asking;
mod change;
mod change_rows;
mod clusters;
mod content;
mod copying;
mod disk;
mod error;
mod forget;
mod invariant;
mod opening;
mod options;
mod platform;
mod precedence;
mod raw;
mod repair;
mod replication;
mod restore;
mod roots;
mod rows;
mod rules;
mod salvage;
mod scan;
mod settings;
mod sketcher;
mod snapshot;
mod stats;
mod store;
mod verify;
mod views;
mod writing;

pub use change::{Change, Cursor, Group, Portion, Reached};
pub use change_rows::{ChangeRow, ChangeRows, Leader, Now};
pub use clusters::{Cluster, Clusters, Limits, bytes_a_document};
pub use content::Content;
pub use copying::Copying;
pub use disk::document::{Document, MAX_ID};
pub use disk::position::Position;
pub use disk::sketch::Sketch;
pub use error::Error;
pub use forget::check_past;
pub use nearprint_bits::AnyFingerprint;
pub use nearprint_fingerprint::Measure;
pub use nearprint_rules::{Alike, Threshold};
pub use options::{Durability, Options};
pub use precedence::{ahead, behind};
pub use repair::Repair;
pub use replication::Moment;
pub use restore::restore;
pub use rows::Rows;
pub use salvage::Salvaged;
pub use scan::Scan;
pub use settings::{SOCKET, Settings};
pub use sketcher::Sketcher;
pub use stats::{SegmentStats, Stats};
pub use store::Store;
pub use verify::Verified;

pub use writing::activity::CommitTimes;
pub use writing::write::{NearDocument, Outcome, Refused, Write};
