//! How many cases a property test tries.

/// `usual` cases, or so many times more as `NEARPRINT_CASES` says: `scripts/test --thorough` sets it.
///
/// # Panics
///
/// Where `NEARPRINT_CASES` is no number.
#[must_use]
pub fn cases(usual: u32) -> u32 {
    usual * std::env::var("NEARPRINT_CASES").map_or(1, |times| times.parse::<u32>().unwrap())
}
