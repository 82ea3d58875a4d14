//! One fingerprint with all that it was made of. How a fingerprinter explains is in
//! [`crate::explain::explained`].

use crate::degenerate::Flags;
use crate::error::FeatureError;
use crate::vote::dominant::has_dominant;
use crate::vote::sums::SignRule;
use crate::vote::weighted_tally::sums_of;
use nearprint_bits::BitString;

/// A feature with its weight and the bits that it votes with.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
///
/// let mut fingerprinter = Recipe::named("words")?.fingerprinter::<1>()?;
/// let why = fingerprinter.explain("to be or not to be");
/// let feature = &why.features[0];
/// assert_eq!((feature.feature.as_str(), feature.count, feature.weight), ("to", 2, 2.0));
/// assert_eq!(feature.bits.width(), 64);
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedFeature {
    /// Its text or name.
    pub feature: String,
    /// How often the document has it.
    pub count: u32,
    /// What it counts for.
    pub weight: f64,
    /// Its hash, in the order of the bits of the fingerprint: it adds its weight where a bit is 1, and
    /// subtracts it where a bit is 0.
    pub bits: BitString,
}

/// A fingerprint step by step: tokens, features, weights, hashes, the vector V, and bits.
///
/// # Examples
/// Three features with bits given by hand, three bits each:
/// ```
/// use nearprint_fingerprint::{BitString, Explanation, SignRule};
///
/// let bits = |text: &str| text.parse::<BitString>();
/// let features = [("a", bits("101")?, 1.0), ("b", bits("011")?, 2.0), ("c", bits("001")?, 3.0)];
/// let why = Explanation::by_hand(features, SignRule::Positive)?;
/// assert_eq!(why.sums, [-4.0, -2.0, 6.0]);
/// assert_eq!(why.bits.to_string(), "001");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007, section 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The tokens of a text in their order, those of a phrase as one; none where features were given.
    pub tokens: Vec<String>,
    /// The distinct features that count, in the order in which they come first or, where the recipe
    /// chooses the heaviest, those first.
    pub features: Vec<ExplainedFeature>,
    /// The vector V, one sum for each bit, in the order in which bits are written: the most significant
    /// first.
    pub sums: Vec<f64>,
    /// The fingerprint.
    pub bits: BitString,
    /// What is wrong with the document as a near-duplicate of others.
    pub flags: Flags,
}

impl Explanation {
    /// The fingerprint of features whose bits are given by hand: of any width from 1 to 256, all of one.
    ///
    /// # Errors
    /// No feature; features of different widths; a weight that is no finite number.
    ///
    /// # Complexity
    /// 256 additions a feature, whatever the width.
    pub fn by_hand<S: Into<String>>(
        features: impl IntoIterator<Item = (S, BitString, f64)>,
        sign: SignRule,
    ) -> Result<Self, FeatureError> {
        let mut explained: Vec<ExplainedFeature> = Vec::new();
        for (name, bits, weight) in features {
            let feature = name.into();
            if !weight.is_finite() {
                return Err(FeatureError::NotFinite { feature, weight });
            }
            if let Some(first) = explained.first()
                && first.bits.width() != bits.width()
            {
                let (found, expected) = (bits.width(), first.bits.width());
                return Err(FeatureError::OtherWidth { feature, found, expected });
            }
            explained.push(ExplainedFeature { feature, count: 1, weight, bits });
        }
        let Some(bits) = explained.first().map(|first| first.bits) else {
            return Err(FeatureError::NoFeature);
        };
        let sums = sums(&explained, bits.width());
        let dominant = has_dominant(explained.iter().map(|feature| feature.weight));
        Ok(Self {
            bits: signs(&sums, bits, sign),
            tokens: Vec::new(),
            features: explained,
            sums,
            flags: Flags { dominant, ..Flags::default() },
        })
    }

    /// Whether there are features and each of them has weight 0: then every sum is 0, and the bits say
    /// nothing of the document.
    #[must_use]
    pub fn is_weightless(&self) -> bool {
        !self.features.is_empty() && self.features.iter().all(|feature| feature.weight == 0.0)
    }

    /// The `most` features that weigh most, whatever their sign, the heaviest first; all of them in their
    /// order where there are no more.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Explanation, Recipe};
    ///
    /// let why = Explanation::of(&Recipe::named("words")?, "one two two three")?;
    /// assert_eq!(why.heaviest(1)[0].feature, "two");
    /// assert_eq!(why.heaviest(3)[0].feature, "one");
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn heaviest(&self, most: usize) -> Vec<&ExplainedFeature> {
        let mut features: Vec<_> = self.features.iter().collect();
        if features.len() > most {
            features.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
            features.truncate(most);
        }
        features
    }
}

/// The vector V of `width` bits, the most significant first.
pub(crate) fn sums(features: &[ExplainedFeature], width: u32) -> Vec<f64> {
    let hashes: Vec<_> = features.iter().map(|feature| *feature.bits.words()).collect();
    let weights: Vec<_> = features.iter().map(|feature| feature.weight).collect();
    let all = sums_of(&hashes, &weights);
    let mut sums: Vec<f64> = all.as_flattened().iter().take(width as usize).copied().collect();
    sums.reverse();
    sums
}

/// The bits of `sums` by the rule, as wide as `like`.
pub(crate) fn signs(sums: &[f64], like: BitString, sign: SignRule) -> BitString {
    let mut words = [0_u64; 4];
    for (bit, &sum) in sums.iter().rev().enumerate() {
        if sign.is_set(sum)
            && let Some(word) = words.get_mut(bit / 64)
        {
            *word |= 1 << (bit % 64);
        }
    }
    BitString::new(words, like.width()).unwrap_or(like)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand(features: &[(&str, f64)]) -> Result<Explanation, FeatureError> {
        let features = features.iter().map(|&(bits, weight)| (bits, bits.parse().unwrap(), weight));
        Explanation::by_hand(features, SignRule::Positive)
    }

    #[test]
    fn the_worked_examples_of_the_sources_come_out() {
        let words = [("101", 1.0), ("011", 2.0), ("100", 0.0), ("001", 3.0), ("110", 0.0)];
        let why = by_hand(&words).unwrap();
        assert_eq!((why.sums, why.bits.to_string()), (vec![-4.0, -2.0, 6.0], "001".to_owned()));
        let why = by_hand(&[("10", 3.0), ("01", 2.0), ("11", 4.0)]).unwrap();
        assert_eq!((why.sums, why.bits.to_string()), (vec![5.0, 3.0], "11".to_owned()));
        let why = by_hand(&[("01011001", 45.11), ("11001011", 32.09)]).unwrap();
        let expected = [-13.02, 77.20, -77.20, 13.02, 77.20, -77.20, -13.02, 77.20];
        assert!(why.sums.iter().zip(expected).all(|(sum, v)| (sum - v).abs() < 1e-9));
        assert_eq!(why.bits.to_string(), "01011001");
        assert!(why.flags.dominant && !why.is_weightless());
    }

    #[test]
    fn the_rule_decides_sums_of_zero_at_every_width() {
        for width in [1, 2, 63, 64, 65, 200, 256] {
            let [ones, zeros] = ["1", "0"].map(|bit| bit.repeat(width).parse().unwrap());
            let of =
                |sign| Explanation::by_hand([("a", ones, 1.0), ("b", zeros, 1.0)], sign).unwrap();
            assert_eq!(of(SignRule::Positive).bits, zeros);
            assert_eq!(of(SignRule::NonNegative).bits, ones);
            assert_eq!(of(SignRule::Positive).sums, vec![0.0; width]);
        }
    }

    #[test]
    fn features_that_cannot_vote_together_are_refused() {
        let error = |features: &[(&str, f64)]| by_hand(features).unwrap_err().to_string();
        assert_eq!(
            error(&[("101", 1.0), ("0101", 1.0)]),
            "feature \"0101\" has 4 bits, and those before it have 3; give each feature as many bits"
        );
        for weight in [f64::NAN, f64::INFINITY] {
            let said = format!("feature \"1\" has weight {weight}; weights are finite numbers");
            assert_eq!(error(&[("0", 1.0), ("1", weight)]), said);
        }
        assert_eq!(error(&[]), "no feature: give at least one with its bits");
        assert!(by_hand(&[("0", 0.0), ("1", 0.0)]).unwrap().is_weightless());
    }
}
