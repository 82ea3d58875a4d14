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

mod acknowledged;
pub mod activity;
mod captured;
pub mod clusters;
mod dead;
pub mod document;
pub mod error;
mod files;
mod group;
pub mod loaded;
mod maker;
mod manifest;
mod memtable;
pub mod options;
pub mod scan;
mod search;
pub mod settings;
mod shared;
pub mod sketch;
mod snapshot;
pub mod stats;
pub mod store;
mod stored_segment;
mod tiers;
mod truth;
pub mod verify;
mod view;
pub mod write;
mod writer;
