//! From a page to its text.

pub(crate) mod blocks;
pub(crate) mod charset;
pub(crate) mod entities;
pub(crate) mod flat_tree;
pub(crate) mod frames;
pub(crate) mod full_text;
pub(crate) mod headings;
pub(crate) mod main_text;
pub(crate) mod page;
pub(crate) mod prescan;
pub(crate) mod shown;
pub(crate) mod tree;
pub(crate) mod trust;
pub(crate) mod verdict;
pub(crate) mod xhtml;
