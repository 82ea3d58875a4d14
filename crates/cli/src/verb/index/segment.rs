//! A segment in a mapped file, and the name of its recipe.

use anyhow::{Context, bail};
use memmap2::Mmap;
use nearprint_corpus::{InputFormat, discover};
use nearprint_dedup::holds_documents;
use nearprint_fingerprint::{Recipe, RecipeId, Width};
use nearprint_index::{Error, Segment};
use std::path::Path;

/// The width of the fingerprints in a segment.
pub(super) fn width(path: &Path, file: &Mmap) -> anyhow::Result<Width> {
    let bits = match Segment::<_, 1>::open(file) {
        Err(Error::SegmentWidth { found, .. }) => found,
        Err(Error::NoSegment) if of_documents(path) => bail!(
            "{}: a segment of documents, as `nearprint dedup --index-out` writes it; compare with it by \
             `nearprint dedup --against`, or make a segment of fingerprints by `nearprint index build`",
            path.display()
        ),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
        Ok(_) => 64,
    };
    Width::from_bits(bits).with_context(|| format!("{}: {bits} bits", path.display()))
}

/// Whether a file holds documents to compare with.
fn of_documents(path: &Path) -> bool {
    let sources = discover(&[path], Some(InputFormat::SEGMENT)).unwrap_or_default();
    sources.first().is_some_and(holds_documents)
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
