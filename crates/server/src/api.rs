//! The endpoints, a file each: with what comes in and what goes out.

pub(crate) mod batch;
pub(crate) mod change;
pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod document;
pub(crate) mod duplicates;
pub(crate) mod export;
pub(crate) mod health;
pub(crate) mod op;
pub(crate) mod page;
pub(crate) mod query;
pub(crate) mod row;
pub(crate) mod stats;
pub(crate) mod subject;
pub(crate) mod submission;
pub(crate) mod tasks;
pub(crate) mod totals;
