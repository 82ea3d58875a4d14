//! How far fingerprints without texts may be apart, said as a radius or as the similarity that it stands for.

use crate::flags::heading::DUPLICATE;
use crate::flags::likeness::{portion, share};
use crate::flags::radius::RadiusFlags;
use crate::usage::wrong;
use clap::Args;
use nearprint_dedup::Likeness;
use nearprint_fingerprint::{Width, estimate};

/// A radius for searches among fingerprints.
#[derive(Args)]
pub(crate) struct ReachFlags {
    /// Instead of -k, the radius that contains 95 % of the pairs at this Jaccard similarity
    ///
    /// Fingerprints have no features, so nothing is compared exactly: some pairs that are found are less similar.
    #[arg(long, value_name = "S", conflicts_with = "k", value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    #[command(flatten)]
    radius: RadiusFlags,
}

impl ReachFlags {
    /// The radius for fingerprints of `width`.
    pub(crate) fn k(&self, width: Width) -> anyhow::Result<u32> {
        Ok(self.asked(width)?.unwrap_or(width.default_radius()))
    }

    /// The radius asked for.
    pub(crate) fn asked(&self, width: Width) -> anyhow::Result<Option<u32>> {
        match self.similarity {
            Some(similarity) if similarity <= 0.0 => wrong(
                "--similarity 0: all documents are that similar; use a number above 0, up to 1",
            ),
            Some(similarity) => Ok(Some(Likeness::radius(similarity, width))),
            None => self.radius.asked(width),
        }
    }
}

/// Which pairs of texts a radius finds, for a reader; where it is too wide, which width suits it.
pub(crate) fn reached(k: u32, width: Width) -> String {
    let share = estimate::recall(Likeness::SIMILARITY, width.bits(), k);
    let near = Likeness::by_radius(k, width);
    let is_wide = near.is_ok_and(|near| near.check_chance().is_err());
    let wider = Likeness::wider(k, width).filter(|_| is_wide);
    format!(
        "k = {k} of {width} bits finds {} pairs of texts at similarity {}{}",
        portion(share),
        Likeness::SIMILARITY,
        wider.map_or_else(String::new, |wider| format!(
            ", and unrelated texts by chance: --width {wider} suits such a radius"
        ))
    )
}
