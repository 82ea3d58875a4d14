//! What is asked for: how near documents are that count as near-duplicates.

use crate::error::Error;
use crate::likeness::Likeness;
use crate::verify::Verify;
use nearprint_fingerprint::{BandShape, Measure, Weighting, Width};

/// How near documents are that count as near-duplicates, as it is asked for and as a store remembers it.
///
/// # Examples
/// ```
/// use nearprint_rules::Threshold;
///
/// let threshold = Threshold::similarity(0.8);
/// let bands = threshold.bands()?.unwrap();
/// assert_eq!((bands.bands(), bands.rows(), threshold.radius()), (18, 5, None));
/// assert!(threshold.verifies() && !threshold.estimated().verifies());
/// assert_eq!(Threshold::Radius(3).radius(), Some(3));
/// # Ok::<(), nearprint_rules::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
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
        /// Whether the store keeps the keys of the features and compares them exactly, as the batch job does.
        /// Without, it compares sketches, which estimate the similarity: of pairs near the least similarity some are
        /// near-duplicates that are not, and some are not that are.
        verify: bool,
    },
    /// Documents whose features have at least this cosine by their weights, which are real numbers: searched for
    /// within the radius that holds enough of them. The store keeps the features with their weights, and compares
    /// them exactly.
    Cosine {
        /// The least cosine.
        similarity: f64,
        /// The share of the pairs of exactly that cosine that are within the radius, at least.
        recall: f64,
    },
}

impl Threshold {
    /// By the exact Jaccard similarity, with the recall of [`BandShape::RECALL`].
    #[must_use]
    pub const fn similarity(similarity: f64) -> Self {
        Self::Similarity { similarity, recall: BandShape::RECALL, verify: true }
    }

    /// By the exact cosine, with the recall of [`BandShape::RECALL`].
    #[must_use]
    pub const fn cosine(similarity: f64) -> Self {
        Self::Cosine { similarity, recall: BandShape::RECALL }
    }

    /// By the similarity that suits features of such weights: the cosine where they are real numbers, else the Jaccard
    /// similarity.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Weighting;
    /// use nearprint_rules::Threshold;
    ///
    /// assert_eq!(Threshold::suiting(Weighting::Set, 0.8), Threshold::similarity(0.8));
    /// assert_eq!(Threshold::suiting(Weighting::Idf, 0.8), Threshold::cosine(0.8));
    /// ```
    #[must_use]
    pub const fn suiting(weights: Weighting, similarity: f64) -> Self {
        if weights.is_integer() { Self::similarity(similarity) } else { Self::cosine(similarity) }
    }

    /// The same by sketches alone, which take less room and estimate the Jaccard similarity. A radius and a cosine
    /// stay as they are.
    #[must_use]
    pub const fn estimated(self) -> Self {
        match self {
            Self::Similarity { similarity, recall, .. } => {
                Self::Similarity { similarity, recall, verify: false }
            }
            Self::Radius(_) | Self::Cosine { .. } => self,
        }
    }

    /// The same with another share of the pairs of exactly the similarity that are found. A radius stays as it is.
    #[must_use]
    pub const fn recalling(self, recall: f64) -> Self {
        match self {
            Self::Radius(_) => self,
            Self::Similarity { similarity, verify, .. } => {
                Self::Similarity { similarity, recall, verify }
            }
            Self::Cosine { similarity, .. } => Self::Cosine { similarity, recall },
        }
    }

    /// The radius; `None` by similarity.
    #[must_use]
    pub const fn radius(&self) -> Option<u32> {
        match self {
            Self::Radius(k) => Some(*k),
            Self::Similarity { .. } | Self::Cosine { .. } => None,
        }
    }

    /// The least similarity, and what it is one of; `None` within a radius.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Measure;
    /// use nearprint_rules::Threshold;
    ///
    /// assert_eq!(Threshold::similarity(0.8).least(), Some((0.8, Measure::Jaccard)));
    /// assert_eq!(Threshold::cosine(0.9).least(), Some((0.9, Measure::Cosine)));
    /// ```
    #[must_use]
    pub const fn least(&self) -> Option<(f64, Measure)> {
        match *self {
            Self::Radius(_) => None,
            Self::Similarity { similarity, verify: true, .. } => {
                Some((similarity, Measure::Jaccard))
            }
            Self::Similarity { similarity, .. } => Some((similarity, Measure::EstimatedJaccard)),
            Self::Cosine { similarity, .. } => Some((similarity, Measure::Cosine)),
        }
    }

    /// The bands of the sketches; `None` within a radius, and by a cosine.
    ///
    /// # Errors
    /// Those of [`BandShape::for_similarity`].
    pub fn bands(&self) -> Result<Option<BandShape>, Error> {
        match self {
            Self::Radius(_) | Self::Cosine { .. } => Ok(None),
            Self::Similarity { similarity, recall, .. } => {
                Ok(Some(BandShape::for_similarity(*similarity, *recall)?))
            }
        }
    }

    /// How documents within the threshold are found, by fingerprints of this width whose features have such weights;
    /// `None` where nobody knows the weights.
    ///
    /// # Errors
    /// A radius over the width; a similarity or a recall that neither bands nor a radius find.
    pub fn likeness(&self, weights: Option<Weighting>, width: Width) -> Result<Likeness, Error> {
        match *self {
            Self::Radius(k) => Likeness::by_radius(k, width),
            Self::Similarity { similarity, recall, .. } => {
                let is_set = weights == Some(Weighting::Set);
                Likeness::by_bands(Verify::Jaccard(similarity), recall, width, is_set)
            }
            Self::Cosine { similarity, recall } => {
                Likeness::by_angle(Verify::Cosine(similarity), recall, width)
            }
        }
    }

    /// Whether the features are kept, and decide.
    #[must_use]
    pub const fn verifies(&self) -> bool {
        matches!(self, Self::Similarity { verify: true, .. } | Self::Cosine { .. })
    }

    /// Whether the weights of the features are kept too.
    #[must_use]
    pub const fn weighs(&self) -> bool {
        matches!(self, Self::Cosine { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Threshold; 4] = [
        Threshold::Radius(3),
        Threshold::similarity(0.8),
        Threshold::similarity(0.8).estimated(),
        Threshold::cosine(0.9),
    ];

    #[test]
    fn a_threshold_tells_what_it_was_made_of() {
        assert_eq!(ALL.map(|one| one.radius()), [Some(3), None, None, None]);
        let least = [
            None,
            Some((0.8, Measure::Jaccard)),
            Some((0.8, Measure::EstimatedJaccard)),
            Some((0.9, Measure::Cosine)),
        ];
        assert_eq!(ALL.map(|one| one.least()), least);
        assert_eq!(ALL.map(|one| one.verifies()), [false, true, false, true]);
        assert_eq!(ALL.map(|one| one.weighs()), [false, false, false, true]);
        let bands = ALL.map(|one| one.bands().unwrap().map(|shape| (shape.bands(), shape.rows())));
        assert_eq!(bands, [None, Some((18, 5)), Some((18, 5)), None]);
    }

    #[test]
    fn an_estimate_is_of_a_jaccard_similarity_alone() {
        let [radius, similarity, estimated, cosine] = ALL;
        assert_ne!(similarity, estimated);
        assert_eq!(ALL.map(Threshold::estimated), [radius, estimated, estimated, cosine]);
    }

    #[test]
    fn another_recall_leaves_all_else_as_it_is() {
        let [radius, similarity, estimated, cosine] = ALL.map(|one| one.recalling(0.9));
        assert_eq!(radius, ALL[0]);
        let expected = Threshold::Similarity { similarity: 0.8, recall: 0.9, verify: true };
        assert_eq!((similarity, estimated), (expected, expected.estimated()));
        assert_eq!(cosine, Threshold::Cosine { similarity: 0.9, recall: 0.9 });
        assert!(similarity.bands().unwrap().unwrap().bands() < 18);
        assert!(similarity.recalling(1.0).bands().is_err());
    }

    #[test]
    fn the_similarity_suits_the_weights() {
        for weights in [Weighting::Set, Weighting::Count, Weighting::Log] {
            assert_eq!(Threshold::suiting(weights, 0.7), Threshold::similarity(0.7));
        }
        for weights in [Weighting::Given, Weighting::Bm25, Weighting::Textrank] {
            assert_eq!(Threshold::suiting(weights, 0.7), Threshold::cosine(0.7));
        }
    }

    #[test]
    fn a_threshold_is_found_as_the_batch_job_finds_it() {
        let found = |threshold: Threshold, weights| threshold.likeness(weights, Width::W128);
        let [radius, similarity, estimated, cosine] = ALL;
        assert_eq!(found(radius, None).unwrap(), Likeness::by_radius(3, Width::W128).unwrap());
        let sets = found(similarity, Some(Weighting::Set)).unwrap();
        assert_eq!((sets.k(), sets.verify()), (42, Verify::Jaccard(0.8)));
        // Fingerprints of other weights, or of weights that nobody knows, do not tell it.
        for weights in [Some(Weighting::Log), None] {
            assert_eq!(found(similarity, weights).unwrap().k(), 128);
        }
        assert_eq!(found(estimated, Some(Weighting::Set)).unwrap(), sets);
        let by_angle = found(cosine, Some(Weighting::Given)).unwrap();
        assert_eq!((by_angle.k(), by_angle.verify()), (32, Verify::Cosine(0.9)));
        assert!(found(cosine.recalling(0.5), None).unwrap().k() < 32);
        for wrong in [Threshold::Radius(129), Threshold::similarity(0.1), Threshold::cosine(1.5)] {
            assert!(found(wrong, None).is_err(), "{wrong:?}");
        }
    }
}
