//! How fingerprints behave: bits, buckets, matches by chance.

pub(crate) mod bit_statistics;
pub(crate) mod chance;
pub(crate) mod histogram;
pub(crate) mod leading_ones;
