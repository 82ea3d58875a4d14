//! Records of archives that say that a page came again, and whether the response that they refer to is still there.

use nearprint_corpus::{Carried, Record};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Revisits that were written, and responses that went, by hashes of their names.
///
/// Memory: 8 bytes a revisit, and 16 a response that went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Revisits {
    referred: Vec<u64>,
    gone: Vec<u64>,
}

impl Revisits {
    /// Sees a record that is no document.
    pub(crate) fn see(&mut self, carried: &Carried<'_>) {
        self.referred.extend(carried.revisited().map(|name| xxh3_64(name.as_bytes())));
    }

    /// Sees a document that goes.
    pub(crate) fn lose(&mut self, record: &Record<'_>) {
        self.gone.extend(record.capture_names().iter().map(|name| xxh3_64(name.as_bytes())));
    }

    /// The hashes of names that revisits refer to, and of those of responses that went.
    pub(crate) fn names(&self) -> [&[u64]; 2] {
        [&self.referred, &self.gone]
    }

    /// Adds what was seen elsewhere.
    pub(crate) fn add(&mut self, [referred, gone]: [&[u64]; 2]) {
        self.referred.extend_from_slice(referred);
        self.gone.extend_from_slice(gone);
    }

    /// Revisits of responses that went.
    pub(crate) fn of_gone(&mut self) -> u64 {
        self.gone.sort_unstable();
        let is_gone = |name: &&u64| self.gone.binary_search(name).is_ok();
        self.referred.iter().filter(is_gone).count() as u64
    }
}
