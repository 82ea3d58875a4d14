//! What a similarity is one of. How it is computed is the affair of [`crate::rules::verify`].

/// What the similarity of a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The Jaccard similarity of the sets of features.
    Jaccard,
    /// The cosine as the distance of two fingerprints tells it.
    EstimatedCosine,
    /// The cosine of the weights.
    Cosine,
    /// The Jaccard similarity of the weights.
    WeightedJaccard,
}

impl Measure {
    const ALL: [Self; 4] =
        [Self::Jaccard, Self::EstimatedCosine, Self::Cosine, Self::WeightedJaccard];

    /// What a row of a report calls it; nothing for the Jaccard similarity.
    pub(crate) const fn field(self) -> Option<&'static str> {
        match self {
            Self::Jaccard => None,
            Self::EstimatedCosine => Some("cosine"),
            Self::Cosine => Some("cosine-exact"),
            Self::WeightedJaccard => Some("weighted-jaccard"),
        }
    }

    /// What a summary calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::EstimatedCosine | Self::Cosine => "cosine",
            Self::WeightedJaccard => "weighted-jaccard",
        }
    }

    /// Its number in the files of a job in shards.
    pub(crate) fn number(self) -> u64 {
        Self::ALL.iter().zip(0..).find(|(one, _)| **one == self).map_or(0, |(_, number)| number)
    }

    /// The measure of a number.
    pub(crate) fn of_number(number: u64) -> Self {
        let at = usize::try_from(number).ok();
        at.and_then(|at| Self::ALL.get(at).copied()).unwrap_or(Self::Jaccard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_has_a_number_that_stays() {
        for (number, measure) in (0..).zip(Measure::ALL) {
            assert_eq!((measure.number(), Measure::of_number(number)), (number, measure));
        }
        assert_eq!(Measure::of_number(1), Measure::EstimatedCosine);
    }
}
