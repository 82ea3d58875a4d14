//! How alike near-duplicates are, said as a similarity or as a radius, and how they are found; with what
//! is taken where nobody says.

use crate::error::Error;
use crate::rules::verify::Verify;
use nearprint_fingerprint::estimate::{filter_radius, radius, recall};
use nearprint_fingerprint::{BandShape, Recipe, Width};
use std::fmt;

/// How pairs of documents are found, and the check that they must pass.
///
/// Pairs of a Jaccard similarity are found by the bands of their sketches: documents that agree in a
/// whole band are looked at, if their fingerprints are not too far apart. Where all of them are to be
/// found, documents that share one of their rarest features are looked at. Pairs within a radius are
/// found by their fingerprints alone, and all of them are.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Likeness, Verify};
/// use nearprint_fingerprint::{Recipe, Width};
///
/// let recipe = Recipe::default().with_width(Width::W128);
/// let similar = Likeness::by_similarity(0.8, &recipe)?;
/// assert_eq!((similar.k(), similar.verify()), (36, Verify::Jaccard(0.8)));
/// assert_eq!(similar.bands().map(|bands| (bands.bands(), bands.rows())), Some((18, 5)));
/// let near = Likeness::by_radius(3, Width::W64)?;
/// assert_eq!((near.k(), near.verify(), near.bands()), (3, Verify::None, None));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    k: u32,
    verify: Verify,
    width: Width,
    similarity: Option<f64>,
    finding: Finding,
}

/// How pairs are found before they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// All whose fingerprints differ in few enough bits.
    Radius,
    /// Those that agree in a band of their sketches, with a stated probability.
    Bands(BandShape),
    /// All that pass the check: they share one of their rarest features.
    Prefixes,
}

impl Finding {
    /// What a summary calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radius => "radius",
            Self::Bands(_) => "bands",
            Self::Prefixes => "exact",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bands(shape) => {
                let (version, bands, rows) = (BandShape::VERSION, shape.bands(), shape.rows());
                write!(f, "{bands} bands of {rows} rows, version {version}")
            }
            other => f.write_str(other.name()),
        }
    }
}

impl Likeness {
    /// The similarity where neither a similarity nor a radius is asked for.
    pub const SIMILARITY: f64 = BandShape::SIMILARITY;
    /// The share of the pairs of exactly the similarity that bands find, where nobody asks for another.
    pub const RECALL: f64 = BandShape::RECALL;
    /// The share of the pairs of a similarity that a radius chosen for it finds, at least.
    pub const RADIUS_RECALL: f64 = 0.95;
    /// The most pairs of documents that share nothing which a radius alone may find: one in a thousand.
    const MOST_CHANCE: f64 = 1e-3;
    /// The width of fingerprints that a similarity is looked for with, where nobody asks for another.
    pub const WIDTH: Width = BandShape::WIDTH;

    /// Documents of at least this Jaccard similarity: bands find [`RECALL`](Self::RECALL) of the pairs of
    /// exactly that similarity and more of those above it, and the features of each pair are compared.
    ///
    /// Fingerprints of real weights say more than which features there are: for a recipe that weighs so
    /// the pairs are found within the radius that holds [`RADIUS_RECALL`](Self::RADIUS_RECALL) of them.
    ///
    /// # Errors
    /// A similarity that no bands find, or that fingerprints of the recipe's width cannot tell.
    pub fn by_similarity(similarity: f64, recipe: &Recipe) -> Result<Self, Error> {
        if recipe.weights.is_integer() {
            Self::by_bands(similarity, Self::RECALL, recipe.width)
        } else {
            Self::by_angle(similarity, recipe.width)
        }
    }

    /// Documents whose fingerprints differ in at most `k` bits: the fingerprints alone decide.
    ///
    /// # Errors
    /// `k` over the width.
    pub fn by_radius(k: u32, width: Width) -> Result<Self, Error> {
        nearprint_index::check_radius(k, width.bits())?;
        let (verify, finding) = (Verify::None, Finding::Radius);
        Ok(Self { k, verify, width, similarity: None, finding })
    }

    fn by_bands(similarity: f64, recall: f64, width: Width) -> Result<Self, Error> {
        Ok(Self {
            k: filter_radius(similarity, width.bits()),
            verify: Verify::Jaccard(similarity),
            width,
            similarity: Some(similarity),
            finding: Finding::Bands(BandShape::for_similarity(similarity, recall)?),
        })
    }

    fn by_angle(similarity: f64, width: Width) -> Result<Self, Error> {
        let k = Self::radius(similarity, width);
        if !(0.0..=1.0).contains(&similarity) || !is_told_apart(k, width) {
            return Err(Error::Similarity { similarity, width, least: least(width) });
        }
        Ok(Self {
            k,
            verify: Verify::Jaccard(similarity),
            width,
            similarity: Some(similarity),
            finding: Finding::Radius,
        })
    }

    /// All documents that pass a check of their features, whatever their fingerprints.
    ///
    /// # Errors
    /// [`Error::NoBands`] for no check; a share that is none.
    pub fn by_features(verify: Verify, width: Width) -> Result<Self, Error> {
        let (share, similarity) = match verify {
            Verify::None => return Err(Error::NoBands),
            Verify::Jaccard(least) => (least, Some(least)),
            Verify::Containment(least) => (least, None),
        };
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::Share { share });
        }
        let (k, finding) = (width.bits(), Finding::Prefixes);
        Ok(Self { k, verify, width, similarity, finding })
    }

    /// The same pairs with another share of those of exactly the similarity that are found: above 0 and
    /// below 1.
    ///
    /// # Errors
    /// [`Error::NoBands`] where pairs are not found by bands; a share that is none.
    pub fn recalling(self, recall: f64) -> Result<Self, Error> {
        match (self.finding, self.similarity) {
            (Finding::Bands(_), Some(similarity)) => {
                let found = Self::by_bands(similarity, recall, self.width)?;
                Ok(Self { verify: self.verify, ..found })
            }
            _ => Err(Error::NoBands),
        }
    }

    /// The same with another check. Bands tell the Jaccard similarity alone. Of a similarity that is looked
    /// for, all pairs of a containment are found, and those that are not checked are found within a
    /// radius.
    ///
    /// # Errors
    /// A similarity that fingerprints cannot tell.
    pub fn verified_by(self, verify: Verify) -> Result<Self, Error> {
        let found = match (self.similarity, verify) {
            (Some(similarity), Verify::None) => Self::by_angle(similarity, self.width)?,
            (Some(_), Verify::Containment(_)) => Self::by_features(verify, self.width)?,
            _ => self,
        };
        Ok(Self { verify, ..found })
    }

    /// The radius that finds [`RADIUS_RECALL`](Self::RADIUS_RECALL) of the pairs of a similarity.
    #[must_use]
    pub fn radius(similarity: f64, width: Width) -> u32 {
        radius(similarity, width.bits(), Self::RADIUS_RECALL)
    }

    /// The probability that two documents that share nothing are near-duplicates all the same: where the
    /// fingerprints alone decide, that so many bits are equal by chance; else 0.
    #[must_use]
    pub fn chance(&self) -> f64 {
        match self.verify {
            Verify::None => recall(0.0, self.width.bits(), self.k),
            Verify::Jaccard(_) | Verify::Containment(_) => 0.0,
        }
    }

    /// Refuses a radius within which many documents are that share nothing.
    ///
    /// # Errors
    /// [`Error::WideRadius`] where fingerprints alone decide, and [chance](Self::chance) makes
    /// near-duplicates of more than one in a thousand pairs.
    pub fn check_chance(&self) -> Result<(), Error> {
        let (k, width) = (self.k, self.width);
        if self.chance() <= Self::MOST_CHANCE || self.similarity.is_some() {
            return Ok(());
        }
        let told = |k: &u32| recall(0.0, width.bits(), *k) <= Self::MOST_CHANCE;
        let most = (0..=k).rev().find(told).unwrap_or(0);
        Err(Error::WideRadius { k, width, most })
    }

    /// The radius in bits: pairs farther apart are not looked at.
    #[must_use]
    pub const fn k(&self) -> u32 {
        self.k
    }

    /// How pairs are found.
    #[must_use]
    pub const fn finding(&self) -> Finding {
        self.finding
    }

    /// The bands of the sketches by which pairs are found; `None` where all pairs are.
    #[must_use]
    pub const fn bands(&self) -> Option<BandShape> {
        match self.finding {
            Finding::Bands(shape) => Some(shape),
            _ => None,
        }
    }

    /// What a pair must pass besides.
    #[must_use]
    pub const fn verify(&self) -> Verify {
        self.verify
    }

    /// The similarity that is asked for, with the share of the pairs of exactly that similarity that are
    /// found.
    #[must_use]
    pub fn similarity_and_recall(&self) -> Option<(f64, f64)> {
        let similarity = self.similarity?;
        let within = || recall(similarity, self.width.bits(), self.k);
        let share = match self.finding {
            Finding::Radius => within(),
            Finding::Bands(bands) => within() * bands.recall(similarity),
            Finding::Prefixes => 1.0,
        };
        Some((similarity, share))
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
    use nearprint_fingerprint::{BandError, Weighting};

    fn text(width: Width) -> Recipe {
        Recipe::default().with_width(width)
    }

    #[test]
    fn a_similarity_that_no_radius_finds_is_refused_with_the_least_that_one_finds() {
        for width in Width::ALL {
            let recipe = Recipe { weights: Weighting::Idf, ..text(width) };
            let by_similarity = |similarity| Likeness::by_similarity(similarity, &recipe);
            let Err(Error::Similarity { least, .. }) = by_similarity(0.01) else {
                panic!("{width}")
            };
            assert!(by_similarity(least).is_ok(), "{width}: {least}");
            assert!(by_similarity(least - 0.01).is_err(), "{width}: {least}");
            for wrong in [-0.1, 1.1, f64::NAN] {
                assert!(by_similarity(wrong).is_err(), "{width}: {wrong}");
            }
            assert!(Likeness::by_radius(width.bits() + 1, width).is_err());
        }
        assert_eq!(Width::ALL.map(Width::default_radius), [3, 6, 12]);
    }

    #[test]
    fn a_radius_that_makes_anything_alike_is_refused_at_every_width() {
        // The widest that is not, and how many of a thousand random pairs it holds.
        for (width, most) in [(Width::W64, 19), (Width::W128, 46), (Width::W256, 102)] {
            let near = Likeness::by_radius(most, width).unwrap();
            assert!(near.chance() > 1e-4 && near.check_chance().is_ok(), "{}", near.chance());
            let wide = Likeness::by_radius(most + 1, width).unwrap();
            let Err(Error::WideRadius { k, most: told, .. }) = wide.check_chance() else {
                panic!("{width}: {}", wide.chance())
            };
            assert_eq!((k, told), (most + 1, most));
            // What is compared besides may be anything.
            let checked = wide.verified_by(Verify::Jaccard(0.5)).unwrap();
            assert!(checked.chance() == 0.0 && checked.check_chance().is_ok());
        }
    }

    #[test]
    fn bands_find_what_they_say_beside_the_radius() {
        for (width, k) in Width::ALL.into_iter().zip([22, 36, 61]) {
            let found = Likeness::by_similarity(0.8, &text(width)).unwrap();
            assert_eq!(found.k(), k);
            let (similarity, share) = found.similarity_and_recall().unwrap();
            assert!(similarity == 0.8 && share > 0.9989, "{share}");
            let fewer = found.recalling(0.9).unwrap();
            assert!(fewer.bands().unwrap().bands() < 18 && fewer.verify() == found.verify());
            for wrong in [0.29, 1.1, f64::NAN] {
                let refused = Likeness::by_similarity(wrong, &text(width)).unwrap_err();
                assert!(matches!(refused, Error::Bands(BandError::Similarity { .. })), "{wrong}");
            }
            assert!(matches!(found.recalling(1.0), Err(Error::Bands(BandError::Recall { .. }))));
            let near = Likeness::by_radius(3, width).unwrap();
            assert!(matches!(near.recalling(0.9), Err(Error::NoBands)));
        }
    }

    #[test]
    fn what_bands_cannot_tell_is_found_in_another_way() {
        let found = Likeness::by_similarity(0.8, &text(Width::W128)).unwrap();
        let unchecked = found.verified_by(Verify::None).unwrap();
        assert_eq!((unchecked.k(), unchecked.finding()), (26, Finding::Radius));
        let contained = found.verified_by(Verify::Containment(0.9)).unwrap();
        assert_eq!((contained.k(), contained.finding()), (128, Finding::Prefixes));
        assert_eq!(contained.similarity_and_recall(), None);
        assert!(matches!(contained.recalling(0.9), Err(Error::NoBands)));
        let all = Likeness::by_features(Verify::Jaccard(0.1), Width::W64).unwrap();
        assert_eq!((all.finding(), all.verify()), (Finding::Prefixes, Verify::Jaccard(0.1)));
        assert_eq!(all.similarity_and_recall(), Some((0.1, 1.0)));
        for wrong in [0.0, -0.1, 1.1, f64::NAN] {
            for verify in [Verify::Jaccard(wrong), Verify::Containment(wrong)] {
                let refused = Likeness::by_features(verify, Width::W64);
                assert!(matches!(refused, Err(Error::Share { .. })), "{verify}");
            }
        }
        let stricter = found.verified_by(Verify::Jaccard(0.9)).unwrap();
        assert_eq!((stricter.k(), stricter.bands()), (36, found.bands()));
    }
}
