//! What people say of documents: rows of a file, and what they mean for the documents of a corpus.

pub(crate) mod gold;
pub(crate) mod label;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod labels;
