//! How alike near-duplicates are, said as people say it: a similarity, or a radius in bits.

use crate::flags::{RadiusFlags, RecipeFlags};
use crate::usage::wrong;
use clap::Args;
use nearprint_dedup::Verify;
use nearprint_fingerprint::Width;
use nearprint_fingerprint::estimate::{radius, recall};

/// The similarity where neither it nor a radius is asked for.
const SIMILARITY: f64 = 0.8;
/// The share of the pairs of that similarity that are to be within the radius.
const RECALL: f64 = 0.95;

/// What makes two documents near-duplicates.
#[derive(Args)]
pub(crate) struct LikenessFlags {
    /// Near-duplicates share at least this part of their features, by the recipe: the Jaccard
    /// similarity, from 0 to 1. The radius is chosen so that 95 % or more of such pairs are within
    /// it, and those are then verified [default: 0.8, where -k is not given]
    #[arg(long, value_name = "S", conflicts_with = "k", value_parser = share)]
    similarity: Option<f64>,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Check pairs within the radius by what their documents share: none, jaccard=X, or
    /// containment=X, the share of the one with fewer features [default: the similarity; none with
    /// -k]
    #[arg(long, value_name = "RULE")]
    verify: Option<Verify>,
}

/// The radius and the check.
pub(crate) struct Likeness {
    pub(crate) k: u32,
    pub(crate) verify: Verify,
    /// The radius to fingerprints whose documents are not there to be compared.
    pub(crate) strict: u32,
    /// The similarity that the radius was chosen for.
    similarity: Option<f64>,
}

impl LikenessFlags {
    /// The width of fingerprints: wide enough for a similarity, where only that decides.
    pub(crate) fn width(&self, recipe: &RecipeFlags) -> Option<Width> {
        let chosen = recipe.is_built_in() && !self.radius.is_given();
        recipe.width().or_else(|| chosen.then_some(Width::W128))
    }

    /// The radius and the check for fingerprints of `width`.
    pub(crate) fn of(&self, width: Width) -> anyhow::Result<Likeness> {
        let strict = self.radius.k(width)?;
        if let Some(k) = self.radius.asked(width)? {
            let verify = self.verify.unwrap_or_default();
            return Ok(Likeness { k, verify, strict, similarity: None });
        }
        let similarity = self.similarity.unwrap_or(SIMILARITY);
        let k = Likeness::radius(similarity, width);
        if 2 * k >= width.bits() {
            return wrong(format!(
                "--similarity {similarity}: at {width} bits the fingerprints of documents so far apart \
                 are those of any two; ask for more similarity, or for more bits with --width"
            ));
        }
        let verify = self.verify.unwrap_or(Verify::Jaccard(similarity));
        Ok(Likeness { k, verify, strict, similarity: Some(similarity) })
    }
}

impl Likeness {
    /// The radius for pairs of a similarity.
    pub(crate) fn radius(similarity: f64, width: Width) -> u32 {
        radius(similarity, width.bits(), RECALL)
    }

    /// What was chosen, for a reader.
    pub(crate) fn said(&self, width: Width) -> String {
        let Self { k, verify, similarity, .. } = self;
        let chosen = similarity.map_or_else(String::new, |similarity| {
            let recall = 100.0 * recall(similarity, width.bits(), *k);
            format!(" ({recall:.0} % of pairs at similarity {similarity})")
        });
        let verified = match verify {
            Verify::None => String::new(),
            rule => format!(", verified by {rule}"),
        };
        format!("{width} bits, k = {k}{chosen}{verified}")
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1, such as 0.8".to_owned())
}
