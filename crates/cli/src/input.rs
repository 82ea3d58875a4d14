//! From input flags to fingerprints: files that are found, read or mapped for a verb.

pub(crate) mod budget;
pub(crate) mod corpus;
pub(crate) mod place;
pub(crate) mod seen;
pub(crate) mod taken;
pub(crate) mod text_parts;
pub(crate) mod text_search;
pub(crate) mod within_texts;
pub(crate) mod words;
