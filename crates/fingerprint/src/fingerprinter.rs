//! Text to fingerprint by a recipe: the one path that every face of the project takes. `given_features`
//! takes features that come with their weights.

use crate::degenerate::Flags;
use crate::error::RecipeError;
use crate::features::analysis::{Analysis, Weighted};
use crate::features::feature_list::FeatureList;
use crate::features::feature_set::{FeatureSet, named};
use crate::fingerprinted::Fingerprinted;
use crate::hashing::hash::{TokenHash, widen};
use crate::hashing::key_sorter::KeySorter;
use crate::kernel::Kernel;
use crate::outcome::{Outcome, Seen, key_of};
use crate::recipes::recipe::{BitOrder, Recipe};
use crate::scanners::char_scanner::CharScanner;
use crate::scanners::gram_scanner::GramScanner;
use crate::scanners::word_scanner::WordScanner;
use crate::text::language::Language;
use crate::text::token::Split;
use crate::vote::counts::FeatureCounts;
use crate::vote::dominant::has_dominant;
use crate::vote::shingle::{append, keys_of};
use crate::vote::tally::Tally;
use crate::vote::weight::Weighting;
use crate::vote::weighted_tally::WeightedTally;
use crate::weighing::statistics::Statistics;
use nearprint_bits::{Fingerprint, mix64};

/// One number for the tokens of a short document.
pub(crate) fn short_hash(words: impl Iterator<Item = u64>) -> u64 {
    mix64(words.fold(0, append))
}

/// Makes fingerprints by one recipe. Holds working memory: keep one a thread and reuse it.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Fingerprinter, Recipe};
///
/// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::default())?;
/// let seen = fingerprinter.fingerprint("One text after the other, by the same fingerprinter.");
/// assert_eq!(seen.features, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fingerprinter<const WORDS: usize> {
    pub(crate) recipe: Recipe,
    pub(crate) kernel: Kernel,
    token: String,
    words: WordScanner,
    characters: CharScanner,
    grams: GramScanner,
    /// Hashes of the document's tokens, in order; of features that came with weights, their hashes
    /// and weights.
    pub(crate) tokens: Vec<u64>,
    /// The same at full width, for hashes that are not widened from 64 bits.
    pub(crate) wide: Vec<[u64; WORDS]>,
    /// Keys of the features that were tallied; on the short path each for a weight of 1.
    pub(crate) keys: Vec<u64>,
    /// The weight of each of `keys`; none where each counts for 1.
    pub(crate) weights: Vec<f64>,
    /// Whether the tokens are those keys, and `keys` of another document.
    pub(crate) tokens_are_keys: bool,
    pub(crate) counts: FeatureCounts,
    sorter: KeySorter,
    tally: Tally<WORDS>,
    /// How features are found and weighed by a recipe that is not of plain tokens.
    pub(crate) analysis: Option<Box<Analysis>>,
    pub(crate) weighted: WeightedTally<WORDS>,
}

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// A fingerprinter for `recipe`.
    ///
    /// # Errors
    /// The recipe's width must be `WORDS` x 64 bits, its keys must agree with each other, and what
    /// it asks for must be there: dictionaries, and no statistics file.
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        recipe.check_no_statistics()?;
        Self::build(recipe, None)
    }

    /// A fingerprinter for `recipe`, which must name `statistics`: see [`Recipe::bound_to_statistics`].
    ///
    /// # Errors
    /// As [`Self::new`]; a recipe that names other statistics or none.
    pub fn with_statistics(recipe: &Recipe, statistics: &Statistics) -> Result<Self, RecipeError> {
        let bound = recipe.bound_to_statistics(statistics)?;
        Self::build(&bound, Some(statistics.clone()))
    }

    fn build(recipe: &Recipe, statistics: Option<Statistics>) -> Result<Self, RecipeError> {
        recipe.check()?;
        recipe.ready()?;
        let (recipe_bits, asked) = (recipe.width.bits(), Fingerprint::<WORDS>::BITS);
        if recipe_bits != asked {
            return Err(RecipeError::Width { recipe: recipe_bits, asked });
        }
        let kernel = Kernel::detect();
        Ok(Self {
            recipe: recipe.clone(),
            kernel,
            token: String::new(),
            words: WordScanner::new(kernel, recipe.form(), recipe.case),
            characters: CharScanner::new(kernel, recipe.form(), recipe.case, recipe.hash),
            grams: GramScanner::new(kernel, recipe.form(), recipe.case, recipe.gram),
            tokens: Vec::new(),
            wide: Vec::new(),
            keys: Vec::new(),
            weights: Vec::new(),
            tokens_are_keys: false,
            counts: FeatureCounts::default(),
            sorter: KeySorter::default(),
            tally: Tally::default(),
            analysis: (!recipe.is_plain()).then(|| Box::new(Analysis::new(recipe, statistics))),
            weighted: WeightedTally::default(),
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
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text")?)?;
    /// let a = fingerprinter.fingerprint("The storm reached the coast late on Monday.");
    /// let b = fingerprinter.fingerprint("the storm reached the coast, late on monday");
    /// assert_eq!(a.fingerprint, b.fingerprint);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn fingerprint(&mut self, text: &str) -> Fingerprinted<Fingerprint<WORDS>> {
        self.fingerprint_in(text, None)
    }

    /// The fingerprint of `text`, which comes with its language. The language matters only to recipes
    /// of `language = "auto"`.
    ///
    /// # Complexity
    /// As [`Self::fingerprint`].
    pub fn fingerprint_in(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> Fingerprinted<Fingerprint<WORDS>> {
        self.take_text(text, language)
    }

    /// Reads `text`: its fingerprint, and on request the keys of its features and a hash of its content.
    ///
    /// # Complexity
    /// As [`Self::fingerprint`].
    pub fn read(&mut self, text: &str) -> Outcome<'_, Fingerprint<WORDS>> {
        self.read_in(text, None)
    }

    /// As [`Self::read`], of a text that comes with its language: see [`Self::fingerprint_in`].
    pub fn read_in(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> Outcome<'_, Fingerprint<WORDS>> {
        let fingerprinted = self.take_text(text, language);
        self.outcome(fingerprinted)
    }

    /// The keys of the features of `text`, ascending: those of [`Self::read_in`], without its fingerprint.
    ///
    /// # Complexity
    /// As [`Self::fingerprint`], and the keys put in order, linear too; no feature is tallied where the recipe is of plain
    /// tokens.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text")?)?;
    /// let keys = fingerprinter.keys_in("one two three four", None);
    /// assert_eq!(keys, fingerprinter.read("one two three four").keys());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn keys_in(&mut self, text: &str, language: Option<Language>) -> Vec<u64> {
        if self.analysis.is_some() || self.recipe.hash == TokenHash::Python {
            return self.read_in(text, language).keys();
        }
        self.find_keys(text);
        let Self { tokens_are_keys, tokens, keys, sorter, .. } = self;
        sorter.set_of(if *tokens_are_keys { tokens } else { keys })
    }

    /// The features of `text` by their keys, with their weights: what documents are compared by.
    ///
    /// # Complexity
    /// As [`Self::keys_in`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe, Weighting};
    ///
    /// let recipe = Recipe { weights: Weighting::Count, ..Recipe::named("words")? };
    /// let mut fingerprinter = Fingerprinter::<1>::new(&recipe)?;
    /// let a = fingerprinter.list_in("x x x y y y y", None);
    /// let b = fingerprinter.list_in("y", None);
    /// assert_eq!((a.cosine(&b), a.weighted_jaccard(&b)), (0.8, 1.0 / 7.0));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn list_in(&mut self, text: &str, language: Option<Language>) -> FeatureList {
        let weights = self.recipe.weights;
        if weights == Weighting::Set {
            return FeatureList::of_set(self.keys_in(text, language));
        }
        if let Some(analysis) = &mut self.analysis {
            let features = analysis.features(text, language, |_, _| {});
            return FeatureList::weighted(
                features.iter().map(|one| (one.key, one.weight)).collect(),
            );
        }
        let mut keys = if self.recipe.hash == TokenHash::Python {
            self.take_text(text, language);
            self.wide.iter().map(|hash| key_of(hash)).collect()
        } else {
            self.find_keys(text);
            self.tallied().to_vec()
        };
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        let weighted = runs.filter_map(|run| {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            Some((*run.first()?, f64::from(weights.weight(count))))
        });
        FeatureList::weighted(weighted.collect())
    }

    /// The fingerprint of a document that has exactly these distinct features, by their
    /// [keys](crate::Outcome::keys); `None` where the recipe weighs features by more than which of them there
    /// are, or hashes them at full width.
    ///
    /// # Complexity
    /// Linear in the keys.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let recipe = Recipe::named("text")?;
    /// let seen = recipe.fingerprinter::<1>()?.read("one two three four five six").keys();
    /// let mut wider = recipe.with_width(Width::W128).fingerprinter::<2>()?;
    /// let fingerprint = wider.fingerprint("one two three four five six").fingerprint;
    /// assert_eq!(wider.of_keys(&seen), Some(fingerprint));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn of_keys(&mut self, keys: &[u64]) -> Option<Fingerprint<WORDS>> {
        if !self.recipe.is_told_by_keys() {
            return None;
        }
        self.tally.add_keys(keys);
        let fingerprint = self.tally.finish(self.recipe.sign);
        Some(self.ordered(fingerprint))
    }

    pub(crate) fn outcome(
        &self,
        fingerprinted: Fingerprinted<Fingerprint<WORDS>>,
    ) -> Outcome<'_, Fingerprint<WORDS>> {
        let seen = Seen {
            tokens: &self.tokens,
            wide: self.wide.as_flattened(),
            words: WORDS,
            keys: self.tallied(),
            weights: &self.weights,
            weighting: self.recipe.weights,
        };
        Outcome { fingerprinted, seen }
    }

    fn take_text(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> Fingerprinted<Fingerprint<WORDS>> {
        self.weights.clear();
        if self.analysis.is_some() {
            return self.analysed(text, language);
        }
        let features = if self.recipe.hash == TokenHash::Python {
            self.native(text)
        } else {
            self.keyed(text)
        };
        if features == 0 {
            return Fingerprinted::empty();
        }
        let fingerprint = self.tally.finish(self.recipe.sign);
        let flags = self.plain_flags(features, fingerprint);
        let short_hash = flags.any().then(|| {
            let wide = self.wide.iter().flatten();
            short_hash(self.tokens.iter().chain(wide).copied())
        });
        Fingerprinted { fingerprint: self.ordered(fingerprint), features, flags, short_hash }
    }

    /// Keys of the features that were tallied, with repetitions where they count.
    pub(crate) fn tallied(&self) -> &[u64] {
        if self.tokens_are_keys { &self.tokens } else { &self.keys }
    }

    /// The features of `text` themselves, with their text and weight: slower, for comparing and
    /// explaining.
    #[must_use]
    pub fn features(&mut self, text: &str) -> FeatureSet {
        FeatureSet::of_named(self.named(text, None).1)
    }

    /// The tokens and the features of `text` with their text.
    pub(crate) fn named(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> (Vec<String>, Vec<(String, Weighted)>) {
        let recipe = &self.recipe;
        let mut plain = None;
        let analysis = self
            .analysis
            .as_deref_mut()
            .unwrap_or_else(|| plain.insert(Analysis::new(recipe, None)));
        named(analysis, recipe, text, language)
    }

    /// The bits in the order that the recipe asks for.
    pub(crate) fn ordered(&self, fingerprint: Fingerprint<WORDS>) -> Fingerprint<WORDS> {
        match self.recipe.bit_order {
            BitOrder::Same => fingerprint,
            BitOrder::Reversed => fingerprint.reverse_bits(),
        }
    }

    /// The fingerprint by a recipe that is not of plain tokens.
    fn analysed(
        &mut self,
        text: &str,
        language: Option<Language>,
    ) -> Fingerprinted<Fingerprint<WORDS>> {
        self.tokens_are_keys = false;
        let Self { recipe, analysis, tally, weighted, tokens, keys, weights, .. } = self;
        let Some(analysis) = analysis else { return Fingerprinted::empty() };
        let features = analysis.features(text, language, |_, _| {});
        tokens.clear();
        keys.clear();
        keys.extend(features.iter().map(|feature| feature.key));
        weights.extend(features.iter().map(|feature| feature.weight));
        // Weights of 0 alone say nothing.
        if features.iter().all(|feature| feature.weight == 0.0) {
            keys.clear();
            weights.clear();
            return Fingerprinted::empty();
        }
        let dominant = has_dominant(features.iter().map(|feature| feature.weight));
        let fingerprint = if recipe.weights.is_integer() {
            for feature in features {
                tally.add(widen(feature.key), recipe.weights.weight(feature.count));
            }
            tally.finish(recipe.sign)
        } else {
            features.iter().for_each(|feature| weighted.add(widen(feature.key), feature.weight));
            weighted.finish(recipe.sign)
        };
        // Ranks depend on where sentences end, which tokens do not tell: they belong to the content.
        let ranks = features.iter().filter(|_| recipe.weights == Weighting::Textrank);
        let ranks = ranks.map(|feature| mix64(feature.key) ^ feature.weight.to_bits());
        let ranks: Vec<u64> = ranks.collect();
        tokens.extend_from_slice(analysis.tokens());
        let distinct = analysis.distinct();
        let short = tokens.len() < recipe.shingle || distinct < recipe.min_features;
        let flags = Flags { empty: false, short, dominant };
        let short_hash = flags.any().then(|| short_hash(tokens.iter().copied()));
        tokens.extend(ranks);
        let features = analysis.occurrences();
        Fingerprinted { fingerprint: self.ordered(fingerprint), features, flags, short_hash }
    }

    /// Tallies features whose bits come from a 64-bit key; returns how many occur.
    fn keyed(&mut self, text: &str) -> usize {
        self.find_keys(text);
        let features = self.tallied().len();
        let Self { recipe, kernel, tokens_are_keys, tokens, keys, counts, tally, .. } = self;
        if recipe.weights != Weighting::Count {
            counts.keep_weighing(*kernel, recipe.weights, keys);
        }
        tally.add_keys(if *tokens_are_keys { tokens } else { keys });
        features
    }

    /// Finds features whose bits come from a 64-bit key, each as often as it occurs.
    pub(crate) fn find_keys(&mut self, text: &str) {
        let Recipe { split, gram, shingle, weights, hash, .. } = self.recipe;
        let form = self.recipe.form();
        let Self { kernel, token, words, characters, grams, tokens, keys, .. } = self;
        tokens.clear();
        match split {
            Split::Words => words.hashes(text, hash, tokens),
            Split::Characters if gram == 1 => characters.hashes(text, tokens),
            Split::Characters if hash == TokenHash::Xxh3 => grams.hashes(text, tokens),
            _ => {
                let text = form.apply(text);
                self.recipe.tokens(None, &text, token, |token| tokens.push(hash.hash(token)));
            }
        }
        self.tokens_are_keys = shingle == 1 && weights == Weighting::Count;
        if !self.tokens_are_keys {
            keys_of(*kernel, tokens, shingle, keys);
        }
    }

    /// Tallies single tokens whose hash is computed at full width; returns how many occur.
    fn native(&mut self, text: &str) -> usize {
        let Recipe { weights, hash, .. } = self.recipe;
        let Self { recipe, token, tokens, keys, wide, tally, .. } = self;
        tokens.clear();
        keys.clear();
        wide.clear();
        let text = recipe.form().apply(text);
        recipe.tokens(None, &text, token, |token| wide.push(hash.hash_wide(token)));
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
    use crate::recipes::recipe::Recipe;
    use crate::vote::shingle::shingles;
    use crate::vote::sums::{Feature, Sums};
    use nearprint_bits::Width;
    use proptest::prelude::*;

    #[test]
    fn a_document_without_features_is_zero_under_every_rule() {
        for recipe in Recipe::builtin() {
            let recipe = recipe.with_width(Width::W128);
            for text in ["", " \n\t "] {
                let outcome = Fingerprinter::<2>::new(&recipe).unwrap().fingerprint(text);
                assert_eq!((outcome.fingerprint, outcome.features), (Fingerprint::ZERO, 0));
            }
        }
    }

    #[test]
    fn reversed_bits_mirror_the_fingerprint() {
        let same = Recipe::named("words").unwrap();
        let reversed = Recipe { bit_order: BitOrder::Reversed, ..same.clone() };
        let of = |recipe| Fingerprinter::<1>::new(recipe).unwrap().fingerprint("near print");
        assert_eq!(of(&same).fingerprint.reverse_bits(), of(&reversed).fingerprint);
    }

    #[test]
    fn documents_with_too_little_in_them_are_flagged() {
        let flags = |name: &str, change: &dyn Fn(&mut Recipe), text: &str| {
            let mut recipe = Recipe::named(name).unwrap().with_width(Width::W64);
            change(&mut recipe);
            let found = Fingerprinter::<1>::new(&recipe).unwrap().fingerprint(text);
            assert_eq!(found.flags.any() && !found.flags.empty, found.short_hash.is_some());
            found.flags.names().collect::<Vec<_>>().join(" ")
        };
        let keep = |_: &mut Recipe| {};
        assert_eq!(flags("text", &keep, ""), "empty");
        assert_eq!(flags("text", &keep, "one two"), "short");
        assert_eq!(flags("text", &keep, "one two three"), "dominant");
        assert_eq!(flags("text", &keep, "one two three four"), "");
        assert_eq!(flags("words", &keep, &"a ".repeat(100)), "dominant");
        assert_eq!(flags("words", &keep, &("a ".repeat(100) + "b c d e f g h i")), "");
        assert_eq!(flags("words", &|r| r.min_features = 3, "a b a b"), "short");
        assert_eq!(flags("words", &|r| r.min_features = 3, "a b c"), "");
        let count = |r: &mut Recipe| (r.weights, r.min_features) = (Weighting::Count, 3);
        assert_eq!(flags("words", &count, "a b a a c"), "dominant");
        assert_eq!(flags("words", &count, "a b a b"), "short");
        assert_eq!(flags("words", &count, "a b a b c"), "");
        assert_eq!(flags("python-128", &keep, "a b a a c"), "dominant");
        assert_eq!(flags("python-128", &keep, "a b a b c"), "");
        assert_eq!(flags("words", &|r| r.top = 1, "a b a b c"), "dominant");
        assert_eq!(flags("words", &|r| (r.top, r.min_features) = (9, 4), "a b c"), "short");
    }

    #[test]
    fn documents_that_say_the_same_have_the_same_short_hash() {
        let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text").unwrap()).unwrap();
        let mut hash = |text| fingerprinter.fingerprint(text).short_hash.unwrap();
        assert_eq!(hash("Not found!"), hash("not found"));
        assert_ne!(hash("Not found!"), hash("found not"));
    }

    #[test]
    fn another_width_is_refused() {
        let error = Fingerprinter::<2>::new(&Recipe::named("text").unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the recipe makes fingerprints of 64 bits, not of 128");
    }

    /// The whole path again, from the definition.
    fn naive(recipe: &Recipe, text: &str) -> Fingerprint<1> {
        let mut tokens = Vec::new();
        let normal = recipe.form().apply(text).into_owned();
        recipe.tokens(None, &normal, &mut String::new(), |t| tokens.push(recipe.hash.hash(t)));
        let mut keys = std::collections::BTreeMap::new();
        shingles(&tokens, recipe.shingle, |key| *keys.entry(key).or_insert(0_u32) += 1);
        let mut sums = Sums::default();
        for (key, count) in keys {
            sums.add(&Feature { hash: [key], weight: recipe.weights.weight(count).into() });
        }
        sums.fingerprint(recipe.sign)
    }

    proptest! {
        /// The short path of plain recipes against the one that all others take.
        #[test]
        fn both_paths_give_the_same(
            text in "([ab上É]{1,2}[ ,.]){0,30}",
            shingle in 1_usize..4,
            gram in 0_usize..6,
            min_features in 0_usize..5,
            weights in prop_oneof![Just(Weighting::Set), Just(Weighting::Count), Just(Weighting::Log)],
        ) {
            let recipe = Recipe { shingle, weights, min_features, ..Recipe::named("text").unwrap() };
            let recipe = match gram {
                0 => recipe,
                _ => Recipe { split: Split::Characters, gram, ..recipe },
            };
            let mut plain = Fingerprinter::<1>::new(&recipe).unwrap();
            let mut analysed = plain.clone();
            analysed.analysis = Some(Box::new(Analysis::new(&recipe, None)));
            let alone = plain.keys_in(&text, None);
            let (list, of_analysis) = (plain.list_in(&text, None), analysed.list_in(&text, None));
            prop_assert_eq!(list.keys(), &alone);
            prop_assert_eq!(&list, &of_analysis);
            if weights != Weighting::Set {
                let tallied = analysed.analysis.as_mut().unwrap().features(&text, None, |_, _| {});
                let mut tallied: Vec<_> = tallied.iter().map(|f| (f.key, f.weight)).collect();
                tallied.sort_unstable_by_key(|(key, _)| *key);
                let listed = list.keys().iter().copied().zip(list.weights().iter().copied());
                prop_assert!(listed.eq(tallied));
            }
            prop_assert_eq!(plain.read(&text).list(), list.clone());
            prop_assert_eq!(analysed.read(&text).list(), list);
            let (plain, analysed) = (plain.read(&text), analysed.read(&text));
            prop_assert_eq!(alone, analysed.keys());
            prop_assert_eq!(plain.fingerprinted(), analysed.fingerprinted());
            prop_assert_eq!(plain.keys(), analysed.keys());
            prop_assert_eq!(plain.content_hash(), analysed.content_hash());
        }

        #[test]
        fn fingerprints_are_those_of_the_definition(
            texts in prop::collection::vec("([ab上]{1,2}[ ,.]){0,40}", 1..4),
            shingle in 1_usize..5,
            weights in prop_oneof![Just(Weighting::Set), Just(Weighting::Count), Just(Weighting::Log)],
        ) {
            let recipe = Recipe { shingle, weights, ..Recipe::named("text").unwrap() };
            let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
            for text in texts {
                prop_assert_eq!(fingerprinter.fingerprint(&text).fingerprint, naive(&recipe, &text));
            }
        }

        #[test]
        fn the_first_word_is_the_same_at_every_width(text: String) {
            let recipe = Recipe::named("text").unwrap();
            let narrow = Fingerprinter::<1>::new(&recipe).unwrap().fingerprint(&text);
            let wide = Fingerprinter::<4>::new(&recipe.with_width(Width::W256)).unwrap().fingerprint(&text);
            prop_assert_eq!(narrow.fingerprint.words()[0], wide.fingerprint.words()[0]);
            prop_assert_eq!(narrow.features, wide.features);
        }
    }
}
