//! From names to sources and their records, in order.

pub(crate) mod appetite;
pub(crate) mod beside_archives;
pub(crate) mod beside_columns;
pub(crate) mod damage;
pub(crate) mod discovery;
pub(crate) mod filter;
pub(crate) mod inputs;
pub(crate) mod passed_over;
pub(crate) mod plain_bytes;
pub(crate) mod reader;
pub(crate) mod shared_files;
pub(crate) mod sniff;
pub(crate) mod spool;
pub(crate) mod unended;
pub(crate) mod wacz;
pub(crate) mod wildcards;
pub(crate) mod windows;
