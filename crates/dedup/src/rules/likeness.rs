//! How alike near-duplicates are, said as a similarity or as a radius, with what is taken where
//! nobody says.

use crate::error::Error;
use crate::rules::verify::Verify;
use nearprint_fingerprint::Width;
use nearprint_fingerprint::estimate::{radius, recall};

/// The radius within which pairs of documents are looked for, and the check that they must pass.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Likeness, Verify};
/// use nearprint_fingerprint::Width;
///
/// let similar = Likeness::by_similarity(0.8, Width::W128)?;
/// assert_eq!((similar.k(), similar.verify()), (26, Verify::Jaccard(0.8)));
/// let near = Likeness::by_radius(3, Width::W64)?;
/// assert_eq!((near.k(), near.verify()), (3, Verify::None));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    k: u32,
    verify: Verify,
    radius_to_segments: u32,
    similarity: Option<f64>,
}

impl Likeness {
    /// The similarity where neither a similarity nor a radius is asked for.
    pub const SIMILARITY: f64 = 0.8;
    /// The share of the pairs of a similarity that the radius chosen for it finds, at least.
    pub const RECALL: f64 = 0.95;
    /// The width of fingerprints that a similarity is looked for with, where nobody asks for another.
    pub const WIDTH: Width = Width::W128;

    /// Documents of at least this Jaccard similarity, from 0 to 1: the radius is the one that finds
    /// [`RECALL`](Self::RECALL) of them, and the features of each pair are compared.
    ///
    /// # Errors
    /// [`Error::Similarity`] where fingerprints of that width cannot tell such pairs from any two.
    pub fn by_similarity(similarity: f64, width: Width) -> Result<Self, Error> {
        let k = Self::radius(similarity, width);
        if !(0.0..=1.0).contains(&similarity) || !is_told_apart(k, width) {
            return Err(Error::Similarity { similarity, width, least: least(width) });
        }
        Ok(Self {
            k,
            verify: Verify::Jaccard(similarity),
            radius_to_segments: Self::default_radius(width),
            similarity: Some(similarity),
        })
    }

    /// Documents whose fingerprints differ in at most `k` bits: the fingerprints alone decide.
    ///
    /// # Errors
    /// `k` over the width.
    pub fn by_radius(k: u32, width: Width) -> Result<Self, Error> {
        nearprint_index::check_radius(k, width.bits())?;
        Ok(Self { k, verify: Verify::None, radius_to_segments: k, similarity: None })
    }

    /// The same radius with another check.
    #[must_use]
    pub const fn verified_by(self, verify: Verify) -> Self {
        Self { verify, ..self }
    }

    /// The radius that finds [`RECALL`](Self::RECALL) of the pairs of a similarity.
    #[must_use]
    pub fn radius(similarity: f64, width: Width) -> u32 {
        radius(similarity, width.bits(), Self::RECALL)
    }

    /// The radius where nobody asks for one or for a similarity: 3 bits of every 64.
    #[must_use]
    pub const fn default_radius(width: Width) -> u32 {
        3 * (width.bits() / 64)
    }

    /// The radius in bits: pairs at most that far apart are looked at.
    #[must_use]
    pub const fn k(&self) -> u32 {
        self.k
    }

    /// What a pair within the radius must pass besides.
    #[must_use]
    pub const fn verify(&self) -> Verify {
        self.verify
    }

    /// The radius to fingerprints whose documents are not there to be compared.
    #[must_use]
    pub const fn radius_to_segments(&self) -> u32 {
        self.radius_to_segments
    }

    /// The similarity that the radius was chosen for, with the share of such pairs that it finds.
    #[must_use]
    pub fn similarity_and_recall(&self, width: Width) -> Option<(f64, f64)> {
        let similarity = self.similarity?;
        Some((similarity, recall(similarity, width.bits(), self.k)))
    }
}

/// Whether pairs within `k` bits are fewer than half of all.
fn is_told_apart(k: u32, width: Width) -> bool {
    2 * k < width.bits()
}

/// The least similarity, in hundredths, that fingerprints of this width tell apart from none.
fn least(width: Width) -> f64 {
    let hundredths = (0..=100_u32).map(|hundredth| f64::from(hundredth) / 100.0);
    let mut told = hundredths.filter(|least| is_told_apart(Likeness::radius(*least, width), width));
    told.next().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_that_no_radius_finds_is_refused_with_the_least_that_one_finds() {
        for width in Width::ALL {
            let Err(Error::Similarity { least, .. }) = Likeness::by_similarity(0.01, width) else {
                panic!("{width}")
            };
            assert!(Likeness::by_similarity(least, width).is_ok(), "{width}: {least}");
            assert!(Likeness::by_similarity(least - 0.01, width).is_err(), "{width}: {least}");
            for wrong in [-0.1, 1.1, f64::NAN] {
                assert!(Likeness::by_similarity(wrong, width).is_err(), "{width}: {wrong}");
            }
            assert!(Likeness::by_radius(width.bits() + 1, width).is_err());
        }
        assert_eq!(Width::ALL.map(Likeness::default_radius), [3, 6, 12]);
    }
}
