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
//! Text goes [`normalize`] -> [`token`] -> [`shingle`] -> [`counts`] and [`weight`] -> [`tally`]
//! (integer weights) or [`sums`] (real weights). [`similarity`] compares the features themselves.

pub mod builtin;
pub mod case;
mod char_class;
pub mod counts;
pub mod error;
pub mod estimate;
pub mod feature_set;
pub mod fingerprint;
pub mod fingerprinter;
pub mod hash;
pub mod normalize;
pub mod recipe;
pub mod shingle;
pub mod similarity;
pub mod sums;
pub mod tally;
pub mod token;
pub mod weight;
pub mod width;
