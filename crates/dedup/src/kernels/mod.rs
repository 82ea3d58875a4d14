//! A search in parts that an engine moves between machines: texts to entries, entries to links, links to shards.
//!
//! | file | what it is |
//! |---|---|
//! | `entries` | what is known of documents in their bands, as bytes |
//! | `sets` | documents that links join |
//! | `router` | texts to entries, by range |
//! | `linker` | entries of ranges to links |
//! | `components` | links to connected components, and these to shards |
//!
//! [`Dedup::texts`](crate::Dedup::texts) decides the documents of a shard.

pub(crate) mod components;
pub(crate) mod entries;
pub(crate) mod linker;
pub(crate) mod router;
pub(crate) mod sets;
