//! `nearprint recipe check`: what a recipe states, and what it makes of a sample.

use crate::flags::heading::{INPUT, OUTPUT};
use crate::flags::recipe::{find_recipe, with_remedy, with_statistics};
use crate::flags::recipe_files::RecipeFiles;
use crate::show::explanation::{list, visible};
use crate::show::format::Format;
use crate::show::weight::weight;
use crate::usage::print;
use nearprint_dedup::text_of;
use nearprint_fingerprint::{
    AnyFingerprinter, ExplainedFeature, Explanation, KeyMeaning, LanguageRule, Recipe, RecipeError,
    Split, Statistics, UnlistedIdf, Weighting, Width,
};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Explain a recipe key by key, and show what it makes of a sample
///
/// A recipe of your own is read and refused as commands refuse it, with the line and what was expected.
/// Keys that the file leaves out have their default.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A TOML file, or a name of the list
    #[arg(value_name = "FILE|NAME")]
    recipe: String,
    /// The sample [default: one in the language that the recipe is for]
    #[arg(long, value_name = "TEXT", help_heading = INPUT)]
    text: Option<String>,
    /// Statistics file of `nearprint idf build`; for keywords, an idf file of jieba
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    idf: Option<PathBuf>,
    /// Folder of a dictionary that lindera built; for Chinese, a user dictionary of jieba
    #[arg(long, value_name = "PATH", help_heading = INPUT)]
    dictionary: Option<PathBuf>,
    /// Text file of stop words, one a line, for recipes of split = "zh"
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    stop_words: Option<PathBuf>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

/// Features of the sample that are shown.
const FEATURES: usize = 12;
/// Features in place of a sample, for recipes that take such.
const GIVEN: [(&str, f64); 3] = [("x", 0.5), ("y", -1.25), ("z", 2.0)];

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let files = RecipeFiles {
        idf: args.idf.as_deref(),
        dictionary: args.dictionary.as_deref(),
        stop_words: args.stop_words.as_deref(),
    };
    let recipe = files.bind_words(&find_recipe(&args.recipe)?)?;
    // A recipe without its files is a recipe: only the sample lacks them.
    let lacks_statistics = args.idf.is_none() && recipe.check_no_statistics().is_err();
    let lacks_words = (recipe.split == Split::Lindera && args.dictionary.is_none())
        || matches!(recipe.ready(), Err(RecipeError::WordFileMissing { .. }));
    let (recipe, statistics) = if lacks_statistics || lacks_words {
        (recipe, None)
    } else {
        with_statistics(&recipe, files)?
    };
    let mut remarks = recipe.remarks();
    let given = args.text.as_deref().unwrap_or(sample(&recipe));
    let text = text_of(&recipe, given);
    let shown = shown(&recipe, statistics.is_some(), &mut remarks);
    let shown = shown.map(|recipe| seen(&recipe, statistics.as_ref(), &text)).transpose()?;
    if args.format == Format::Json {
        let keys: Vec<_> = recipe.meanings().into_iter().map(key_of_json).collect();
        let sample = shown.map(|Seen { why, left_out }| {
            json!({
                "text": text, "tokens": why.tokens, "left_out": left_out,
                "features": why.features.iter().map(feature_of_json).collect::<Vec<_>>(),
            })
        });
        let answer = json!({
            "name": recipe.name, "id": recipe.id().to_string(), "keys": keys,
            "remarks": remarks, "sample": sample,
        });
        return print(&format!("{answer:#}\n"));
    }
    let mut out =
        format!("recipe {}, id {} at {} bits\n\n", recipe.name, recipe.id(), recipe.width);
    for KeyMeaning { key, value, is_default, meaning } in recipe.meanings() {
        let assigned = format!("{key} = {}", visible(&value));
        let origin = if is_default { " (default)" } else { "" };
        writeln!(out, "{assigned:<28} {meaning}{origin}")?;
    }
    if let Some(Seen { why, left_out }) = shown {
        if recipe.weights != Weighting::Given {
            writeln!(out, "\nsample    {}", visible(&text))?;
            if !left_out.is_empty() {
                writeln!(out, "left out  {}", list(&left_out))?;
            }
            writeln!(out, "tokens    {}: {}", why.tokens.len(), list(&why.tokens))?;
        }
        writeln!(out, "features  {}", why.features.len())?;
        for one in why.heaviest(FEATURES) {
            writeln!(out, "{:>9}  {}", weight(one.weight), visible(&one.feature))?;
        }
    }
    for remark in remarks {
        writeln!(out, "\nnote: {remark}")?;
    }
    print(&out)
}

fn key_of_json(one: KeyMeaning) -> serde_json::Value {
    json!({ "key": one.key, "value": one.value, "default": one.is_default, "meaning": one.meaning })
}

fn feature_of_json(one: &ExplainedFeature) -> serde_json::Value {
    json!({ "feature": one.feature, "count": one.count, "weight": one.weight })
}

/// The recipe as it can be shown on a sample, with a remark where that is not all of it; `None` where it
/// cannot be shown at all.
fn shown(recipe: &Recipe, counted: bool, remarks: &mut Vec<String>) -> Option<Recipe> {
    if let Err(error) = recipe.ready() {
        remarks.push(match error {
            RecipeError::WordFileMissing { .. } => {
                format!("the sample is left out: {}", with_remedy(&error))
            }
            _ => "the sample is left out: give the dictionary of the words with --dictionary"
                .to_owned(),
        });
        return None;
    }
    if counted || recipe.check_no_statistics().is_ok() {
        return Some(recipe.clone());
    }
    remarks.push(
        "the sample is shown without the statistics of a corpus, each feature once a document; make them with \
         `nearprint idf build` and give them with --idf"
            .to_owned(),
    );
    Some(Recipe { weights: Weighting::Set, phrases: 0, statistics: None, ..recipe.clone() })
}

/// What a recipe makes of a sample.
struct Seen {
    why: Explanation,
    /// Tokens that became no features, each once.
    left_out: Vec<String>,
}

fn seen(recipe: &Recipe, statistics: Option<&Statistics>, text: &str) -> anyhow::Result<Seen> {
    let recipe = recipe.with_width(Width::W64);
    let mut fingerprinter = AnyFingerprinter::new(&recipe, statistics)?;
    if recipe.weights == Weighting::Given {
        return Ok(Seen {
            why: fingerprinter.explain_features(&mut GIVEN.into_iter())?,
            left_out: Vec::new(),
        });
    }
    let why = fingerprinter.explain_in(text, None);
    let kept = words(&recipe, text)?;
    let without = if recipe.split == Split::Mixed { recipe.language } else { LanguageRule::None };
    let all =
        Recipe { stop_words: false, stop_list: Vec::new(), language: without, ..recipe.clone() };
    let mut left_out = words(&all, text)?;
    left_out.retain(|word| !kept.contains(word));
    left_out.sort_unstable();
    left_out.dedup();
    Ok(Seen { why, left_out })
}

/// The tokens of a text, whole and apart: without stems and phrases.
fn words(recipe: &Recipe, text: &str) -> anyhow::Result<Vec<String>> {
    let language = match recipe.language {
        rule if recipe.stop_words || recipe.split == Split::Mixed => rule,
        _ => LanguageRule::None,
    };
    let (weights, statistics) = (Weighting::Set, None);
    let plain = Recipe {
        stem: false,
        phrases: 0,
        shingle: 1,
        top: 0,
        weights,
        statistics,
        idf_file: None,
        unlisted_idf: UnlistedIdf::default(),
        language,
        ..recipe.clone()
    };
    Ok(Explanation::of(&plain, text)?.tokens)
}

/// A text of the kind that the recipe is for.
fn sample(recipe: &Recipe) -> &'static str {
    const ENGLISH: &str = "The New York council approved the new budget on Monday: 12 million for schools, and for the schools' cafés.";
    const CHINESE: &str = "市议会周一批准了新的预算:一千二百万用于学校,区块链项目没有通过。";
    const JAPANESE: &str =
        "市議会は月曜日に新しい予算を承認しました。学校に千二百万円が使われます。";
    const KOREAN: &str =
        "시의회는 월요일에 새로운 예산안을 승인하였습니다. 학교에 예산이 쓰입니다.";
    const CODE: &str = "fn main() { let total = price * 2; println!(\"{total}\"); }";
    match recipe.split {
        Split::Zh => CHINESE,
        Split::Dictionary | Split::Lindera => JAPANESE,
        Split::Ko => KOREAN,
        Split::Code => CODE,
        _ => ENGLISH,
    }
}
