//! How a store finds near-duplicates: what its settings say. Imports no sibling.

use nearprint_fingerprint::{BandError, BandShape};

/// How a store finds near-duplicates.
///
/// # Examples
/// ```
/// use nearprint_store::Finding;
///
/// let finding = Finding::similarity(0.8);
/// let bands = finding.bands()?.unwrap();
/// assert_eq!((bands.bands(), bands.rows(), finding.radius()), (18, 5, None));
/// assert_eq!(Finding::Radius(3).radius(), Some(3));
/// # Ok::<(), nearprint_fingerprint::BandError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// All documents whose fingerprints differ in at most so many bits. Searches within a larger radius
    /// are slow.
    Radius(u32),
    /// Documents of at least this Jaccard similarity, by the bands of their sketches.
    Similarity {
        /// The least similarity.
        similarity: f64,
        /// The share of the pairs of exactly that similarity that bands find, at least. Of pairs above it
        /// they find more.
        recall: f64,
        /// Whether the store keeps the keys of the features and compares them exactly. Without, it
        /// compares sketches, which estimate the similarity.
        verify: bool,
    },
}

impl Finding {
    /// By similarity, as it is estimated, with the recall of [`BandShape::RECALL`].
    #[must_use]
    pub const fn similarity(similarity: f64) -> Self {
        Self::Similarity { similarity, recall: BandShape::RECALL, verify: false }
    }

    /// The radius; `None` by similarity.
    #[must_use]
    pub const fn radius(&self) -> Option<u32> {
        match self {
            Self::Radius(k) => Some(*k),
            Self::Similarity { .. } => None,
        }
    }

    /// The bands of the sketches; `None` within a radius.
    ///
    /// # Errors
    /// Those of [`BandShape::for_similarity`].
    pub fn bands(&self) -> Result<Option<BandShape>, BandError> {
        match self {
            Self::Radius(_) => Ok(None),
            Self::Similarity { similarity, recall, .. } => {
                BandShape::for_similarity(*similarity, *recall).map(Some)
            }
        }
    }

    /// Whether the keys of the features are kept.
    #[must_use]
    pub const fn verifies(&self) -> bool {
        matches!(self, Self::Similarity { verify: true, .. })
    }
}
