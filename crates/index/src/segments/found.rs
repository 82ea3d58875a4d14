//! What a search of segments comes back with: a match, or the damage that stopped it. The searching
//! itself is in `query` and `walk`.

use crate::error::Error;
use nearprint_bits::Fingerprint;

/// A fingerprint of a segment that is near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<const WORDS: usize> {
    /// The number of the query in its batch.
    pub query: usize,
    /// The fingerprint found.
    pub fingerprint: Fingerprint<WORDS>,
    /// Its distance from the query, in bits.
    pub distance: u32,
    /// Its position in the first table, where that is known.
    pub(crate) position: Option<u64>,
}

/// What is wrong, and with which segment: its position among those searched, from 0.
pub type Damage = (usize, Error);
