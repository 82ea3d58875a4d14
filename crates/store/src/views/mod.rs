//! What readers see, and how it is searched.

pub(crate) mod captured;
pub(crate) mod memtable;
pub(crate) mod search;
pub(crate) mod view;
