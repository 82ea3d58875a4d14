//! Rows of reports, and what they name.

pub(crate) mod ids;
pub(crate) mod note;
pub(crate) mod pages;
pub mod rows;
pub(crate) mod summary;
