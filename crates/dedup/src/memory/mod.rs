//! What may be held, what each stage has of it, and what waits on disk: sorted lists, columns, kept stages.

pub(crate) mod budget;
pub(crate) mod columns;
pub(crate) mod limits;
pub(crate) mod lists;
pub(crate) mod marks;
pub(crate) mod prefixes;
pub(crate) mod sealed;
pub(crate) mod shares;
pub(crate) mod sorted_list;
pub(crate) mod spill;
pub(crate) mod spilled_sort;
pub(crate) mod spool;
pub(crate) mod state;
