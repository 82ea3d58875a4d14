//! What the tests of several crates share: how many cases they try, the files of a folder, pages of made sites, the note that a test was
//! skipped, and a disk that fills.
//!
//! A development dependency only, never published. Corpora and clients that one crate alone needs
//! belong to the tests of that crate.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cases;
mod files;
pub mod sites;
mod skip;
mod small_disk;

pub use cases::cases;
pub use files::files;
pub use skip::skip;
pub use small_disk::SmallDisk;
