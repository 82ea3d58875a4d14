//! A segment in a mapped file, and the name of its recipe.

use anyhow::{Context, bail};
use memmap2::Mmap;
use nearprint_corpus::{InputFormat, discover};
use nearprint_dedup::holds_documents;
use nearprint_fingerprint::{Recipe, RecipeId};
use nearprint_index::{AnySegment, Error};
use std::path::Path;

/// Whether a file holds documents to compare with.
fn of_documents(path: &Path) -> bool {
    let sources = discover(&[path], Some(InputFormat::SEGMENT)).unwrap_or_default();
    sources.first().is_some_and(holds_documents)
}

/// The segment in a mapped file.
pub(super) fn open<'a>(path: &Path, file: &'a Mmap) -> anyhow::Result<AnySegment<&'a Mmap>> {
    match AnySegment::open(file) {
        Err(Error::NoSegment) if of_documents(path) => bail!(
            "{}: a segment of documents, as `nearprint dedup --index-out` writes it; use it \
             with `nearprint dedup --against`, or make a segment of fingerprints with `nearprint index build`",
            path.display()
        ),
        opened => opened.with_context(|| path.display().to_string()),
    }
}

/// How a recipe id is printed: with the name and width of the built-in recipe that has it.
pub(super) fn recipe_name(id: RecipeId) -> String {
    match Recipe::with_id(id) {
        Some(recipe) => format!("{} at {} bits ({id})", recipe.name, recipe.width),
        None => id.to_string(),
    }
}
