//! `nearprint idf`: how common the features of a corpus are, and its phrases, in a file that recipes
//! use.

mod build;
mod show;

use clap::Subcommand;

/// Count how common features are, for weights by TF-IDF or BM25, and learn phrases
///
/// A statistics file belongs to a recipe: it counts the features that the recipe forms. A recipe
/// with such a file has an id of its own, because the file decides bits.
#[derive(Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum What {
    Build(Box<build::Args>),
    Show(show::Args),
}

const EXAMPLES: &str = "Examples:
  nearprint idf build corpus.jsonl --recipe mine.toml -o corpus.idf
  nearprint dedup new.jsonl --recipe mine.toml --idf corpus.idf -o kept.jsonl
  nearprint idf show corpus.idf";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::Build(args) => build::run(args),
        What::Show(args) => show::run(args),
    }
}
