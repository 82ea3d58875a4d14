//! The features of one document with their text: what exact similarity and explanations work on.

use crate::recipe::Recipe;
use std::collections::BTreeMap;

/// The distinct features of a document, each with its text and weight.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{builtin, feature_set::FeatureSet};
///
/// let set = FeatureSet::new(&builtin::recipe("text").unwrap(), "To be or not to be or not");
/// let features: Vec<_> = set.iter().collect();
/// assert_eq!(features[0], ("be or not", 2));
/// assert_eq!(set.len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet(BTreeMap<String, u32>);

impl FeatureSet {
    /// The features of `text` by `recipe`.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` features, with the text of each in memory.
    #[must_use]
    pub fn new(recipe: &Recipe, text: &str) -> Self {
        let normal = recipe.normalize.apply(text);
        let mut tokens = Vec::new();
        recipe.split.tokens(&normal, recipe.case, &mut String::new(), |token| {
            tokens.push(token.to_owned());
        });
        let joint = match recipe.split {
            crate::token::Split::Characters => "",
            _ => " ",
        };
        let length = if tokens.len() < recipe.shingle { 1 } else { recipe.shingle };
        let mut counts = BTreeMap::new();
        for run in tokens.windows(length) {
            *counts.entry(run.join(joint)).or_insert(0_u32) += 1;
        }
        counts.values_mut().for_each(|count| *count = recipe.weights.weight(*count));
        Self(counts)
    }

    /// The number of distinct features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each feature's text and weight, by text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(text, weight)| (text.as_str(), *weight))
    }

    /// The weight of a feature; 0 where the document lacks it.
    #[must_use]
    pub fn weight(&self, feature: &str) -> u32 {
        self.0.get(feature).copied().unwrap_or(0)
    }
}
