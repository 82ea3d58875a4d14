//! What a search of segments comes back with: a match, or the damage that stopped it. The searching
//! itself is in `query` and `walk`.

use crate::error::Error;
use nearprint_bits::{AnyFingerprint, Fingerprint};
use std::ops::ControlFlow;

/// A fingerprint of a segment that is near a query. [`Segment::documents_of`] gives its documents.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::Index;
///
/// let index = Index::build(&[0b0000_u64, 0b0111], 3)?;
/// let near = index.segment().any(&Fingerprint::from(0b0110_u64), 1)?;
/// assert_eq!(near.map(|near| (near.fingerprint, near.distance)), Some((Fingerprint::from(0b0111_u64), 1)));
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// [`Segment::documents_of`]: crate::Segment::documents_of
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

/// What takes a match in a segment, and says how far to look in further ones.
pub(crate) type Visit<'a, const WORDS: usize> =
    dyn FnMut(usize, Match<WORDS>) -> ControlFlow<(), u32> + 'a;

/// A [`Match`] of whichever width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyMatch {
    /// The number of the query in its batch.
    pub query: usize,
    /// The fingerprint found.
    pub fingerprint: AnyFingerprint,
    /// Its distance from the query, in bits.
    pub distance: u32,
    position: Option<u64>,
}

impl<const WORDS: usize> From<Match<WORDS>> for AnyMatch {
    fn from(near: Match<WORDS>) -> Self {
        let Match { query, fingerprint, distance, position } = near;
        Self { query, fingerprint: fingerprint.into(), distance, position }
    }
}

impl<const WORDS: usize> From<AnyMatch> for Match<WORDS> {
    fn from(near: AnyMatch) -> Self {
        let AnyMatch { query, fingerprint, distance, position } = near;
        let fingerprint = fingerprint.narrow().unwrap_or_default();
        Self { query, fingerprint, distance, position }
    }
}

/// What is wrong, and with which segment: its position among those searched, from 0.
pub type Damage = (usize, Error);
