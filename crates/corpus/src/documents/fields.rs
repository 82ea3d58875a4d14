//! The names of the fields that are read of a record. What is in them is `document`'s and `vector`'s.

use crate::html::page::Part;

/// The fields of a JSONL row that are read; all others are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Holds the id. `id` by default.
    pub id: String,
    /// Holds the text, or the features of a [`Vector`](crate::documents::vector::Vector). `text` by default.
    pub text: String,
    /// Holds a word about the document that is read along, such as its language. None by default.
    pub tag: Option<String>,
    /// Holds what the document is worth beside others: a number, or a date as of RFC 3339. None by
    /// default.
    pub score: Option<String>,
    /// What part of a page the text is, in HTML files and in the field of the text. None, the
    /// default, where that field holds plain text.
    pub part: Option<Part>,
}

impl Default for Fields {
    fn default() -> Self {
        Self { id: "id".to_owned(), text: "text".to_owned(), tag: None, score: None, part: None }
    }
}

/// Where a record stands, asked for only by a failure.
pub(crate) type Place<'p> = &'p dyn Fn() -> String;
