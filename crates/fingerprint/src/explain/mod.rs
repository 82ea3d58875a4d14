//! How a fingerprint comes about, step by step, for people to look at.

mod explained;
pub(crate) mod explanation;
