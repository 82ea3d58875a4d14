//! `nearprint compare`: how alike two documents are, and what tells them apart.

mod bits;
mod corpus;
mod estimate;
mod given;

use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::input::{Format as InputFormat, InputFlags};
use crate::flags::keeping::KeepFlags;
use crate::flags::likeness::{LikenessFlags, or_similarity};
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::flags::size;
use crate::flags::within::WithinFlags;
use crate::show::format::Format;
use crate::show::weight::{number, weight};
use crate::usage::{print, wrong};
use bits::Pair;
use clap::Arg;
use corpus::Asked;
use estimate::{Estimate, verdict};
use given::{Given, Seen};
use nearprint_corpus::Fields;
use nearprint_dedup::{Featureless, FieldsSeen, Likeness, Verify};
use nearprint_fingerprint::{
    AnyFingerprinter, BitString, FeatureDifference, Measure, Recipe, Similarity, Statistics,
    TokenHash, differences,
};
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;

/// Compare two documents: distance, similarity, and the features that tell them apart
///
/// The cosine is estimated from the distance, with its 95 % interval for so many bits; the exact measures are over the
/// recipe's features. For two fingerprints, only the distance and the estimate are known. They may have any width from
/// 1 to 256 bits: 0x2c is hexadecimal, 0b101100 is bits. Without a prefix, zeros and ones are bits, but 16, 32 or 64
/// digits are hexadecimal.
///
/// With --in, A and B are ids of documents of a corpus, or FILE:LINE. dedup runs over it with the same flags and writes nothing. The
/// answer says why these two are in one cluster or are not.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("k", or_similarity), mut_args(of_input))]
pub(crate) struct Args {
    /// A text or HTML file, FILE:LINE of a file of rows, a fingerprint, or with --text a text
    ///
    /// a.jsonl:3 is the row in line 3, a.jsonl the only one; a row holds a text, or features for recipes such as
    /// vectors. Fingerprints are in hexadecimal or bits.
    a: OsString,
    /// The other
    b: OsString,
    /// A and B are texts, not files
    #[arg(long, help_heading = INPUT)]
    text: bool,
    #[command(flatten)]
    input: InputFlags,
    /// With --in, documents that the corpus is also compared with, as by dedup
    #[arg(long, value_name = "FILE|SEG", requires = "inputs", help_heading = DUPLICATE, hide_short_help = true)]
    against: Vec<String>,
    /// With --in, documents without any feature: keep, or collapse those of equal text
    #[arg(long, default_value = "keep", value_name = "WHAT", requires = "inputs", help_heading = DUPLICATE, hide_short_help = true)]
    featureless: Featureless,
    /// With --in, memory that the program may take [default: what it needs]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, requires = "inputs", help_heading = RESOURCES, hide_short_help = true)]
    memory: Option<usize>,
    /// Features to show that weigh more in A, and as many that weigh more in B
    #[arg(long, visible_alias = "limit", default_value_t = 10, value_name = "N", conflicts_with = "inputs", help_heading = OUTPUT)]
    top: usize,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    likeness: LikenessFlags,
    #[command(flatten)]
    within: WithinFlags,
    #[command(flatten)]
    keeping: KeepFlags,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint compare old.txt new.txt
  nearprint compare page.html copy.html --recipe web --similarity 0.9
  nearprint compare --text 'the quick brown fox' 'the quick red fox' --recipe words
  nearprint compare 5f2c7d0e9b1a4c38 5f2c7d0e9b1a4c3a
  nearprint compare 100101 101100
  nearprint compare corpus.jsonl:1 corpus.jsonl:2
  nearprint compare rows.jsonl:1 rows.jsonl:2 --recipe vectors
  nearprint compare page-17 page-93 --in crawl/ --similarity 0.8";

/// The flags of an input as they are here: the corpus is one of them, and most matter with a corpus alone.
fn of_input(arg: Arg) -> Arg {
    const HELP: &str = "A and B are ids of documents of this corpus, or FILE:LINE";
    const MORE: &str = "Files, folders or patterns; may be repeated. The answer says why dedup with these flags puts the two \
                        into one cluster or does not. It tells whether they are equal, how similar they are, whether they \
                        were compared and with what probability, their cluster, and the kept document.";
    match arg.get_id().as_str() {
        "inputs" => {
            let arg = arg.long("in").required(false).num_args(1).conflicts_with("text");
            arg.help_heading(INPUT).help(HELP).long_help(format!("{HELP}\n\n{MORE}"))
        }
        "input_format" => {
            arg.value_parser(InputFormat::of_text()).requires("inputs").hide_short_help(true)
        }
        "include" | "exclude" | "lines" | "features_field" | "language_field" | "on_error"
        | "fail_on_empty" | "null_text" | "max_record" | "threads" | "quiet" => {
            arg.requires("inputs").hide_short_help(true)
        }
        "encoding" | "delimiter" | "quote" | "escape" | "text_field" => arg.conflicts_with("text"),
        "cluster_rule" | "keep" | "keep_by" | "id_field" => {
            arg.requires("inputs").hide_short_help(true)
        }
        _ => arg,
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let words = |given: &'_ OsString, what| match given.to_str() {
        Some(words) => Ok(words.to_owned()),
        None => wrong(format!("{}: {what} is not UTF-8", given.display())),
    };
    if !args.input.inputs.is_empty() {
        let ids = [words(&args.a, "the id")?, words(&args.b, "the id")?];
        return corpus::compare(&Asked {
            ids: [&ids[0], &ids[1]],
            input: &args.input,
            against: &args.against,
            memory: args.memory,
            threads: args.run.threads()?,
            recipe: &args.recipe,
            likeness: &args.likeness,
            within: &args.within,
            keeping: &args.keeping,
            featureless: args.featureless,
            format: args.format,
        });
    }
    if args.within.is_given() {
        let flag = args.within.flag();
        return wrong(format!("{flag}: it is about documents of a corpus: name that with --in"));
    }
    if !args.text
        && let Some((a, b)) = args.a.to_str().zip(args.b.to_str())
        && let Some(pair) = Pair::of(a, b, &args.recipe)?
    {
        args.input.refuse_for_fingerprints()?;
        return pair.compare(&args.recipe, &args.likeness, args.format);
    }
    args.likeness.refuse_equal()?;
    let (dialect, text_field) = (args.input.dialect()?, args.input.text_field.as_str());
    let files = if args.text { Vec::new() } else { given::sources([&args.a, &args.b], dialect) };
    args.input.refuse_idle_fields(&files, false)?;
    let flags = args.recipe.suiting(&files, true);
    let (recipe, statistics) = flags.wide(&args.likeness)?.recipe()?;
    let mut seen = FieldsSeen::default();
    let mut given = |given: &OsString| match args.text {
        true => Given::itself(&recipe, &words(given, "the text")?),
        false => Given::of(&recipe, given, (text_field, dialect), &mut seen),
    };
    let (a, b) = (given(&args.a)?, given(&args.b)?);
    seen.check_text(&Fields { text: text_field.to_owned(), ..Fields::default() })?;
    compare(args, &recipe, statistics.as_ref(), &a, &b)
}

/// What the verdict is by: what its rule goes by, beside what near-duplicates have.
fn reason(likeness: &Likeness, passes: bool, distance: u32, found: f64) -> String {
    let (measure, least) = match likeness.verify() {
        Verify::None => return format!("{distance} bits differ, at most {} may", likeness.k()),
        Verify::Jaccard(least) => ("Jaccard similarity", least),
        Verify::Containment(least) => ("containment", least),
        Verify::Cosine(least) => ("cosine", least),
        Verify::WeightedJaccard(least) => ("weighted Jaccard similarity", least),
    };
    let than = if passes { "at least" } else { "below" };
    format!("{measure} {} is {than} {least}", likeness.verify().shown(found))
}

fn compare(
    args: &Args,
    recipe: &Recipe,
    statistics: Option<&Statistics>,
    a: &Given,
    b: &Given,
) -> anyhow::Result<()> {
    let likeness = match args.likeness.radius() {
        Some(radius) => Likeness::by_radius(radius.k(recipe.width)?, recipe.width)?,
        None => LikenessFlags::of(&args.likeness.by(recipe))?,
    };
    let mut fingerprinter = AnyFingerprinter::new(recipe, statistics)?;
    let Seen { fingerprinted: of_a, set: set_a, list: list_a } = a.seen(&mut fingerprinter)?;
    let Seen { fingerprinted: of_b, set: set_b, list: list_b } = b.seen(&mut fingerprinter)?;
    let exact = Similarity::of(&set_a, &set_b);
    let different = differences(&set_a, &set_b);
    let side = |more_in_a: bool| {
        let side = different.iter().filter(move |d| (d.a > d.b) == more_in_a);
        side.take(args.top).collect::<Vec<_>>()
    };
    let sides = [("A", side(true)), ("B", side(false))];
    let bits = recipe.width.bits();
    let (first, second) = (of_a.fingerprint, of_b.fingerprint);
    let distance = first.distance(&second).unwrap_or(bits);
    let estimate = Estimate::of(distance, bits);
    let passes = match likeness.verify() {
        Verify::None => distance <= likeness.k(),
        rule => rule.similarity_of(&list_a, &list_b).is_some(),
    };
    let near = match likeness.verify() {
        Verify::None => of_a.is_near(&of_b, likeness.k(), recipe.degenerate),
        _ => passes && of_a.is_comparable(&of_b, recipe.degenerate),
    };
    // What dedup and stores tell of such a pair.
    let (similarity, measure) = match likeness.verify() {
        Verify::None => (estimate.cosine, Measure::EstimatedCosine),
        rule => (rule.measured(&list_a, &list_b), rule.measure()),
    };
    // What the class that this hash is of calls similarity.
    let is_python = recipe.hash == TokenHash::Python;
    let ratio = is_python.then(|| BitString::from(first).ratio(&second.into()));
    if args.format == Format::Json {
        let features: Vec<_> = sides
            .iter()
            .flat_map(|(_, side)| side)
            .map(|FeatureDifference { feature, a, b }| {
                json!({ "feature": feature, "a": number(*a), "b": number(*b) })
            })
            .collect();
        let mut answer = json!({
            "a": { "fingerprint": first.to_string(), "features": set_a.len() },
            "b": { "fingerprint": second.to_string(), "features": set_b.len() },
            "recipe": recipe.name, "recipe_id": recipe.id().to_string(), "width": bits,
            "k": (likeness.verify() == Verify::None).then_some(likeness.k()),
            "verify": likeness.verify().to_string(),
            "distance": distance, "near_duplicates": near, "similarity": similarity,
            "measure": measure.name(), "cosine_estimated": estimate.cosine,
            "cosine_interval": [estimate.low, estimate.high], "cosine": exact.cosine,
            "jaccard": exact.jaccard, "weighted_jaccard": exact.weighted_jaccard,
            "containment": exact.containment, "different_features": different.len(),
            "features": features,
        });
        if let (Some(ratio), Some(answer)) = (ratio, answer.as_object_mut()) {
            answer.insert("ratio".to_owned(), json!(ratio));
        }
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
        match passes == near {
            true => reason(&likeness, passes, distance, similarity),
            false => "one of them has too little to compare".to_owned(),
        },
        exact.cosine,
        exact.jaccard,
        exact.weighted_jaccard,
        exact.containment,
        set_a.len(),
        set_b.len(),
        different.len(),
    );
    if let Some(ratio) = ratio {
        writeln!(
            out,
            "ratio        {ratio:.11} of the fingerprints as integers: no measure of likeness,\n             \
             as the first bits decide it"
        )?;
    }
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
