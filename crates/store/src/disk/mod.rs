//! What is on disk: the database (the truth), the manifest, segments.

pub(crate) mod acknowledged;
pub(crate) mod dead;
pub(crate) mod document;
pub(crate) mod files;
pub(crate) mod manifest;
pub(crate) mod sketch;
pub(crate) mod stored_segment;
pub(crate) mod truth;
