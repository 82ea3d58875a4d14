//! From a page to its text.

pub(crate) mod charset;
pub(crate) mod full_text;
pub(crate) mod main_text;
pub(crate) mod page;
