//! Reading a text for its features alone: without its fingerprint, and without counting features where that tells
//! nothing. `fingerprinter` makes fingerprints.

use crate::degenerate::Flags;
use crate::fingerprinted::Fingerprinted;
use crate::fingerprinter::{Fingerprinter, short_hash};
use crate::outcome::Outcome;
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use crate::vote::counts::FEW;
use crate::vote::distinct::are_more_than;
use crate::vote::weight::Weighting;
use nearprint_bits::Fingerprint;

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// As [`Self::read_in`], for whoever does not ask for the fingerprint: it may be 0 in its place.
    ///
    /// All else is the same, but for [`unsorted_keys`](crate::Outcome::unsorted_keys), of which any may come more than
    /// once. Where a recipe is of plain tokens that all weigh the same, features are not tallied, and those of a
    /// document that has many of them are not counted: that takes a third of the time of a fingerprint.
    ///
    /// # Complexity
    /// As [`Self::fingerprint`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text")?)?;
    /// let seen = fingerprinter.read_unsigned("To be or not to be.", None);
    /// let (flags, keys, content) = (seen.fingerprinted().flags, seen.keys(), seen.content_hash());
    /// let seen = fingerprinter.read("To be or not to be.");
    /// assert_eq!(flags, seen.fingerprinted().flags);
    /// assert_eq!((keys, content), (seen.keys(), seen.content_hash()));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn read_unsigned(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> Outcome<'_, Fingerprint<WORDS>> {
        if self.analysis.is_some() || !self.recipe.is_told_by_keys() {
            return self.read_in(text, language);
        }
        self.weights.clear();
        self.find_keys(text);
        let Recipe { shingle, min_features, .. } = self.recipe;
        let Self { kernel, tokens, keys, counts, .. } = self;
        let features = keys.len();
        // Neither short nor dominated by one.
        let is_clear = tokens.len() >= shingle && are_more_than(FEW.max(min_features), keys);
        let flags = if is_clear || features == 0 {
            Flags { empty: features == 0, ..Flags::default() }
        } else {
            counts.keep_weighing(*kernel, Weighting::Set, keys);
            self.plain_flags(features, Fingerprint::ZERO)
        };
        let short = flags.short || flags.dominant;
        let short_hash = short.then(|| short_hash(self.tokens.iter().copied()));
        self.outcome(Fingerprinted { fingerprint: Fingerprint::ZERO, features, flags, short_hash })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::token::Split;
    use nearprint_bits::Width;
    use proptest::prelude::*;

    fn check(recipe: &Recipe, text: &str) -> Result<(), TestCaseError> {
        let mut fingerprinter = Fingerprinter::<2>::new(&recipe.with_width(Width::W128)).unwrap();
        let of = |seen: &Outcome<'_, Fingerprint<2>>| {
            let Fingerprinted { features, flags, short_hash, .. } = seen.fingerprinted();
            (features, flags, short_hash, seen.keys(), seen.content_hash(), seen.list())
        };
        let alone = of(&fingerprinter.read_unsigned(text, None));
        let seen = fingerprinter.read(text);
        prop_assert_eq!(&alone, &of(&seen));
        let signed = seen.fingerprint();
        // A document without features is 0 under every rule for the bits.
        if !alone.3.is_empty()
            && let Some(of_keys) = fingerprinter.of_keys(&alone.3)
        {
            prop_assert_eq!(of_keys, signed);
        }
        Ok(())
    }

    proptest! {
        /// Few features and many, repeated and not, around the numbers from which on they are not counted.
        #[test]
        fn all_but_the_fingerprint_is_that_of_a_reading_with_it(
            words in prop::collection::vec(0_u32..200, 0..260),
            kinds in 1_u32..200,
            shingle in 1_usize..4,
            min_features in prop::sample::select(vec![0_usize, 3, 64, 65, 66, 120, 5000]),
            characters in any::<bool>(),
            weights in prop_oneof![4 => Just(Weighting::Set), 1 => Just(Weighting::Count), 1 => Just(Weighting::Log)],
        ) {
            let text: String = words.iter().map(|word| format!("w{} ", word % kinds)).collect();
            let recipe = Recipe { shingle, min_features, weights, ..Recipe::named("text").unwrap() };
            let recipe = match characters {
                true => Recipe { split: Split::Characters, gram: 5, shingle: 1, ..recipe },
                false => recipe,
            };
            check(&recipe, &text)?;
        }
    }

    #[test]
    fn every_recipe_says_the_same_without_its_fingerprint() {
        let many: String = (0..300).map(|word| format!("word{word} ")).collect();
        for recipe in Recipe::builtin().iter().filter(|one| one.weights != Weighting::Given) {
            for text in ["", "one", "one two three", "a b c d e f g", &many] {
                check(recipe, text).unwrap();
            }
        }
    }

    /// Else a third of the time would be lost without anybody noticing.
    #[test]
    fn the_features_of_a_long_document_are_not_counted() {
        let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text").unwrap()).unwrap();
        let text: String = (0..100).map(|word| format!("word{word} ")).collect();
        let twice = text.repeat(2);
        let seen = fingerprinter.read_unsigned(&twice, None);
        assert_eq!((seen.fingerprint(), seen.unsorted_keys().len()), (Fingerprint::ZERO, 198));
        assert_eq!(seen.keys().len(), 100);
    }
}
