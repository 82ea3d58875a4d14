//! What the similarity of two documents is one of, by the name that every answer has for it. How each is computed
//! is handled by the files beside this one.

/// What a similarity is one of, and whether it was computed of all features or estimated.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Measure;
///
/// assert_eq!(Measure::Jaccard.name(), "jaccard");
/// assert_eq!(Measure::EstimatedJaccard.name(), "estimated-jaccard");
/// assert!(Measure::Cosine.is_exact() && !Measure::EstimatedCosine.is_exact());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The Jaccard similarity of the sets of features.
    Jaccard,
    /// The share of the features of the document with fewer that the other has.
    Containment,
    /// The cosine of the weights of the features.
    Cosine,
    /// The Jaccard similarity of the weights of the features.
    WeightedJaccard,
    /// The Jaccard similarity as two sketches tell it.
    EstimatedJaccard,
    /// The cosine as the distance of two fingerprints tells it.
    EstimatedCosine,
}

impl Measure {
    /// How far a measure over weights may be below what is asked for: so what equals it passes, whatever is lost in
    /// rounding.
    const ROUNDING: f64 = 1e-12;

    /// Its name in rows, answers and reports. An estimate never has the name of what it estimates.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::Containment => "containment",
            Self::Cosine => "cosine",
            Self::WeightedJaccard => "weighted-jaccard",
            Self::EstimatedJaccard => "estimated-jaccard",
            Self::EstimatedCosine => "estimated-cosine",
        }
    }

    /// Whether it is computed of all features of both documents.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        !matches!(self, Self::EstimatedJaccard | Self::EstimatedCosine)
    }

    /// Whether a similarity in this measure is at least `least`.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Measure;
    ///
    /// let (found, least) = (0.1 + 0.2 - 1e-15, 0.3);
    /// assert!(Measure::Cosine.reaches(found, least), "sums are rounded");
    /// assert!(!Measure::Jaccard.reaches(0.29, 0.3));
    /// ```
    #[must_use]
    pub fn reaches(self, similarity: f64, least: f64) -> bool {
        match self {
            Self::Cosine | Self::WeightedJaccard => similarity >= least - Self::ROUNDING,
            Self::Jaccard | Self::Containment | Self::EstimatedJaccard | Self::EstimatedCosine => {
                similarity >= least
            }
        }
    }
}
