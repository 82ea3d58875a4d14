//! `nearprint store init`: an empty store.

use crate::at_width::at_width;
use crate::flags::heading::{DUPLICATE, RESOURCES};
use crate::flags::radius::RadiusFlags;
use crate::flags::recipe::RecipeFlags;
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use nearprint_store::{Settings, StoreOf};

/// Make an empty store, for one recipe, width and radius
///
/// The recipe turns texts into fingerprints; documents of another one are refused later. With
/// --ready-made it is for fingerprints that come from elsewhere, of --width bits.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// For fingerprints made elsewhere: rows hold a field "fingerprint", no text
    #[arg(long, conflicts_with_all = ["recipe", "html", "idf", "language"], help_heading = DUPLICATE)]
    ready_made: bool,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store init pages --recipe web
  nearprint store init articles --width 128 -k 8
  nearprint store init codes --ready-made --width 64 -k 3";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (recipe, width) = if args.ready_made {
        let Some(width) = args.recipe.width() else {
            return wrong("--ready-made: say of how many bits fingerprints are, by --width");
        };
        (None, width)
    } else {
        let (recipe, _) = args.recipe.recipe()?;
        let width = recipe.width;
        (Some(recipe), width)
    };
    let settings = Settings { recipe, width, k: args.radius.k(width)? };
    at_width!(width, create(args, &settings))?;
    if !args.quiet {
        let Settings { recipe, width, k } = &settings;
        let what = recipe.as_ref().map_or("ready-made fingerprints", |recipe| &recipe.name);
        say(&format!("{}: a store of {what}, {width} bits, k = {k}", args.store.path.display()));
    }
    Ok(())
}

fn create<const WORDS: usize>(args: &Args, settings: &Settings) -> anyhow::Result<()> {
    StoreOf::<WORDS>::create(&args.store.path, settings, &args.store.options())?;
    Ok(())
}
