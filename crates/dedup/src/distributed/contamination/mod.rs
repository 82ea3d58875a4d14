//! A job over eval sets in shards: `nearprint decontaminate` in stages over files of a work folder.
//!
//! | stage | unit | what it does |
//! |---|---|---|
//! | `sample` | one | counts the words of the items in a sample of the corpus |
//! | `look` | an input file | looks for every item in every document |
//! | `sum` | one | adds up what is known of each item |
//! | `write` | an input file | writes what is left, and what was found; the last one the items and the figures |
//!
//! Every task reads the eval sets. What it decides is decided by `contamination`.

pub(crate) mod job;
pub(crate) mod looking;
pub(crate) mod shards;
pub(crate) mod summing;
pub(crate) mod writing;
