//! The rules that decide whether a document is a duplicate, computed once from the settings.

use crate::alike::Alike;
use crate::error::Error;
use crate::finding::Finding;
use nearprint_fingerprint::estimate::{filter_radius, radius_at_cosine};
use nearprint_fingerprint::{
    BandError, BandShape, DegenerateRule, FeatureList, Measure, Overlap, Recipe, Weighting, Width,
};
use nearprint_index::check_radius;

/// The rules that decide whether a document is a duplicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The radius. By similarity: documents farther apart are not looked at.
    pub(crate) k: u32,
    /// The bands of a sketch by which documents are found; `None` where they are found within the radius.
    pub(crate) bands: Option<BandShape>,
    /// How documents that are found are compared; `None` where the radius decides.
    pub(crate) likeness: Option<Likeness>,
    /// How degenerate documents are compared.
    pub(crate) degenerate: DegenerateRule,
}

/// How documents are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness {
    /// What similarity is one of.
    pub(crate) measure: Measure,
    /// The least similarity of near-duplicates.
    pub(crate) least: f64,
}

impl Likeness {
    /// Whether features decide, and not sketches.
    pub(crate) fn verifies(&self) -> bool {
        self.measure.is_exact()
    }

    /// Whether documents of this similarity are near-duplicates.
    pub(crate) fn reaches(&self, similarity: f64) -> bool {
        self.measure.reaches(similarity, self.least)
    }

    /// How alike two documents are by their features.
    pub(crate) fn of_features(&self, a: &FeatureList, b: &FeatureList) -> Alike {
        let similarity = match self.measure {
            Measure::Cosine => a.cosine(b),
            _ => Overlap::of(a.keys(), b.keys()).jaccard(),
        };
        Alike { similarity, measure: self.measure }
    }
}

impl Rules {
    /// The rules of a store for this recipe, at this width.
    ///
    /// # Errors
    /// A radius over the width; a similarity that neither bands nor a radius find, or that is none of the features
    /// of the recipe.
    pub(crate) fn new(
        recipe: Option<&Recipe>,
        width: Width,
        finding: &Finding,
    ) -> Result<Self, Error> {
        let degenerate = recipe.map_or_else(DegenerateRule::default, |recipe| recipe.degenerate);
        if let Some(recipe) = recipe.filter(|_| finding.radius().is_none())
            && finding.weighs() == recipe.weights.is_integer()
        {
            let suits = if finding.weighs() { "Jaccard similarity" } else { "cosine" };
            return Err(Error::Weights { recipe: recipe.name.clone(), suits });
        }
        let bits = width.bits();
        // Fingerprints of other weights do not tell the similarity of sets.
        let is_told = recipe.is_some_and(|recipe| recipe.weights == Weighting::Set);
        let k = match *finding {
            Finding::Radius(k) => k,
            Finding::Similarity { similarity, .. } if is_told => filter_radius(similarity, bits),
            Finding::Similarity { .. } => bits,
            Finding::Cosine { similarity, recall } => angle(similarity, recall, width)?,
        };
        check_radius(k, bits)?;
        let likeness = finding.least().map(|(least, measure)| Likeness { measure, least });
        Ok(Self { k, bands: finding.bands()?, likeness, degenerate })
    }

    /// Bytes of the sketch of a document that others may be near; 0 where documents are found within a radius.
    pub(crate) fn sketch_bytes(&self) -> usize {
        self.bands.map_or(0, BandShape::bytes)
    }
}

/// The radius that holds this share of the pairs of a cosine.
fn angle(cosine: f64, recall: f64, width: Width) -> Result<u32, Error> {
    if !(recall > 0.0 && recall < 1.0) {
        return Err(BandError::Recall { recall }.into());
    }
    let bits = width.bits();
    let radius = |cosine: f64| radius_at_cosine(cosine, bits, recall);
    // Within half of the bits are as many documents that share nothing as not.
    let is_told = |cosine: f64| 2 * radius(cosine) < bits;
    if (0.0..=1.0).contains(&cosine) && is_told(cosine) {
        return Ok(radius(cosine));
    }
    let mut hundredths = (0..=100_u32).map(|hundredth| f64::from(hundredth) / 100.0);
    let least = hundredths.find(|least| is_told(*least)).unwrap_or(1.0);
    Err(Error::Angle { cosine, width: bits, least })
}
