//! Two texts side by side: their fingerprints, their exact similarity, and the features that differ.

use crate::any_fingerprinter::AnyFingerprinter;
use crate::compare::estimate;
use crate::compare::similarity::{FeatureDifference, Similarity, differences};
use crate::error::RecipeError;
use crate::features::feature_set::FeatureSet;
use crate::recipes::recipe::Recipe;
use nearprint_bits::Width;

/// How alike two texts are by a recipe, and why.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Comparison, Recipe};
///
/// let words = Recipe::named("words")?;
/// let why = Comparison::of(&words, "one two three four", "one two three five")?;
/// assert_eq!(why.similarity.jaccard, 3.0 / 5.0);
/// let features: Vec<_> = why.differences().iter().map(|one| one.feature.to_owned()).collect();
/// assert_eq!(features, ["five", "four"]);
/// assert_eq!(why.is_near(0), why.distance == 0);
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The width of the fingerprints: the recipe's width.
    pub width: Width,
    /// The fingerprints of the first and the second text, in hexadecimal digits.
    pub fingerprints: [String; 2],
    /// The features of the first and the second text with their weights.
    pub features: [FeatureSet; 2],
    /// The Hamming distance: the number of bits in which the fingerprints differ.
    pub distance: u32,
    /// The cosine of the weighted features, estimated from the distance.
    pub cosine_estimated: f64,
    /// The exact similarity of the features.
    pub similarity: Similarity,
    /// The least radius that makes the two near-duplicates; `None` if no radius does.
    pub least_radius: Option<u32>,
}

impl Comparison {
    /// Compares two texts by `recipe`, at its width.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other; dictionaries or statistics that the recipe needs.
    ///
    /// # Complexity
    /// Linear in the texts to fingerprint them, `O(n log n)` for their `n` features.
    pub fn of(recipe: &Recipe, a: &str, b: &str) -> Result<Self, RecipeError> {
        Ok(Self::by(&mut AnyFingerprinter::new(recipe, None)?, recipe, a, b))
    }

    /// Compares two texts by a fingerprinter that was made from `recipe`: the way for recipes that need
    /// statistics or a dictionary, and for many comparisons.
    ///
    /// # Complexity
    /// As [`Comparison::of`], without making the fingerprinter.
    #[must_use]
    pub fn by(fingerprinter: &mut AnyFingerprinter, recipe: &Recipe, a: &str, b: &str) -> Self {
        let [of_a, of_b] = [a, b].map(|text| fingerprinter.fingerprint_in(text, None));
        let features = [fingerprinter.features(a), fingerprinter.features(b)];
        let [first, second] = &features;
        let bits = recipe.width.bits();
        let distance = of_a.fingerprint.distance(&of_b.fingerprint).unwrap_or(bits);
        let least_radius = if of_a.is_near(&of_b, 0, recipe.degenerate) {
            Some(0)
        } else {
            of_a.is_near(&of_b, bits, recipe.degenerate).then_some(distance)
        };
        Self {
            width: recipe.width,
            fingerprints: [of_a.fingerprint.to_string(), of_b.fingerprint.to_string()],
            distance,
            cosine_estimated: estimate::cosine(distance, bits),
            similarity: Similarity::of(first, second),
            least_radius,
            features,
        }
    }

    /// Whether the two are near-duplicates at radius `k`. An empty text is never a duplicate. If the
    /// recipe says so, a text too short to compare is a duplicate only of an equal text.
    #[must_use]
    pub fn is_near(&self, k: u32) -> bool {
        self.least_radius.is_some_and(|least| least <= k)
    }

    /// The features that tell the two texts apart: the greatest difference of weight first.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` features in both.
    #[must_use]
    pub fn differences(&self) -> Vec<FeatureDifference<'_>> {
        let [a, b] = &self.features;
        differences(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprinter::Fingerprinter;

    #[test]
    fn a_radius_makes_near_what_the_fingerprinter_calls_near() {
        let texts = [
            "",
            "one",
            "One!",
            "the council approved the new budget on monday after a long debate about schools",
            "the council approved the new budget on tuesday after a long debate about schools",
            "a storm is expected to reach the northern coast by the end of the week",
        ];
        for width in Width::ALL {
            let recipe = Recipe::default().with_width(width);
            for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
                let why = Comparison::of(&recipe, a, b).unwrap();
                for k in 0..=width.bits() {
                    assert_eq!(
                        why.is_near(k),
                        near(&recipe, a, b, k),
                        "{a:?}, {b:?}, {width}, {k}"
                    );
                }
            }
        }
    }

    fn near(recipe: &Recipe, a: &str, b: &str, k: u32) -> bool {
        fn at<const WORDS: usize>(recipe: &Recipe, a: &str, b: &str, k: u32) -> bool {
            let mut fingerprinter = Fingerprinter::<WORDS>::new(recipe).unwrap();
            let (a, b) = (fingerprinter.fingerprint(a), fingerprinter.fingerprint(b));
            a.is_near(&b, k, recipe.degenerate)
        }
        match recipe.width {
            Width::W64 => at::<1>(recipe, a, b, k),
            Width::W128 => at::<2>(recipe, a, b, k),
            Width::W256 => at::<4>(recipe, a, b, k),
        }
    }

    #[test]
    fn the_differences_are_those_of_the_feature_sets() {
        let recipe = Recipe::named("words").unwrap();
        let why = Comparison::of(&recipe, "a b c", "b c d").unwrap();
        let shown: Vec<_> = why.differences().iter().map(|d| (d.feature, d.a, d.b)).collect();
        assert_eq!(shown, [("a", 1.0, 0.0), ("d", 0.0, 1.0)]);
        assert_eq!(why.similarity.containment, 2.0 / 3.0);
    }
}
