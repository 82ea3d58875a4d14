//! A store that a command wants something of: opened by it, or served by another process.

use crate::verb::store::flags::StoreFlags;
#[cfg(feature = "serve")]
use crate::verb::store::served::Served;
#[cfg(feature = "serve")]
use nearprint_store::Error;
use nearprint_store::Store;

/// A store, reached.
pub(super) enum Reached {
    /// Opened by this process.
    Here(Box<Store>),
    /// Open in the process that serves it.
    #[cfg(feature = "serve")]
    There(Served),
}

impl StoreFlags {
    /// Opens the store; where another process serves it, reaches that.
    pub(super) fn reach(&self) -> anyhow::Result<Reached> {
        match self.open() {
            #[cfg(feature = "serve")]
            Err(error) => self.served_instead(error).map(Reached::There),
            opened => opened.map(|store| Reached::Here(Box::new(store))),
        }
    }

    /// The process that serves the store, which could not be opened for that reason; else the error.
    #[cfg(feature = "serve")]
    pub(super) fn served_instead(&self, error: anyhow::Error) -> anyhow::Result<Served> {
        match error.downcast_ref() {
            Some(Error::InUse { .. }) => Served::at(&self.path).ok_or(error),
            _ => Err(error),
        }
    }
}
