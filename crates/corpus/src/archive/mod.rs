//! The records of WARC files.

pub(crate) mod capture;
pub(crate) mod head;
pub(crate) mod http;
pub(crate) mod warc;
