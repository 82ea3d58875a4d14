//! The files of the database, read without it: before it opens them, which changes some, and where it cannot open them.
//! Their format is that of fjall 3 and lsm-tree 3.

pub(crate) mod blocks;
pub(crate) mod examine;
pub(crate) mod groups;
pub(crate) mod journal;
pub(crate) mod listed;
pub(crate) mod order;
pub(crate) mod remains;
