//! How alike near-duplicates are, said as a similarity or as a radius, and how they are found; with what
//! is taken where nobody says.

use crate::error::Error;
use crate::finding::Finding;
use crate::verify::Verify;
use nearprint_fingerprint::estimate::{
    BESIDE_BANDS, filter_radius, filter_radius_at_cosine, radius, radius_at_cosine, recall,
    recall_at_cosine,
};
use nearprint_fingerprint::{BandError, BandShape, Recipe, Weighting, Width};

/// How pairs of documents are found, and the check that they must pass.
///
/// Pairs of a Jaccard similarity are found by the bands of their sketches: documents that agree in a
/// whole band are looked at, if not too many of their other rows differ. Where features weigh the same these tell
/// whether sets are alike enough, and a batch goes by [codes](BandShape::code) of 128 bits of the sketches; a store, by
/// fingerprints. Pairs of a cosine are found by the
/// distance of codes that tell the angle of their weights. Where all of them are to be
/// found, documents that share one of their rarest features are looked at. Pairs within a radius are
/// found by their fingerprints alone, and all of them are.
///
/// # Examples
/// ```
/// use nearprint_rules::{Likeness, Verify};
/// use nearprint_fingerprint::{Recipe, Width};
///
/// let recipe = Recipe::default().with_width(Width::W128);
/// let similar = Likeness::by_similarity(0.8, &recipe)?;
/// assert_eq!((similar.k(), similar.verify()), (42, Verify::Jaccard(0.8)));
/// assert_eq!(similar.bands().map(|bands| (bands.bands(), bands.rows())), Some((18, 5)));
/// let near = Likeness::by_radius(3, Width::W64)?;
/// assert_eq!((near.k(), near.verify(), near.bands()), (3, Verify::None, None));
/// # Ok::<(), nearprint_rules::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    k: u32,
    verify: Verify,
    width: Width,
    /// The similarity that pairs are found by, as a check; none where a radius is asked for.
    sought: Verify,
    finding: Finding,
    /// The radius of codes of sketches beside bands.
    sketch_radius: u32,
}

/// Bits of the code of a sketch.
const CODE_BITS: u32 = 128;

impl Likeness {
    /// The similarity where neither a similarity nor a radius is asked for.
    pub const SIMILARITY: f64 = BandShape::SIMILARITY;
    /// The share of the pairs of exactly the similarity that bands find, where nobody asks for another.
    pub const RECALL: f64 = BandShape::RECALL;
    /// The share of the pairs of a similarity that a radius chosen for it finds, at least.
    pub const RADIUS_RECALL: f64 = 0.95;
    /// The most pairs of documents that share nothing which a radius alone may find: one in a thousand.
    const MOST_CHANCE: f64 = 1e-3;
    /// The width of fingerprints that pairs of a similarity are looked for with, where nobody asks for another.
    pub const WIDTH: Width = BandShape::WIDTH;
    /// The same where pairs are found by an angle: the more bits, the fewer pairs beyond it have to be compared.
    pub const WIDTH_BY_ANGLE: Width = Width::W256;

    /// Documents of at least this similarity in the measure that [suits](Verify::suiting) the weights of the
    /// recipe, found as [`by_measure`](Self::by_measure) finds them.
    ///
    /// # Errors
    /// Those of [`by_measure`](Self::by_measure).
    pub fn by_similarity(similarity: f64, recipe: &Recipe) -> Result<Self, Error> {
        Self::by_measure(Verify::suiting(recipe.weights, similarity), recipe)
    }

    /// Documents of at least a similarity in the measure of a check; the features of each pair are compared.
    ///
    /// A Jaccard similarity is found by bands of sketches: [`RECALL`](Self::RECALL) of the pairs of exactly that
    /// similarity, and more of those above it. A cosine is found within the radius that holds as many of them, by
    /// [codes](nearprint_fingerprint::angle_code) of which a bit differs with the probability `theta / pi` for the angle
    /// `theta`, whatever the weights are. Where all features weigh the same, pairs
    /// of a cosine `s` have a Jaccard similarity of `s^2` or more, and are found by bands for that. Of a
    /// containment, and of a weighted Jaccard similarity where weights differ, all pairs are found.
    ///
    /// # Errors
    /// [`Error::NoBands`] for no check; a similarity that no bands find, or that fingerprints of the recipe's
    /// width cannot tell.
    pub fn by_measure(sought: Verify, recipe: &Recipe) -> Result<Self, Error> {
        let (width, is_set) = (recipe.width, recipe.weights == Weighting::Set);
        match sought {
            Verify::Jaccard(_) => Self::by_bands(sought, Self::RECALL, width, is_set),
            Verify::WeightedJaccard(_) if is_set => {
                Self::by_bands(sought, Self::RECALL, width, true)
            }
            Verify::Cosine(_) if Self::goes_by_angle(sought, recipe.weights) => {
                Self::by_angle(sought, Self::RECALL, width)
            }
            Verify::Cosine(_) => Self::by_bands(sought, Self::RECALL, width, true),
            Verify::None | Verify::Containment(_) | Verify::WeightedJaccard(_) => {
                Self::by_features(sought, width)
            }
        }
    }

    /// The width of fingerprints that pairs of a similarity are looked for with, where nobody asks for another.
    pub fn usual_width(sought: Verify, weights: Weighting) -> Width {
        if Self::goes_by_angle(sought, weights) { Self::WIDTH_BY_ANGLE } else { Self::WIDTH }
    }

    /// Whether pairs are found by the angle of their fingerprints: those of a cosine for which there are no bands.
    fn goes_by_angle(sought: Verify, weights: Weighting) -> bool {
        let Verify::Cosine(least) = sought else { return false };
        let has_bands = least * least >= BandShape::LEAST_SIMILARITY && least <= 1.0;
        weights != Weighting::Set || !has_bands
    }

    /// Documents whose fingerprints differ in at most `k` bits: the fingerprints alone decide.
    ///
    /// # Errors
    /// `k` over the width.
    pub fn by_radius(k: u32, width: Width) -> Result<Self, Error> {
        nearprint_index::check_radius(k, width.bits())?;
        let (verify, finding) = (Verify::None, Finding::Radius);
        Ok(Self { k, verify, width, sought: Verify::None, finding, sketch_radius: CODE_BITS })
    }

    /// Documents whose texts are equal byte for byte: no feature and no fingerprint is made.
    #[must_use]
    pub const fn by_bytes(width: Width) -> Self {
        let (verify, sought) = (Verify::None, Verify::None);
        Self { k: 0, verify, width, sought, finding: Finding::Bytes, sketch_radius: CODE_BITS }
    }

    /// By bands, and beside them within a radius where fingerprints tell the measure: where all features weigh the
    /// same. By other weights, texts of the same features may have fingerprints far apart.
    pub(crate) fn by_bands(
        sought: Verify,
        recall: f64,
        width: Width,
        is_told: bool,
    ) -> Result<Self, Error> {
        let (least, k) = match sought {
            Verify::Cosine(least) => (least * least, filter_radius_at_cosine(least, width.bits())),
            _ => (sought.least(), filter_radius(sought.least(), width.bits())),
        };
        let shape = BandShape::for_similarity(least, recall)?;
        Ok(Self {
            k: if is_told { k } else { width.bits() },
            verify: sought,
            width,
            sought,
            finding: Finding::Bands(shape),
            sketch_radius: if is_told { shape.code_radius(least, BESIDE_BANDS) } else { CODE_BITS },
        })
    }

    /// Within the radius that holds the share `recall` of the pairs.
    pub(crate) fn by_angle(sought: Verify, recall: f64, width: Width) -> Result<Self, Error> {
        if !(recall > 0.0 && recall < 1.0) {
            return Err(BandError::Recall { recall }.into());
        }
        let radius = |least| match sought {
            Verify::Cosine(_) => radius_at_cosine(least, width.bits(), recall),
            _ => radius(least, width.bits(), recall),
        };
        let (similarity, k) = (sought.least(), radius(sought.least()));
        if !(0.0..=1.0).contains(&similarity) || !is_told_apart(k, width) {
            let hundredths = (0..=100_u32).map(|hundredth| f64::from(hundredth) / 100.0);
            let mut told = hundredths.filter(|least| is_told_apart(radius(*least), width));
            let (measure, least) = (sought.measure().name(), told.next().unwrap_or(1.0));
            return Err(Error::Similarity { measure, similarity, width, least });
        }
        let (finding, sketch_radius) = (Finding::Radius, CODE_BITS);
        Ok(Self { k, verify: sought, width, sought, finding, sketch_radius })
    }

    /// All documents that pass a check of their features, whatever their fingerprints.
    ///
    /// # Errors
    /// [`Error::NoBands`] for no check; a share that is none.
    pub fn by_features(verify: Verify, width: Width) -> Result<Self, Error> {
        let sought = match verify {
            Verify::None => return Err(Error::NoBands),
            Verify::Containment(_) => Verify::None,
            _ => verify,
        };
        let share = verify.least();
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::Share { share });
        }
        let (k, finding) = (width.bits(), Finding::Prefixes);
        Ok(Self { k, verify, width, sought, finding, sketch_radius: CODE_BITS })
    }

    /// The same pairs with another share of those of exactly the similarity that are found: above 0 and
    /// below 1.
    ///
    /// # Errors
    /// [`Error::NoBands`] where pairs are found neither by bands nor by a cosine; a share that is none.
    pub fn recalling(self, recall: f64) -> Result<Self, Error> {
        let found = match (self.finding, self.sought) {
            (Finding::Bands(_), sought) => {
                let is_told = self.k < self.width.bits();
                Self::by_bands(sought, recall, self.width, is_told)?
            }
            (Finding::Radius, sought @ Verify::Cosine(_)) => {
                Self::by_angle(sought, recall, self.width)?
            }
            _ => return Err(Error::NoBands),
        };
        Ok(Self { verify: self.verify, ..found })
    }

    /// The same with another check. Of a similarity that is looked for, all pairs of a containment are found,
    /// and those that are not checked are found within a radius that holds
    /// [`RADIUS_RECALL`](Self::RADIUS_RECALL) of them.
    ///
    /// # Errors
    /// A similarity that fingerprints cannot tell.
    pub fn verified_by(self, verify: Verify) -> Result<Self, Error> {
        let found = match (self.sought, verify) {
            (Verify::None, _) => self,
            (sought, Verify::None) => Self::by_angle(sought, Self::RADIUS_RECALL, self.width)?,
            (_, Verify::Containment(_)) => Self::by_features(verify, self.width)?,
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
            _ => 0.0,
        }
    }

    /// Refuses a radius within which many documents are that share nothing.
    ///
    /// # Errors
    /// [`Error::WideRadius`] where fingerprints alone decide, and [chance](Self::chance) makes
    /// near-duplicates of more than one in a thousand pairs.
    pub fn check_chance(&self) -> Result<(), Error> {
        let (k, width) = (self.k, self.width);
        if self.chance() <= Self::MOST_CHANCE || self.sought != Verify::None {
            return Ok(());
        }
        let told = |k: &u32| recall(0.0, width.bits(), *k) <= Self::MOST_CHANCE;
        let most = (0..=k).rev().find(told).unwrap_or(0);
        Err(Error::WideRadius { k, width, most, wider: Self::wider(k, width) })
    }

    /// The narrowest width over `width` at which `k` bits are not refused as a radius.
    ///
    /// # Examples
    /// ```
    /// use nearprint_rules::Likeness;
    /// use nearprint_fingerprint::Width;
    ///
    /// let wider = |k| Likeness::wider(k, Width::W64);
    /// assert_eq!([26, 60, 200].map(wider), [Some(Width::W128), Some(Width::W256), None]);
    /// ```
    #[must_use]
    pub fn wider(k: u32, width: Width) -> Option<Width> {
        let fits = |wider: &Width| {
            let near = Self::by_radius(k, *wider);
            *wider > width && near.and_then(|near| near.check_chance()).is_ok()
        };
        Width::ALL.into_iter().find(fits)
    }

    /// Whether pairs are found by [codes](nearprint_fingerprint::angle_code) that tell the angle of any weights, and
    /// not by fingerprints: where features decide, and a cosine says within which radius their pairs are.
    pub fn finds_by_angle(&self) -> bool {
        self.finding == Finding::Radius && self.sought != Verify::None && self.verify.is_checked()
    }

    /// The radius in bits. Pairs of fingerprints farther apart are no near-duplicates, where these alone decide. Beside
    /// bands the fingerprints of all pairs of the similarity are within it but one in 10 000.
    #[must_use]
    pub const fn k(&self) -> u32 {
        self.k
    }

    /// The radius beside bands, in bits of the [codes](BandShape::code) of sketches: of pairs that agree in a band, those
    /// whose codes are farther apart are not looked at. All 128 bits where features have weights, or nothing goes by
    /// bands.
    #[must_use]
    pub const fn sketch_radius(&self) -> u32 {
        self.sketch_radius
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

    /// The least similarity of near-duplicates, with the share of the pairs of exactly that similarity that are
    /// found: the one that pairs are looked for by, or a higher one of the check. `None` where the check is by another
    /// measure than the one that pairs are found by.
    #[must_use]
    pub fn similarity_and_recall(&self) -> Option<(f64, f64)> {
        let is_other =
            self.verify != Verify::None && self.verify.measure() != self.sought.measure();
        if self.sought == Verify::None || is_other {
            return None;
        }
        let similarity = match self.verify {
            Verify::None => self.sought.least(),
            checked => checked.least().max(self.sought.least()),
        };
        Some((similarity, self.share_found(similarity)))
    }

    /// The probability that a pair of this similarity, in the measure of the check, is looked at; 1 where that is not
    /// known or certain.
    pub fn looks_at(&self, similarity: f64) -> f64 {
        if self.sought == Verify::None || self.verify.measure() != self.sought.measure() {
            return 1.0;
        }
        self.share_found(similarity)
    }

    /// The share of the pairs of a similarity, in the measure that pairs are found by, that are found.
    fn share_found(&self, similarity: f64) -> f64 {
        let bits = self.width.bits();
        let (within, of_sets) = match self.sought {
            Verify::Cosine(_) => {
                (recall_at_cosine(similarity, bits, self.k), similarity * similarity)
            }
            _ => (recall(similarity, bits, self.k), similarity),
        };
        match self.finding {
            Finding::Radius => within,
            Finding::Bands(bands) if self.sketch_radius < CODE_BITS => {
                let within = bands.code_recall(of_sets, self.sketch_radius);
                within.min(BESIDE_BANDS) * bands.recall(of_sets)
            }
            Finding::Bands(bands) => bands.recall(of_sets),
            Finding::Prefixes => 1.0,
            Finding::Bytes => 0.0,
        }
    }

    /// What the similarity that is asked for is: `jaccard`, `cosine` or `weighted-jaccard`.
    #[must_use]
    pub fn measure(&self) -> &'static str {
        self.sought.measure().name()
    }
}

/// Whether pairs within `k` bits are fewer than half of all.
fn is_told_apart(k: u32, width: Width) -> bool {
    2 * k < width.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let said = wide.check_chance().unwrap_err().to_string();
            let wider = Likeness::wider(k, width)
                .map_or_else(String::new, |it| format!(", or a width of {it}"));
            assert!(
                said.contains(&format!("use at most {most}{wider}, or a similarity")),
                "{said}"
            );
            // What is compared besides may be anything.
            let checked = wide.verified_by(Verify::Jaccard(0.5)).unwrap();
            assert!(checked.chance() == 0.0 && checked.check_chance().is_ok());
        }
    }

    #[test]
    fn bands_find_what_they_say_beside_the_radius() {
        for (width, k) in Width::ALL.into_iter().zip([25, 42, 72]) {
            let found = Likeness::by_similarity(0.8, &text(width)).unwrap();
            assert_eq!((found.k(), found.sketch_radius()), (k, 29));
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
        let by_weight = found.verified_by(Verify::Cosine(0.8)).unwrap();
        assert_eq!(by_weight.similarity_and_recall(), None);
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
        assert_eq!((stricter.k(), stricter.bands()), (42, found.bands()));
    }

    #[test]
    fn a_cosine_is_found_within_the_radius_that_its_angle_says() {
        let recipe = |weights| Recipe { weights, ..text(Width::W128) };
        let given = recipe(Weighting::Given);
        let found = Likeness::by_similarity(0.9, &given).unwrap();
        assert_eq!((found.verify(), found.measure()), (Verify::Cosine(0.9), "cosine"));
        assert_eq!((found.k(), found.finding()), (32, Finding::Radius));
        let (similarity, share) = found.similarity_and_recall().unwrap();
        assert!(similarity == 0.9 && (0.999..0.9996).contains(&share), "{share}");
        let fewer = found.recalling(0.9).unwrap();
        assert!(fewer.k() < 27 && fewer.verify() == found.verify());
        assert!(matches!(found.recalling(1.0), Err(Error::Bands(BandError::Recall { .. }))));
        let unchecked = found.verified_by(Verify::None).unwrap();
        assert!(unchecked.k() < found.k() && unchecked.measure() == "cosine");
        // Of 10 000 pairs of exactly the cosine so many are found as the share says.
        let angle = 0.9_f64.acos() / std::f64::consts::PI;
        let mut seed = 1_u64;
        let mut differs = || {
            seed = nearprint_fingerprint::mix64(seed.wrapping_add(1));
            (seed >> 11) as f64 / (1_u64 << 53) as f64 <= angle
        };
        let near = (0..10_000).filter(|_| (0..128).filter(|_| differs()).count() <= 26).count();
        let expected = 10_000.0 * recall_at_cosine(0.9, 128, 26);
        assert!((near as f64 - expected).abs() < 90.0, "{near} of 10 000, expected {expected}");
    }

    #[test]
    fn each_measure_is_found_in_the_way_that_suits_the_weights() {
        let by = |sought, weights| {
            let recipe = Recipe { weights, ..text(Width::W128) };
            Likeness::by_measure(sought, &recipe).unwrap()
        };
        // Pairs of a cosine of 0.8 share 0.64 of their features or more.
        let of_sets = by(Verify::Cosine(0.8), Weighting::Set);
        assert_eq!(of_sets.bands(), Some(BandShape::for_similarity(0.64, 0.999).unwrap()));
        assert_eq!(
            of_sets.bands().map(|shape| shape.code_radius(0.64, BESIDE_BANDS)),
            Some(of_sets.sketch_radius())
        );
        assert!(of_sets.similarity_and_recall().unwrap().1 > 0.9989);
        assert_eq!(by(Verify::Cosine(0.5), Weighting::Set).finding(), Finding::Radius);
        assert_eq!(by(Verify::Cosine(0.8), Weighting::Log).finding(), Finding::Radius);
        let weighted = by(Verify::WeightedJaccard(0.8), Weighting::Set);
        assert_eq!(weighted.bands(), by(Verify::Jaccard(0.8), Weighting::Set).bands());
        let weighted = by(Verify::WeightedJaccard(0.8), Weighting::Idf);
        assert_eq!((weighted.finding(), weighted.k()), (Finding::Prefixes, 128));
        assert_eq!(weighted.similarity_and_recall(), Some((0.8, 1.0)));
        // Fingerprints of real weights do not tell the similarity of sets.
        let of_sets = by(Verify::Jaccard(0.8), Weighting::Idf);
        assert_eq!((of_sets.k(), of_sets.bands().unwrap().bands()), (128, 18));
        assert_eq!(of_sets.sketch_radius(), 128);
        for (weights, suits) in [
            (Weighting::Set, Verify::Jaccard(0.8)),
            (Weighting::Log, Verify::Jaccard(0.8)),
            (Weighting::Count, Verify::Jaccard(0.8)),
            (Weighting::Idf, Verify::Cosine(0.8)),
            (Weighting::Bm25, Verify::Cosine(0.8)),
            (Weighting::Textrank, Verify::Cosine(0.8)),
            (Weighting::Keywords, Verify::Cosine(0.8)),
            (Weighting::Given, Verify::Cosine(0.8)),
        ] {
            assert_eq!(Verify::suiting(weights, 0.8), suits);
        }
    }

    #[test]
    fn the_usual_width_is_wider_where_an_angle_finds() {
        let width = Likeness::usual_width;
        assert_eq!(width(Verify::Jaccard(0.8), Weighting::Given), Likeness::WIDTH);
        assert_eq!(width(Verify::Cosine(0.8), Weighting::Set), Likeness::WIDTH);
        assert_eq!(width(Verify::Cosine(0.8), Weighting::Given), Likeness::WIDTH_BY_ANGLE);
        // Of this cosine there are no bands.
        assert_eq!(width(Verify::Cosine(0.5), Weighting::Set), Likeness::WIDTH_BY_ANGLE);
        assert_ne!(Likeness::WIDTH, Likeness::WIDTH_BY_ANGLE);
    }

    #[test]
    fn a_check_of_more_than_is_looked_for_decides_and_is_found_more_often() {
        let found = Likeness::by_similarity(0.6, &text(Width::W128)).unwrap();
        let checked = found.verified_by(Verify::Jaccard(0.85)).unwrap();
        let (similarity, recall) = checked.similarity_and_recall().unwrap();
        assert!(similarity == 0.85 && recall > found.similarity_and_recall().unwrap().1);
        let less = found.verified_by(Verify::Jaccard(0.5)).unwrap();
        assert_eq!(less.similarity_and_recall(), found.similarity_and_recall());
    }

    #[test]
    fn an_angle_finds_where_a_cosine_decides_within_a_radius() {
        let given = Recipe { weights: Weighting::Given, ..text(Width::W128) };
        let by_angle = Likeness::by_similarity(0.9, &given).unwrap();
        assert!(by_angle.finds_by_angle() && by_angle.bands().is_none());
        assert!(!by_angle.verified_by(Verify::None).unwrap().finds_by_angle());
        let by_bands = Likeness::by_similarity(0.8, &text(Width::W128)).unwrap();
        assert!(!by_bands.finds_by_angle() && by_bands.bands().is_some());
        assert!(!Likeness::by_radius(3, Width::W64).unwrap().finds_by_angle());
    }

    #[test]
    fn a_pair_is_looked_at_the_more_likely_the_more_alike_it_is() {
        let bands = Likeness::by_similarity(0.8, &text(Width::W128)).unwrap();
        assert_eq!(Some((0.8, bands.looks_at(0.8))), bands.similarity_and_recall());
        assert!(bands.looks_at(0.5) < bands.looks_at(0.8) && bands.looks_at(0.9) > 0.999);
        // By another measure it is not known, and all pairs of a radius are found.
        assert_eq!(bands.verified_by(Verify::Cosine(0.8)).unwrap().looks_at(0.1), 1.0);
        assert_eq!(Likeness::by_radius(3, Width::W64).unwrap().looks_at(0.1), 1.0);
        let all = Likeness::by_features(Verify::Jaccard(0.5), Width::W64).unwrap();
        assert_eq!(all.looks_at(0.1), 1.0);
    }

    #[test]
    fn a_radius_for_a_similarity_finds_most_of_its_pairs() {
        let k = Likeness::radius(0.8, Width::W128);
        assert!(recall(0.8, 128, k) >= Likeness::RADIUS_RECALL);
        assert!(recall(0.8, 128, k - 1) < Likeness::RADIUS_RECALL);
        let near = Likeness::by_radius(k, Width::W128).unwrap();
        assert_eq!((near.chance(), near.measure()), (recall(0.0, 128, k), "jaccard"));
    }

    #[test]
    fn the_narrowest_width_that_holds_a_radius_is_told() {
        for (width, k, expected) in [
            (Width::W64, 20, Some(Width::W128)),
            (Width::W64, 47, Some(Width::W256)),
            (Width::W128, 47, Some(Width::W256)),
            (Width::W128, 103, None),
            (Width::W256, 3, None),
        ] {
            assert_eq!(Likeness::wider(k, width), expected, "{width} {k}");
        }
    }
}
