//! Documents that are deleted together.

use nearprint_store::{Error, Store};
use std::fmt;

/// Which documents are deleted.
#[derive(Clone, Debug)]
pub(crate) enum Unwanted {
    /// Those whose ids begin so.
    Prefix(String),
    /// Those whose time is before this one, in milliseconds since 1970.
    Before(u64),
}

impl Unwanted {
    /// Deletes them, some thousand at a time; returns how many there were.
    pub(crate) fn delete(
        &self,
        store: &Store,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<u64, Error> {
        match self {
            Self::Prefix(prefix) => store.delete_prefix(prefix, stopped),
            Self::Before(time) => store.forget_before(*time, stopped),
        }
    }
}

impl fmt::Display for Unwanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(prefix) => write!(f, "ids that begin with {prefix:?}"),
            Self::Before(time) => write!(f, "times before {time}"),
        }
    }
}
