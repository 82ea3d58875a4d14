//! What people say of documents: rows of a file. What they mean for the documents of a corpus is `gold`'s.

pub(crate) mod label;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod labels;
