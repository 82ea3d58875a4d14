//! A fair sample of a corpus: documents drawn uniformly, each compared exactly with all documents that are visible.

pub(crate) mod codes;
pub(crate) mod draw;
pub(crate) mod near_index;
pub(crate) mod pace;
pub(crate) mod pairs;
pub(crate) mod part;
pub(crate) mod survey;
