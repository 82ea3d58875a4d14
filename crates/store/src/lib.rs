//! A durable store of fingerprints: which documents were seen, asked and told online, nothing lost.
//!
//! - [`store`] is what a program opens: check, add, check and add in one step, update, delete.
//! - [`document`] is what it keeps, [`sketch`] what of that is compared.
//! - [`write`](mod@write) says what can be written, and what becomes of it.
//! - [`settings`] say what a store is made for, [`options`] how it is opened.
//! - [`scan`] goes through all documents, [`verify`] says whether all is whole, [`stats`] are figures
//!   ([`activity`] those since the store was opened), [`loaded`] tells what was repaired when the store was opened. A snapshot is a store of its own.
//!
//! Underneath, `truth` is a database that holds every document; all else is derived from it. A
//! `view` is what readers `search`: segments on disk (`stored_segment`), listed in a `manifest`,
//! and documents that are in none yet (`memtable`), less those that are gone (`dead`). One
//! `writer` decides a `group` of writes at a time, commits it, notes that (`acknowledged`) and
//! makes the next view; a `maker` makes segments in the background, by `tiers`.

mod clusters;
mod content;
mod disk;
mod error;
mod options;
mod scan;
mod settings;
mod sketcher;
mod snapshot;
mod stats;
mod store;
mod store_of;
mod verify;
mod views;
mod writing;

pub use clusters::{Cluster, Clusters, Limits, bytes_a_document};
pub use content::Content;
pub use disk::document::{Document, MAX_ID};
pub use disk::sketch::Sketch;
pub use error::Error;
pub use nearprint_bits::AnyFingerprint;
pub use options::{Durability, Options};
pub use scan::Scan;
pub use settings::Settings;
pub use sketcher::Sketcher;
pub use stats::{SegmentStats, Stats};
pub use store::Store;
pub use store_of::StoreOf;
pub use verify::Verified;
pub use writing::activity::CommitTimes;
pub use writing::loaded::Repair;
pub use writing::write::{Near, Outcome, Refused, Write};
