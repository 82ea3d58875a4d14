//! `nearprint index`: segments, the static files that are searched without being read into memory.

mod build;
mod query;
mod stats;
mod stream;
mod verify;

use anyhow::Context;
use clap::Subcommand;
use memmap2::Mmap;
use nearprint_fingerprint::{Recipe, RecipeId, Width};
use nearprint_index::{Error, Segment};
use std::path::Path;

/// Build, query and check segments: fingerprints in one file, searched in place
///
/// A segment answers which documents are within the radius of a query. It is mapped into memory and
/// opened at once, whatever its size; it is never changed after it was built, and no other program
/// may change it while it is in use. Documents are named by their number in the input, from 0.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Build(build::Args),
    Query(query::Args),
    Stats(stats::Args),
    Verify(verify::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint index build corpus.jsonl -o corpus.seg -k 3
  nearprint index query corpus.seg new.jsonl
  nearprint index stats corpus.seg
  nearprint index verify corpus.seg";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Build(args) => build::run(args),
        What::Query(args) => query::run(args),
        What::Stats(args) => stats::run(args),
        What::Verify(args) => verify::run(args),
    }
}

/// The width of the fingerprints in a segment.
fn width(path: &Path, file: &Mmap) -> anyhow::Result<Width> {
    let bits = match Segment::<_, 1>::open(file) {
        Err(Error::SegmentWidth { found, .. }) => found,
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
        Ok(_) => 64,
    };
    Width::from_bits(bits).with_context(|| format!("{}: {bits} bits", path.display()))
}

/// The segment in a mapped file.
fn open<'a, const WORDS: usize>(
    path: &Path,
    file: &'a Mmap,
) -> anyhow::Result<Segment<&'a Mmap, WORDS>> {
    Segment::open(file).with_context(|| path.display().to_string())
}

/// The built-in recipe that has this id, at whatever width.
fn built_in(id: u128) -> Option<Recipe> {
    let recipes = Recipe::builtin().iter();
    let mut all = recipes.flat_map(|recipe| Width::ALL.map(|width| recipe.with_width(width)));
    all.find(|recipe| recipe.id() == RecipeId::from(id))
}

/// How a recipe id is printed: with its name where it is a built-in one's; 0 is none.
fn recipe_name(id: u128) -> String {
    match built_in(id) {
        _ if id == 0 => "not told".to_owned(),
        Some(recipe) => {
            format!("{} at {} bits ({})", recipe.name, recipe.width, RecipeId::from(id))
        }
        None => RecipeId::from(id).to_string(),
    }
}
