//! `nearprint store init`: an empty store.

use crate::flags::heading::{DUPLICATE, RESOURCES};
use crate::flags::likeness::{self, share};
use crate::flags::radius::RadiusFlags;
use crate::flags::recipe::RecipeFlags;
use crate::usage::{say, wrong};
use crate::verb::store::flags::{StoreFlags, said};
use nearprint_dedup::Likeness;
use nearprint_fingerprint::BandShape;
use nearprint_store::{Error, Settings, Store, Threshold};

/// Make an empty store, for one recipe, width, and similarity or radius
///
/// The recipe turns texts into fingerprints and features; documents of another one are refused later. The
/// store finds documents of a similarity, as dedup does; with -k it finds them within a radius. With --ready-made
/// it is for fingerprints that come from elsewhere, of --width bits.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// For fingerprints made elsewhere: rows hold a field "fingerprint", no text
    #[arg(long, conflicts_with_all = ["recipe", "html", "idf", "dictionary", "stop_words", "language"], help_heading = DUPLICATE)]
    ready_made: bool,
    /// Least share of features in common, 0.3 to 1 [default: 0.8]
    ///
    /// This is the Jaccard similarity of the features that the recipe forms. For recipes of real weights (given, idf,
    /// bm25, textrank, keywords) it is the cosine of the weights. The store keeps the features of each document, 8
    /// bytes each (16 with weights), and a sketch of 90 bytes at 0.8. It compares exactly what sketches find.
    /// Fingerprints have 128 bits by a built-in recipe, for a cosine 256, and 64 with -k.
    #[arg(long, value_name = "S", conflicts_with_all = ["k", "ready_made"], value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Share of the pairs at exactly the similarity that are found [default: 0.999]
    #[arg(long, value_name = "R", conflicts_with_all = ["k", "ready_made"], value_parser = number, allow_negative_numbers = true, help_heading = DUPLICATE, hide_short_help = true)]
    recall: Option<f64>,
    /// Keep only sketches, and let them decide: a smaller and faster store that errs near the similarity
    ///
    /// Sketches estimate the similarity with a standard error of 0.04 at 0.8. The store calls about half of the pairs
    /// at the similarity duplicates, and some below it too. The command says how many. Exact verdicts, without this
    /// flag, keep the features of all documents.
    #[arg(long, conflicts_with_all = ["k", "ready_made"], help_heading = DUPLICATE)]
    estimate: bool,
    /// The default: compare features exactly
    #[arg(long, conflicts_with_all = ["k", "ready_made", "estimate"], help_heading = DUPLICATE, hide = true)]
    verify: bool,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store init pages --recipe web
  nearprint store init contracts --similarity 0.9
  nearprint store init images --recipe vectors --similarity 0.95
  nearprint store init articles --width 128 -k 8
  nearprint store init codes --ready-made --width 64 -k 3";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.settings()?;
    settings.check().or_else(refused)?;
    drop(Store::create_with(&args.store.path, &settings, &args.store.options())?);
    if !args.quiet {
        let what =
            settings.recipe.as_ref().map_or("ready-made fingerprints", |recipe| &recipe.name);
        say(&format!("{}: a store of {what} that {}", args.store.path.display(), said(&settings)));
    }
    Ok(())
}

impl Args {
    fn settings(&self) -> anyhow::Result<Settings> {
        if self.ready_made {
            let Some(width) = self.recipe.width() else {
                return wrong(
                    "--ready-made: set the number of bits of the fingerprints with --width",
                );
            };
            let threshold = Threshold::Radius(self.radius.apart(width)?);
            return Ok(Settings { recipe: None, width, threshold });
        }
        let (recipe, _) = self.recipe.recipe()?;
        if self.radius.is_given() {
            let threshold = Threshold::Radius(self.radius.apart(recipe.width)?);
            return Ok(Settings { threshold, ..Settings::of(recipe) });
        }
        let similarity = self.similarity.unwrap_or(BandShape::SIMILARITY);
        let recall = self.recall.unwrap_or(BandShape::RECALL);
        let threshold = Threshold::suiting(recipe.weights, similarity).recalling(recall);
        let width = if threshold.weighs() { Likeness::WIDTH_BY_ANGLE } else { Likeness::WIDTH };
        let width = self.recipe.or_width(width)?.width().unwrap_or(recipe.width);
        let threshold = match self.estimate {
            true if threshold.weighs() => {
                return wrong(format!(
                    "--estimate: documents of recipe {} are compared by the weights of their features, which \
                     sketches do not hold; leave it out",
                    recipe.name
                ));
            }
            true => threshold.estimated(),
            false => threshold,
        };
        Ok(Settings { threshold, ..Settings::of(recipe.with_width(width)) })
    }
}

/// A recall as a number: what it may be the settings know.
fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "use a number above 0 and below 1, such as 0.999".to_owned())
}

/// Tells what is wrong with settings, and the flag that helps.
fn refused(error: Error) -> anyhow::Result<()> {
    match error {
        Error::Rules(error) => likeness::refused(error, None, ""),
        _ => Err(error.into()),
    }
}
