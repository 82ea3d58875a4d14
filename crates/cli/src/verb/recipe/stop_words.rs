//! `nearprint recipe stop-words`: the tokens that `stop-words = true` or a recipe leaves out.

use crate::flags::heading::OUTPUT;
use crate::flags::recipe::find_recipe;
use crate::usage::{print, say, wrong};
use clap::ValueEnum;
use nearprint_fingerprint::{Language, LanguageRule, Recipe};
use serde_json::json;
use std::path::Path;

/// Print the stop words of a language, or those of a recipe
///
/// Those of a language are the tokens that `stop-words = true` leaves out of texts in it; those of a recipe are what
/// this recipe leaves out. A name that is both, such as zh, is the language. With --format toml the words are the key
/// of a list of your own. Put it into your recipe in place of stop-words, and change it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Code of the language, such as en; or a recipe, by its name or file
    #[arg(value_name = "CODE|RECIPE")]
    of: String,
    /// How the words are printed
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Form,
}

/// How words are printed.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// One a line
    Text,
    /// The key stop-list of a recipe
    Toml,
    /// A list of strings
    Json,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let of = &args.of;
    let is_recipe = Recipe::named(of).is_ok();
    // zh-keywords is no tag of a language, though it begins like one.
    let language = Language::from_tag(of).filter(|it| !is_recipe || it.code() == of);
    let words = match language.and_then(Language::stop_words) {
        Some(words) => {
            if is_recipe {
                say(&format!(
                    "these are the stop words of the language {of}, for recipes of stop-words = true; for what a recipe \
                     leaves out name one, such as zh-keywords"
                ));
            }
            words.iter().map(|word| (*word).to_owned()).collect()
        }
        None if is_recipe || Path::new(of).is_file() => of_recipe(&find_recipe(of)?),
        None => {
            let with_list = Language::all().filter(|language| language.stop_words().is_some());
            let mut codes: Vec<_> = with_list.map(Language::code).collect();
            codes.sort_unstable();
            return wrong(format!(
                "{of}: no list of stop words; there are lists for {}, and for recipes",
                codes.join(", ")
            ));
        }
    };
    let out = match args.format {
        Form::Text => words.join("\n"),
        // A list of JSON strings is one of TOML: neither escapes what the other would not.
        Form::Toml => format!("stop-list = {}", json!(words)),
        Form::Json => json!(words).to_string(),
    };
    print(&format!("{out}\n"))
}

/// The words that a recipe leaves out, with a remark where these are not all, or none.
fn of_recipe(recipe: &Recipe) -> Vec<String> {
    let (words, name) = (recipe.left_out(), &recipe.name);
    if recipe.stop_words && recipe.language == LanguageRule::Auto {
        say(&format!("recipe {name} leaves out the stop words of each text's own language, too"));
    } else if words.is_empty() {
        say(&format!("recipe {name} leaves no words out"));
    }
    words
}
