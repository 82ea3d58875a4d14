//! What an interrupted run goes on from.

pub(crate) mod checkpoint;
pub(crate) mod stages;
