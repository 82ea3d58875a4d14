//! From names to records: sources, decoding, cutting.

pub(crate) mod batch;
pub(crate) mod cutter;
pub(crate) mod decoder;
pub(crate) mod inputs;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod source;
pub(crate) mod stream;
pub(crate) mod table_cutter;
pub(crate) mod warc_cutter;
pub(crate) mod xz;
