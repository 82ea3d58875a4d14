//! Text to fingerprint: normalisation, features, weights, SimHash kernels and the recipes that
//! fix every bit.
//!
//! The room is pure: it opens no file and starts no thread. A [`recipe::Recipe`] states all that
//! decides the bits; a [`fingerprinter::Fingerprinter`] made from it turns text into a
//! [`fingerprint::Fingerprint`]:
//!
//! ```
//! use nearprint_fingerprint::{builtin, fingerprinter::Fingerprinter};
//!
//! let recipe = builtin::recipe("text").unwrap();
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

pub mod accents;
mod analysis;
mod ascii_grams;
mod block_grams;
pub mod builtin;
mod byte_masks;
pub mod case;
mod char_class;
mod char_scanner;
mod char_table;
mod chinese;
mod code;
mod code_point_map;
pub mod counts;
pub mod degenerate;
mod dictionary;
#[cfg(feature = "difference")]
pub mod difference;
pub mod error;
pub mod estimate;
pub mod feature_set;
pub mod fingerprint;
pub mod fingerprinted;
pub mod fingerprinter;
mod gram_scanner;
pub mod grams;
pub mod hash;
pub mod kernel;
mod korean;
pub mod language;
mod lexicon;
mod mask_positions;
mod mixed;
pub mod normalize;
pub mod pair_counts;
pub mod phrases;
mod pieces;
pub mod recipe;
mod scan;
pub mod shingle;
pub mod similarity;
mod sorted_keys;
mod squeeze;
pub mod statistics;
pub mod statistics_builder;
pub mod stem;
pub mod stop_words;
pub mod sums;
pub mod tally;
pub mod text_rank;
pub mod token;
pub mod token_counts;
mod tokenizer;
pub mod weigher;
pub mod weight;
pub mod weighted_tally;
pub mod width;
pub mod word_dictionary;
mod word_marks;
mod word_masks;
mod word_scanner;
#[cfg(target_arch = "x86_64")]
mod xxh3_lanes;
mod xxh3_short;
mod xxh3_words;
