//! How similar two documents are, exactly, over their features; estimates from fingerprints are in
//! [`crate::compare::estimate`].

use crate::features::feature_set::FeatureSet;

/// The exact measures for a pair of feature sets.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{FeatureSet, Recipe, Similarity};
///
/// let words = Recipe::named("words").unwrap();
/// let a = FeatureSet::new(&words, "one two three four")?;
/// let b = FeatureSet::new(&words, "one two three")?;
/// let exact = Similarity::of(&a, &b);
/// assert_eq!(exact.jaccard, 0.75);
/// assert_eq!(exact.containment, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Shared features over all features of either: `|A and B| / |A or B|`.
    pub jaccard: f64,
    /// The same by weight: the smaller weights of all features over the greater ones, where weights
    /// of different sign share nothing.
    pub weighted_jaccard: f64,
    /// Shared features over all features of the smaller set: `|A and B| / min(|A|, |B|)`.
    pub containment: f64,
    /// Cosine of the angle between the weight vectors; what the fingerprints estimate.
    pub cosine: f64,
}

impl Similarity {
    /// Compares two sets. Two empty sets are equal, an empty one is unlike any other.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` features in the smaller set.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
    pub fn of(a: &FeatureSet, b: &FeatureSet) -> Self {
        if a.is_empty() || b.is_empty() {
            let value = if a.is_empty() && b.is_empty() { 1.0 } else { 0.0 };
            return Self {
                jaccard: value,
                weighted_jaccard: value,
                containment: value,
                cosine: value,
            };
        }
        let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let mut shared = 0;
        let mut dot = 0.0;
        let mut common = 0.0;
        for (feature, weight) in small.iter() {
            let other = large.weight(feature);
            if other != 0.0 {
                shared += 1;
                dot += weight * other;
                if weight.signum() == other.signum() {
                    common += weight.abs().min(other.abs());
                }
            }
        }
        let norm =
            |set: &FeatureSet| set.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        let total = |set: &FeatureSet| set.iter().map(|(_, weight)| weight.abs()).sum::<f64>();
        let without_weight = [norm(a), norm(b)].map(|norm| norm == 0.0);
        let weighed = |measure: f64| match without_weight {
            [false, false] => measure,
            [a, b] => f64::from(u8::from(a && b)),
        };
        Self {
            weighted_jaccard: weighed(common / (total(a) + total(b) - common)),
            jaccard: shared as f64 / (a.len() + b.len() - shared) as f64,
            containment: shared as f64 / small.len() as f64,
            cosine: weighed(dot / (norm(a) * norm(b))),
        }
    }
}

/// Keys that are compared between two looks at how many can still be shared.
const STRIDE: usize = 32;

/// How much two sets of keys have in common, each ascending without repeating: what
/// [`Similarity`] says of it, from [`keys`](crate::outcome::Outcome::keys) alone.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Overlap;
///
/// let overlap = Overlap::of(&[1, 2, 3, 4], &[2, 3, 9]);
/// assert_eq!((overlap.jaccard(), overlap.containment()), (2.0 / 5.0, 2.0 / 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Keys in both.
    pub shared: usize,
    /// Keys of the smaller set, and of the larger.
    pub sizes: (usize, usize),
}

impl Overlap {
    /// Counts what two sets share.
    ///
    /// # Complexity
    /// Linear in both.
    #[must_use]
    pub fn of(a: &[u64], b: &[u64]) -> Self {
        let sizes = (a.len().min(b.len()), a.len().max(b.len()));
        // No count is below 0.
        Self::at_least(a, b, 0).unwrap_or(Self { shared: 0, sizes })
    }

    /// What two sets share, if that is `least` keys or more.
    ///
    /// # Complexity
    /// Linear in both; less for sets that share little, as it ends where too few keys are left.
    #[must_use]
    pub fn at_least(a: &[u64], b: &[u64], least: usize) -> Option<Self> {
        let (mut left, mut right, mut shared) = (a, b, 0);
        while !left.is_empty() && !right.is_empty() {
            if shared + left.len().min(right.len()) < least {
                return None;
            }
            for _ in 0..STRIDE {
                let (Some(x), Some(y)) = (left.first(), right.first()) else { break };
                shared += usize::from(x == y);
                let (skip_left, skip_right) = (usize::from(x <= y), usize::from(y <= x));
                left = left.get(skip_left..).unwrap_or_default();
                right = right.get(skip_right..).unwrap_or_default();
            }
        }
        let sizes = (a.len().min(b.len()), a.len().max(b.len()));
        (shared >= least).then_some(Self { shared, sizes })
    }

    /// Shared keys over all keys of either; 1 for two empty sets.
    #[must_use]
    pub fn jaccard(&self) -> f64 {
        ratio(self.shared, self.sizes.0 + self.sizes.1 - self.shared)
    }

    /// Shared keys over all keys of the smaller set; 1 for two empty sets, 0 for one.
    #[must_use]
    pub fn containment(&self) -> f64 {
        if self.sizes.1 > 0 && self.sizes.0 == 0 { 0.0 } else { ratio(self.shared, self.sizes.0) }
    }

    /// Shared keys over the geometric mean of all keys of both: the cosine of features that all weigh the same.
    /// 1 for two empty sets, 0 for one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
    pub fn cosine(&self) -> f64 {
        match self.sizes {
            (_, 0) => 1.0,
            (0, _) => 0.0,
            (a, b) => self.shared as f64 / (a as f64 * b as f64).sqrt(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// A feature whose weight differs between two documents.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{FeatureSet, Recipe, differences};
///
/// let words = Recipe::named("words")?;
/// let (a, b) = (FeatureSet::new(&words, "one two")?, FeatureSet::new(&words, "one three")?);
/// let features: Vec<_> = differences(&a, &b).iter().map(|one| one.feature).collect();
/// assert_eq!(features, ["three", "two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDifference<'a> {
    /// The feature's text.
    pub feature: &'a str,
    /// Its weight in the first document; 0 where that lacks it.
    pub a: f64,
    /// Its weight in the second.
    pub b: f64,
}

/// The features that tell two documents apart, the greatest difference of weight first, then by
/// text.
///
/// # Complexity
/// `O(n log n)` for `n` features in both.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, differences};
///
/// let mut fingerprinter = Recipe::named("words")?.fingerprinter::<1>()?;
/// let (a, b) = (fingerprinter.features("one two"), fingerprinter.features("one four"));
/// let names: Vec<_> = differences(&a, &b).iter().map(|gap| gap.feature).collect();
/// assert_eq!(names, ["four", "two"]);
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[must_use]
pub fn differences<'a>(a: &'a FeatureSet, b: &'a FeatureSet) -> Vec<FeatureDifference<'a>> {
    let of_a = a.iter().map(|(feature, weight)| (feature, weight, b.weight(feature)));
    let only_b = b.iter().filter(|(feature, _)| a.weight(feature) == 0.0);
    let mut all: Vec<_> = of_a
        .chain(only_b.map(|(feature, weight)| (feature, 0.0, weight)))
        .filter(|(_, a, b)| a != b)
        .map(|(feature, a, b)| FeatureDifference { feature, a, b })
        .collect();
    let gap = |d: &FeatureDifference<'_>| (d.a - d.b).abs();
    all.sort_by(|x, y| gap(y).total_cmp(&gap(x)).then(x.feature.cmp(y.feature)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprinter::Fingerprinter;
    use crate::recipes::recipe::Recipe;

    fn words(text: &str) -> FeatureSet {
        FeatureSet::new(&Recipe::named("words").unwrap(), text).unwrap()
    }

    #[test]
    fn measures_follow_their_definitions() {
        let exact = Similarity::of(&words("a b c"), &words("b c d e"));
        assert_eq!((exact.jaccard, exact.containment), (0.4, 2.0 / 3.0));
        assert!((exact.cosine - 2.0 / 12_f64.sqrt()).abs() < 1e-12);
        // Log weights: x counts 3 in one and 2 in the other, y and z 1.
        let weighted = Similarity::of(&words("x x x x y"), &words("x x z"));
        assert_eq!((weighted.jaccard, weighted.weighted_jaccard), (1.0 / 3.0, 2.0 / 5.0));
    }

    #[test]
    fn empty_documents_are_like_each_other_only() {
        assert_eq!(Similarity::of(&words(""), &words("")).jaccard, 1.0);
        assert_eq!(Similarity::of(&words(""), &words("a")).containment, 0.0);
    }

    #[test]
    fn keys_say_what_the_features_say() {
        let recipe = Recipe::named("words").unwrap();
        let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
        let texts = ["", "a", "a b c", "b c d e", "x x x x y", "c b a", "one two three a b c d e"];
        for a in texts {
            for b in texts {
                let mut keys = |text| fingerprinter.read(text).keys();
                let overlap = Overlap::of(&keys(a), &keys(b));
                let exact = Similarity::of(&words(a), &words(b));
                assert_eq!(
                    (overlap.jaccard(), overlap.containment()),
                    (exact.jaccard, exact.containment),
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn differences_come_heaviest_first() {
        let (a, b) = (words("x x x x y z"), words("y w"));
        let found: Vec<_> =
            differences(&a, &b).into_iter().map(|d| (d.feature, d.a, d.b)).collect();
        assert_eq!(found, [("x", 3.0, 0.0), ("w", 0.0, 1.0), ("z", 1.0, 0.0)]);
    }
}
