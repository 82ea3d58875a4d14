//! `nearprint store init`: an empty store.

use crate::at_width::at_width;
use crate::flags::heading::{DUPLICATE, RESOURCES};
use crate::flags::radius::RadiusFlags;
use crate::flags::recipe::RecipeFlags;
use crate::usage::{say, wrong};
use crate::verb::store::flags::{StoreFlags, said};
use nearprint_dedup::Likeness;
use nearprint_fingerprint::{BandError, BandShape, estimate};
use nearprint_store::{Error, Finding, Settings, StoreOf};

/// Make an empty store, for one recipe, width, and similarity or radius
///
/// The recipe turns texts into fingerprints and sketches; documents of another one are refused later. The
/// store finds documents of a similarity; with -k, and for recipes of real weights, it finds them within a
/// radius. With --ready-made it is for fingerprints that come from elsewhere, of --width bits.
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
    /// Least share of features in common, 0 to 1 [default: 0.8]
    ///
    /// This is the Jaccard similarity of the features that the recipe forms. The store keeps a sketch of
    /// the features of each document, 90 bytes at 0.8, and finds by it; fingerprints have 128 bits by a
    /// built-in recipe, and 64 with -k.
    #[arg(long, value_name = "S", conflicts_with_all = ["k", "ready_made"], help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Share of the pairs at exactly the similarity that are found [default: 0.999]
    #[arg(long, value_name = "R", conflicts_with_all = ["k", "ready_made"], help_heading = DUPLICATE, hide_short_help = true)]
    recall: Option<f64>,
    /// Keep the keys of all features, 8 bytes each, and compare them exactly
    ///
    /// Without it the sketches decide, which estimate the similarity: the standard error is 0.04 at 0.8.
    #[arg(long, conflicts_with_all = ["k", "ready_made"], help_heading = DUPLICATE)]
    verify: bool,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store init pages --recipe web
  nearprint store init contracts --similarity 0.9 --verify
  nearprint store init articles --width 128 -k 8
  nearprint store init codes --ready-made --width 64 -k 3";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.settings()?;
    at_width!(settings.width, create(args, &settings))?;
    if !args.quiet {
        let what =
            settings.recipe.as_ref().map_or("ready-made fingerprints", |recipe| &recipe.name);
        say(&format!("{}: a store of {what}, {}", args.store.path.display(), said(&settings)));
    }
    Ok(())
}

impl Args {
    fn settings(&self) -> anyhow::Result<Settings> {
        if self.ready_made {
            let Some(width) = self.recipe.width() else {
                return wrong("--ready-made: say of how many bits fingerprints are, by --width");
            };
            let finding = Finding::Radius(self.radius.apart(width)?);
            return Ok(Settings { recipe: None, width, finding });
        }
        let (recipe, _) = self.recipe.recipe()?;
        let asked = self.similarity.is_some() || self.recall.is_some() || self.verify;
        if self.radius.is_given() || !asked && !recipe.weights.is_integer() {
            // Real weights ask for a radius, at the width of their own.
            let finding = Finding::Radius(self.radius.apart(recipe.width)?);
            return Ok(Settings { finding, ..Settings::of(recipe) });
        }
        let recipe = recipe
            .with_width(self.recipe.or_width(Likeness::WIDTH)?.width().unwrap_or(recipe.width));
        let similarity = self.similarity.unwrap_or(BandShape::SIMILARITY);
        let recall = self.recall.unwrap_or(BandShape::RECALL);
        let finding = Finding::Similarity { similarity, recall, verify: self.verify };
        match finding.bands() {
            Ok(_) => Ok(Settings { finding, ..Settings::of(recipe) }),
            Err(BandError::Similarity { similarity, least }) => wrong(format!(
                "--similarity {similarity}: use {least} to 1; for less alike documents, a radius with -k"
            )),
            Err(error) => wrong(format!("--{error}")),
        }
    }
}

/// The radius that stands for the similarity that was asked for as a cosine, where a store may have it.
fn of_cosine(settings: &Settings) -> String {
    let Finding::Similarity { similarity, .. } = settings.finding else { return String::new() };
    let bits = settings.width.bits();
    let k = estimate::radius_at_cosine(similarity, bits, RECALL);
    if k > bits / 4 {
        return String::new();
    }
    format!(" {k}, which holds 95 % of the pairs at cosine {similarity}")
}

/// The share of the pairs of a cosine within the radius that stands for it.
const RECALL: f64 = 0.95;

fn create<const WORDS: usize>(args: &Args, settings: &Settings) -> anyhow::Result<()> {
    match StoreOf::<WORDS>::create(&args.store.path, settings, &args.store.options()) {
        Err(error @ Error::Weights { .. }) => {
            wrong(format!("{error}; use -k{}", of_cosine(settings)))
        }
        created => Ok(created.map(drop)?),
    }
}
