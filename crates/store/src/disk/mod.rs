//! What is on disk: the database (the truth), the manifest, segments and their tables of bands.

pub(crate) mod acknowledged;
pub(crate) mod band_layout;
pub(crate) mod band_table;
pub(crate) mod band_table_builder;
pub(crate) mod dead;
pub(crate) mod document;
pub(crate) mod files;
pub(crate) mod lock;
pub(crate) mod logged;
pub(crate) mod manifest;
pub(crate) mod new_folder;
pub(crate) mod parts;
pub(crate) mod position;
pub(crate) mod sketch;
pub(crate) mod stored_segment;
pub(crate) mod truth;
