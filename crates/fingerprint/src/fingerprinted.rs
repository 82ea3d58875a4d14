//! What the fingerprinting of one document gives.

use crate::degenerate::Flags;
use crate::recipes::recipe::DegenerateRule;
use nearprint_bits::Fingerprint;

/// The outcome for one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprinted<const WORDS: usize> {
    /// The fingerprint; 0 where there is no feature.
    pub fingerprint: Fingerprint<WORDS>,
    /// Features counted with their repetitions. 0 means that the document is empty and nobody's
    /// duplicate.
    pub features: usize,
    /// What is wrong with the document as a near-duplicate of others.
    pub flags: Flags,
    /// For a flagged document, a hash of its tokens in order: equal for documents that say the same.
    /// 0 for all others.
    pub content: u64,
}

impl<const WORDS: usize> Fingerprinted<WORDS> {
    /// Whether two documents are near-duplicates at radius `k`, by the rule of their recipe for
    /// degenerate ones. An empty document is nobody's duplicate.
    #[must_use]
    pub fn is_near(&self, other: &Self, k: u32, rule: DegenerateRule) -> bool {
        let within = self.fingerprint.distance(&other.fingerprint) <= k;
        if self.flags.empty || other.flags.empty {
            false
        } else if self.flags.any() || other.flags.any() {
            match rule {
                DegenerateRule::Exact => self.content == other.content,
                DegenerateRule::Apart => false,
                DegenerateRule::Join => within,
            }
        } else {
            within
        }
    }

    /// Of a document without any feature.
    pub(crate) fn empty() -> Self {
        let flags = Flags { empty: true, ..Flags::default() };
        Self { fingerprint: Fingerprint::ZERO, features: 0, flags, content: 0 }
    }
}
