//! How much a feature counts, from how often it occurs in the document.

use serde::{Deserialize, Serialize};

/// The weight of a feature that occurs `count` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// 1: once a document, as in the Jaccard similarity of feature sets.
    Set,
    /// The count itself. Pages that repeat one block are then all alike.
    Count,
    /// `1 + floor(log2(count))`: an integer on every platform, where a logarithm of real numbers
    /// would round differently from one to the next.
    Log,
}

impl Weighting {
    /// The weight of a feature with `count` occurrences, of which there is at least one.
    #[inline]
    #[must_use]
    pub const fn weight(self, count: u32) -> u32 {
        match self {
            Self::Set => 1,
            Self::Count => count,
            Self::Log => u32::BITS - count.leading_zeros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_weight_is_one_plus_the_floor_of_the_binary_logarithm() {
        for count in 1..5000_u32 {
            assert_eq!(Weighting::Log.weight(count), 1 + count.ilog2());
            assert_eq!(Weighting::Set.weight(count), 1);
            assert_eq!(Weighting::Count.weight(count), count);
        }
    }
}
