//! Near-duplicate detection that is exact and fast: SimHash fingerprints of text, and every stored
//! fingerprint within k bits of one.
//!
//! One call for each everyday task, with the defaults of the command `nearprint`:
//!
//! | task | call |
//! |---|---|
//! | fingerprint texts | [`fingerprint()`], [`fingerprint_all`], [`Recipe`] for other recipes and widths |
//! | all pairs among fingerprints | [`pairs`], [`for_each_pair`] |
//! | an index to ask and to keep | [`Index`] |
//! | deduplicate texts or files | [`Dedup`] |
//! | cut what repeats inside documents | [`Passages`] |
//! | take the items of eval sets out | [`Decontamination`] |
//! | "have we seen this page?" | [`Store`] |
//! | why two texts match | [`compare`] |
//! | how a fingerprint comes about | [`explain`] |
//!
//! # Examples
//! ```
//! let texts = [
//!     "The city council approved the new budget on Monday after a long debate about schools.",
//!     "A storm is expected to reach the northern coast by the end of the week.",
//!     "the city council approved the new budget on Monday, after a long debate about schools",
//! ];
//! let codes = nearprint::fingerprint_all(&texts);
//! let pairs = nearprint::pairs(&codes, 3)?;
//! assert_eq!((pairs.len(), pairs[0].a, pairs[0].b), (1, 0, 2));
//!
//! let found = nearprint::Dedup::new().similarity(0.8).texts(&texts)?;
//! assert_eq!(found.kept(), [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Recipes and widths
//! [`fingerprint()`] and [`fingerprint_all`] use the default recipe at 64 bits. For another recipe or
//! width, make a [`Fingerprinter`]. Name the width twice: in the recipe, and in the type as 1, 2 or 4
//! words of 64 bits. A recipe of your own is TOML: write the text of [`Recipe::to_toml`] to a file,
//! change it, and read it by [`Recipe::from_toml`].
//!
//! ```
//! use nearprint::{Recipe, Width};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("mine.toml");
//! std::fs::write(&path, Recipe::named("words")?.to_toml())?;
//! let mine = Recipe::from_toml(&std::fs::read_to_string(&path)?)?;
//! let mut wide = mine.with_width(Width::W128).fingerprinter::<2>()?;
//! let many = wide.fingerprint_all(&["one text", "another text"]);
//! assert_eq!(many[0], wide.fingerprint("one text").fingerprint);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! Recipes give [`RecipeError`] and indexes give [`IndexError`]. [`pairs`] gives [`index::Error`],
//! [`Dedup`] gives [`dedup::Error`], and [`Store`] gives [`store::Error`]. Each has a `kind()`: one of the nine of
//! [`ErrorKind`].
//!
//! # Features
//! `index` alone takes fingerprints that are there, with few dependencies. `fingerprint` reads text.
//! `dedup` and `store` bring both. `zh`, `dictionary` and `lindera` bring words of languages written
//! without spaces. `languages` brings stop words, stems and the detection of languages, `objects`
//! object storage, `serde` fingerprints with serde. `evaluation` measures precision and recall on labelled documents. The default is `dedup`, `store`, `zh`, `dictionary`
//! and `languages`.
//!
//! # Beneath
//! The modules [`fingerprint`](mod@fingerprint), [`index`], [`corpus`], [`dedup`] and [`store`] are the
//! crates of the project with all that they offer, and with the feature `evaluation` the module `evaluation`.
//!
//! # References
//! Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW 2007.

#[cfg(feature = "index")]
mod any_index;
#[cfg(feature = "index")]
mod error;
#[cfg(feature = "fingerprint")]
mod fingerprints;
#[cfg(feature = "index")]
mod index_file;

pub use nearprint_bits::{
    AnyFingerprint, BitString, CodeList, Codes, ErrorKind, Fingerprint, Fingerprint64,
    Fingerprint128, Fingerprint256, ParseError, Width, at_width,
};
#[cfg(feature = "dedup")]
pub use nearprint_corpus as corpus;
#[cfg(feature = "dedup")]
pub use nearprint_dedup as dedup;
#[cfg(feature = "dedup")]
pub use nearprint_dedup::{
    ClusterRule, Decontamination, Dedup, Found, KeepRule, Passages, Recall, Removed, Summary,
    Verify,
};
#[cfg(feature = "evaluation")]
pub use nearprint_evaluation as evaluation;
#[cfg(feature = "fingerprint")]
pub use nearprint_fingerprint as fingerprint;
#[cfg(feature = "fingerprint")]
pub use nearprint_fingerprint::{
    Comparison, ExplainedFeature, Explanation, Fingerprinter, Recipe, RecipeError, RecipeId,
    SignRule,
};
#[cfg(feature = "index")]
pub use nearprint_index as index;
#[cfg(feature = "index")]
pub use nearprint_index::{Neighbor, Pair, for_each_pair, pairs};
#[cfg(feature = "store")]
pub use nearprint_store as store;
#[cfg(feature = "store")]
pub use nearprint_store::{NearDocument, Outcome, Settings, Store};

#[cfg(feature = "index")]
pub use any_index::AnyIndex;
#[cfg(feature = "index")]
pub use error::IndexError;
#[cfg(feature = "fingerprint")]
pub use fingerprints::{compare, explain, fingerprint, fingerprint_all};
#[cfg(feature = "index")]
pub use index_file::{Index, Index64, Index128, Index256};
