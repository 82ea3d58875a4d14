//! `nearprint idf show`: what a statistics file says of itself.

use crate::flags::heading::OUTPUT;
use crate::flags::statistics;
use crate::show::format::Format;
use crate::usage::print;
use serde_json::json;
use std::path::PathBuf;

/// Show what a statistics file counts, and check it
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The statistics file
    file: PathBuf,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  nearprint idf show corpus.idf
  nearprint idf show corpus.idf --format json";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let statistics = statistics::open(&args.file)?;
    let (documents, features) = (statistics.documents(), statistics.terms());
    let phrases = statistics.phrases().len();
    if args.format == Format::Json {
        let answer = json!({
            "id": statistics.id().to_string(), "documents": documents, "features": features,
            "phrases": phrases, "recipe": statistics.recipe(),
        });
        return print(&format!("{answer:#}\n"));
    }
    let recipe: String = statistics.recipe().lines().flat_map(|line| ["  ", line, "\n"]).collect();
    print(&format!(
        "id         {}\ndocuments  {documents}\nfeatures   {features}\nphrases    {phrases}\n\
         of\n{recipe}",
        statistics.id()
    ))
}
