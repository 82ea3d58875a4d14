//! Which tables to build: what each choice costs in time and bytes.

pub(crate) mod cost;
pub(crate) mod plan;
pub(crate) mod planner;
