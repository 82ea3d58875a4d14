//! From a survey to a choice: how similar documents are, what each setting would do, and which one to take.

pub(crate) mod going;
pub(crate) mod prediction;
pub(crate) mod setting;
pub(crate) mod similarities;
pub(crate) mod tuning;
