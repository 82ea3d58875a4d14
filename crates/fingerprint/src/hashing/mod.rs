//! Hashes of tokens and features: 64 bits each.

pub(crate) mod hash;
pub(crate) mod key_sorter;
#[cfg(target_arch = "x86_64")]
pub(crate) mod xxh3_lanes;
pub(crate) mod xxh3_short;
pub(crate) mod xxh3_words;
