//! `nearprint compare`: how alike two documents are, and what tells them apart.

use crate::at_width::at_width;
use crate::flags::{RadiusFlags, RecipeFlags};
use crate::usage::{print, wrong};
use anyhow::Context;
use clap::ValueEnum;
use nearprint_fingerprint::estimate;
use nearprint_fingerprint::fingerprint::Fingerprint;
use nearprint_fingerprint::fingerprinter::Fingerprinter;
use nearprint_fingerprint::recipe::Recipe;
use nearprint_fingerprint::similarity::{Difference, Similarity, differences};
use nearprint_fingerprint::statistics::Statistics;
use nearprint_fingerprint::weight::Weighting;
use serde_json::{Number, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Compare two documents: distance, similarity, and the features that tell them apart
///
/// The cosine is estimated from the distance; the exact measures are over the recipe's features.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A text file, or with --text the text itself
    a: String,
    /// The other
    b: String,
    /// A and B are texts, not files
    #[arg(long)]
    text: bool,
    /// Features to show, the heaviest difference first
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT")]
    format: Format,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    radius: RadiusFlags,
}

/// How a person-readable answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}

const EXAMPLES: &str = "Examples:
  nearprint compare old.txt new.txt
  nearprint compare --text 'the quick brown fox' 'the quick red fox' --recipe words
  nearprint compare a.txt b.txt --width 128 --format json";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (recipe, statistics) = args.recipe.recipe()?;
    if recipe.weights == Weighting::Given {
        return wrong(format!("--recipe {}: compare takes texts, not features", recipe.name));
    }
    let text = |given: &str| -> anyhow::Result<String> {
        if args.text {
            return Ok(given.to_owned());
        }
        if !Path::new(given).exists() {
            return wrong(format!(
                "{given}: no such file; to compare the words themselves use --text"
            ));
        }
        let bytes = fs::read(given).with_context(|| given.to_owned())?;
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            anyhow::anyhow!("{given}: invalid UTF-8 at byte {at}; compare takes UTF-8 text")
        })
    };
    let (a, b) = (text(&args.a)?, text(&args.b)?);
    at_width!(recipe.width, compare(args, &recipe, statistics.as_ref(), &a, &b))
}

fn compare<const WORDS: usize>(
    args: &Args,
    recipe: &Recipe,
    statistics: Option<&Statistics>,
    a: &str,
    b: &str,
) -> anyhow::Result<()> {
    let k = args.radius.k(recipe.width)?;
    let mut fingerprinter = match statistics {
        Some(statistics) => Fingerprinter::<WORDS>::with_statistics(recipe, statistics)?,
        None => Fingerprinter::<WORDS>::new(recipe)?,
    };
    let (of_a, of_b) = (fingerprinter.fingerprint(a), fingerprinter.fingerprint(b));
    let (set_a, set_b) = (fingerprinter.features(a), fingerprinter.features(b));
    let exact = Similarity::of(&set_a, &set_b);
    let different = differences(&set_a, &set_b);
    let shown = different.get(..args.top).unwrap_or(&different);
    let bits = Fingerprint::<WORDS>::BITS;
    let (first, second) = (of_a.fingerprint, of_b.fingerprint);
    let distance = first.distance(&second);
    let cosine = estimate::cosine(distance, bits);
    let near = of_a.is_near(&of_b, k, recipe.degenerate);
    if args.format == Format::Json {
        let features: Vec<_> = shown
            .iter()
            .map(|Difference { feature, a, b }| {
                json!({ "feature": feature, "a": number(*a), "b": number(*b) })
            })
            .collect();
        let answer = json!({
            "a": { "fingerprint": first.to_string(), "features": set_a.len() },
            "b": { "fingerprint": second.to_string(), "features": set_b.len() },
            "recipe": recipe.name, "recipe_id": recipe.id().to_string(), "width": bits, "k": k,
            "distance": distance, "near_duplicates": near, "cosine_estimated": cosine,
            "cosine": exact.cosine, "jaccard": exact.jaccard, "containment": exact.containment,
            "different_features": different.len(), "features": features,
        });
        return print(&format!("{answer:#}\n"));
    }
    let verdict = if near { "near-duplicates" } else { "no near-duplicates" };
    let mut out = format!(
        "distance     {distance} of {bits} bits: {verdict} at k = {k}\n\
         cosine       {cosine:.4} estimated, {:.4} exact\n\
         Jaccard      {:.4}\n\
         containment  {:.4}\n\
         features     {} in A, {} in B, {} differ\n\
         fingerprint  {first} A\n             {second} B\n",
        exact.cosine,
        exact.jaccard,
        exact.containment,
        set_a.len(),
        set_b.len(),
        different.len(),
    );
    if !shown.is_empty() {
        out.push_str("\nweight in A  in B  feature\n");
    }
    for Difference { feature, a, b } in shown {
        writeln!(out, "{:>11} {:>5}  {feature}", weight(*a), weight(*b))?;
    }
    if different.len() > shown.len() {
        writeln!(out, "... and {} more (--top)", different.len() - shown.len())?;
    }
    print(&out)
}

/// A weight as a JSON number: an integer where it is one.
fn number(weight: f64) -> Number {
    let digits = format!("{weight}");
    digits.parse().ok().or_else(|| Number::from_f64(weight)).unwrap_or_else(|| 0.into())
}

/// A weight for a table.
fn weight(weight: f64) -> String {
    if weight.fract() == 0.0 { format!("{weight}") } else { format!("{weight:.4}") }
}
