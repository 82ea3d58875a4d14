//! `nearprint explain`: how a fingerprint comes about.

mod by_hand;
mod document;
mod json;
mod picture;

use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT};
use crate::flags::input::{Format as InputFormat, InputFlags};
use crate::flags::plot::PlotFlags;
use crate::flags::recipe::RecipeFlags;
use crate::show::explanation::table;
use crate::show::format::Format;
use crate::usage::{print, wrong};
use clap::ValueEnum;
use document::Content;
use nearprint_corpus::{OutputOptions, Outputs};
use nearprint_fingerprint::{
    AnyFingerprinter, Explanation, Recipe, SignRule, Statistics, Weighting,
};
use picture::Picture;

/// Show how a fingerprint is made: tokens, features, weights, hashes, sums, bits
///
/// IN is a file. In a file of several rows FILE:LINE or --id names the one to explain. For recipes of weights = "given"
/// a row holds features. With --text IN is the text itself. With --features each IN is NAME=WEIGHT, for features
/// without a file (--recipe vectors, if none is named). With --bits each IN is NAME=BITS:WEIGHT, for hashes given by
/// hand, of any width from 1 to 256. Name and weight may be left out, and IN may be a file of such lines.
///
/// Each feature adds its weight to the sums where its hash has a 1, and subtracts it where the hash has
/// a 0. The sign of a sum is the bit of the fingerprint.
#[derive(clap::Args)]
#[command(
    after_long_help = EXAMPLES,
    mut_arg("inputs", |arg| arg.help("A file, or FILE:LINE; a text with --text; features with --features or --bits").long_help(None::<&str>)),
    mut_arg("input_format", |arg| arg.value_parser(InputFormat::of_text())),
    mut_arg("on_error", |arg| arg.hide(true)),
    mut_arg("include", |arg| arg.hide(true)),
    mut_arg("exclude", |arg| arg.hide(true)),
)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// IN is a text, not a file
    #[arg(long, help_heading = INPUT, conflicts_with_all = ["features", "bits", "id"])]
    text: bool,
    /// Each IN is a feature with its weight: NAME=WEIGHT
    #[arg(long, help_heading = INPUT, conflicts_with_all = ["bits", "id"])]
    features: bool,
    /// Each IN is a feature with its hash: NAME=BITS:WEIGHT, the bits binary or after 0x hexadecimal
    #[arg(long, help_heading = INPUT, conflicts_with = "id")]
    bits: bool,
    /// In a file of rows, explain the document with this id
    #[arg(long, value_name = "ID", help_heading = INPUT)]
    id: Option<String>,
    /// When a bit is set, for features with --bits [default: positive]
    #[arg(long, value_enum, value_name = "RULE", help_heading = DUPLICATE, requires = "bits")]
    sign: Option<Sign>,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// Features shown in table and picture: the heaviest N
    #[arg(long, visible_alias = "limit", default_value_t = 16, value_name = "N", help_heading = OUTPUT)]
    top: usize,
    /// How the explanation is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    plot: PlotFlags,
    /// Replace files of --plot that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

/// [`SignRule`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum Sign {
    /// Where its sum is above 0
    Positive,
    /// Where its sum is 0 or more
    NonNegative,
}

const EXAMPLES: &str = "Examples:
  nearprint explain page.txt
  nearprint explain --text 'the quick brown fox' --recipe words --plot fox.svg
  nearprint explain corpus.jsonl:3
  nearprint explain corpus.jsonl --id 17 --format json
  nearprint explain --features x=0.5 y=-1.25
  nearprint explain --bits 101:1 011:2 100:0 001:3 110:0";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.plot.formats()?;
    if args.bits {
        args.recipe.refuse_for_bits()?;
        let sign = match args.sign {
            Some(Sign::NonNegative) => SignRule::NonNegative,
            Some(Sign::Positive) | None => SignRule::Positive,
        };
        let given = by_hand::with_bits(&args.input.inputs)?;
        let why = by_hand::explained(given, sign)?;
        return show(args, None, &why);
    }
    let vectors = args.features && !args.recipe.is_named();
    let recipe_flags = if vectors { args.recipe.named("vectors") } else { args.recipe.clone() };
    let given = args.features || args.text;
    let sources = if given { Vec::new() } else { document::sources(&args.input)? };
    let (recipe, statistics) = recipe_flags.suiting(&sources, true).recipe()?;
    if args.features && recipe.weights != Weighting::Given {
        return wrong(format!(
            "--features: recipe {} takes texts; use --recipe vectors, or one of weights = \"given\"",
            recipe.name
        ));
    }
    if args.text && recipe.weights == Weighting::Given {
        return wrong(format!("--text: recipe {} takes features; use --features", recipe.name));
    }
    let content = if args.features {
        Content::Features(by_hand::features(&args.input.inputs)?)
    } else if args.text {
        document::text(&args.input.inputs, &recipe)?
    } else {
        document::read(&args.input, &sources, args.id.as_deref(), &recipe)?
    };
    let why = explained(&recipe, statistics.as_ref(), &content)?;
    args.input.say_rows_instead(&sources, false);
    show(args, Some(&recipe), &why)
}

fn explained(
    recipe: &Recipe,
    statistics: Option<&Statistics>,
    content: &Content,
) -> anyhow::Result<Explanation> {
    let mut fingerprinter = AnyFingerprinter::new(recipe, statistics)?;
    Ok(match content {
        Content::Text(text, language) => fingerprinter.explain_in(text, *language),
        Content::Features(features) => {
            let mut named = features.iter().map(|one| (one.name.as_str(), one.weight));
            fingerprinter.explain_features(&mut named)?
        }
    })
}

/// Prints the explanation, and draws it.
fn show(args: &Args, recipe: Option<&Recipe>, why: &Explanation) -> anyhow::Result<()> {
    let mut outputs = Outputs::new(&[], OutputOptions { force: args.force });
    args.plot.open(&mut outputs)?.write(&Picture::new(why, args.top))?;
    match args.format {
        Format::Json => print(&format!("{:#}\n", json::answer(recipe, why))),
        Format::Table => print(&table(recipe, why, args.top)?),
    }
}
