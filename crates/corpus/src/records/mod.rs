//! A source, its bytes without their compression, and batches of its records.

pub(crate) mod batch;
pub(crate) mod binary;
pub(crate) mod brotli;
pub(crate) mod bzip2;
pub(crate) mod characters;
pub(crate) mod cut;
pub(crate) mod decoder;
pub(crate) mod dialect;
pub(crate) mod escaped;
pub(crate) mod explained;
pub(crate) mod gzip;
pub(crate) mod lot;
pub(crate) mod opened;
pub(crate) mod order;
pub(crate) mod padding;
mod path_labels;
pub(crate) mod piece;
mod pointer;
pub(crate) mod read_options;
pub(crate) mod recoding;
pub(crate) mod record;
pub(crate) mod resumed;
pub(crate) mod source;
pub(crate) mod whole_file;
pub(crate) mod xz;
pub(crate) mod zstd;
