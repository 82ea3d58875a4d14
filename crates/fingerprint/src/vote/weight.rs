//! How much a feature counts. Integer weights follow from how often it occurs in the document and
//! are computed here; real ones are in [`crate::weighing::weigher`].

use serde::{Deserialize, Serialize};

/// What a feature counts for.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Weighting};
///
/// let recipe = Recipe { weights: Weighting::Count, ..Recipe::named("words")? };
/// let mut fingerprinter = recipe.fingerprinter::<1>()?;
/// let features = fingerprinter.features("to be or not to be");
/// assert_eq!((features.weight("be"), features.weight("or")), (2.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// TF-IDF: the count times the inverse document frequency of a statistics file.
    Idf,
    /// BM25: as [`Weighting::Idf`], but the count saturates, and features of long documents weigh less.
    Bm25,
    /// TextRank: the rank of a token among those it stands close to.
    Textrank,
    /// The keywords of jieba: the share of a word in the document times the inverse document
    /// frequency that comes with jieba.
    Keywords,
    /// Whatever the caller gives with each feature.
    Given,
}

impl Weighting {
    /// Whether weights are integers that depend on the count alone: then [`Self::weight`] gives them.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Set | Self::Count | Self::Log)
    }

    /// The weight of a feature with `count` occurrences, of which there is at least one; the count
    /// itself where the weight depends on more.
    #[inline]
    #[must_use]
    pub const fn weight(self, count: u32) -> u32 {
        match self {
            Self::Set => 1,
            Self::Log => u32::BITS - count.leading_zeros(),
            _ => count,
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
