//! Text to fingerprint: normalisation, features, weights, SimHash and the recipes that fix every bit.
//!
//! The crate is pure: it opens no file, reads no clock and starts no thread of its own. A [`Recipe`]
//! states all that decides the bits. A [`Fingerprinter`] made from it turns text into fingerprints.
//!
//! # Examples
//! ```
//! use nearprint_fingerprint::Recipe;
//!
//! let mut fingerprinter = Recipe::named("text")?.fingerprinter::<1>()?;
//! let a = fingerprinter.fingerprint("The quick brown fox jumps over the lazy dog.");
//! let b = fingerprinter.fingerprint("the quick  brown fox jumps over the LAZY dog");
//! assert_eq!(a.fingerprint, b.fingerprint);
//! assert_eq!(a.features, 7);
//! # Ok::<(), nearprint_fingerprint::RecipeError>(())
//! ```
//!
//! # From text to fingerprint
//! 1. `text` brings the text to its normal form and cuts it into tokens.
//! 2. `hashing` gives each token a hash; `vote/shingle` joins runs of tokens to features.
//! 3. `vote/counts` and `vote/weight` count the features and weigh them.
//! 4. `vote/tally` adds the weights bit by bit; the signs of the sums are the fingerprint.
//!
//! Three fast paths of `scanners` do steps 1 and 2 at once for plain recipes: `word_scanner` (bit
//! masks), `char_scanner` (a table) and `gram_scanner` (windows over bytes). Tests compare each with the
//! plain steps. Recipes that ask for more take the longer path of `features`: stop words, stems and
//! dictionaries in `token_maker`, phrases and weights from a corpus in `analysis`, real weights in
//! `vote/weighted_tally`. `vote/sums` is the definition that both tallies are tested against.
//!
//! | room | what it does |
//! |---|---|
//! | `recipes` | the recipe: its keys, checks, canonical form and id; the built-in recipes |
//! | `text` | text to tokens, step by step: the definition |
//! | `scanners` | the fast paths from text to hashes of tokens |
//! | `hashing` | hashes of tokens |
//! | `vote` | from hashes to bits |
//! | `features` | weighted features for recipes that ask for more than plain tokens |
//! | `places` | tokens with their places in the text as it came; its lines, sentences and paragraphs |
//! | `learn` | counting a corpus: how statistics and phrases are made |
//! | `weighing` | what a corpus has taught: the statistics file, phrases, weights |
//! | `sketching` | sketches of feature sets, by which alike sets are found |
//! | `compare` | exact similarity, estimates, and where two texts differ |
//! | `explain` | one fingerprint step by step: tokens, features, votes, sums, bits |
//!
//! At the root, `fingerprinter` ties the rooms together, `outcome` and `fingerprinted` are what it
//! gives, `any_fingerprinter` learns the width when it runs, `given_features` takes features with weights, `unsigned` makes no fingerprint, `batch` takes many texts, `degenerate` says what a short document may equal, `ids` and
//! `error` import no other file but each other, and `kernel` knows the instructions of the machine.
//!
//! # Features
//! | feature | what it brings | default |
//! |---|---|---|
//! | `zh` | Chinese words by jieba | yes |
//! | `dictionary` | words of Chinese, Japanese, Thai and their neighbours by ICU4X | yes |
//! | `languages` | stop words, stems and the detection of languages | yes |
//! | `parallel` | [`Fingerprinter::fingerprint_all`] on the caller's rayon pool | yes |
//! | `lindera` | words by a dictionary that the user points to | no |
//! | `difference` | where two texts differ, word by word | no |
//!
//! A recipe that needs a feature which the build lacks is refused by name: [`RecipeError::NotBuilt`].

mod any_fingerprinter;
mod batch;
mod compare;
mod degenerate;
mod error;
mod explain;
mod features;
mod fingerprinted;
mod fingerprinter;
mod flagging;
mod given_features;
mod hashing;
mod ids;
mod in_bounds;
mod kernel;
mod learn;
mod outcome;
mod places;
mod recipes;
mod scanners;
mod sketching;
mod text;
mod unsigned;
mod vote;
mod weighing;

pub use any_fingerprinter::AnyFingerprinter;
pub use compare::comparison::Comparison;
#[cfg(feature = "difference")]
pub use compare::difference::{Difference, Piece, Row, visible};
pub use compare::estimate;
pub use compare::measure::Measure;
pub use compare::similarity::{FeatureDifference, Overlap, Similarity, differences};
pub use degenerate::{DegenerateRule, Flags, Matching};
pub use error::{
    BandError, DictionaryError, FeatureError, IdError, LanguageError, RecipeError, StatisticsError,
    WordFileError, WordFileKind,
};
pub use explain::explanation::{ExplainedFeature, Explanation};
pub use features::feature_list::FeatureList;
pub use features::feature_set::FeatureSet;
pub use fingerprinted::Fingerprinted;
pub use fingerprinter::Fingerprinter;
pub use hashing::hash::{TokenHash, widen};
pub use ids::{DictionaryId, FileId, RecipeId, StatisticsId};
pub use learn::pair_counts::PairCounts;
pub use learn::statistics_builder::{FeatureKeys, StatisticsBuilder};
pub use learn::token_counts::{TokenCounts, TokenKeys};
pub use nearprint_bits::{
    AnyFingerprint, BitString, CodeList, Codes, Fingerprint, Fingerprint64, Fingerprint128,
    Fingerprint256, Width, at_width, mix64,
};
pub use outcome::Outcome;
pub use places::tokenizer::Tokenizer;
pub use places::unit::{Unit, units};
pub use recipes::meaning::KeyMeaning;
pub use recipes::recipe::{BitOrder, DocumentPart, Recipe};
pub use sketching::angle_code::angle_code;
pub use sketching::band_shape::BandShape;
pub use sketching::band_sketcher::BandSketcher;
pub use text::accents::Accents;
pub use text::by_content::ByContent;
pub use text::case::Case;
pub use text::digits::Digits;
pub use text::idf_file::{IdfFile, IdfTable, UnlistedIdf};
pub use text::language::{Language, LanguageRule};
pub use text::normalize::NormalForm;
pub use text::placed_tokens::PlacedTokens;
pub use text::stop_file::{StopFile, StopWordList};
pub use text::token::Split;
pub use text::user_dictionary::{UserDictionary, UserWords};
pub use text::word_dictionary::WordDictionary;
pub use vote::shingle::shingles;
pub use vote::sums::{Feature, SignRule, Sums};
pub use vote::weight::Weighting;
pub use weighing::phrases::Phrases;
pub use weighing::statistics::Statistics;
