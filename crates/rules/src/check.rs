//! A check with what the features weigh that it goes over: what decides how pairs are found and compared.

use crate::verify::Verify;
use nearprint_fingerprint::{FeatureList, Weighting};

/// A rule over features that have weights, or of which all weigh the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    rule: Verify,
    weighs: bool,
}

impl Check {
    /// The check of features with such weights.
    pub const fn new(rule: Verify, weights: Weighting) -> Self {
        Self { rule, weighs: rule.is_weighted() && !matches!(weights, Weighting::Set) }
    }

    /// The same of another rule over the same weights.
    pub const fn by(self, rule: Verify) -> Self {
        Self { rule, ..self }
    }

    /// The rule.
    pub const fn rule(self) -> Verify {
        self.rule
    }

    /// Whether weights are read with the features.
    pub const fn weighs(self) -> bool {
        self.weighs
    }

    /// Whether the features of a pair are compared.
    pub fn is_checked(self) -> bool {
        self.rule.is_checked()
    }

    /// The similarity of two documents that pass; `None` for those that do not.
    pub fn similarity(self, a: &FeatureList, b: &FeatureList) -> Option<f64> {
        self.rule.similarity_of(a, b)
    }

    /// Features that a pair which passes shares at least, or a few less, by the numbers of their features.
    pub fn least_shared(self, a: usize, b: usize) -> usize {
        if self.weighs { 0 } else { self.rule.least_shared(a, b) }
    }

    /// The fewest features that a document has which passes with one that has `n` and no fewer; or a few less.
    pub fn least_size(self, n: usize) -> usize {
        if self.weighs { 0 } else { self.rule.least_size(n) }
    }

    /// How many features of a prefix are enough beside documents that have no fewer features.
    pub fn prefix_of_smaller(self, n: usize) -> usize {
        if self.weighs { n } else { self.rule.prefix_of_smaller(n) }
    }

    /// Whether the prefixes of two documents that pass share a feature, each as long as it is beside all others.
    pub const fn has_one_prefix(self) -> bool {
        !matches!(self.rule, Verify::None | Verify::Containment(_))
    }

    /// The features of a prefix by the numbers that all weigh the same.
    pub fn prefix(self, n: usize) -> usize {
        self.rule.prefix(n)
    }

    /// How many features, the first in any one order of all features, hold one that is also among such first ones
    /// of any document that passes with it, by the weights of the features in that order.
    ///
    /// What two vectors share behind a place is at most the product of the length of one behind it and the length
    /// of the other (Cauchy and Schwarz). So nothing passes by what is behind the place where the first vector has
    /// a share `s` of its length left: that is `s^2` of the squares of its weights. Of a weighted Jaccard similarity
    /// it is `s` of the weights.
    ///
    /// # References
    /// Anastasiu, Karypis, "L2AP: fast cosine similarity search with prefix L-2 norm bounds", ICDE 2014.
    pub fn prefix_by_weight(self, weights: &[f64]) -> usize {
        let most = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        let (share, square) = match self.rule {
            Verify::Cosine(least) => (least * least, true),
            Verify::WeightedJaccard(least) => (least, false),
            _ => return self.prefix(weights.len()),
        };
        if most == 0.0 {
            return weights.len();
        }
        let mass = |weight: &f64| {
            let part = (weight / most).abs();
            if square { part * part } else { part }
        };
        let needed = share * weights.iter().map(mass).sum::<f64>() * BELOW;
        let mut left = 0.0;
        let passes = |weight: &f64| {
            left += mass(weight);
            left >= needed
        };
        weights.iter().rposition(passes).map_or(weights.len(), |at| at + 1)
    }
}

/// Below a sum by more than it may be rounded.
const BELOW: f64 = 1.0 - 1e-9;

impl From<Verify> for Check {
    /// The check of features that all weigh the same.
    fn from(rule: Verify) -> Self {
        Self { rule, weighs: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_where_a_rule_goes_by_them() {
        let weighs = |rule, weights| Check::new(rule, weights).weighs();
        assert!(weighs(Verify::Cosine(0.8), Weighting::Log));
        assert!(weighs(Verify::WeightedJaccard(0.8), Weighting::Given));
        assert!(!weighs(Verify::Cosine(0.8), Weighting::Set));
        assert!(!weighs(Verify::Jaccard(0.8), Weighting::Idf));
    }

    #[test]
    fn a_prefix_ends_where_too_little_is_left() {
        let length =
            |rule, weights: &[f64]| Check::new(rule, Weighting::Given).prefix_by_weight(weights);
        // Squares 16, 4, 1, 1: behind the second are 2 of 22, 0.3 of the length.
        assert_eq!(length(Verify::Cosine(0.31), &[4.0, -2.0, 1.0, 1.0]), 2);
        assert_eq!(length(Verify::Cosine(0.3), &[4.0, -2.0, 1.0, 1.0]), 3);
        assert_eq!(length(Verify::Cosine(1.0), &[4.0, 2.0, 1.0, 1.0]), 1);
        assert_eq!(length(Verify::WeightedJaccard(0.51), &[4.0, 2.0, 1.0, 1.0]), 1);
        assert_eq!(length(Verify::WeightedJaccard(0.5), &[4.0, 2.0, 1.0, 1.0]), 2);
        assert_eq!(length(Verify::Cosine(0.5), &[0.0, 0.0]), 2);
        // As many as of a set.
        for n in 1..60 {
            for least in [0.1, 0.5, 0.8, 1.0] {
                for rule in [Verify::Cosine(least), Verify::WeightedJaccard(least)] {
                    let by_weight = length(rule, &vec![3.0; n]);
                    assert!((by_weight..=by_weight + 1).contains(&rule.prefix(n)), "{rule} {n}");
                }
            }
        }
    }

    #[test]
    fn a_check_by_weight_makes_no_use_of_numbers_of_features() {
        let check = Check::new(Verify::Cosine(0.5), Weighting::Given);
        assert_eq!((check.least_shared(10, 10), check.least_size(10)), (0, 0));
        assert_eq!(check.prefix_of_smaller(10), 10);
        // The same rule where all features weigh the same.
        let of_sets = Check::from(Verify::Cosine(0.5));
        let rule = of_sets.rule();
        assert_eq!(of_sets.least_shared(10, 10), rule.least_shared(10, 10));
        assert_eq!((of_sets.least_shared(10, 10), of_sets.least_size(10)), (4, 2));
        assert_eq!((of_sets.prefix_of_smaller(10), of_sets.prefix(10)), (6, 8));
        assert!(check.weighs() && !of_sets.weighs());
    }

    #[test]
    fn another_rule_goes_over_the_same_weights() {
        let check = Check::new(Verify::Cosine(0.5), Weighting::Given).by(Verify::Cosine(0.9));
        assert_eq!((check.rule(), check.weighs()), (Verify::Cosine(0.9), true));
        assert!(check.is_checked() && !check.by(Verify::None).is_checked());
    }

    #[test]
    fn one_prefix_is_enough_but_for_excerpts() {
        for rule in [Verify::Jaccard(0.5), Verify::Cosine(0.5), Verify::WeightedJaccard(0.5)] {
            assert!(Check::from(rule).has_one_prefix(), "{rule}");
        }
        assert!(!Check::from(Verify::None).has_one_prefix());
        assert!(!Check::from(Verify::Containment(0.5)).has_one_prefix());
    }

    #[test]
    fn documents_pass_as_the_rule_says() {
        let list =
            |weights: &[f64]| FeatureList::weighted((1..).zip(weights.iter().copied()).collect());
        let (a, b) = (list(&[3.0, 4.0]), list(&[0.0, 1.0]));
        let check = Check::new(Verify::Cosine(0.8), Weighting::Given);
        assert_eq!(check.similarity(&a, &b), Some(0.8));
        assert_eq!(check.by(Verify::Cosine(0.9)).similarity(&a, &b), None);
    }
}
