//! `nearprint compare`: how alike two documents are, and what tells them apart.

use crate::at_width::at_width;
use crate::flags::heading::{INPUT, OUTPUT};
use crate::flags::likeness::{LikenessFlags, or_similarity};
use crate::flags::recipe::RecipeFlags;
use crate::show::format::Format;
use crate::usage::{print, wrong};
use nearprint_corpus::{Fields, InputFormat, InvalidUtf8, ReadOptions, Reader, discover};
use nearprint_dedup::{Dedup, Likeness, Verify, fields_for, text_of};
use nearprint_fingerprint::{
    FeatureDifference, Fingerprint, Fingerprinter, Recipe, Similarity, Statistics, Weighting,
    Width, differences, estimate,
};
use serde_json::{Number, json};
use std::fmt::Write as _;
use std::path::Path;

/// Compare two documents: distance, similarity, and the features that tell them apart
///
/// The cosine is estimated from the distance, with its 95 % interval for so many bits; the exact
/// measures are over the recipe's features. Of two fingerprints, only the distance and the estimate
/// are known.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("k", or_similarity))]
pub(crate) struct Args {
    /// A text or HTML file, a fingerprint in hexadecimal, or with --text a text
    a: String,
    /// The other
    b: String,
    /// A and B are texts, not files
    #[arg(long, help_heading = INPUT)]
    text: bool,
    /// Features to show that weigh more in A, and as many that weigh more in B
    #[arg(long, visible_alias = "limit", default_value_t = 10, value_name = "N", help_heading = OUTPUT)]
    top: usize,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    likeness: LikenessFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint compare old.txt new.txt
  nearprint compare page.html copy.html --recipe web --similarity 0.9
  nearprint compare --text 'the quick brown fox' 'the quick red fox' --recipe words
  nearprint compare 5f2c7d0e9b1a4c38 5f2c7d0e9b1a4c3a";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(width) = stored_width(args) {
        return at_width!(width, compare_stored(args, width));
    }
    let (recipe, statistics) = args.recipe.wide()?.recipe()?;
    if recipe.weights == Weighting::Given {
        return wrong(format!("--recipe {}: compare takes texts, not features", recipe.name));
    }
    let (a, b) = (text(args, &recipe, &args.a)?, text(args, &recipe, &args.b)?);
    at_width!(recipe.width, compare(args, &recipe, statistics.as_ref(), &a, &b))
}

/// The text that an argument stands for.
fn text(args: &Args, recipe: &Recipe, given: &str) -> anyhow::Result<String> {
    if args.text {
        return Ok(text_of(recipe, given).into_owned());
    }
    let path = Path::new(given);
    if !path.exists() {
        return wrong(format!("{given}: no such file; to compare the words themselves use --text"));
    }
    if path.is_dir() {
        return wrong(format!("{given}: a folder; compare takes two files"));
    }
    let told = InputFormat::of_name(path);
    if told.is_some_and(|format| !format.is_whole()) {
        return wrong(format!(
            "{given}: a file of rows; compare takes one document a file, or with --text the texts"
        ));
    }
    let mut sources = discover(&[given.to_owned()], told)?;
    // Whatever looks like rows inside is compared as the text that it is.
    if sources.iter().any(|source| source.format().is_some_and(|format| !format.is_whole())) {
        sources = discover(&[given.to_owned()], Some(InputFormat::Text))?;
    }
    let fields = fields_for(recipe, &Fields::default());
    match Reader::new(&sources, ReadOptions::default()).next().transpose()? {
        Some(batch) => match batch.record(0) {
            Some(record) => Ok(record.document(&fields, InvalidUtf8::Fail)?.text.into_owned()),
            None => Ok(String::new()),
        },
        None => Ok(String::new()),
    }
}

/// The width of A and B where both are fingerprints and no files.
fn stored_width(args: &Args) -> Option<Width> {
    let width = |given: &str| {
        let digits = given.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u32::try_from(given.len()).ok()?.checked_mul(4)?;
        Width::from_bits(bits).filter(|_| digits && !args.text && !Path::new(given).exists())
    };
    let of_a = width(&args.a)?;
    (width(&args.b)? == of_a).then_some(of_a)
}

/// Compares two fingerprints, of which nothing else is known.
fn compare_stored<const WORDS: usize>(args: &Args, width: Width) -> anyhow::Result<()> {
    args.recipe.refuse_for_stored(width)?;
    let k = args.likeness.stored_radius(width)?;
    let (a, b): (Fingerprint<WORDS>, Fingerprint<WORDS>) = (args.a.parse()?, args.b.parse()?);
    let distance = a.distance(&b);
    // Fingerprint 0 is that of an empty document, nobody's duplicate.
    let near = distance <= k && ![a, b].contains(&Fingerprint::ZERO);
    let estimate = Estimate::of(distance, width.bits());
    if args.format == Format::Json {
        let answer = json!({
            "a": { "fingerprint": a.to_string() }, "b": { "fingerprint": b.to_string() },
            "width": width.bits(), "k": k, "distance": distance, "near_duplicates": near,
            "cosine_estimated": estimate.cosine, "cosine_interval": [estimate.low, estimate.high],
        });
        return print(&format!("{answer:#}\n"));
    }
    let verdict = verdict(near);
    print(&format!(
        "distance     {distance} of {width} bits: {verdict} at k = {k}\ncosine       {estimate}\n"
    ))
}

/// The cosine as the distance tells it.
struct Estimate {
    cosine: f64,
    low: f64,
    high: f64,
}

impl Estimate {
    fn of(distance: u32, bits: u32) -> Self {
        let (low, high) = estimate::cosine_interval(distance, bits);
        Self { cosine: estimate::cosine(distance, bits), low, high }
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.4} estimated (95 %: {:.4} to {:.4})", self.cosine, self.low, self.high)
    }
}

const fn verdict(near: bool) -> &'static str {
    if near { "near-duplicates" } else { "no near-duplicates" }
}

/// What the verdict is by.
fn reason(likeness: &Likeness) -> String {
    match likeness.verify() {
        Verify::None => format!("these are within {} bits", likeness.k()),
        Verify::Jaccard(least) => format!("these have a Jaccard similarity of {least} or more"),
        Verify::Containment(least) => format!("these have a containment of {least} or more"),
    }
}

fn compare<const WORDS: usize>(
    args: &Args,
    recipe: &Recipe,
    statistics: Option<&Statistics>,
    a: &str,
    b: &str,
) -> anyhow::Result<()> {
    let likeness = match args.likeness.radius() {
        Some(radius) => Likeness::by_radius(radius.k(recipe.width)?, recipe.width)?,
        None => {
            let dedup = args.likeness.asked(Dedup::new());
            LikenessFlags::of(&dedup.recipe(recipe.clone()).width(recipe.width))?
        }
    };
    let mut fingerprinter = match statistics {
        Some(statistics) => Fingerprinter::<WORDS>::with_statistics(recipe, statistics)?,
        None => Fingerprinter::<WORDS>::new(recipe)?,
    };
    let (of_a, of_b) = (fingerprinter.fingerprint(a), fingerprinter.fingerprint(b));
    let (set_a, set_b) = (fingerprinter.features(a), fingerprinter.features(b));
    let exact = Similarity::of(&set_a, &set_b);
    let different = differences(&set_a, &set_b);
    let side = |more_in_a: bool| {
        let side = different.iter().filter(move |d| (d.a > d.b) == more_in_a);
        side.take(args.top).collect::<Vec<_>>()
    };
    let sides = [("A", side(true)), ("B", side(false))];
    let bits = Fingerprint::<WORDS>::BITS;
    let (first, second) = (of_a.fingerprint, of_b.fingerprint);
    let distance = first.distance(&second);
    let estimate = Estimate::of(distance, bits);
    let (keys_a, keys_b) = (fingerprinter.read(a).keys(), fingerprinter.read(b).keys());
    // Documents with too little in them are near equal ones alone.
    let comparable = of_a.is_near(&of_b, bits, recipe.degenerate);
    let near = match likeness.verify() {
        Verify::None => of_a.is_near(&of_b, likeness.k(), recipe.degenerate),
        rule => comparable && rule.similarity(&keys_a, &keys_b).is_some(),
    };
    if args.format == Format::Json {
        let features: Vec<_> = sides
            .iter()
            .flat_map(|(_, side)| side)
            .map(|FeatureDifference { feature, a, b }| {
                json!({ "feature": feature, "a": number(*a), "b": number(*b) })
            })
            .collect();
        let answer = json!({
            "a": { "fingerprint": first.to_string(), "features": set_a.len() },
            "b": { "fingerprint": second.to_string(), "features": set_b.len() },
            "recipe": recipe.name, "recipe_id": recipe.id().to_string(), "width": bits,
            "k": (likeness.verify() == Verify::None).then_some(likeness.k()),
            "verify": likeness.verify().to_string(),
            "distance": distance, "near_duplicates": near, "cosine_estimated": estimate.cosine,
            "cosine_interval": [estimate.low, estimate.high], "cosine": exact.cosine,
            "jaccard": exact.jaccard, "weighted_jaccard": exact.weighted_jaccard,
            "containment": exact.containment, "different_features": different.len(),
            "features": features,
        });
        return print(&format!("{answer:#}\n"));
    }
    let mut out = format!(
        "verdict      {} ({})\n\
         distance     {distance} of {bits} bits\n\
         cosine       {estimate}, {:.4} exact\n\
         Jaccard      {:.4} of features, {:.4} of weights\n\
         containment  {:.4}\n\
         features     {} in A, {} in B, {} differ\n\
         fingerprint  {first} A\n             {second} B\n",
        verdict(near),
        reason(&likeness),
        exact.cosine,
        exact.jaccard,
        exact.weighted_jaccard,
        exact.containment,
        set_a.len(),
        set_b.len(),
        different.len(),
    );
    for (name, side) in &sides {
        if side.is_empty() {
            continue;
        }
        writeln!(out, "\n weight in A      in B  more in {name}")?;
        for FeatureDifference { feature, a, b } in side {
            writeln!(out, "{:>12} {:>9}  {feature}", weight(*a), weight(*b))?;
        }
    }
    let shown: usize = sides.iter().map(|(_, side)| side.len()).sum();
    if different.len() > shown {
        writeln!(out, "... and {} more (--top)", different.len() - shown)?;
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
