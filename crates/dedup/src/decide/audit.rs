//! Pairs just above and just below the similarity that is asked for. [`crate::decide::draw`] draws them.

use nearprint_rules::Verify;
use nearprint_rules::{Finding, Likeness};
use serde::{Deserialize, Serialize};

/// Pairs of different content around the similarity that is asked for, some of which were drawn: each with the same
/// probability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit<P> {
    /// Those that are near-duplicates.
    pub above: AuditedRange<P>,
    /// Those that nearly are.
    pub below: AuditedRange<P>,
}

/// Pairs of a range of similarities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditedRange<P> {
    /// The least similarity, in the measure of the check.
    pub from: f64,
    /// Where the range ends.
    pub to: f64,
    /// How many such pairs there are among those that are looked at: each counts for those of its similarity that
    /// bands miss.
    pub pairs: u64,
    /// Those that were drawn, the least similar first.
    pub drawn: Vec<AuditedPair<P>>,
}

/// A pair that was drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditedPair<P> {
    /// The one that comes first in the input.
    pub a: P,
    /// The other.
    pub b: P,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
    /// Their similarity, in the measure of the check.
    pub similarity: f64,
}

/// How far pairs of an audit are from the similarity, at most.
pub(crate) const AROUND: f64 = 0.05;

impl<P> Audit<P> {
    /// The same with something else in place of each document.
    pub(crate) fn of<Q>(&self, document: impl Fn(&P) -> Q) -> Audit<Q> {
        Audit { above: self.above.of(&document), below: self.below.of(&document) }
    }

    /// Every document of a pair that was drawn.
    pub fn documents(&self) -> impl Iterator<Item = &P> {
        let drawn = self.above.drawn.iter().chain(&self.below.drawn);
        drawn.flat_map(|pair| [&pair.a, &pair.b])
    }
}

impl<P> AuditedRange<P> {
    fn of<Q>(&self, document: impl Fn(&P) -> Q) -> AuditedRange<Q> {
        let pair = |pair: &AuditedPair<P>| AuditedPair {
            a: document(&pair.a),
            b: document(&pair.b),
            distance: pair.distance,
            similarity: pair.similarity,
        };
        let Self { from, to, pairs, .. } = *self;
        AuditedRange { from, to, pairs, drawn: self.drawn.iter().map(pair).collect() }
    }
}

/// The similarity that an audit goes around; `None` where pairs below it are not looked at, or not by a similarity.
pub(crate) fn audited(likeness: &Likeness) -> Option<f64> {
    if likeness.finding() == Finding::Prefixes {
        return None;
    }
    match likeness.verify() {
        Verify::Jaccard(least) | Verify::Cosine(least) | Verify::WeightedJaccard(least) => {
            Some(least)
        }
        Verify::None | Verify::Containment(_) => None,
    }
}
