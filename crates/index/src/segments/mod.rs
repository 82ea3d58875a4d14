//! A file of fingerprints that is searched in place: its layout, its writer, its reader, its queries.

pub(crate) mod any_segment;
pub(crate) mod balls;
pub(crate) mod batch;
pub(crate) mod bucket_code;
pub(crate) mod documents;
pub(crate) mod footer;
pub(crate) mod found;
pub(crate) mod gathered;
pub(crate) mod layout;
pub(crate) mod narrowing;
pub(crate) mod piece;
pub(crate) mod query;
pub(crate) mod segment;
pub(crate) mod segment_builder;
pub(crate) mod segment_scan;
pub(crate) mod table_view;
pub(crate) mod walk;
