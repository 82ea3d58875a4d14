//! How alike near-duplicates are, said as people say it: a similarity, or a radius in bits.

use crate::flags::heading::DUPLICATE;
use crate::flags::radius::RadiusFlags;
use crate::flags::recipe::RecipeFlags;
use crate::usage::wrong;
use clap::Args;
use nearprint_dedup::{Dedup, Error, Likeness, Verify};
use nearprint_fingerprint::Width;

/// What makes two documents near-duplicates.
#[derive(Args)]
pub(crate) struct LikenessFlags {
    /// Least share of features in common, 0 to 1 [default: 0.8]
    ///
    /// This is the Jaccard similarity of the features that the recipe forms. nearprint chooses the
    /// radius so that at least 95 % of the pairs of this similarity lie within it, and compares
    /// those pairs exactly.
    #[arg(long, value_name = "S", conflicts_with = "k", value_parser = share, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Check of pairs within the radius: none, jaccard=X or containment=X
    ///
    /// jaccard is the share of features in common; containment is that share of the document with
    /// fewer features. [default: jaccard at the similarity; none with -k]
    #[arg(long, value_name = "RULE", help_heading = DUPLICATE, hide_short_help = true)]
    verify: Option<Verify>,
}

impl LikenessFlags {
    /// The width of fingerprints: wide enough for a similarity, where only that decides.
    pub(crate) fn width(&self, recipe: &RecipeFlags) -> Option<Width> {
        let chosen = recipe.is_built_in() && !self.radius.is_given();
        recipe.width().or_else(|| chosen.then_some(Likeness::WIDTH))
    }

    /// `dedup` with what is asked for.
    pub(crate) fn asked(&self, mut dedup: Dedup) -> Dedup {
        if let Some(k) = self.radius.given() {
            dedup = dedup.k(k);
        }
        if let Some(similarity) = self.similarity {
            dedup = dedup.similarity(similarity);
        }
        if let Some(verify) = self.verify {
            dedup = dedup.verify(verify);
        }
        dedup
    }

    /// The radius and the check for fingerprints of `width`.
    pub(crate) fn of(&self, width: Width) -> anyhow::Result<Likeness> {
        let likeness = match self.radius.asked(width)? {
            Some(k) => Likeness::by_radius(k, width),
            None => Likeness::by_similarity(self.similarity.unwrap_or(Likeness::SIMILARITY), width),
        };
        match (likeness, self.verify) {
            (Ok(likeness), None) => Ok(likeness),
            (Ok(likeness), Some(verify)) => Ok(likeness.verified_by(verify)),
            (Err(Error::Similarity { similarity, width, least }), _) => wrong(format!(
                "--similarity {similarity}: too low for {width}-bit fingerprints; use {least:.2} or \
                 more{}",
                if width == Width::W256 { "" } else { ", or more bits with --width" }
            )),
            (Err(error), _) => Err(error.into()),
        }
    }
}

/// What was chosen, for a reader.
pub(crate) fn said(likeness: &Likeness, width: Width) -> String {
    let chosen =
        likeness.similarity_and_recall(width).map_or_else(String::new, |(similarity, recall)| {
            format!(" ({:.0} % of pairs at similarity {similarity})", 100.0 * recall)
        });
    let verified = match likeness.verify() {
        Verify::None => String::new(),
        rule => format!(", verified by {rule}"),
    };
    format!("{width} bits, k = {}{chosen}{verified}", likeness.k())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1, such as 0.8".to_owned())
}
