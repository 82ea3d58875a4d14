//! What of a document decides whose duplicate it is: the fingerprint, and what is wrong with it.

use nearprint_fingerprint::{DegenerateRule, Fingerprint, Fingerprinted, Flags, Matching};

/// A fingerprint as the store compares it.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Fingerprint;
/// use nearprint_store::Sketch;
///
/// let sketch = Sketch::from(Fingerprint::from(0x2a_u64));
/// assert!(!sketch.flags.any());
/// assert!(Sketch::from(Fingerprint::<1>::ZERO).flags.empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketch<const WORDS: usize> {
    /// The fingerprint.
    pub fingerprint: Fingerprint<WORDS>,
    /// What is wrong with the document as a near-duplicate of others.
    pub flags: Flags,
    /// Of a flagged document, a hash of what it says; 0 for all others.
    pub content: u64,
}

impl<const WORDS: usize> Sketch<WORDS> {
    /// How duplicates are found by the rule of the recipe for degenerate documents.
    pub(crate) fn matching(&self, rule: DegenerateRule) -> Matching {
        rule.matching(self.flags)
    }
}

impl<const WORDS: usize> From<Fingerprint<WORDS>> for Sketch<WORDS> {
    /// Of a ready-made fingerprint: 0 is that of an empty document.
    fn from(fingerprint: Fingerprint<WORDS>) -> Self {
        let flags = Flags { empty: fingerprint == Fingerprint::ZERO, ..Flags::default() };
        Self { fingerprint, flags, content: 0 }
    }
}

impl<const WORDS: usize> From<Fingerprinted<WORDS>> for Sketch<WORDS> {
    fn from(made: Fingerprinted<WORDS>) -> Self {
        let content = made.short_hash.unwrap_or(0);
        Self { fingerprint: made.fingerprint, flags: made.flags, content }
    }
}
