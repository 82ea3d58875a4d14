//! Fingerprints and feature keys as they are defined, feature by feature: what the fast path is checked
//! against.

use nearprint_fingerprint::{
    Feature, FeatureSet, Fingerprint, Recipe, RecipeError, Sums, shingles, widen,
};
use std::collections::BTreeMap;

/// The fingerprint of `text` by a recipe whose hash is widened from 64 bits. Where weights are no
/// integers, features are single tokens and their weights are taken on trust.
pub fn fingerprint<const WORDS: usize>(
    recipe: &Recipe,
    text: &str,
) -> Result<Fingerprint<WORDS>, RecipeError> {
    if !recipe.weights.is_integer() {
        let mut sums = Sums::default();
        for (token, weight) in FeatureSet::new(recipe, text)?.iter() {
            sums.add(&Feature { hash: widen(recipe.hash.hash(token)), weight });
        }
        return Ok(sums.fingerprint(recipe.sign));
    }
    let mut sums = Sums::default();
    for (key, count) in counts(recipe, text) {
        sums.add(&Feature { hash: widen(key), weight: recipe.weights.weight(count).into() });
    }
    Ok(sums.fingerprint(recipe.sign))
}

/// The keys of the features of `text`, and how often each occurs.
pub fn counts(recipe: &Recipe, text: &str) -> BTreeMap<u64, u32> {
    let mut tokens = Vec::new();
    recipe.tokens(None, &recipe.prepared(text), &mut String::new(), |token| {
        tokens.push(recipe.hash.hash(token));
    });
    let mut counts = BTreeMap::new();
    shingles(&tokens, recipe.shingle, |key| *counts.entry(key).or_insert(0_u32) += 1);
    counts
}
