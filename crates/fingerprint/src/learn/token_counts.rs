//! How often each token of a corpus occurs: the first of the two readings that learn phrases.
//! [`crate::learn::pair_counts`] is the second.

use crate::error::RecipeError;
use crate::features::analysis::Analysis;
use crate::learn::pair_counts::{DISCOUNT, PairCounts};
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use std::collections::HashMap;

/// The tokens of one document, to be counted by [`TokenCounts`] and [`PairCounts`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, TokenKeys};
///
/// let recipe = Recipe { phrases: 10, ..Recipe::named("words")? };
/// let mut tokens = Vec::new();
/// assert_eq!(TokenKeys::new(&recipe)?.keys("New York", None, &mut tokens), 2);
/// assert_eq!(tokens, ["new", "york"].map(|word| recipe.hash.hash(word)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TokenKeys(Analysis);

impl TokenKeys {
    /// Makes the tokens that `recipe` joins to phrases.
    ///
    /// # Errors
    /// Keys of the recipe that contradict each other, or a dictionary that this build lacks.
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        recipe.check()?;
        recipe.ready()?;
        Ok(Self(Analysis::new(recipe, None)))
    }

    /// Appends the hash of every token of `text`, in order, to `keys`, and returns how many there are.
    pub fn keys(&mut self, text: &str, language: Option<Language>, keys: &mut Vec<u64>) -> u64 {
        let tokens = self.0.read(text, language);
        keys.extend(tokens);
        tokens.len() as u64
    }
}

/// Counts how often each token occurs.
///
/// Memory: some 24 bytes a distinct token.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Statistics, StatisticsBuilder, TokenCounts, TokenKeys};
///
/// let recipe = Recipe { phrases: 2, ..Recipe::named("words").unwrap() };
/// let corpus = ["I flew to New York", "he came to the new house", "New York it was"].repeat(9);
/// let mut reader = TokenKeys::new(&recipe)?;
/// let mut tokens_of = |text| {
///     let mut tokens = Vec::new();
///     reader.keys(text, None, &mut tokens);
///     tokens
/// };
///
/// let mut tokens = TokenCounts::default();
/// corpus.iter().for_each(|text| tokens.add(&tokens_of(text)));
/// let mut pairs = tokens.pairs(recipe.phrases);
/// corpus.iter().for_each(|text| pairs.add(&tokens_of(text)));
///
/// let mut builder = StatisticsBuilder::with_phrases(&recipe, &pairs.phrases())?;
/// corpus.iter().for_each(|text| builder.add_text(text, None));
/// let statistics = Statistics::open(builder.finish())?;
/// let hash = |word| recipe.hash.hash(word);
/// assert!(statistics.phrases().joined(hash("new"), hash("york")).is_some());
/// assert!(statistics.phrases().joined(hash("the"), hash("house")).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TokenCounts {
    counts: HashMap<u64, u64>,
    total: u64,
}

impl TokenCounts {
    /// Counts the tokens of one document.
    pub fn add(&mut self, tokens: &[u64]) {
        for token in tokens {
            *self.counts.entry(*token).or_insert(0) += 1;
        }
        self.total += tokens.len() as u64;
    }

    /// The counters of the second reading, of pairs whose score may pass `threshold`.
    #[must_use]
    pub fn pairs(self, threshold: u32) -> PairCounts {
        let Self { mut counts, total } = self;
        counts.retain(|_, count| *count > DISCOUNT);
        PairCounts::new(counts, total, threshold)
    }
}
