//! What readers see, and how it is searched.

pub(crate) mod band_parts;
pub(crate) mod captured;
pub(crate) mod code_parts;
pub(crate) mod codes;
pub(crate) mod found;
pub(crate) mod judge;
pub(crate) mod lost;
pub(crate) mod memtable;
pub(crate) mod parts;
pub(crate) mod probe;
pub(crate) mod search;
pub(crate) mod view;
