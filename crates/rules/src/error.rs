//! Why a rule cannot be followed. Imports no sibling.

use nearprint_bits::ErrorKind;
use nearprint_fingerprint::Width;
use thiserror::Error;

/// Why nothing can be found by a rule.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A radius over the width.
    #[error(transparent)]
    Radius(#[from] nearprint_index::Error),
    /// A similarity or a recall for which there are no bands.
    #[error(transparent)]
    Bands(#[from] nearprint_fingerprint::BandError),
    /// A radius that makes near-duplicates of documents that share nothing.
    #[error(
        "more than one in a thousand unrelated documents are within {k} of {width} bits: use at most {most}{}, or a \
         similarity, which is compared exactly",
        .wider.map_or_else(String::new, |wider| format!(", or a width of {wider}"))
    )]
    WideRadius {
        /// The radius asked for.
        k: u32,
        /// The width.
        width: Width,
        /// The greatest radius that is not refused.
        most: u32,
        /// The narrowest width at which this one is not.
        wider: Option<Width>,
    },
    /// A share of features that no pair has, or that every pair has.
    #[error(
        "a share of features is above 0 and at most 1: use such a number, not \
         {share}"
    )]
    Share {
        /// The share asked for.
        share: f64,
    },
    /// A recall where candidates are not found by bands.
    #[error(
        "a recall needs a Jaccard similarity or a cosine: a radius, a containment and a weighted Jaccard \
         similarity find every pair"
    )]
    NoBands,
    /// Fingerprints of that width cannot distinguish documents of that similarity from any two.
    #[error(
        "{width}-bit fingerprints cannot measure the similarity {similarity} ({measure}); use {least:.2} to 1, or \
         wider fingerprints"
    )]
    Similarity {
        /// What the similarity is.
        measure: &'static str,
        /// The similarity asked for.
        similarity: f64,
        /// Bits of a fingerprint.
        width: Width,
        /// The least similarity that such fingerprints tell apart.
        least: f64,
    },
}

impl Error {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Radius(error) => error.kind(),
            Self::Bands(error) => error.kind(),
            Self::WideRadius { .. }
            | Self::Share { .. }
            | Self::NoBands
            | Self::Similarity { .. } => ErrorKind::Usage,
        }
    }
}
