//! Reading a request: limits, tokens, bodies, problems.

pub(crate) mod allowance;
pub(crate) mod arrival;
pub(crate) mod asker;
pub(crate) mod body;
pub(crate) mod guard;
pub(crate) mod inflater;
pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod origin;
pub(crate) mod parameters;
pub(crate) mod problem;
pub(crate) mod threads;
pub(crate) mod token;
