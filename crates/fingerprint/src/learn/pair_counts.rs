//! How often tokens stand side by side, and which of them are phrases: the second reading of
//! [`crate::learn::token_counts`].

use crate::vote::shingle::append;
use crate::weighing::phrases::Phrases;
use std::collections::HashMap;

/// Occurrences of a pair that do not count, as in `word2phrase`: a pair of two rare words may be chance.
pub(crate) const DISCOUNT: u64 = 5;

/// Counts the pairs of neighbouring tokens whose score may pass the threshold.
///
/// The score of a pair that occurs `ab` times, of tokens that occur `a` and `b` times among all `N`,
/// is `(ab - 5) * N / (a * b)`. It is compared in integers.
///
/// Memory: some 24 bytes a pair that could pass, were the rarer of its tokens never apart from the
/// other: no pair with a token that occurs five times or less, or with one that is more than
/// `1 / threshold` of all.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::TokenCounts;
///
/// let corpus: Vec<[u64; 3]> = (0..20).map(|i| [1, 2, 100 + i]).collect();
/// let mut tokens = TokenCounts::default();
/// corpus.iter().for_each(|text| tokens.add(text));
/// let mut pairs = tokens.pairs(2);
/// corpus.iter().for_each(|text| pairs.add(text));
/// assert_eq!(pairs.phrases().len(), 1);
/// ```
///
/// # References
/// Mikolov, Sutskever, Chen, Corrado, Dean, "Distributed Representations of Words and Phrases and their
/// Compositionality", NIPS 2013, section 4; the factor `N` and the discount are those of their program
/// `word2phrase`.
#[derive(Clone, Debug)]
pub struct PairCounts {
    tokens: HashMap<u64, u64>,
    total: u64,
    threshold: u32,
    /// For each pair how many more occurrences make it a phrase.
    lacking: HashMap<u64, u64>,
}

impl PairCounts {
    /// Counters of pairs among `tokens`, which are listed with their counts.
    pub(crate) fn new(tokens: HashMap<u64, u64>, total: u64, threshold: u32) -> Self {
        Self { tokens, total, threshold, lacking: HashMap::new() }
    }

    /// Counts the pairs of one document, given as its tokens in order.
    pub fn add(&mut self, tokens: &[u64]) {
        let Self { tokens: counts, total, threshold, lacking } = self;
        let mut left = None;
        for token in tokens {
            let right = counts.get(token).map(|count| (*token, *count));
            if let (Some((left, a)), Some((right, b))) = (left, right) {
                let needed = needed(a, b, *total, *threshold);
                if needed <= a.min(b) {
                    let lacks = lacking.entry(append(left, right)).or_insert(needed);
                    *lacks = lacks.saturating_sub(1);
                }
            }
            left = right;
        }
    }

    /// The pairs whose score passes the threshold.
    #[must_use]
    pub fn phrases(self) -> Phrases {
        let passed = self.lacking.into_iter().filter(|(_, lacks)| *lacks == 0);
        Phrases::of_keys(passed.map(|(key, _)| key).collect())
    }
}

/// The least number of occurrences of a pair whose score passes `threshold`:
/// `(needed - 5) * total > threshold * a * b`.
fn needed(a: u64, b: u64, total: u64, threshold: u32) -> u64 {
    let chance = u128::from(a).saturating_mul(b.into()).saturating_mul(threshold.into());
    let above = (chance / u128::from(total.max(1))).saturating_add(1);
    u64::try_from(above).unwrap_or(u64::MAX).saturating_add(DISCOUNT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::token_counts::TokenCounts;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn learned(documents: &[Vec<u64>], threshold: u32) -> Phrases {
        let mut tokens = TokenCounts::default();
        documents.iter().for_each(|document| tokens.add(document));
        let mut pairs = tokens.pairs(threshold);
        documents.iter().for_each(|document| pairs.add(document));
        pairs.phrases()
    }

    #[test]
    fn six_occurrences_are_the_least() {
        // A score of (n - 5) * 3n / n^2.
        let phrases = |n: usize, threshold| learned(&vec![vec![1, 2, 3]; n], threshold).len();
        assert_eq!((phrases(5, 1), phrases(8, 1)), (0, 2));
        // Six times in 18 tokens: 1 * 18 / 36 is no more than 1.
        assert_eq!(phrases(6, 1), 0);
        assert_eq!((needed(6, 6, 36, 1), needed(6, 6, 37, 1)), (7, 6));
        assert_eq!(needed(u64::MAX, u64::MAX, 1, u32::MAX), u64::MAX);
    }

    proptest! {
        /// The formula over counts of everything.
        #[test]
        fn phrases_are_those_of_the_definition(
            texts in prop::collection::vec(prop::collection::vec(0_u64..12, 0..40), 0..40),
            threshold in 1_u32..4,
        ) {
            // The first three always come with a neighbour of their own, which also comes alone.
            let words = |text: &Vec<u64>| -> Vec<u64> {
                text.iter().flat_map(|&t| (t < 3).then_some(t).into_iter().chain([t % 8 + 3])).collect()
            };
            let documents: Vec<_> = texts.iter().map(words).collect();
            let (mut single, mut pair) = (BTreeMap::new(), BTreeMap::new());
            for document in &documents {
                document.iter().for_each(|token| *single.entry(*token).or_insert(0.0) += 1.0);
                for two in document.windows(2) {
                    *pair.entry((two[0], two[1])).or_insert(0.0) += 1.0;
                }
            }
            let total: f64 = single.values().sum();
            let phrases = learned(&documents, threshold);
            let mut expected = 0;
            for ((left, right), count) in pair {
                let passes = (count - 5.0) * total > f64::from(threshold) * single[&left] * single[&right];
                expected += usize::from(passes);
                prop_assert_eq!(phrases.joined(left, right).is_some(), passes);
            }
            prop_assert_eq!(phrases.len(), expected);
        }
    }
}
