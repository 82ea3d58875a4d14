//! The features of a document by their keys, with their weights: what many documents are compared by. With
//! their texts they are in [`crate::features::feature_set`].

/// The distinct features of a document by their keys, ascending, each with its weight.
///
/// Measures are sums in `f64` over the features in the order of their keys. So they do not depend on the order
/// of the features in the document, on threads, or on which of two documents comes first. Weights may be negative,
/// and as great or as small as finite numbers are.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::FeatureList;
///
/// let a = FeatureList::weighted(vec![(7, 3.0), (2, 4.0)]);
/// let b = FeatureList::weighted(vec![(7, 6.0), (9, 8.0)]);
/// assert_eq!((a.cosine(&b), a.weighted_jaccard(&b)), (0.36, 3.0 / 18.0));
/// assert_eq!(FeatureList::of_set(vec![2, 7]).weighted_jaccard(&FeatureList::of_set(vec![7, 9])), 1.0 / 3.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureList {
    keys: Vec<u64>,
    /// As many weights as keys; none where each feature weighs 1.
    weights: Vec<f64>,
    /// A power of two that brings the greatest weight near 1.
    unit: f64,
    /// The length of the vector of weights, in that unit.
    norm: f64,
    /// The sum of all weights without their signs, in that unit.
    total: f64,
}

impl FeatureList {
    /// Features of weight 1 with these keys, which ascend without repeating.
    #[must_use]
    pub fn of_set(keys: Vec<u64>) -> Self {
        Self::of(keys, Vec::new())
    }

    /// Features with these keys and finite weights, in any order. A key that comes twice has the sum of its
    /// weights.
    ///
    /// # Complexity
    /// One sort.
    #[must_use]
    pub fn weighted(mut features: Vec<(u64, f64)>) -> Self {
        features.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let runs = features.chunk_by(|a, b| a.0 == b.0);
        let sum = |run: &[(u64, f64)]| {
            let sum = run.iter().fold(0.0, |sum, (_, weight)| sum + weight);
            // Finite weights may have an infinite sum.
            Some((run.first()?.0, sum.clamp(f64::MIN, f64::MAX)))
        };
        let (keys, weights) = runs.filter_map(sum).unzip();
        Self::of(keys, weights)
    }

    /// Features with these keys, which ascend without repeating, and as many finite weights; with no weights each
    /// weighs 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
    pub fn of(keys: Vec<u64>, weights: Vec<f64>) -> Self {
        debug_assert!(keys.is_sorted_by(|a, b| a < b), "keys ascend");
        debug_assert!(weights.is_empty() || weights.len() == keys.len(), "a weight for each key");
        let unit = unit_of(weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs())));
        if weights.is_empty() {
            let total = keys.len() as f64;
            return Self { keys, weights, unit: 1.0, norm: total.sqrt(), total };
        }
        let (mut squares, mut total) = (0.0, 0.0);
        for weight in weights.iter().map(|weight| weight * unit) {
            squares += weight * weight;
            total += weight.abs();
        }
        Self { keys, weights, unit, norm: squares.sqrt(), total }
    }

    /// The keys, ascending.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The weight of each key; none where each feature weighs 1.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no feature.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The cosine of the angle between the vectors of weights, from -1 to 1: what fingerprints estimate. Two
    /// documents without any weight are equal; one without is unlike any other.
    ///
    /// # Complexity
    /// Linear in the features of both.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f64 {
        let (a, b) = (self, other);
        if a.norm == 0.0 || b.norm == 0.0 {
            return f64::from(u8::from(a.norm == b.norm));
        }
        let dot = shared(a, b, |dot, x, y| dot + (x * a.unit) * (y * b.unit));
        (dot / (a.norm * b.norm)).clamp(-1.0, 1.0)
    }

    /// The smaller weights of all features over the greater ones, from 0 to 1, signs aside: weights of different
    /// sign share nothing. Two documents without any weight are equal.
    ///
    /// # Complexity
    /// Linear in the features of both.
    ///
    /// # References
    /// Ioffe, "Improved Consistent Sampling, Weighted Minhash and L1 Sketching", ICDM 2010, section 1.
    #[must_use]
    pub fn weighted_jaccard(&self, other: &Self) -> f64 {
        let (a, b) = (self, other);
        // In the unit of the heavier one.
        let unit = a.unit.min(b.unit);
        let both = a.total * (unit / a.unit) + b.total * (unit / b.unit);
        let common = shared(a, b, |common, x, y| {
            let least = (x * unit).abs().min((y * unit).abs());
            common + if x.is_sign_negative() == y.is_sign_negative() { least } else { 0.0 }
        });
        if both == 0.0 { 1.0 } else { (common / (both - common)).min(1.0) }
    }
}

impl Default for FeatureList {
    /// No features.
    fn default() -> Self {
        Self::of_set(Vec::new())
    }
}

/// A power of two near the inverse of `most`, not so far from 1 that it or its inverse is infinite.
fn unit_of(most: f64) -> f64 {
    let exponent = i64::try_from(most.to_bits() >> 52).unwrap_or(0) - 1023;
    f64::from_bits(u64::try_from(1023 - exponent.clamp(-1000, 1000)).unwrap_or(1023) << 52)
}

/// Folds the weights of the keys that two lists share, in the order of the keys.
fn shared(a: &FeatureList, b: &FeatureList, add: impl Fn(f64, f64, f64) -> f64) -> f64 {
    let weight = |list: &FeatureList, at: usize| list.weights.get(at).copied().unwrap_or(1.0);
    let (mut sum, mut i, mut j) = (0.0, 0, 0);
    while let (Some(x), Some(y)) = (a.keys.get(i), b.keys.get(j)) {
        if x == y {
            sum = add(sum, weight(a, i), weight(b, j));
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Features = BTreeMap<u64, f64>;

    fn list(features: &Features) -> FeatureList {
        FeatureList::weighted(features.iter().rev().map(|(key, weight)| (*key, *weight)).collect())
    }

    /// Cosine and weighted Jaccard similarity by a plain double loop.
    fn plain(a: &Features, b: &Features) -> (f64, f64) {
        let (mut dot, mut common) = (0.0, 0.0);
        for (x, of_a) in a {
            for (y, of_b) in b {
                if x == y {
                    dot += of_a * of_b;
                    common += if of_a * of_b > 0.0 { of_a.abs().min(of_b.abs()) } else { 0.0 };
                }
            }
        }
        let norm = |of: &Features| of.values().map(|weight| weight * weight).sum::<f64>().sqrt();
        let total = |of: &Features| of.values().map(|weight| weight.abs()).sum::<f64>();
        (dot / (norm(a) * norm(b)), common / (total(a) + total(b) - common))
    }

    fn features() -> impl Strategy<Value = Features> {
        let weight = prop_oneof![(1_i32..9).prop_map(f64::from), -5.0..5.0, 0.1..1e6];
        let weight = weight.prop_filter("a weight", |weight: &f64| weight.abs() > 1e-9);
        prop::collection::btree_map(0_u64..30, weight, 1..30)
    }

    proptest! {
        #[test]
        fn measures_are_those_of_a_double_loop(a in features(), b in features(), scale in -900_i32..900) {
            let (cosine, weighted) = plain(&a, &b);
            let (of_a, of_b) = (list(&a), list(&b));
            prop_assert!((of_a.cosine(&of_b) - cosine).abs() < 1e-13);
            prop_assert!((of_a.weighted_jaccard(&of_b) - weighted).abs() < 1e-13);
            prop_assert_eq!(of_a.cosine(&of_b), of_b.cosine(&of_a));
            prop_assert_eq!(of_a.weighted_jaccard(&of_b), of_b.weighted_jaccard(&of_a));
            prop_assert!((of_a.cosine(&of_a) - 1.0).abs() < 1e-15);
            prop_assert_eq!(of_a.weighted_jaccard(&of_a), 1.0);
            // A power of two changes no bit of what follows.
            let times = |of: &Features| -> Features {
                of.iter().map(|(key, weight)| (*key, weight * 2_f64.powi(scale))).collect()
            };
            let (far, both) = (list(&times(&a)), list(&times(&b)));
            prop_assert_eq!(far.cosine(&of_b), of_a.cosine(&of_b));
            prop_assert_eq!(far.weighted_jaccard(&both), of_a.weighted_jaccard(&of_b));
        }

        #[test]
        fn a_set_is_a_list_of_ones(
            a in prop::collection::btree_set(0_u64..30, 0..30),
            b in prop::collection::btree_set(0_u64..30, 0..30),
        ) {
            let sets = [&a, &b].map(|set| FeatureList::of_set(set.iter().copied().collect()));
            let ones = [&a, &b].map(|set| list(&set.iter().map(|key| (*key, 1.0)).collect()));
            let [of_a, of_b] = &sets;
            for (x, y) in [(&ones[0], &ones[1]), (&sets[0], &ones[1]), (&ones[0], &sets[1])] {
                prop_assert!((x.cosine(y) - of_a.cosine(of_b)).abs() < 1e-14);
                prop_assert!((x.weighted_jaccard(y) - of_a.weighted_jaccard(of_b)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_neither_overflow_nor_vanish() {
        for weight in [f64::MAX, 1e200, 1e-200, f64::MIN_POSITIVE, 5e-324] {
            let a = FeatureList::weighted(vec![(1, weight), (2, weight)]);
            let b = FeatureList::weighted(vec![(2, weight), (3, -weight)]);
            assert!((a.cosine(&b) - 0.5).abs() < 1e-15, "{weight:e}");
            assert!((a.weighted_jaccard(&b) - 1.0 / 3.0).abs() < 1e-15, "{weight:e}");
            assert!(
                (a.cosine(&FeatureList::weighted(vec![(1, 2.0), (2, 2.0)])) - 1.0).abs() < 1e-15
            );
        }
        let doubled = FeatureList::weighted(vec![(1, f64::MAX), (1, f64::MAX)]);
        assert_eq!(doubled.weights(), [f64::MAX]);
    }

    #[test]
    fn documents_without_weight_are_like_each_other_only() {
        let (none, zero) = (FeatureList::default(), FeatureList::weighted(vec![(1, 0.0)]));
        let one = FeatureList::weighted(vec![(1, 2.0)]);
        for (a, b) in [(&none, &zero), (&zero, &zero), (&none, &none)] {
            assert_eq!((a.cosine(b), a.weighted_jaccard(b)), (1.0, 1.0));
        }
        for a in [&none, &zero] {
            assert_eq!((a.cosine(&one), a.weighted_jaccard(&one)), (0.0, 0.0));
        }
    }
}
