//! The whole job from files to files: its stages in a row, what it will take, and what it is known by.

pub(crate) mod clock;
pub(crate) mod dedup_job;
pub(crate) mod forecast;
pub(crate) mod identity;
pub(crate) mod needs;
pub(crate) mod stages;
