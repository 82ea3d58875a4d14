//! The features of a document with their weights, by any recipe. Recipes of plain tokens and integer
//! weights have a shorter path in [`crate::fingerprinter`], which is tested against this one.

use crate::features::text_rank::text_rank;
use crate::features::token_maker::TokenMaker;
use crate::features::word_graph::WordGraph;
use crate::hashing::hash::TokenHash;
use crate::in_bounds::entry_at;
use crate::recipes::recipe::Recipe;
use crate::text::keyword_filter::KeywordFilter;
use crate::text::keyword_idf::KeywordIdf;
use crate::text::language::Language;
use crate::vote::shingle::shingles;
use crate::vote::weight::Weighting;
use crate::weighing::phrases::Phrases;
use crate::weighing::statistics::Statistics;
use crate::weighing::weigher::{bm25, tf_idf};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A distinct feature of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weighted {
    /// Its key.
    pub(crate) key: u64,
    /// How often it occurs.
    pub(crate) count: u32,
    /// What it counts for.
    pub(crate) weight: f64,
    /// The number of the first run of tokens that is it.
    pub(crate) first: usize,
}

/// Makes weighted features by one recipe, with the memory that this takes.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    recipe: Recipe,
    /// The hash that tells tokens apart.
    hash: TokenHash,
    token_maker: TokenMaker,
    /// Which words may be keywords, and their frequencies; `None` where all tokens count.
    keywords: Option<KeywordFilter>,
    frequencies: KeywordIdf,
    /// The words that are ranked as jieba does it.
    graph: WordGraph,
    statistics: Option<Statistics>,
    phrases: Option<Phrases>,
    /// Hashes of the document's tokens, in order.
    tokens: Vec<u64>,
    /// The distinct features in the order in which they come first.
    features: Vec<Weighted>,
    /// Where each key is in `features`.
    places: HashMap<u64, u32, RandomState>,
    /// For each run of tokens the number of its feature, where ranks are asked for.
    sequence: Vec<u32>,
    occurrences: usize,
    distinct: usize,
}

impl Analysis {
    /// An analysis by `recipe`, which agrees with itself; `statistics` are those that it names.
    pub(crate) fn new(recipe: &Recipe, statistics: Option<Statistics>) -> Self {
        let asked = statistics.as_ref().filter(|_| recipe.phrases > 0);
        let phrases = asked.map(Statistics::phrases);
        let hash = match recipe.hash {
            // Its 64-bit form leaves bits empty: too few to tell tokens apart.
            TokenHash::Python => TokenHash::Xxh3,
            hash => hash,
        };
        Self {
            recipe: recipe.clone(),
            hash,
            token_maker: TokenMaker::new(recipe),
            keywords: recipe
                .has_keywords()
                .then(|| KeywordFilter::new(recipe.least_length(), recipe.stop_file.clone())),
            frequencies: KeywordIdf::new(recipe.idf_file.clone(), recipe.unlisted_idf),
            graph: WordGraph::default(),
            statistics,
            phrases,
            tokens: Vec::new(),
            features: Vec::new(),
            places: HashMap::default(),
            sequence: Vec::new(),
            occurrences: 0,
            distinct: 0,
        }
    }

    /// The same, with `phrases` that are not yet in a file.
    pub(crate) fn with_phrases(self, phrases: Phrases) -> Self {
        let asked = self.recipe.phrases > 0;
        Self { phrases: Some(phrases).filter(|_| asked), ..self }
    }

    /// The tokens of the last document.
    pub(crate) fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// The features of the last document, counted with their repetitions.
    pub(crate) fn occurrences(&self) -> usize {
        self.occurrences
    }

    /// The distinct features of the last document, before the heaviest are chosen.
    pub(crate) fn distinct(&self) -> usize {
        self.distinct
    }

    /// The tokens of `text`, without making features of them.
    pub(crate) fn read(&mut self, text: &str, language: Option<Language>) -> &[u64] {
        self.tokenize(text, language, |_, _| {});
        &self.tokens
    }

    /// The weighted features of `text`; `token` sees the text of each token in order, and whether it
    /// is the second of a phrase: one token with the last.
    pub(crate) fn features(
        &mut self,
        text: &str,
        language: Option<Language>,
        token: impl FnMut(&str, bool),
    ) -> &[Weighted] {
        let frequencies = self.tokenize(text, language, token);
        self.count();
        self.weigh(&frequencies);
        if self.recipe.top > 0 {
            // Stable: of equal weights the one that comes first in the text stays.
            self.features.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            self.features.truncate(self.recipe.top);
        }
        &self.features
    }

    /// Hashes the tokens and joins phrases, greedily from the left; gives the frequencies of keywords.
    fn tokenize(
        &mut self,
        text: &str,
        language: Option<Language>,
        mut token: impl FnMut(&str, bool),
    ) -> Vec<f64> {
        let Self { hash, token_maker, keywords, graph, phrases, tokens, .. } = self;
        let is_ranked = self.recipe.ranks_as_jieba();
        let is_weighed = self.recipe.weights == Weighting::Keywords;
        tokens.clear();
        graph.clear();
        let mut frequencies = Vec::new();
        token_maker.tokens(text, language, |place, text| {
            if keywords.as_ref().is_some_and(|keywords| !keywords.takes(text)) {
                return;
            }
            if is_weighed {
                frequencies.push(self.frequencies.get(text));
            }
            let right = hash.hash(text);
            if is_ranked {
                graph.add(place, right, text);
            }
            let joined = match (phrases.as_ref(), tokens.last_mut()) {
                // Phrases are of two tokens: one that is joined is the first of no other.
                (Some(phrases), Some(left)) => {
                    phrases.joined(*left, right).map(|phrase| *left = phrase).is_some()
                }
                _ => false,
            };
            if !joined {
                tokens.push(right);
            }
            token(text, joined);
        });
        frequencies
    }

    /// Groups the runs of tokens into features.
    fn count(&mut self) {
        let Self { tokens, features, places, sequence, occurrences, .. } = self;
        features.clear();
        places.clear();
        sequence.clear();
        *occurrences = 0;
        let ranked = self.recipe.weights == Weighting::Textrank;
        shingles(tokens, self.recipe.shingle, |key| {
            let next = u32::try_from(features.len()).unwrap_or(u32::MAX);
            let place = *places.entry(key).or_insert(next);
            if place == next {
                features.push(Weighted { key, count: 0, weight: 0.0, first: *occurrences });
            }
            if let Some(feature) = features.get_mut(place as usize) {
                feature.count = feature.count.saturating_add(1);
            }
            if ranked {
                sequence.push(place);
            }
            *occurrences += 1;
        });
        self.distinct = features.len();
    }

    fn weigh(&mut self, frequencies: &[f64]) {
        let Self { features, statistics, sequence, occurrences, .. } = self;
        #[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
        let length = *occurrences as f64;
        match (self.recipe.weights, statistics) {
            (Weighting::Idf, Some(statistics)) => features
                .iter_mut()
                .for_each(|f| f.weight = tf_idf(f.count, statistics.frequency(f.key))),
            (Weighting::Bm25, Some(statistics)) => features
                .iter_mut()
                .for_each(|f| f.weight = bm25(f.count, length, statistics.frequency(f.key))),
            (Weighting::Textrank, _) if self.recipe.ranks_as_jieba() => {
                let ranked = self.graph.ranks().into_iter().filter_map(|(word, weight)| {
                    features.get(word as usize).map(|feature| Weighted { weight, ..*feature })
                });
                *features = ranked.collect();
                self.distinct = features.len();
            }
            (Weighting::Textrank, _) => {
                let ranks = text_rank(sequence, features.len());
                features.iter_mut().zip(ranks).for_each(|(f, rank)| f.weight = rank);
            }
            (Weighting::Keywords, _) => features.iter_mut().for_each(|f| {
                let idf = entry_at(frequencies, f.first);
                // In the order in which jieba computes it.
                f.weight = f64::from(f.count) * (idf / length);
            }),
            (weights, _) => {
                features.iter_mut().for_each(|f| f.weight = weights.weight(f.count).into());
            }
        }
    }
}
