//! Near-duplicate detection that is exact and fast: SimHash fingerprints of text, and every stored
//! fingerprint within k bits of one.
//!
//! This crate is what a Rust program depends on; it re-exports the rooms of the project:
//!
//! | module | what it does |
//! |---|---|
//! | [`fingerprint`] | text to fingerprint: recipes, kernels, exact similarity |
//! | [`index`] | exact Hamming search and joins |
//! | [`corpus`] | documents from files, and back |
//! | [`dedup`] | the batch job: pairs, clusters, survivors |
//! | [`store`] | a durable store: add, check, delete, nothing lost |
//!
//! # Examples
//! Near-duplicates among texts in memory:
//! ```
//! use nearprint::fingerprint::{builtin, fingerprint::Fingerprint, fingerprinter::Fingerprinter};
//! use nearprint::index::{distinct::Distinct, join::SelfJoin};
//!
//! let texts = [
//!     "The city council approved the new budget on Monday after a long debate about schools.",
//!     "A storm is expected to reach the northern coast by the end of the week.",
//!     "the city council approved the new budget on Monday, after a long debate about schools",
//! ];
//! let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("text").unwrap())?;
//! let fingerprints: Vec<Fingerprint<1>> =
//!     texts.iter().map(|text| fingerprinter.fingerprint(text).fingerprint).collect();
//! let distinct = Distinct::new(&fingerprints);
//! assert!(SelfJoin::new(distinct.codes(), 3)?.collect().is_empty());
//! let twins: Vec<u64> = (0..distinct.len() as u64)
//!     .find(|&rank| distinct.docs(rank).len() > 1)
//!     .map(|rank| distinct.docs(rank).collect())
//!     .unwrap();
//! assert_eq!(twins, [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007.

pub use nearprint_corpus as corpus;
pub use nearprint_dedup as dedup;
pub use nearprint_fingerprint as fingerprint;
pub use nearprint_index as index;
pub use nearprint_store as store;
