//! Flags that several verbs share, and what they mean together.

use crate::idf;
use crate::usage::wrong;
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use nearprint_corpus::{Fields, InputFormat, ReadOptions, Source, discover};
use nearprint_dedup::{Likeness, OnError, Origin, Reading, stored};
use nearprint_fingerprint::{
    DictionaryError, DocumentPart, LanguageRule, Recipe, RecipeError, Split, Statistics, Weighting,
    Width, WordDictionary,
};
use std::path::{Path, PathBuf};
use std::thread;

/// Most worker threads that can be asked for: more are a slip of the pen, and would be started.
const MAX_THREADS: usize = 1024;

/// What the input is and how it is read.
#[derive(Args)]
pub(crate) struct InputFlags {
    /// Files, folders (read recursively), glob patterns, or - for standard input; the same in object
    /// storage (s3://bucket/key, gs://, az://), and files of web servers (https://)
    #[arg(value_name = "IN", required = true)]
    pub(crate) inputs: Vec<String>,
    /// Format of the input; told by name and content where not given
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) input_format: Option<Format>,
    /// Take every line of a text for a document, in place of every file
    #[arg(long)]
    lines: bool,
    /// Field of a row that holds the document's id
    #[arg(long, default_value = "id", value_name = "FIELD")]
    pub(crate) id_field: String,
    /// Field of a row that holds the text
    #[arg(long, default_value = "text", value_name = "FIELD")]
    pub(crate) text_field: String,
    /// Field of a row that holds the features, for recipes of weights = "given":
    /// {"name": weight, ...} or [[name or dimension, weight], ...]
    #[arg(long, default_value = "features", value_name = "FIELD")]
    features_field: String,
    /// Field of a row that holds the text's language, for recipes of language = "auto"; where it is
    /// absent the language is detected
    #[arg(long, value_name = "FIELD")]
    language_field: Option<String>,
    /// What to do with a record that cannot be read: fail, or skip and count it (invalid UTF-8 is
    /// then replaced and counted)
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT")]
    pub(crate) on_error: WhatOnError,
    /// Longest record accepted, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, default_value = "256M", value_parser = bytes, value_name = "SIZE")]
    pub(crate) max_record: usize,
}

/// Formats of the input.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON object a line
    Jsonl,
    /// A header and rows of comma-separated fields
    Csv,
    /// A header and rows of fields with tabs between them
    Tsv,
    /// WARC records: pages of responses, texts of conversions (WET)
    #[value(alias = "wet")]
    Warc,
    /// One document a file; with --lines one a line
    Text,
    /// One HTML page a file
    Html,
    /// Raw little-endian 64-bit fingerprints
    U64,
    /// Raw little-endian 128-bit fingerprints
    U128,
    /// Raw little-endian 256-bit fingerprints
    U256,
}

impl Format {
    /// Parser of the flag for verbs that read text alone: they refuse raw fingerprints with the reason,
    /// and their help does not offer them.
    pub(crate) fn of_text() -> impl TypedValueParser<Value = Self> {
        let offered =
            |format: &Self| Some(format.to_possible_value()?.hide(format.raw_width().is_some()));
        PossibleValuesParser::new(Self::value_variants().iter().filter_map(offered))
            .try_map(|name| Self::from_str(&name, false))
    }

    /// The format of documents; `None` for raw fingerprints.
    pub(crate) fn of_documents(self) -> Option<InputFormat> {
        match self {
            Self::Jsonl => Some(InputFormat::Jsonl),
            Self::Csv => Some(InputFormat::Csv),
            Self::Tsv => Some(InputFormat::Tsv),
            Self::Warc => Some(InputFormat::Warc),
            Self::Text => Some(InputFormat::Text),
            Self::Html => Some(InputFormat::Html),
            _ => None,
        }
    }

    /// The width of raw fingerprints.
    pub(crate) fn raw_width(self) -> Option<Width> {
        match self {
            Self::U64 => Some(Width::W64),
            Self::U128 => Some(Width::W128),
            Self::U256 => Some(Width::W256),
            _ => None,
        }
    }
}

/// [`OnError`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum WhatOnError {
    Fail,
    Skip,
}

/// What becomes a fingerprint, and how.
#[derive(Args, Clone)]
pub(crate) struct RecipeFlags {
    /// Recipe that turns text into fingerprints: a name of `nearprint recipe list`, or a TOML file
    /// [default: text]
    #[arg(long, value_name = "NAME|FILE")]
    recipe: Option<String>,
    /// Bits of a fingerprint: 64, 128 or 256 [default: the recipe's]
    #[arg(long, value_name = "BITS")]
    width: Option<Width>,
    /// What part of an HTML page the text is, in place of the recipe's; the text of a row is then
    /// HTML too
    #[arg(long, value_enum, value_name = "PART")]
    html: Option<HtmlPart>,
    /// Statistics file of `nearprint idf build`, for weights or phrases that come from a corpus
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
    /// Folder of a dictionary that lindera built, for recipes of split = "lindera"
    #[arg(long, value_name = "DIR")]
    dictionary: Option<PathBuf>,
    /// Language of all texts, in place of the recipe's: a code such as en, or auto
    #[arg(long, value_name = "CODE")]
    language: Option<LanguageRule>,
}

/// [`Part`](nearprint_corpus::Part) of a page as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum HtmlPart {
    /// The main text, without navigation and other boilerplate
    Main,
    /// All text
    Full,
}

/// How far apart near-duplicates may be.
#[derive(Args)]
pub(crate) struct RadiusFlags {
    /// Radius: fingerprints that differ in at most K bits are near-duplicates [default: 3 at 64
    /// bits, 6 at 128, 12 at 256]
    #[arg(short, value_name = "K")]
    k: Option<u32>,
}

/// How the command runs.
#[derive(Args)]
pub(crate) struct RunFlags {
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// No progress bar, no closing summary
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl InputFlags {
    /// The sources that `inputs` name.
    pub(crate) fn discover(&self, inputs: &[String]) -> anyhow::Result<Vec<Source>> {
        if self.lines && self.input_format.is_some_and(|format| format != Format::Text) {
            return wrong("--lines is for texts: leave --input-format out, or make it text");
        }
        let sources = discover(inputs, self.input_format.and_then(Format::of_documents))?;
        Ok(if self.lines { sources.into_iter().map(Source::by_lines).collect() } else { sources })
    }

    /// How documents are read with these flags.
    pub(crate) fn reading(&self, content: Origin, threads: usize) -> anyhow::Result<Reading> {
        let (text, tag) = match &content {
            Origin::Text { recipe, .. } if recipe.weights == Weighting::Given => {
                (self.features_field.clone(), None)
            }
            Origin::Text { recipe, .. } => {
                if self.language_field.is_some() && recipe.language != LanguageRule::Auto {
                    return wrong(format!(
                        "--language-field: recipe {} does not go by the language of each document; \
                         use one with language = \"auto\", or --language auto",
                        recipe.name
                    ));
                }
                (self.text_field.clone(), self.language_field.clone())
            }
            Origin::Hex => (stored::FIELD.to_owned(), Some(stored::CONTENT_FIELD.to_owned())),
        };
        let on_error = match self.on_error {
            WhatOnError::Fail => OnError::Fail,
            WhatOnError::Skip => OnError::Skip,
        };
        let options = ReadOptions { max_record_bytes: self.max_record, ..ReadOptions::default() };
        let fields = Fields { id: self.id_field.clone(), text, tag, part: None, score: None };
        Ok(Reading { content, fields, on_error, options, threads })
    }
}

impl RecipeFlags {
    /// The width asked for.
    pub(crate) fn width(&self) -> Option<Width> {
        self.width
    }

    /// Whether the recipe is a built-in one, whose width is there to be chosen.
    pub(crate) fn is_built_in(&self) -> bool {
        Recipe::named(self.name()).is_ok()
    }

    /// The same flags with this width.
    pub(crate) fn with_width(&self, width: Option<Width>) -> Self {
        Self { width, ..self.clone() }
    }

    /// Whether a statistics file is given.
    pub(crate) fn has_statistics(&self) -> bool {
        self.idf.is_some()
    }

    /// Refuses what would make fingerprints in another way, where the input holds fingerprints of
    /// `width`.
    pub(crate) fn refuse_for_stored(&self, width: Width) -> anyhow::Result<()> {
        if let Some(asked) = self.width.filter(|&asked| asked != width) {
            return wrong(format!(
                "--width {asked}: the input holds fingerprints of {width} bits, which stay as they \
                 are; leave --width out"
            ));
        }
        let unused = [
            ("--recipe", self.recipe.is_some()),
            ("--html", self.html.is_some()),
            ("--idf", self.idf.is_some()),
            ("--dictionary", self.dictionary.is_some()),
            ("--language", self.language.is_some()),
        ];
        match unused.iter().find(|(_, given)| *given) {
            Some((flag, _)) => wrong(format!(
                "{flag}: the input holds fingerprints, which stay as they are; leave {flag} out, or \
                 give the texts"
            )),
            None => Ok(()),
        }
    }

    /// The name of the recipe asked for.
    fn name(&self) -> &str {
        self.recipe.as_deref().unwrap_or(Recipe::DEFAULT)
    }

    /// The recipe named, at the width and in the language asked for and with its dictionary, without
    /// its statistics.
    pub(crate) fn unbound(&self) -> anyhow::Result<Recipe> {
        let mut recipe = find_recipe(self.name())?;
        recipe.width = self.width.unwrap_or(recipe.width);
        match self.html {
            Some(HtmlPart::Main) => recipe.content = DocumentPart::HtmlMain,
            Some(HtmlPart::Full) => recipe.content = DocumentPart::HtmlFull,
            None => {}
        }
        if let Some(language) = self.language {
            recipe.language = language;
        }
        if let Some(folder) = self.dictionary.as_deref().filter(|_| recipe.check().is_ok()) {
            recipe = with_dictionary(&recipe, folder)?;
        }
        if let Err(error) = recipe.check().and_then(|()| recipe.ready()) {
            return wrong(format!("--recipe {}: {error}", self.name()));
        }
        Ok(recipe)
    }

    /// The recipe named, at the width and in the language asked for, and its statistics.
    pub(crate) fn recipe(&self) -> anyhow::Result<(Recipe, Option<Statistics>)> {
        let recipe = self.unbound()?;
        let Some(path) = &self.idf else {
            if recipe.needs_statistics() {
                let what = if recipe.phrases > 0 { "phrases" } else { "weights" };
                return wrong(format!(
                    "--recipe {}: its {what} come from a corpus; make a statistics file with \
                     `nearprint idf build` and give it by --idf",
                    self.name()
                ));
            }
            return Ok((recipe, None));
        };
        let statistics = idf::open(path)?;
        match recipe.bound_to_statistics(&statistics) {
            Ok(bound) => Ok((bound, Some(statistics))),
            Err(error) => wrong(format!("--idf {}: {error}", path.display())),
        }
    }

    /// The content of documents that go to where `stored` is the recipe: by that, or by the one that
    /// the flags name.
    pub(crate) fn content_like(&self, stored: &Recipe) -> anyhow::Result<(Recipe, Origin)> {
        let named = self.recipe.is_some() || self.html.is_some() || self.language.is_some();
        if named || self.width.is_some_and(|width| width != stored.width) {
            return self.with_width(self.width.or(Some(stored.width))).content();
        }
        let (recipe, statistics) =
            recipe_of(stored, self.idf.as_deref(), self.dictionary.as_deref())?;
        Ok((recipe.clone(), Origin::Text { recipe: Box::new(recipe), statistics }))
    }

    /// Text as content, by the recipe named.
    pub(crate) fn content(&self) -> anyhow::Result<(Recipe, Origin)> {
        let (recipe, statistics) = self.recipe()?;
        Ok((recipe.clone(), Origin::Text { recipe: Box::new(recipe), statistics }))
    }
}

impl RadiusFlags {
    /// The radius for fingerprints of `width`.
    pub(crate) fn k(&self, width: Width) -> anyhow::Result<u32> {
        Ok(self.asked(width)?.unwrap_or(Likeness::default_radius(width)))
    }

    /// Whether a radius is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.k.is_some()
    }

    /// The radius asked for.
    pub(crate) fn asked(&self, width: Width) -> anyhow::Result<Option<u32>> {
        let bits = width.bits();
        match self.k {
            Some(k) if k > bits => wrong(format!(
                "-k {k} is more than the {bits} bits of a fingerprint; use 0 to {bits}"
            )),
            k => Ok(k),
        }
    }
}

impl RunFlags {
    /// The number of worker threads.
    pub(crate) fn threads(&self) -> anyhow::Result<usize> {
        match self.threads {
            Some(0) => wrong("--threads 0: at least one thread has to work"),
            Some(threads) if threads > MAX_THREADS => {
                wrong(format!("--threads {threads}: use 1 to {MAX_THREADS}"))
            }
            Some(threads) => Ok(threads),
            None => Ok(thread::available_parallelism().map_or(1, usize::from)),
        }
    }
}

/// The recipe of a store with what it takes from files: its statistics and its dictionary.
pub(crate) fn recipe_of(
    stored: &Recipe,
    idf: Option<&Path>,
    dictionary: Option<&Path>,
) -> anyhow::Result<(Recipe, Option<Statistics>)> {
    let statistics = idf.map(idf::open).transpose()?;
    let stored = &match dictionary {
        Some(folder) => with_dictionary(stored, folder)?,
        None => stored.clone(),
    };
    if let Err(error) = stored.ready() {
        return wrong(format!("the recipe {}: {error}", stored.name));
    }
    match &statistics {
        None if stored.needs_statistics() => wrong(format!(
            "the recipe {} takes its weights or phrases from a corpus: give its statistics file by --idf",
            stored.name
        )),
        None => Ok((stored.clone(), None)),
        Some(found) => match stored.bound_to_statistics(found) {
            Ok(bound) => Ok((bound, statistics)),
            Err(error) => wrong(format!("--idf: {error}")),
        },
    }
}

/// The built-in recipe of that name, or the one in that file.
pub(crate) fn find_recipe(name: &str) -> anyhow::Result<Recipe> {
    if let Ok(recipe) = Recipe::named(name) {
        return Ok(recipe);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = Recipe::builtin().iter().map(|recipe| recipe.name.as_str()).collect();
        return wrong(format!(
            "--recipe {name}: neither a built-in recipe ({}) nor a file",
            names.join(", ")
        ));
    }
    let toml = std::fs::read_to_string(path).with_context(|| name.to_owned())?;
    match Recipe::from_toml(&toml) {
        Ok(recipe) => Ok(recipe),
        Err(error) => wrong(format!("--recipe {name}: {error}")),
    }
}

/// `recipe` with the dictionary in `folder` as part of it.
pub(crate) fn with_dictionary(recipe: &Recipe, folder: &Path) -> anyhow::Result<Recipe> {
    let flag = format!("--dictionary {}", folder.display());
    if recipe.split != Split::Lindera {
        return wrong(format!("{flag}: {}", RecipeError::DictionaryUnused));
    }
    if !folder.is_dir() {
        return wrong(format!("{flag}: no such folder; give one that `lindera build` wrote"));
    }
    let dictionary = match WordDictionary::open(|file| std::fs::read(folder.join(file))) {
        Err(error @ DictionaryError::NotBuilt) => return wrong(format!("{flag}: {error}")),
        opened => opened.with_context(|| folder.display().to_string())?,
    };
    recipe.bound_to_dictionary(&dictionary).or_else(|error| wrong(format!("{flag}: {error}")))
}

/// A size in bytes: a number, with K, M or G for powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(['K', 'M', 'G', 'k', 'm', 'g', 'B', 'i']);
    let unit = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" | "B" => 1_usize,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err("use a number of bytes such as 1048576, 64M or 2G".to_owned()),
    };
    let size = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    size.filter(|&size| size > 0)
        .ok_or_else(|| "use a number of bytes such as 1048576, 64M or 2G".to_owned())
}

/// Where spooled input goes where nothing else is said.
pub(crate) fn work_dir(asked: Option<&PathBuf>) -> PathBuf {
    asked.cloned().unwrap_or_else(std::env::temp_dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        for wrong in ["", "M", "-1", "1T", "1.5G", "0", "99999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_default_radius_keeps_the_angle() {
        let flags = RadiusFlags { k: None };
        let radii = Width::ALL.map(|width| flags.k(width).unwrap());
        assert_eq!(radii, [3, 6, 12]);
    }
}
