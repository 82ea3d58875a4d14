//! From hashes to bits: shingles, weights, and sums. The signs of the sums are the fingerprint.

pub(crate) mod counts;
pub(crate) mod distinct;
pub(crate) mod dominant;
pub(crate) mod shingle;
pub(crate) mod sums;
pub(crate) mod tally;
pub(crate) mod weight;
pub(crate) mod weighted_tally;
