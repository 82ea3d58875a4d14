//! The rules that decide whether a document is a duplicate, computed once from the settings.

use crate::error::Error;
use crate::finding::Finding;
use nearprint_fingerprint::estimate::filter_radius;
use nearprint_fingerprint::{BandShape, DegenerateRule, Recipe, Weighting, Width};
use nearprint_index::check_radius;

/// The rules that decide whether a document is a duplicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The radius. By similarity: documents farther apart are not looked at.
    pub(crate) k: u32,
    /// How sketches are compared; `None` within a radius.
    pub(crate) likeness: Option<Likeness>,
    /// How degenerate documents are compared.
    pub(crate) degenerate: DegenerateRule,
}

/// How sketches are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness {
    /// The bands of a sketch.
    pub(crate) shape: BandShape,
    /// The least similarity of near-duplicates.
    pub(crate) least: f64,
    /// Whether features decide, and not sketches.
    pub(crate) verify: bool,
}

impl Rules {
    /// The rules of a store for this recipe, at this width.
    ///
    /// # Errors
    /// A radius over the width; a similarity that no bands find, or that they cannot tell of the features
    /// of the recipe.
    pub(crate) fn new(
        recipe: Option<&Recipe>,
        width: Width,
        finding: &Finding,
    ) -> Result<Self, Error> {
        let degenerate = recipe.map_or_else(DegenerateRule::default, |recipe| recipe.degenerate);
        let (k, likeness) = match (finding, finding.bands()?) {
            (Finding::Similarity { similarity, verify, .. }, Some(shape)) => {
                if let Some(recipe) = recipe.filter(|recipe| !recipe.weights.is_integer()) {
                    return Err(Error::Weights { recipe: recipe.name.clone() });
                }
                let likeness = Likeness { shape, least: *similarity, verify: *verify };
                // Fingerprints of other weights do not tell the similarity of sets.
                let is_told = recipe.is_some_and(|recipe| recipe.weights == Weighting::Set);
                let bits = width.bits();
                (if is_told { filter_radius(*similarity, bits) } else { bits }, Some(likeness))
            }
            (finding, _) => (finding.radius().unwrap_or(0), None),
        };
        check_radius(k, width.bits())?;
        Ok(Self { k, likeness, degenerate })
    }

    /// Bytes of the sketch of a document that others may be near; 0 within a radius.
    pub(crate) fn sketch_bytes(&self) -> usize {
        self.likeness.map_or(0, |likeness| likeness.shape.bytes())
    }
}
