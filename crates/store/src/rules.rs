//! The rules that decide whether a document is a duplicate, computed once from the settings.

use crate::error::Error;
use nearprint_fingerprint::{
    BandShape, DegenerateRule, FeatureList, Measure, Overlap, Recipe, Width,
};
use nearprint_rules::{Alike, Threshold};

/// The rules that decide whether a document is a duplicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Bits of a fingerprint.
    pub(crate) width: Width,
    /// The radius. By similarity: documents farther apart are not looked at.
    pub(crate) k: u32,
    /// The bands of a sketch by which documents are found; `None` where they are found within the radius.
    pub(crate) bands: Option<BandShape>,
    /// How documents that are found are compared; `None` where the radius decides.
    pub(crate) min_similarity: Option<MinSimilarity>,
    /// How degenerate documents are compared.
    pub(crate) degenerate: DegenerateRule,
}

/// The similarity of near-duplicates, and its measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinSimilarity {
    /// What similarity is one of.
    pub(crate) measure: Measure,
    /// The least similarity of near-duplicates.
    pub(crate) least: f64,
}

impl MinSimilarity {
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
        threshold: &Threshold,
    ) -> Result<Self, Error> {
        let degenerate = recipe.map_or_else(DegenerateRule::default, |recipe| recipe.degenerate);
        if let Some(recipe) = recipe.filter(|_| threshold.radius().is_none())
            && threshold.weighs() == recipe.weights.is_integer()
        {
            let suits = if threshold.weighs() { "Jaccard similarity" } else { "cosine" };
            return Err(Error::Weights { recipe: recipe.name.clone(), suits });
        }
        let found = threshold.likeness(recipe.map(|recipe| recipe.weights), width)?;
        let least = threshold.least().map(|(least, measure)| MinSimilarity { measure, least });
        let (k, bands) = (found.k(), found.bands());
        Ok(Self { width, k, bands, min_similarity: least, degenerate })
    }

    /// Bytes of the sketch of a document that others may be near; 0 where documents are found within a radius.
    pub(crate) fn sketch_bytes(&self) -> usize {
        self.bands.map_or(0, BandShape::bytes)
    }
}
