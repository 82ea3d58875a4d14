//! The features of one document with their text: what exact similarity and explanations work on.

use crate::error::RecipeError;
use crate::features::analysis::{Analysis, Weighted};
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use crate::text::token::Split;
use std::collections::BTreeMap;

/// The distinct features of a document, each with its text and weight.
///
/// A recipe that needs a statistics file has its features from
/// [`Fingerprinter::features`](crate::fingerprinter::Fingerprinter::features).
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{FeatureSet, Recipe};
///
/// let set = FeatureSet::new(&Recipe::named("words").unwrap(), "To be or not to be or not")?;
/// let features: Vec<_> = set.iter().collect();
/// assert_eq!(features[0], ("be", 2.0));
/// assert_eq!(set.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureSet(BTreeMap<String, f64>);

impl FeatureSet {
    /// The features of `text` by `recipe`.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other; dictionaries or statistics that are not there.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` features, with the text of each in memory.
    pub fn new(recipe: &Recipe, text: &str) -> Result<Self, RecipeError> {
        recipe.check()?;
        recipe.ready()?;
        recipe.check_no_statistics()?;
        Ok(Self::of(&mut Analysis::new(recipe, None), recipe, text))
    }

    /// The features of `text` as `analysis` by `recipe` finds them.
    pub(crate) fn of(analysis: &mut Analysis, recipe: &Recipe, text: &str) -> Self {
        Self::of_named(named(analysis, recipe, text, None).1)
    }

    /// The set of these features.
    pub(crate) fn of_named(features: Vec<(String, Weighted)>) -> Self {
        Self(features.into_iter().map(|(name, feature)| (name, feature.weight)).collect())
    }

    /// The number of distinct features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the document has no feature.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each feature's text and weight, by text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(text, weight)| (text.as_str(), *weight))
    }

    /// The weight of a feature; 0 where the document lacks it.
    #[must_use]
    pub fn weight(&self, feature: &str) -> f64 {
        self.0.get(feature).copied().unwrap_or(0.0)
    }
}

/// The tokens of `text`, phrases joined, and its features with their text: those of
/// [`Analysis::features`], in their order.
pub(crate) fn named(
    analysis: &mut Analysis,
    recipe: &Recipe,
    text: &str,
    language: Option<Language>,
) -> (Vec<String>, Vec<(String, Weighted)>) {
    let joint = if recipe.split == Split::Characters { "" } else { " " };
    let mut tokens: Vec<String> = Vec::new();
    let features = analysis.features(text, language, |token, joined| match tokens.last_mut() {
        Some(left) if joined => left.extend([joint, token]),
        _ => tokens.push(token.to_owned()),
    });
    let length = if tokens.len() < recipe.shingle { 1 } else { recipe.shingle };
    let named = features.iter().filter_map(|feature| {
        let run = tokens.get(feature.first..feature.first + length)?;
        Some((run.join(joint), *feature))
    });
    let named = named.collect();
    (tokens, named)
}

impl FromIterator<(String, f64)> for FeatureSet {
    /// Features that come with their weights; one that comes twice counts the sum.
    fn from_iter<I: IntoIterator<Item = (String, f64)>>(features: I) -> Self {
        let mut set = BTreeMap::new();
        for (feature, weight) in features {
            *set.entry(feature).or_insert(0.0) += weight;
        }
        Self(set)
    }
}
