//! What a run leaves: survivors, reports, overview, segment.

pub(crate) mod annotation;
pub(crate) mod by_source;
pub(crate) mod captures;
pub(crate) mod copies;
pub(crate) mod counted;
pub(crate) mod counting;
pub(crate) mod doubtful;
pub(crate) mod error_page;
pub(crate) mod excerpts;
pub(crate) mod note;
pub(crate) mod note_columns;
pub(crate) mod notes;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod rehydrate;
pub(crate) mod removed_files;
pub(crate) mod reports;
pub(crate) mod revisits;
pub mod rows;
pub(crate) mod segment_out;
pub(crate) mod shown;
pub(crate) mod summary;
pub(crate) mod survivors;
pub(crate) mod urls;
pub(crate) mod warnings;
pub(crate) mod watch;
