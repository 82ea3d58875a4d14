//! `nearprint recipe stop-words`: the tokens that `stop-words = true` leaves out.

use crate::flags::heading::OUTPUT;
use crate::usage::{print, wrong};
use clap::ValueEnum;
use nearprint_fingerprint::Language;
use serde_json::json;

/// Print the stop words of a language
///
/// These are the tokens that `stop-words = true` leaves out of texts in that language. With --format toml
/// they are the key of a list of your own: put it into your recipe in place of stop-words, and change it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Code of the language, such as en
    #[arg(value_name = "CODE")]
    language: String,
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
    let found = Language::from_tag(&args.language).and_then(Language::stop_words);
    let Some(words) = found else {
        let with_list = Language::all().filter(|language| language.stop_words().is_some());
        let mut codes: Vec<_> = with_list.map(Language::code).collect();
        codes.sort_unstable();
        return wrong(format!(
            "{}: no list of stop words; there are lists of {}",
            args.language,
            codes.join(", ")
        ));
    };
    let out = match args.format {
        Form::Text => words.join("\n"),
        // A list of JSON strings is one of TOML: neither escapes what the other would not.
        Form::Toml => format!("stop-list = {}", json!(words)),
        Form::Json => json!(words).to_string(),
    };
    print(&format!("{out}\n"))
}
