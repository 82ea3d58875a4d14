//! A store that a command wants something of: opened by it, or served by another process.

use crate::verb::store::flags::StoreFlags;
#[cfg(feature = "serve")]
use crate::verb::store::served::Served;
#[cfg(feature = "serve")]
use nearprint_store::Error;
use nearprint_store::StoreOf;

/// A store, reached.
pub(super) enum Reached<const WORDS: usize> {
    /// Opened by this process.
    Here(StoreOf<WORDS>),
    /// Open in the process that serves it.
    #[cfg(feature = "serve")]
    There(Served),
}

impl StoreFlags {
    /// Opens the store; where another process serves it, reaches that.
    pub(super) fn reach<const WORDS: usize>(&self) -> anyhow::Result<Reached<WORDS>> {
        match self.open() {
            #[cfg(feature = "serve")]
            Err(error) if matches!(error.downcast_ref(), Some(Error::InUse { .. })) => {
                Served::at(&self.path).map(Reached::There).ok_or(error)
            }
            opened => opened.map(Reached::Here),
        }
    }
}
