//! The leading word of a fingerprint or of a permuted one.

/// The most significant of the words, which stand with the least significant first.
#[inline(always)]
pub(crate) const fn top<const WORDS: usize>(words: &[u64; WORDS]) -> u64 {
    const { assert!(WORDS > 0, "a fingerprint has a word") };
    words[WORDS - 1]
}
