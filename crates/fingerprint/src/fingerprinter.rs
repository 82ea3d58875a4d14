//! Text to fingerprint by a recipe: the one path that every face of the project takes.

use crate::counts::FeatureCounts;
use crate::error::RecipeError;
use crate::feature_set::FeatureSet;
use crate::fingerprint::Fingerprint;
use crate::hash::{TokenHash, widen};
use crate::recipe::{BitOrder, Recipe};
use crate::shingle::shingles;
use crate::tally::Tally;
use crate::weight::Weighting;

/// The outcome for one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprinted<const WORDS: usize> {
    /// The fingerprint; 0 where there is no feature.
    pub fingerprint: Fingerprint<WORDS>,
    /// Features counted with their repetitions. 0 means that the document is empty and nobody's
    /// duplicate.
    pub features: usize,
    /// Whether the text has features but fewer tokens than a shingle, so that the tokens are them.
    pub too_short: bool,
}

/// Makes fingerprints by one recipe. Holds working memory: keep one a thread and reuse it.
#[derive(Clone, Debug)]
pub struct Fingerprinter<const WORDS: usize> {
    recipe: Recipe,
    token: String,
    /// Hashes of the document's tokens, in order.
    tokens: Vec<u64>,
    /// The same at full width, for hashes that are not widened from 64 bits.
    wide: Vec<[u64; WORDS]>,
    counts: FeatureCounts,
    tally: Tally<WORDS>,
}

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// A fingerprinter for `recipe`.
    ///
    /// # Errors
    /// The recipe's width must be `WORDS` x 64 bits.
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        let (recipe_bits, asked) = (recipe.width.bits(), Fingerprint::<WORDS>::BITS);
        if recipe_bits != asked {
            return Err(RecipeError::Width { recipe: recipe_bits, asked });
        }
        Ok(Self {
            recipe: recipe.clone(),
            token: String::new(),
            tokens: Vec::new(),
            wide: Vec::new(),
            counts: FeatureCounts::default(),
            tally: Tally::default(),
        })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The fingerprint of `text`.
    ///
    /// # Complexity
    /// Linear in the length of the text; working memory of about 40 bytes a feature, kept for the
    /// next document.
    pub fn fingerprint(&mut self, text: &str) -> Fingerprinted<WORDS> {
        let features = if self.recipe.hash == TokenHash::Python {
            self.native(text)
        } else {
            self.keyed(text)
        };
        if features == 0 {
            return Fingerprinted { fingerprint: Fingerprint::ZERO, features, too_short: false };
        }
        let fingerprint = self.tally.finish(self.recipe.sign);
        let fingerprint = match self.recipe.bit_order {
            BitOrder::Same => fingerprint,
            BitOrder::Reversed => fingerprint.reverse_bits(),
        };
        let too_short = self.tokens.len().max(self.wide.len()) < self.recipe.shingle;
        Fingerprinted { fingerprint, features, too_short }
    }

    /// The features of `text` themselves, with their text and weight: slower, for comparing and
    /// explaining.
    #[must_use]
    pub fn features(&self, text: &str) -> FeatureSet {
        FeatureSet::new(&self.recipe, text)
    }

    /// Tallies features whose bits come from a 64-bit key; returns how many occur.
    fn keyed(&mut self, text: &str) -> usize {
        let Recipe { normalize, case, split, shingle, weights, hash, .. } = self.recipe;
        let Self { token, tokens, counts, tally, .. } = self;
        tokens.clear();
        let text = normalize.apply(text);
        split.tokens(&text, case, token, |token| tokens.push(hash.hash(token)));
        let mut features = 0;
        if weights == Weighting::Count {
            shingles(tokens, shingle, |key| {
                features += 1;
                tally.add(widen(key), 1);
            });
        } else {
            counts.reset(tokens.len());
            shingles(tokens, shingle, |key| {
                features += 1;
                counts.add(key);
            });
            counts.iter().for_each(|(key, count)| tally.add(widen(key), weights.weight(count)));
        }
        features
    }

    /// Tallies single tokens whose hash is computed at full width; returns how many occur.
    fn native(&mut self, text: &str) -> usize {
        let Recipe { normalize, case, split, weights, hash, .. } = self.recipe;
        let Self { token, wide, tally, .. } = self;
        wide.clear();
        let text = normalize.apply(text);
        split.tokens(&text, case, token, |token| wide.push(hash.hash_wide(token)));
        wide.sort_unstable();
        for run in wide.chunk_by(|a, b| a == b) {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            if let Some(&hash) = run.first() {
                tally.add(hash, weights.weight(count));
            }
        }
        wide.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::sums::{Feature, SignRule, Sums};
    use crate::width::Width;
    use proptest::prelude::*;

    fn python<const WORDS: usize>(sign: SignRule, width: Width, text: &str) -> String {
        let recipe = builtin::recipe("python-128").unwrap().with_width(width);
        let recipe = Recipe { sign, ..recipe };
        Fingerprinter::<WORDS>::new(&recipe).unwrap().fingerprint(text).fingerprint.to_string()
    }

    #[test]
    fn the_python_class_is_reproduced_under_both_sign_rules_and_widths() {
        let (a, b) =
            ("This is a test string for testing", "This is a test string for testing also!");
        use SignRule::{NonNegative, Positive};
        for (sign, text, expected) in [
            (NonNegative, a, "0000000020302202800d8e90e45cc488"),
            (NonNegative, b, "0000000020fc2282801d9e9ce4dcc6ea"),
            (Positive, a, "0000000020302202800d8e90e45cc488"),
            (Positive, b, "0000000000002002000d0e90e45cc088"),
        ] {
            assert_eq!(python::<2>(sign, Width::W128, text), expected);
            assert_eq!(python::<1>(sign, Width::W64, text), expected[16..]);
        }
    }

    #[test]
    fn the_ratio_of_the_python_class_is_that_of_two_integers() {
        let value = |text: &str| {
            let hex = python::<2>(SignRule::NonNegative, Width::W128, text);
            u128::from_str_radix(&hex, 16).unwrap()
        };
        let (a, b) = (
            value("This is a test string for testing"),
            value("This is a test string for testing also!"),
        );
        assert_eq!(a as f64 / b as f64, 0.975_840_988_109_587_5);
        assert_eq!((a ^ b).count_ones(), 14);
    }

    #[test]
    fn a_document_without_features_is_zero_under_every_rule() {
        for recipe in builtin::recipes() {
            let recipe = recipe.with_width(Width::W128);
            for text in ["", " \n\t "] {
                let outcome = Fingerprinter::<2>::new(&recipe).unwrap().fingerprint(text);
                assert_eq!((outcome.fingerprint, outcome.features), (Fingerprint::ZERO, 0));
            }
        }
    }

    #[test]
    fn reversed_bits_mirror_the_fingerprint() {
        let same = builtin::recipe("words").unwrap();
        let reversed = Recipe { bit_order: BitOrder::Reversed, ..same.clone() };
        let of = |recipe| Fingerprinter::<1>::new(recipe).unwrap().fingerprint("near print");
        assert_eq!(of(&same).fingerprint.reverse_bits(), of(&reversed).fingerprint);
    }

    #[test]
    fn another_width_is_refused() {
        let error = Fingerprinter::<2>::new(&builtin::recipe("text").unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the recipe makes fingerprints of 64 bits, not of 128");
    }

    /// The whole path again, from the definition.
    fn naive(recipe: &Recipe, text: &str) -> Fingerprint<1> {
        let mut tokens = Vec::new();
        let normal = recipe.normalize.apply(text).into_owned();
        recipe
            .split
            .tokens(&normal, recipe.case, &mut String::new(), |t| tokens.push(recipe.hash.hash(t)));
        let mut keys = std::collections::BTreeMap::new();
        shingles(&tokens, recipe.shingle, |key| *keys.entry(key).or_insert(0_u32) += 1);
        let mut sums = Sums::default();
        for (key, count) in keys {
            sums.add(&Feature { hash: [key], weight: recipe.weights.weight(count).into() });
        }
        sums.fingerprint(recipe.sign)
    }

    proptest! {
        #[test]
        fn fingerprints_are_those_of_the_definition(
            texts in prop::collection::vec("([ab上]{1,2}[ ,.]){0,40}", 1..4),
            shingle in 1_usize..5,
            weights in prop_oneof![Just(Weighting::Set), Just(Weighting::Count), Just(Weighting::Log)],
        ) {
            let recipe = Recipe { shingle, weights, ..builtin::recipe("text").unwrap() };
            let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
            for text in texts {
                prop_assert_eq!(fingerprinter.fingerprint(&text).fingerprint, naive(&recipe, &text));
            }
        }

        #[test]
        fn the_first_word_is_the_same_at_every_width(text: String) {
            let recipe = builtin::recipe("text").unwrap();
            let narrow = Fingerprinter::<1>::new(&recipe).unwrap().fingerprint(&text);
            let wide = Fingerprinter::<4>::new(&recipe.with_width(Width::W256)).unwrap().fingerprint(&text);
            prop_assert_eq!(narrow.fingerprint.words()[0], wide.fingerprint.words()[0]);
            prop_assert_eq!(narrow.features, wide.features);
        }
    }
}
