//! Records of web archives: WARC and ARC, and the HTTP responses inside them.

pub(crate) mod arc;
pub(crate) mod capture;
pub(crate) mod capture_id;
pub(crate) mod content;
pub(crate) mod head;
pub(crate) mod http;
pub(crate) mod mime;
pub(crate) mod record;
pub(crate) mod revisit;
pub(crate) mod target;
pub(crate) mod warc;
