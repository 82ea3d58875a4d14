//! How alike two documents are, and where they differ.

pub(crate) mod comparison;
#[cfg(feature = "difference")]
pub(crate) mod difference;
#[cfg(feature = "difference")]
pub(crate) mod edits;
pub mod estimate;
pub(crate) mod measure;
pub(crate) mod similarity;
