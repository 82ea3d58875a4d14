//! From names to records: sources, decoding, cutting.

pub(crate) mod appetite;
pub(crate) mod batch;
pub(crate) mod binary;
pub(crate) mod cut;
pub(crate) mod cutter;
pub(crate) mod damage;
pub(crate) mod decoder;
pub(crate) mod filter;
pub(crate) mod gzip;
pub(crate) mod inputs;
pub(crate) mod passed_over;
pub(crate) mod read_options;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod sniff;
pub(crate) mod source;
pub(crate) mod spool;
pub(crate) mod stream;
pub(crate) mod table_cutter;
pub(crate) mod warc_cutter;
pub(crate) mod windows;
pub(crate) mod xz;
