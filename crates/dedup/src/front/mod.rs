//! The front door: near-duplicates out of texts or files in a few lines, with the command's defaults.

pub(crate) mod decontamination;
pub(crate) mod dedup;
pub(crate) mod file_job;
pub(crate) mod found;
mod in_memory;
pub(crate) mod passages;
pub(crate) mod text_labels;
pub(crate) mod texts;
