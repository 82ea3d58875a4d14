//! Fingerprints as a user of the crate makes them: frozen bits, other programs' bits, and what is learned
//! from a corpus.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

#[cfg(all(feature = "zh", feature = "dictionary"))]
mod golden;
mod golden_sketches;
#[cfg(feature = "zh")]
mod jieba;
#[cfg(feature = "lindera")]
mod lindera;
mod phrases;
mod python;
