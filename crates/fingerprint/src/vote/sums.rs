//! SimHash with real weights, as the paper writes it: the vector V and its signs.
//!
//! This is the definition, and the naive kernel that every other is tested against. Integer weights
//! have a faster kernel in [`crate::vote::tally`].

use nearprint_bits::Fingerprint;
use serde::{Deserialize, Serialize};

/// What a component of V must be for its bit to be set.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, SignRule};
///
/// let recipe = Recipe { sign: SignRule::NonNegative, ..Recipe::named("words")? };
/// assert_ne!(recipe.id(), Recipe::named("words")?.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignRule {
    /// `V[i] > 0`: the paper's. No feature at all gives fingerprint 0.
    #[default]
    Positive,
    /// `V[i] >= 0`: some implementations'. No feature at all gives all ones.
    NonNegative,
}

impl SignRule {
    /// Whether the bit of this sum is set.
    pub(crate) fn is_set(self, sum: f64) -> bool {
        match self {
            Self::Positive => sum > 0.0,
            Self::NonNegative => sum >= 0.0,
        }
    }
}

/// A feature of a document: the bits of its hash, and how much it counts.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Feature, SignRule, Sums};
///
/// let mut sums = Sums::<1>::default();
/// sums.add(&Feature { hash: [0b10], weight: 1.5 });
/// assert_eq!(sums.fingerprint(SignRule::Positive).words(), &[0b10]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature<const WORDS: usize> {
    /// The hash, least significant word first.
    pub hash: [u64; WORDS],
    /// The weight; negative ones push the other way.
    pub weight: f64,
}

/// The vector V: one signed sum a bit of the fingerprint.
///
/// Sums are taken in the order in which features are added, so the same features in the same
/// order give the same bits everywhere.
///
/// # Examples
/// The worked example of two documents' vectors, hashes 101, 011, 100, 001 and 110 with weights
/// 1, 2, 0, 3, 0:
/// ```
/// use nearprint_fingerprint::{Feature, Fingerprint, SignRule, Sums};
///
/// let mut sums = Sums::<1>::default();
/// for (hash, weight) in [(0b101, 1.0), (0b011, 2.0), (0b100, 0.0), (0b001, 3.0), (0b110, 0.0)] {
///     sums.add(&Feature { hash: [hash], weight });
/// }
/// assert_eq!([sums.get(2), sums.get(1), sums.get(0)], [-4.0, -2.0, 6.0]);
/// assert_eq!(sums.fingerprint(SignRule::Positive), Fingerprint::from(0b001));
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums<const WORDS: usize>([[f64; 64]; WORDS]);

impl<const WORDS: usize> Default for Sums<WORDS> {
    fn default() -> Self {
        Self([[0.0; 64]; WORDS])
    }
}

impl<const WORDS: usize> Sums<WORDS> {
    /// Adds the weight where a bit of the hash is set, subtracts it where not.
    pub fn add(&mut self, feature: &Feature<WORDS>) {
        for (sums, word) in self.0.iter_mut().zip(feature.hash) {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += if word >> i & 1 == 1 { feature.weight } else { -feature.weight };
            }
        }
    }

    /// `V[bit]`, where bit 0 is the least significant; 0 beyond the width.
    #[must_use]
    pub fn get(&self, bit: usize) -> f64 {
        self.0.as_flattened().get(bit).copied().unwrap_or(0.0)
    }

    /// The signs of V as a fingerprint.
    #[must_use]
    pub fn fingerprint(&self, rule: SignRule) -> Fingerprint<WORDS> {
        Fingerprint::from_words(self.0.map(|sums| {
            sums.iter().rev().fold(0, |word, &sum| word << 1 | u64::from(rule.is_set(sum)))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::hash::TokenHash;

    fn sums<const WORDS: usize>(features: &[(u64, f64)]) -> Sums<WORDS> {
        let mut sums = Sums::default();
        for &(hash, weight) in features {
            let mut words = [0; WORDS];
            words[0] = hash;
            sums.add(&Feature { hash: words, weight });
        }
        sums
    }

    #[test]
    fn three_sparse_dimensions_give_five_and_three() {
        let v = sums::<1>(&[(0b10, 3.0), (0b01, 2.0), (0b11, 4.0)]);
        assert_eq!((v.get(1), v.get(0)), (5.0, 3.0));
        assert_eq!(v.fingerprint(SignRule::Positive), Fingerprint::from(0b11));
    }

    #[test]
    fn shanghai_and_beijing_have_their_eight_sums() {
        let v = sums::<1>(&[(0b0101_1001, 45.11), (0b1100_1011, 32.09)]);
        let expected = [-13.02, 77.20, -77.20, 13.02, 77.20, -77.20, -13.02, 77.20];
        for (i, sum) in expected.into_iter().enumerate() {
            assert!((v.get(7 - i) - sum).abs() < 1e-9, "V[{i}] = {}", v.get(7 - i));
        }
        assert_eq!(v.fingerprint(SignRule::Positive), Fingerprint::from(0b0101_1001));
    }

    #[test]
    fn the_heavier_of_two_words_decides_every_bit() {
        for hash in [TokenHash::Fnv1a, TokenHash::Fnv1aGo] {
            let v = sums::<1>(&[(hash.hash("上海"), 45.11), (hash.hash("北京"), 32.09)]);
            let expected = Fingerprint::from(0x4ef4_ef9e_e82a_f0c5);
            assert_eq!(v.fingerprint(SignRule::Positive), expected);
        }
    }

    #[test]
    fn keyword_documents_match_under_both_forms_of_the_hash() {
        let document = |hash: TokenHash, last: &str| {
            let words = [("共识", 3.0), ("算法", 2.5), ("区块", 2.0), ("激励", 1.5), (last, 1.0)];
            sums::<1>(&words.map(|(word, weight)| (hash.hash(word), weight)))
                .fingerprint(SignRule::Positive)
        };
        for (hash, first, second, distance) in [
            (TokenHash::Fnv1a, 0xb02e_0687_a0d1_91f5, 0xb42e_0286_a0d1_91d1, 5),
            (TokenHash::Fnv1aGo, 0xcafd_86e3_6e6f_6d6d, 0xcebd_8ae2_7e6d_6d41, 10),
        ] {
            let (a, b) = (document(hash, "机制"), document(hash, "博弈"));
            assert_eq!((a, b), (Fingerprint::from(first), Fingerprint::from(second)));
            assert_eq!(a.distance(&b), distance);
        }
    }

    #[test]
    fn no_feature_is_zero_or_all_ones_by_the_rule() {
        let v = sums::<2>(&[]);
        assert_eq!(v.fingerprint(SignRule::Positive), Fingerprint::ZERO);
        assert_eq!(v.fingerprint(SignRule::NonNegative), Fingerprint::from(u128::MAX));
    }

    #[test]
    fn negative_weights_push_the_other_way() {
        let v = sums::<1>(&[(0b01, -1.0)]);
        assert_eq!(v.fingerprint(SignRule::Positive), Fingerprint::from(!0b01));
    }
}
