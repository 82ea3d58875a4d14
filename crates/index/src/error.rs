//! What can be asked of this crate that has no answer. Imports no sibling.

use thiserror::Error;

/// A question about fingerprints that cannot be answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The radius is wider than the fingerprint.
    #[error("k = {k} is more than the {width} bits of the fingerprint; use at most {width}")]
    RadiusOverWidth {
        /// The radius asked for.
        k: u32,
        /// The bits of the fingerprint.
        width: u32,
    },
    /// The radius is wider than the one that the tables were built for.
    #[error(
        "k = {k} is more than the radius {built} that the tables were built for; build them for k = {k}"
    )]
    RadiusOverTables {
        /// The radius asked for.
        k: u32,
        /// The radius that the tables were built for.
        built: u32,
    },
    /// The codes are not sorted, or one stands there twice.
    #[error(
        "the code at position {position} is not above the one before it; sort the codes and keep each once"
    )]
    NotAscending {
        /// Position of the first code that is out of order, from 0.
        position: usize,
    },
}
