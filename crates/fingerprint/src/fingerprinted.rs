//! What the fingerprinting of one document gives.

use crate::degenerate::{DegenerateRule, Flags, Matching};
use nearprint_bits::{AnyFingerprint, Fingerprint};

/// The outcome for one document.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{DegenerateRule, Recipe};
///
/// let mut fingerprinter = Recipe::named("words")?.fingerprinter::<1>()?;
/// let a = fingerprinter.fingerprint("The council approved the budget for schools.");
/// let b = fingerprinter.fingerprint("the council approved the budget, for schools");
/// assert!(a.is_near(&b, 0, DegenerateRule::Exact));
/// let empty = fingerprinter.fingerprint("...");
/// assert!(empty.flags.empty && !empty.is_near(&empty, 64, DegenerateRule::Join));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprinted<F = AnyFingerprint> {
    /// The fingerprint; 0 if there is no feature.
    pub fingerprint: F,
    /// Features counted with their repetitions. 0 means that the document is empty, which is
    /// never a duplicate.
    pub features: usize,
    /// What is wrong with the document as a near-duplicate of others.
    pub flags: Flags,
    /// Of a flagged document that has features, a hash of its tokens in order: equal for documents
    /// that say the same.
    pub short_hash: Option<u64>,
}

impl<const WORDS: usize> Fingerprinted<Fingerprint<WORDS>> {
    /// Whether two documents are near-duplicates at radius `k`, by the rule of their recipe for
    /// degenerate ones. An empty document is never a duplicate.
    #[must_use]
    pub fn is_near(&self, other: &Self, k: u32, rule: DegenerateRule) -> bool {
        let within = || self.fingerprint.distance(&other.fingerprint) <= k;
        self.is_match(self.flags, other, other.flags, rule, within)
    }

    /// Of a document without any feature.
    pub(crate) fn empty() -> Self {
        let flags = Flags { empty: true, ..Flags::default() };
        Self { fingerprint: Fingerprint::ZERO, features: 0, flags, short_hash: None }
    }

    /// The same for code that does not know the width.
    pub(crate) fn widened(self) -> Fingerprinted
    where
        AnyFingerprint: From<Fingerprint<WORDS>>,
    {
        let Self { fingerprint, features, flags, short_hash } = self;
        Fingerprinted { fingerprint: fingerprint.into(), features, flags, short_hash }
    }
}

impl Fingerprinted {
    /// Whether two documents are near-duplicates at radius `k`, by the rule of their recipe for
    /// degenerate ones. An empty document is never a duplicate, and none is of one of another width.
    #[must_use]
    pub fn is_near(&self, other: &Self, k: u32, rule: DegenerateRule) -> bool {
        let distance = || self.fingerprint.distance(&other.fingerprint);
        let within = || distance().is_some_and(|distance| distance <= k);
        self.is_match(self.flags, other, other.flags, rule, within)
    }
}

impl<F> Fingerprinted<F> {
    /// Whether two documents may be near-duplicates where their features decide, by the rule of their recipe for short
    /// ones: no empty document is, and a short one is only of an equal one.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let recipe = Recipe::named("vectors")?;
    /// let mut fingerprinter = Fingerprinter::<1>::new(&recipe)?;
    /// let a = fingerprinter.fingerprint_features([("x", 10.0), ("y", 1.0)])?;
    /// let b = fingerprinter.fingerprint_features([("x", 10.0), ("y", 2.0)])?;
    /// assert!(!a.is_near(&b, 64, recipe.degenerate), "one feature decides all bits");
    /// assert!(a.is_comparable(&b, recipe.degenerate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_comparable(&self, other: &Self, rule: DegenerateRule) -> bool {
        let (own, others) = (self.flags.of_features(), other.flags.of_features());
        self.is_match(own, other, others, rule, || true)
    }

    /// Whether two documents match by these flags: where fingerprints decide, as `within` says.
    fn is_match(
        &self,
        own: Flags,
        other: &Self,
        others: Flags,
        rule: DegenerateRule,
        within: impl Fn() -> bool,
    ) -> bool {
        match (rule.matching(own), rule.matching(others)) {
            (Matching::Distance, Matching::Distance) => within(),
            (Matching::Equality, Matching::Equality) => self.short_hash == other.short_hash,
            _ => false,
        }
    }
}
