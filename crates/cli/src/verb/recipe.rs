//! `nearprint recipe`: which recipes there are, and what they state.

mod check;
mod stop_words;

use crate::flags::heading::{INPUT, OUTPUT};
use crate::flags::recipe::{find_recipe, leaves_width_open};
use crate::flags::recipe_files::RecipeFiles;
use crate::show::format::Format;
use crate::usage::{print, wrong};
use clap::{Subcommand, ValueEnum};
use nearprint_fingerprint::{Recipe, Width};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// List the built-in recipes, show or check one
///
/// A recipe states everything that decides the bits of a fingerprint; its id is stored with all fingerprints. A TOML
/// file with the keys that `show` prints is a recipe of your own. Only split and weights are required, the other keys
/// have defaults. If no recipe is named, `text` is used.
#[derive(Subcommand)]
#[command(after_long_help = EXAMPLES)]
pub(crate) enum What {
    /// List the built-in recipes with their ids
    List {
        /// How the list is printed
        #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
        format: Format,
    },
    Check(check::Args),
    StopWords(stop_words::Args),
    /// Show a recipe as TOML
    Show {
        /// A name of the list, or a TOML file
        #[arg(value_name = "NAME|FILE")]
        recipe: String,
        /// The recipe by the rules of an earlier version: what earlier releases made fingerprints by
        #[arg(long, value_name = "N", help_heading = INPUT)]
        version: Option<u32>,
        /// Bits of its fingerprints: 64, 128 or 256, each with an id of its own
        #[arg(long, value_name = "BITS", help_heading = INPUT)]
        width: Option<Width>,
        /// Folder of a dictionary that lindera built, or for split = "zh" a user dictionary: the recipe shown is bound
        /// to it
        #[arg(long, value_name = "PATH", help_heading = INPUT)]
        dictionary: Option<PathBuf>,
        /// Stop-word file, for a recipe of split = "zh": the recipe that is shown is bound to it
        #[arg(long, value_name = "FILE", help_heading = INPUT)]
        stop_words: Option<PathBuf>,
        /// Idf file, for a recipe of weights = "keywords": the recipe that is shown is bound to it
        #[arg(long, value_name = "FILE", help_heading = INPUT)]
        idf: Option<PathBuf>,
        /// How the recipe is printed
        #[arg(long, value_enum, default_value = "toml", value_name = "FORMAT", help_heading = OUTPUT)]
        format: Shown,
    },
}

/// How a recipe is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    #[value(alias = "table")]
    Toml,
    Json,
}

const EXAMPLES: &str = "Examples:
  nearprint recipe list
  nearprint recipe show text > mine.toml
  nearprint recipe show text --version 1 > as-before.toml
  nearprint recipe check mine.toml --text 'A sample of my own'
  nearprint recipe stop-words en
  nearprint dedup corpus.jsonl -o kept.jsonl --recipe mine.toml";

pub(crate) fn run(what: &What) -> anyhow::Result<()> {
    match what {
        What::List { format: Format::Json } => {
            let all: Vec<_> = Recipe::builtin()
                .iter()
                .map(|recipe| json!({ "id": recipe.id().to_string(), "recipe": recipe }))
                .collect();
            print(&format!("{:#}\n", json!(all)))
        }
        What::List { format: Format::Table } => {
            let mut out = String::new();
            for recipe in Recipe::builtin() {
                writeln!(out, "{:<15} {:>3} bits  {}", recipe.name, recipe.width, recipe.id())?;
                writeln!(out, "                {}", recipe.description)?;
            }
            print(&out)
        }
        What::Check(args) => check::run(args),
        What::StopWords(args) => stop_words::run(args),
        What::Show { recipe, version, width, dictionary, stop_words, idf, format } => {
            let is_open = width.is_none() && leaves_width_open(recipe)?;
            let files = RecipeFiles {
                idf: idf.as_deref(),
                dictionary: dictionary.as_deref(),
                stop_words: stop_words.as_deref(),
            };
            let mut recipe = find_recipe(recipe)?;
            recipe.width = width.unwrap_or(recipe.width);
            let recipe = recipe.with_version(version.unwrap_or(recipe.version))?;
            if files.statistics(&recipe).is_some() {
                return wrong(
                    "--idf: `recipe show` binds a recipe to idf files, which those of weights = \"keywords\" \
                     take; leave --idf out",
                );
            }
            let recipe = files.bind_words(&recipe)?;
            if *format == Shown::Json {
                let answer = json!({ "id": recipe.id().to_string(), "recipe": recipe });
                return print(&format!("{answer:#}\n"));
            }
            let toml = recipe.to_toml();
            let named = format!("width = {}\n", recipe.width);
            let open = "# width = 128 would name the bits; without it each command takes its own\n";
            let toml = if is_open && recipe.width == Width::W64 {
                toml.replacen(&named, open, 1)
            } else {
                toml
            };
            print(&format!("# id {} at {} bits\n{toml}", recipe.id(), recipe.width))
        }
    }
}
