//! A fingerprinter that explains: the same tokens, features and hashes as its fingerprints are made of.

use crate::error::{FeatureError, RecipeError};
use crate::explain::explanation::{ExplainedFeature, Explanation, sums};
use crate::features::analysis::Weighted;
use crate::fingerprinted::Fingerprinted;
use crate::fingerprinter::Fingerprinter;
use crate::given_features::distinct;
use crate::hashing::hash::{TokenHash, widen};
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use nearprint_bits::{BitString, Fingerprint, Width};
use std::collections::HashMap;

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// The fingerprint of `text` step by step.
    ///
    /// # Complexity
    /// As [`Self::features`], and some 256 additions a feature.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{BitString, Recipe};
    ///
    /// let mut fingerprinter = Recipe::named("text")?.fingerprinter::<1>()?;
    /// let why = fingerprinter.explain("One, two, three, four!");
    /// assert_eq!(why.tokens, ["one", "two", "three", "four"]);
    /// assert_eq!(why.features[1].feature, "two three four");
    /// let fingerprint = fingerprinter.fingerprint("one two three four").fingerprint;
    /// assert_eq!(why.bits, BitString::from(fingerprint));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn explain(&mut self, text: &str) -> Explanation {
        self.explain_in(text, None)
    }

    /// As [`Self::explain`], of a text that comes with its language: see [`Self::fingerprint_in`].
    #[must_use]
    pub fn explain_in(&mut self, text: &str, language: Option<Language>) -> Explanation {
        let (tokens, named) = self.named(text, language);
        let hash = self.recipe().hash;
        let hash_of = |name: &str, feature: &Weighted| match hash {
            TokenHash::Python => hash.hash_wide(name),
            _ => widen(feature.key),
        };
        let features = named.into_iter().map(|(name, feature)| {
            let bits = hash_of(&name, &feature);
            (name, feature.count, feature.weight, bits)
        });
        let features: Vec<_> = features.collect();
        let found = self.fingerprint_in(text, language);
        self.explanation(tokens, features, &found)
    }

    /// The fingerprint of features that come with their weights, step by step: see
    /// [`Self::fingerprint_features`].
    ///
    /// # Errors
    /// A weight that is no finite number.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let mut fingerprinter = Recipe::named("vectors")?.fingerprinter::<1>()?;
    /// let why = fingerprinter.explain_features([("x", 3.0), ("y", -2.0), ("x", 1.0)])?;
    /// let x = why.features.iter().find(|feature| feature.feature == "x").unwrap();
    /// assert_eq!((x.count, x.weight, why.features.len()), (2, 4.0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_features<S: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Explanation, FeatureError> {
        let given: Vec<_> = features.into_iter().collect();
        let found = self.fingerprint_features(given.iter().map(|(name, w)| (name.as_ref(), *w)))?;
        let hash = self.recipe().hash;
        // In the order in which they were given.
        let mut names: HashMap<[u64; WORDS], (usize, &str, u32)> = HashMap::new();
        let mut all = Vec::with_capacity(given.len());
        for (at, (name, weight)) in given.iter().enumerate() {
            let bits = hash.hash_wide::<WORDS>(name.as_ref());
            names.entry(bits).or_insert((at, name.as_ref(), 0)).2 += 1;
            all.push((bits, *weight));
        }
        let (distinct, _) = distinct(all, self.recipe().top);
        let features = distinct.into_iter().filter_map(|(bits, weight)| {
            let &(at, name, count) = names.get(&bits)?;
            Some((at, (name.to_owned(), count, weight, bits)))
        });
        let mut features: Vec<_> = features.collect();
        if self.recipe().top == 0 {
            features.sort_by_key(|(at, _)| *at);
        }
        let features = features.into_iter().map(|(_, feature)| feature).collect();
        Ok(self.explanation(Vec::new(), features, &found))
    }

    fn explanation(
        &self,
        tokens: Vec<String>,
        features: Vec<(String, u32, f64, [u64; WORDS])>,
        found: &Fingerprinted<Fingerprint<WORDS>>,
    ) -> Explanation {
        let features = features.into_iter().map(|(feature, count, weight, bits)| {
            let bits = BitString::from(self.ordered(Fingerprint::from_words(bits)));
            ExplainedFeature { feature, count, weight, bits }
        });
        let features: Vec<_> = features.collect();
        Explanation {
            tokens,
            sums: sums(&features, Fingerprint::<WORDS>::BITS),
            features,
            bits: found.fingerprint.into(),
            flags: found.flags,
        }
    }
}

impl Explanation {
    /// The fingerprint of `text` by `recipe`, at its width, step by step.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other; dictionaries or statistics that the recipe needs.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Explanation, Recipe};
    ///
    /// let why = Explanation::of(&Recipe::named("words")?, "to be or not to be")?;
    /// assert_eq!((why.tokens.len(), why.features.len(), why.sums.len()), (6, 4, 64));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn of(recipe: &Recipe, text: &str) -> Result<Self, RecipeError> {
        match recipe.width {
            Width::W64 => Ok(recipe.fingerprinter::<1>()?.explain(text)),
            Width::W128 => Ok(recipe.fingerprinter::<2>()?.explain(text)),
            Width::W256 => Ok(recipe.fingerprinter::<4>()?.explain(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::explanation::signs;
    use crate::recipes::recipe::BitOrder;
    use crate::text::language::LanguageRule;
    use crate::text::token::Split;
    use crate::vote::sums::SignRule;
    use crate::vote::weight::Weighting;

    const TEXTS: [&str; 9] = [
        "",
        "one",
        "to be or not to be, that is the question whether it is nobler in the mind to be",
        "Der Stadtrat hat den neuen Haushalt nach langer Debatte am Montag genehmigt.",
        "Le conseil municipal a approuvé le nouveau budget après un long débat.",
        "共识算法是区块链的核心,区块链的激励机制让节点参与共识,市议会批准了新的预算。",
        "市議会は長い議論の末に新しい予算を承認しました。データベースを使う。",
        "시의회는 오랜 토론 끝에 새로운 예산안을 승인하였습니다. สภาเทศบาลอนุมัติงบประมาณใหม่",
        "fn main() { let a = 1; let a = a + 1; println!(\"{a}\"); }",
    ];

    /// The bits that the sums ask for are those of the fingerprint, and features and fingerprint agree.
    fn agrees<const WORDS: usize>(recipe: &Recipe, text: &str, language: Option<Language>) {
        let mut fingerprinter = Fingerprinter::<WORDS>::new(recipe).unwrap();
        let why = fingerprinter.explain_in(text, language);
        let found = fingerprinter.fingerprint_in(text, language);
        let case = format!("{} {WORDS} {language:?} {text:?}", recipe.name);
        assert_eq!(why.bits, BitString::from(found.fingerprint), "{case}");
        assert_eq!(
            (why.flags, why.features.is_empty()),
            (found.flags, found.features == 0),
            "{case}"
        );
        assert_eq!(why.sums.len(), 64 * WORDS);
        if found.features > 0 {
            assert_eq!(signs(&why.sums, why.bits, recipe.sign), why.bits, "{case}");
        }
    }

    #[test]
    fn the_sums_give_the_fingerprint_for_every_recipe_width_and_language() {
        let with = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = Recipe::named("words").unwrap();
            change(&mut recipe);
            recipe
        };
        let auto = with(&|r| (r.language, r.split) = (LanguageRule::Auto, Split::Mixed));
        let mut recipes: Vec<Recipe> = Recipe::builtin().to_vec();
        recipes.extend([
            with(&|r| r.bit_order = BitOrder::Reversed),
            with(&|r| (r.sign, r.weights) = (SignRule::NonNegative, Weighting::Count)),
            with(&|r| (r.top, r.weights) = (3, Weighting::Textrank)),
            with(&|r| (r.split, r.gram) = (Split::Characters, 3)),
            Recipe { stop_words: true, stem: true, ..auto.clone() },
            auto,
        ]);
        let mut languages: Vec<_> = ["en", "de", "fr", "zh", "ja", "ko"]
            .iter()
            .map(|tag| Language::from_tag(tag))
            .collect();
        languages.push(None);
        for recipe in recipes.iter().filter(|recipe| recipe.ready().is_ok()) {
            let languages: &[_] = if recipe.depends_on_language() { &languages } else { &[None] };
            for (text, &language) in
                TEXTS.iter().flat_map(|t| languages.iter().map(move |l| (t, l)))
            {
                agrees::<1>(&recipe.with_width(Width::W64), text, language);
                agrees::<2>(&recipe.with_width(Width::W128), text, language);
                agrees::<4>(&recipe.with_width(Width::W256), text, language);
            }
        }
    }

    #[test]
    fn given_features_are_explained_as_they_are_fingerprinted() {
        let vectors = Recipe::named("vectors").unwrap();
        let given = [("y", -2.5), ("x", 3.0), ("z", 0.25), ("x", 1.5)];
        let names = |recipe: &Recipe| {
            let mut fingerprinter = recipe.fingerprinter::<1>().unwrap();
            let why = fingerprinter.explain_features(given).unwrap();
            let found = fingerprinter.fingerprint_features(given).unwrap();
            assert_eq!((why.bits, why.flags), (found.fingerprint.into(), found.flags));
            assert_eq!(signs(&why.sums, why.bits, recipe.sign), why.bits);
            let named =
                why.features.iter().map(|f| format!("{} {} {}", f.feature, f.count, f.weight));
            named.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(names(&vectors), "y 1 -2.5, x 2 4.5, z 1 0.25");
        assert_eq!(names(&Recipe { top: 2, ..vectors.clone() }), "x 2 4.5, y 1 -2.5");
        let mut fingerprinter = vectors.fingerprinter::<1>().unwrap();
        assert!(fingerprinter.explain_features([("x", f64::NAN)]).is_err());
        let none: [(&str, f64); 0] = [];
        assert!(fingerprinter.explain_features(none).unwrap().flags.empty);
    }
}
