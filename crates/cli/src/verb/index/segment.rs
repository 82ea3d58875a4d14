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

/// How a recipe id is printed: with the name and width of the built-in recipe that has it.
pub(super) fn recipe_name(id: RecipeId) -> String {
    match Recipe::with_id(id) {
        Some(recipe) => format!("{} at {} bits ({id})", recipe.name, recipe.width),
        None => id.to_string(),
    }
}
