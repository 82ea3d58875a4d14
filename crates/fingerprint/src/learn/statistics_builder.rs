//! Counts how common features are and writes the statistics file.
//! [`crate::weighing::statistics`] reads it.

use crate::error::RecipeError;
use crate::features::analysis::Analysis;
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use crate::weighing::phrases::Phrases;
use crate::weighing::statistics::{HEADER, MAGIC, WITH_PHRASES, WITHOUT_PHRASES};
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_128;

/// Counts in how many documents each feature occurs.
///
/// Memory: some 24 bytes a distinct feature, and the analysis of one document.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Statistics, StatisticsBuilder, Weighting};
///
/// let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words")? };
/// let mut builder = StatisticsBuilder::new(&recipe)?;
/// builder.add_text("the council met", None);
/// builder.add_text("the storm came", None);
/// let statistics = Statistics::open(builder.finish())?;
/// assert_eq!(statistics.documents_with(recipe.hash.hash("the")), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StatisticsBuilder {
    recipe: String,
    analysis: Analysis,
    phrases: Option<Phrases>,
    counts: HashMap<u64, u32>,
    documents: u64,
    occurrences: u64,
    least: u32,
}

/// The distinct features of one document, to be counted by a [`StatisticsBuilder`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{FeatureKeys, Recipe, StatisticsBuilder, Weighting};
///
/// let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words")? };
/// // Threads make the keys, one counts them.
/// let mut keys = Vec::new();
/// let occurrences = FeatureKeys::new(&recipe)?.keys("to be or not to be", None, &mut keys);
/// assert_eq!((keys.len(), occurrences), (4, 6));
/// StatisticsBuilder::new(&recipe)?.add_keys(&keys, occurrences);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeatureKeys(Analysis);

impl FeatureKeys {
    /// Makes the features that `recipe` weighs.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other, or a dictionary that this build lacks; a recipe
    /// with phrases, of which [`Self::with_phrases`] makes the features.
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        match recipe.phrases {
            0 => Ok(Self(analysis(recipe)?)),
            threshold => Err(RecipeError::PhrasesUnlearned { threshold }),
        }
    }

    /// As [`Self::new`], with the phrases that were learned for `recipe`.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other, or a dictionary that this build lacks.
    pub fn with_phrases(recipe: &Recipe, phrases: &Phrases) -> Result<Self, RecipeError> {
        Ok(Self(analysis(recipe)?.with_phrases(phrases.clone())))
    }

    /// Appends the key of every distinct feature of `text` to `keys`, and returns how many there are
    /// with their repetitions.
    pub fn keys(&mut self, text: &str, language: Option<Language>, keys: &mut Vec<u64>) -> u64 {
        let features = self.0.features(text, language, |_, _| {});
        keys.extend(features.iter().map(|feature| feature.key));
        self.0.occurrences() as u64
    }
}

fn analysis(recipe: &Recipe) -> Result<Analysis, RecipeError> {
    recipe.check()?;
    recipe.ready()?;
    Ok(Analysis::new(&recipe.of_features(), None))
}

impl StatisticsBuilder {
    /// A builder for the features of `recipe`.
    ///
    /// # Errors
    /// As [`FeatureKeys::new`].
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        Ok(Self::of(recipe, FeatureKeys::new(recipe)?, None))
    }

    /// A builder for the features of `recipe`, which has phrases, and for the `phrases` learned for it:
    /// see [`crate::learn::token_counts::TokenCounts`].
    ///
    /// # Errors
    /// As [`FeatureKeys::with_phrases`].
    pub fn with_phrases(recipe: &Recipe, phrases: &Phrases) -> Result<Self, RecipeError> {
        let keys = FeatureKeys::with_phrases(recipe, phrases)?;
        Ok(Self::of(recipe, keys, Some(phrases.clone())))
    }

    fn of(recipe: &Recipe, FeatureKeys(analysis): FeatureKeys, phrases: Option<Phrases>) -> Self {
        Self {
            recipe: recipe.feature_form(),
            analysis,
            phrases: phrases.filter(|_| recipe.phrases > 0),
            counts: HashMap::new(),
            documents: 0,
            occurrences: 0,
            least: 1,
        }
    }

    /// Lists only features that `least` documents have or more: most features of a corpus are in one
    /// or two documents, and say little.
    #[must_use]
    pub fn least_documents(self, least: u32) -> Self {
        Self { least: least.max(1), ..self }
    }

    /// Counts the features of one document, given as text.
    pub fn add_text(&mut self, text: &str, language: Option<Language>) {
        let features = self.analysis.features(text, language, |_, _| {});
        for feature in features {
            let count = self.counts.entry(feature.key).or_insert(0);
            *count = count.saturating_add(1);
        }
        self.documents += 1;
        self.occurrences += self.analysis.occurrences() as u64;
    }

    /// Counts the features of one document, given as distinct `keys` made by [`FeatureKeys`], of
    /// which there are `occurrences` with their repetitions.
    pub fn add_keys(&mut self, keys: &[u64], occurrences: u64) {
        for key in keys {
            let count = self.counts.entry(*key).or_insert(0);
            *count = count.saturating_add(1);
        }
        self.documents += 1;
        self.occurrences += occurrences;
    }

    /// Documents counted so far.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The bytes of the file. The same documents in any order give the same bytes.
    ///
    /// # Complexity
    /// One sort of the features; 12 bytes each in the file, 8 a phrase.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut terms: Vec<(u64, u32)> =
            self.counts.into_iter().filter(|&(_, count)| count >= self.least).collect();
        terms.sort_unstable();
        let mut out = Vec::with_capacity(HEADER + self.recipe.len() + 12 * terms.len() + 32);
        out.extend(MAGIC);
        let phrases = self.phrases.filter(|phrases| !phrases.is_empty());
        let version = if phrases.is_some() { WITH_PHRASES } else { WITHOUT_PHRASES };
        out.extend(version.to_le_bytes());
        out.extend(u32::try_from(self.recipe.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(self.documents.to_le_bytes());
        out.extend(self.occurrences.to_le_bytes());
        out.extend((terms.len() as u64).to_le_bytes());
        out.extend(self.least.to_le_bytes());
        out.extend([0; 4]);
        out.extend((phrases.as_ref().map_or(0, Phrases::len) as u64).to_le_bytes());
        out.resize(HEADER, 0);
        out.extend(self.recipe.bytes());
        out.resize(out.len().next_multiple_of(8), 0);
        terms.iter().for_each(|(key, _)| out.extend(key.to_le_bytes()));
        terms.iter().for_each(|(_, count)| out.extend(count.to_le_bytes()));
        out.resize(out.len().next_multiple_of(8), 0);
        phrases.iter().flat_map(Phrases::keys).for_each(|key| out.extend(key.to_le_bytes()));
        let checksum = xxh3_128(&out);
        out.extend(checksum.to_le_bytes());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vote::shingle::append;
    use crate::weighing::statistics::Statistics;

    #[test]
    fn the_order_of_documents_does_not_matter_and_rare_features_may_go() {
        let recipe = Recipe::named("words").unwrap();
        let texts = ["a b c", "b c", "c", "d"];
        let file = |texts: &mut dyn Iterator<Item = &&str>, least| {
            let mut builder = StatisticsBuilder::new(&recipe).unwrap().least_documents(least);
            texts.for_each(|text| builder.add_text(text, None));
            builder.finish()
        };
        assert_eq!(file(&mut texts.iter(), 1), file(&mut texts.iter().rev(), 1));
        let statistics = Statistics::open(file(&mut texts.iter(), 2)).unwrap();
        assert_eq!(statistics.terms(), 2);
        let with = |word| statistics.documents_with(recipe.hash.hash(word));
        // A feature that is not listed may be in one document.
        assert_eq!(["a", "b", "c", "x"].map(with), [1, 2, 3, 1]);
    }

    #[test]
    fn phrases_are_counted_as_one_feature_and_need_to_be_known() {
        let recipe = Recipe { phrases: 9, ..Recipe::named("words").unwrap() };
        let hash = |word| recipe.hash.hash(word);
        let new_york = append(hash("new"), hash("york"));
        let phrases = Phrases::of_keys(vec![new_york]);
        let mut builder = StatisticsBuilder::with_phrases(&recipe, &phrases).unwrap();
        builder.add_text("New York, new new york", None);
        builder.add_text("York is new", None);
        let statistics = Statistics::open(builder.finish()).unwrap();
        let keys = [new_york, hash("new"), hash("york"), hash("is")];
        assert_eq!(keys.map(|key| statistics.documents_with(key)), [1, 2, 1, 1]);
        // "new york", "new", "new york"; "york", "is", "new".
        assert_eq!(statistics.frequency(0).mean_length, 3.0);
        assert_eq!(statistics.phrases().keys().collect::<Vec<_>>(), [new_york]);
        let error = StatisticsBuilder::new(&recipe).unwrap_err().to_string();
        assert!(error.contains("phrases = 9: learn the phrases"), "{error}");
        // Phrases are nothing to a recipe that has none.
        let plain = Recipe { phrases: 0, ..recipe };
        let mut without = StatisticsBuilder::new(&plain).unwrap();
        let mut with = StatisticsBuilder::with_phrases(&plain, &phrases).unwrap();
        [&mut without, &mut with].iter_mut().for_each(|builder| builder.add_text("new york", None));
        assert_eq!(without.finish(), with.finish());
    }
}
