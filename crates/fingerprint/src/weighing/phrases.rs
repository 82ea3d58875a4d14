//! Learned phrases: pairs of tokens that are one token. Learning them is [`crate::learn::token_counts`]' and
//! [`crate::learn::pair_counts`]'.

use crate::vote::shingle::append;
use crate::weighing::sorted_keys::{SharedBytes, SortedKeys};
use std::fmt;
use std::sync::Arc;

/// The phrases of a corpus: pairs of neighbouring tokens that stand together more often than chance
/// would have it, such as "new york".
///
/// A phrase is known by the key that `append` makes of the hashes of its two tokens,
/// which is the hash of the token that they become. Cheap to clone: copies share the keys.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Statistics, StatisticsBuilder, Weighting};
///
/// let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words")? };
/// let statistics = Statistics::open(StatisticsBuilder::new(&recipe)?.finish())?;
/// assert!(statistics.phrases().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Phrases(SortedKeys);

impl Phrases {
    /// The phrases of these keys, in any order.
    pub(crate) fn of_keys(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        Self::in_bytes(Arc::new(bytes), 0, keys.len())
    }

    /// `number` sorted keys from byte `at` on.
    pub(crate) fn in_bytes(bytes: SharedBytes, at: usize, number: usize) -> Self {
        Self(SortedKeys::new(bytes, at, number))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no phrase.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys, ascending.
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> {
        self.0.iter()
    }

    /// The token that the neighbours `left` and `right` become, where they are a phrase.
    ///
    /// # Complexity
    /// `O(log log n)` expected.
    #[must_use]
    pub fn joined(&self, left: u64, right: u64) -> Option<u64> {
        let key = append(left, right);
        self.0.find(key).map(|_| key)
    }
}

impl fmt::Debug for Phrases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Phrases").field(&self.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_known_by_its_tokens_in_order() {
        let phrases = Phrases::of_keys(vec![append(3, 4), append(1, 2)]);
        assert_eq!(phrases.joined(1, 2), Some(append(1, 2)));
        assert_eq!(phrases.joined(3, 4), Some(append(3, 4)));
        assert_eq!((phrases.joined(2, 1), phrases.joined(2, 3)), (None, None));
        assert!(phrases.keys().is_sorted() && phrases.len() == 2);
        assert_eq!(Phrases::of_keys(Vec::new()).joined(1, 2), None);
    }
}
