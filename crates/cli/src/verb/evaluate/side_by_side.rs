//! Several recipes and widths, each judged in the same way.

use crate::flags::heading::DUPLICATE;
use crate::flags::likeness::LikenessFlags;
use crate::flags::recipe::{RecipeFlags, RecipeParts};
use clap::Args;
use nearprint_corpus::Source;
use nearprint_evaluation::Judged;
use nearprint_fingerprint::{Recipe, Statistics, Width};

/// The recipes that are judged, each at each width.
#[derive(Args)]
pub(crate) struct SideBySide {
    /// Recipe by name (`nearprint recipe list`) or file [default: text]
    ///
    /// The flag may be repeated: the recipes are shown side by side.
    #[arg(long = "recipe", value_name = "NAME|FILE", help_heading = DUPLICATE)]
    recipes: Vec<String>,
    /// Bits of a fingerprint: 64, 128 or 256 [default: as the recipe says, or as dedup]
    ///
    /// The flag may be repeated. With --only radius the default is 64.
    #[arg(long = "width", value_name = "BITS", help_heading = DUPLICATE)]
    widths: Vec<Width>,
    #[command(flatten)]
    parts: RecipeParts,
}

impl SideBySide {
    /// Refuses what would make other fingerprints, where the input holds fingerprints of `width`.
    pub(crate) fn refuse_for_stored(&self, width: Width) -> anyhow::Result<()> {
        let other = self.widths.iter().find(|asked| **asked != width).copied();
        let recipe = self.recipes.first().cloned();
        RecipeFlags::of_parts(recipe, other, &self.parts).refuse_for_stored(width)
    }

    /// Each recipe at each width that suits the sources, with its statistics; a statistics file is for the recipes that
    /// take one. `by_radius` says that nothing but radii is judged.
    pub(crate) fn each(
        &self,
        (sources, quiet): (&[Source], bool),
        likeness: &LikenessFlags,
        by_radius: bool,
    ) -> anyhow::Result<Vec<(Recipe, Option<Statistics>)>> {
        let named = |names: &[String]| -> Vec<Option<String>> {
            if names.is_empty() { vec![None] } else { names.iter().cloned().map(Some).collect() }
        };
        let widths = match self.widths.as_slice() {
            [] => vec![None],
            widths => widths.iter().copied().map(Some).collect(),
        };
        let mut each = Vec::new();
        for recipe in named(&self.recipes) {
            for width in &widths {
                let flags = RecipeFlags::of_parts(recipe.clone(), *width, &self.parts)
                    .suiting(sources, quiet || !each.is_empty());
                let flags = if by_radius { flags } else { flags.wide(likeness)? };
                each.push(flags.with_statistics_if_taken()?.recipe()?);
            }
        }
        Ok(each)
    }
}

/// Cases of each kind that are looked at where nobody asks for more, and that a page shows.
pub(super) const SHOWN: usize = 20;

/// What came of one recipe at one width.
pub(super) struct Judgement {
    pub(super) recipe: String,
    /// The id of the recipe, where there is one.
    pub(super) id: Option<String>,
    pub(super) width: Width,
    /// The setting of `dedup`, for a reader.
    pub(super) setting: Option<String>,
    pub(super) judged: Judged,
}

impl Judgement {
    /// Its name beside others.
    pub(super) fn name(&self) -> String {
        format!("{}, {} bits", self.recipe, self.width)
    }
}
