//! What a record turned out to be. How that is found is handled by [`crate::read::sketch`].

use nearprint_corpus::Score;
use nearprint_fingerprint::{AnyFingerprint, Flags, Matching, Width, mix64};
use nearprint_rules::Featureless;
use xxhash_rust::xxh3::{xxh3_128, xxh3_128_with_seed};

/// What a row of a degenerate document says in place of its content where nothing may be its
/// duplicate.
pub(crate) const APART: &str = "apart";

/// Features below which a document has few.
pub(crate) const FEW_FEATURES: usize = 20;

/// What a record turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A document that may be near others.
    Full,
    /// A degenerate document, which may equal others of the same short hash.
    Exact(u64),
    /// A degenerate document that is never a duplicate.
    Apart,
    /// A document without any feature.
    Empty,
    /// No document: left out because of an error.
    Skipped,
}

/// The short hash of a document that is compared by a content alone: its last 64 bits.
pub(crate) fn short(content: u128) -> u64 {
    content.to_le_bytes().first_chunk().map_or(0, |low| u64::from_le_bytes(*low))
}

/// The bits of the hash of a content that are the same in every group that documents are compared within.
pub(crate) const GROUPLESS: u128 = 0xffff_ffff << 64;

/// A hash of the group that documents of a label are compared within.
pub(crate) fn group_of(label: Option<&str>) -> u64 {
    label.map_or(0, |label| short(xxh3_128(label.as_bytes()) | 1))
}

/// A record's outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sketched {
    /// What it turned out to be.
    pub state: State,
    /// What is wrong with it as a near-duplicate of others.
    pub flags: Flags,
    /// Its fingerprint; 0 where it has none.
    pub fingerprint: AnyFingerprint,
    /// That of all text of a page beside its main text, where both are asked for.
    pub full: Option<AnyFingerprint>,
    /// Whether it is known to have fewer than twenty features, each as often as it is there.
    pub few: bool,
    /// Bytes of its text.
    pub length: u64,
    /// What its row says it is worth.
    pub score: Option<Score>,
    /// A hash of its content once that is normalised, and of all its text where no feature is left then; 0 of a
    /// fingerprint that was there already.
    pub content_hash: u128,
}

impl Sketched {
    /// What is no document.
    pub(crate) const fn skipped(width: Width) -> Self {
        Self {
            state: State::Skipped,
            flags: Flags { empty: false, short: false, dominant: false },
            fingerprint: AnyFingerprint::zero(width),
            full: None,
            few: false,
            length: 0,
            score: None,
            content_hash: 0,
        }
    }

    /// Whether it is one of the documents that are compared, where those without features are handled so.
    pub(crate) fn is_compared(&self, featureless: Featureless) -> bool {
        match self.state {
            State::Skipped => false,
            State::Empty => featureless == Featureless::Collapse,
            State::Full | State::Exact(_) | State::Apart => true,
        }
    }

    /// The same as a document of these labels, which is compared within that of the place `within`, if there is one: its
    /// content equals only that of others of the group.
    pub(crate) fn labelled(&self, labels: &[Option<String>], within: Option<usize>) -> Self {
        let Some(label) = within.and_then(|at| labels.get(at)) else { return *self };
        let group = group_of(label.as_deref());
        let hash = xxh3_128_with_seed(&self.content_hash.to_le_bytes(), group);
        let content_hash = hash & !GROUPLESS | self.content_hash & GROUPLESS;
        let state = match self.state {
            State::Exact(content) => State::Exact(mix64(content ^ mix64(group))),
            state => state,
        };
        Self { state, content_hash, ..*self }
    }

    /// How its duplicates are found; `None` for what is no document.
    #[must_use]
    pub fn matching(&self) -> Option<Matching> {
        match self.state {
            State::Full => Some(Matching::Distance),
            State::Exact(_) => Some(Matching::Equality),
            State::Apart | State::Empty => Some(Matching::Apart),
            State::Skipped => None,
        }
    }
}
