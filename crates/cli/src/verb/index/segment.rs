//! A segment in a mapped file, and the name of its recipe.

use anyhow::Context;
use memmap2::Mmap;
use nearprint_fingerprint::{Recipe, RecipeId, Width};
use nearprint_index::{Error, Segment};
use std::path::Path;

/// The width of the fingerprints in a segment.
pub(super) fn width(path: &Path, file: &Mmap) -> anyhow::Result<Width> {
    let bits = match Segment::<_, 1>::open(file) {
        Err(Error::SegmentWidth { found, .. }) => found,
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
        Ok(_) => 64,
    };
    Width::from_bits(bits).with_context(|| format!("{}: {bits} bits", path.display()))
}

/// The segment in a mapped file.
pub(super) fn open<'a, const WORDS: usize>(
    path: &Path,
    file: &'a Mmap,
) -> anyhow::Result<Segment<&'a Mmap, WORDS>> {
    Segment::open(file).with_context(|| path.display().to_string())
}

/// The built-in recipe that has this id, at whatever width.
pub(super) fn built_in(id: u128) -> Option<Recipe> {
    let recipes = Recipe::builtin().iter();
    let mut all = recipes.flat_map(|recipe| Width::ALL.map(|width| recipe.with_width(width)));
    all.find(|recipe| recipe.id() == RecipeId::from(id))
}

/// How a recipe id is printed: with its name where it is a built-in one's.
pub(super) fn recipe_name(id: u128) -> String {
    match built_in(id) {
        Some(recipe) => {
            format!("{} at {} bits ({})", recipe.name, recipe.width, RecipeId::from(id))
        }
        None => RecipeId::from(id).to_string(),
    }
}
