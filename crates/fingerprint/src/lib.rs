//! Text to fingerprint: normalisation, features, weights, SimHash kernels and the recipes that
//! fix every bit.
//!
//! The room is pure: it opens no file and starts no thread. A [`recipe::Recipe`] states all that
//! decides the bits; a [`fingerprinter::Fingerprinter`] made from it turns text into a
//! [`fingerprint::Fingerprint`]:
//!
//! ```
//! use nearprint_fingerprint::{Fingerprinter, Recipe};
//!
//! let recipe = Recipe::named("text").unwrap();
//! let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
//! let a = fingerprinter.fingerprint("The quick brown fox jumps over the lazy dog.");
//! let b = fingerprinter.fingerprint("the quick  brown fox jumps over the LAZY dog");
//! assert_eq!(a.fingerprint, b.fingerprint);
//! assert_eq!(a.features, 7);
//! ```
//!
//! Text goes [`normalize`] -> [`token`] -> [`shingle`] -> [`counts`] and [`weight`] -> [`tally`].
//! Recipes that ask for more than plain tokens and integer weights take a longer path: `tokenizer`
//! adds [`accents`], [`stop_words`], [`stem`] and the dictionaries, `analysis` joins learned
//! [`phrases`] and weighs features by [`statistics`] and ranks, and [`weighted_tally`] sums real
//! weights. [`sums`] is the definition of both tallies. [`similarity`] compares the features themselves.

mod batch;
mod compare;
mod degenerate;
mod error;
mod features;
mod fingerprinted;
mod fingerprinter;
mod hashing;
mod ids;
mod kernel;
mod learn;
mod outcome;
mod recipes;
mod scanners;
mod text;
mod vote;
mod weighing;

pub use compare::comparison::Comparison;
#[cfg(feature = "difference")]
pub use compare::difference::{Difference, Piece, Row, visible};
pub use compare::estimate;
pub use compare::similarity::{FeatureDifference, Overlap, Similarity, differences};
pub use degenerate::{DegenerateRule, Flags, Matching};
pub use error::{
    DictionaryError, FeatureError, IdError, LanguageError, RecipeError, StatisticsError,
};
pub use features::feature_set::FeatureSet;
pub use fingerprinted::Fingerprinted;
pub use fingerprinter::Fingerprinter;
pub use hashing::hash::{TokenHash, widen};
pub use ids::{DictionaryId, RecipeId, StatisticsId};
pub use learn::pair_counts::PairCounts;
pub use learn::statistics_builder::{FeatureKeys, StatisticsBuilder};
pub use learn::token_counts::{TokenCounts, TokenKeys};
pub use nearprint_bits::{
    Fingerprint, Fingerprint64, Fingerprint128, Fingerprint256, Width, mix64,
};
pub use outcome::Outcome;
pub use recipes::recipe::{BitOrder, DocumentPart, Recipe};
pub use text::accents::Accents;
pub use text::case::Case;
pub use text::language::{Language, LanguageRule};
pub use text::normalize::NormalForm;
pub use text::token::Split;
pub use text::word_dictionary::WordDictionary;
pub use vote::shingle::shingles;
pub use vote::sums::{Feature, SignRule, Sums};
pub use vote::weight::Weighting;
pub use weighing::phrases::Phrases;
pub use weighing::statistics::Statistics;
