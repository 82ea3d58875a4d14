//! The recipe that makes fingerprints, and the files that it needs.

use crate::flags::heading::DUPLICATE;
use crate::flags::likeness::LikenessFlags;
use crate::flags::recipe_files::RecipeFiles;
use crate::flags::statistics;
use crate::usage::{say, wrong};
use anyhow::Context;
use clap::{Args, ValueEnum};
use nearprint_corpus::{InputFormat, Source};
use nearprint_dedup::{FingerprintSpec, InputSpec, JobSpec, Origin};
use nearprint_fingerprint::{
    DocumentPart, LanguageRule, Recipe, RecipeError, Statistics, Width, WordFileKind,
};
use std::path::{Path, PathBuf};

/// The recipe that archives are compared by where nobody names one.
const PAGES: &str = "web";

/// What is said of that.
const ARCHIVES: &str =
    "web archives: recipe web compares the main text of pages (--recipe names another)";

/// Says that the recipe of pages was taken, where a stream turned out to be an archive.
pub(crate) fn say_of_streams(input: &InputSpec, recipe: &str) {
    if input.archives_recipe.is_some() && recipe == PAGES {
        say(ARCHIVES);
    }
}

/// What becomes a fingerprint, and how.
#[derive(Args, Clone)]
pub(crate) struct RecipeFlags {
    /// Recipe by name or file [default: text; of web archives: web]
    ///
    /// A recipe turns text into fingerprints: `nearprint recipe list` names all. A recipe of your own is a TOML file.
    #[arg(long, value_name = "NAME|FILE", help_heading = DUPLICATE)]
    recipe: Option<String>,
    /// Bits of a fingerprint: 64, 128 or 256 [default: as the recipe says]
    ///
    /// Built-in recipes leave the width open. Fingerprints then have 64 bits, also with -k. Commands that use a
    /// similarity take 128, or 256 if fingerprints find a cosine.
    #[arg(long, value_name = "BITS", help_heading = DUPLICATE)]
    width: Option<Width>,
    #[command(flatten)]
    parts: RecipeParts,
}

/// What a recipe takes beside its name and its width.
#[derive(Args, Clone)]
pub(crate) struct RecipeParts {
    /// Part of an HTML page to take
    ///
    /// This replaces the part that the recipe takes. The text of a row is then HTML too.
    #[arg(long, value_enum, value_name = "PART", help_heading = DUPLICATE)]
    html: Option<HtmlPart>,
    /// Statistics file of `nearprint idf build`; for keywords, an idf file of jieba
    ///
    /// For recipes that take weights or phrases from a corpus. A recipe of weights = "keywords" takes a
    /// text file with a word and its inverse document frequency on each line.
    #[arg(long, value_name = "FILE", help_heading = DUPLICATE, hide_short_help = true)]
    idf: Option<PathBuf>,
    /// Folder of a dictionary that lindera built; for Chinese, a user dictionary of jieba
    ///
    /// For recipes of split = "lindera". A recipe of split = "zh" takes a text file with a word on each line. Its
    /// frequency and its part of speech may follow the word.
    #[arg(long, value_name = "PATH", help_heading = DUPLICATE, hide_short_help = true)]
    dictionary: Option<PathBuf>,
    /// Text file of stop words, one a line
    ///
    /// For recipes of split = "zh".
    #[arg(long, value_name = "FILE", help_heading = DUPLICATE, hide_short_help = true)]
    stop_words: Option<PathBuf>,
    /// Language of all texts, in place of the recipe's: a code such as en, or auto
    #[arg(long, value_name = "CODE", help_heading = DUPLICATE, hide_short_help = true)]
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

impl RecipeFlags {
    /// The flags for a recipe by its name or file.
    pub(crate) fn of_parts(
        recipe: Option<String>,
        width: Option<Width>,
        parts: &RecipeParts,
    ) -> Self {
        Self { recipe, width, parts: parts.clone() }
    }

    /// The same flags without a statistics file, where the recipe takes none.
    pub(crate) fn with_statistics_if_taken(mut self) -> anyhow::Result<Self> {
        let recipe = self.unbound()?;
        if self.files().statistics(&recipe).is_some() && recipe.check_no_statistics().is_ok() {
            self.parts.idf = None;
        }
        Ok(self)
    }

    /// The same flags with the recipe of pages, where all of the input is archives and neither a recipe nor a part of
    /// pages is named. Says so, unless the run is `quiet`.
    pub(crate) fn suiting(&self, sources: &[Source], quiet: bool) -> Self {
        let is_archive = |source: &Source| source.format().is_some_and(InputFormat::is_archive);
        if self.recipe.is_some() || self.parts.html.is_some() || sources.is_empty() {
            return self.clone();
        }
        let other = sources.iter().find(|source| !is_archive(source));
        if other.is_some() {
            if let Some(other) = other.filter(|_| !quiet && sources.iter().any(is_archive)) {
                say(&format!(
                    "{} is no web archive, so recipe {} compares all; name --recipe web for the archives, or leave the \
                     file out (in folders by --exclude)",
                    other.name(),
                    self.name()
                ));
            }
            return self.clone();
        }
        if !quiet {
            say(ARCHIVES);
        }
        self.named(PAGES)
    }

    /// The recipe of pages, where some of the input is a stream that may be an archive as all other input is, and neither
    /// a recipe nor a part of pages is named.
    pub(crate) fn of_streams(&self, sources: &[Source]) -> anyhow::Result<Option<Recipe>> {
        let is_archive = |source: &Source| source.format().is_some_and(InputFormat::is_archive);
        let is_untold = |source: &Source| source.is_stream() && source.format().is_none();
        let may_be = sources.iter().all(|source| is_archive(source) || is_untold(source))
            && sources.iter().any(is_untold);
        let is_open = self.recipe.is_none() && self.parts.html.is_none();
        Ok(if may_be && is_open { Some(self.named(PAGES).unbound()?) } else { None })
    }

    /// The recipe that suits these sources, without statistics, and that of streams.
    pub(crate) fn texts(
        &self,
        sources: &[Source],
        quiet: bool,
    ) -> anyhow::Result<(Recipe, Option<Recipe>)> {
        Ok((self.suiting(sources, quiet).unbound()?, self.of_streams(sources)?))
    }

    /// The width asked for.
    pub(crate) fn width(&self) -> Option<Width> {
        self.width
    }

    /// The same flags for verbs that look for near-duplicates: at the width that suits what is asked for, where
    /// neither the flags nor the recipe name one. A radius that this width does not suit is refused.
    pub(crate) fn wide(&self, likeness: &LikenessFlags) -> anyhow::Result<Self> {
        likeness.refuse_idle_width(self.width)?;
        let recipe = find_recipe(self.name())?;
        let fingerprints = FingerprintSpec { recipe, ..FingerprintSpec::default() };
        let asked = JobSpec { fingerprints, criteria: likeness.asked(), ..JobSpec::default() };
        let usual = asked.usual_width();
        if self.leaves_width_open()? {
            likeness.check_usual(usual)?;
        }
        self.or_width(usual)
    }

    /// The same flags at `width`, where neither the flags nor the recipe name one.
    pub(crate) fn or_width(&self, width: Width) -> anyhow::Result<Self> {
        let is_open = self.leaves_width_open()?;
        Ok(self.with_width(if is_open { Some(width) } else { self.width }))
    }

    /// Whether neither the flags nor the recipe name a width.
    fn leaves_width_open(&self) -> anyhow::Result<bool> {
        Ok(self.width.is_none() && leaves_width_open(self.name())?)
    }

    /// The same flags with this width.
    pub(crate) fn with_width(&self, width: Option<Width>) -> Self {
        Self { width, ..self.clone() }
    }

    /// Whether a recipe is named.
    pub(crate) fn is_named(&self) -> bool {
        self.recipe.is_some()
    }

    /// The same flags with this recipe.
    pub(crate) fn named(&self, recipe: &str) -> Self {
        Self { recipe: Some(recipe.to_owned()), ..self.clone() }
    }

    /// Whether a statistics file is given.
    pub(crate) fn has_statistics(&self) -> bool {
        self.parts.idf.is_some()
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
        self.refuse_all_but_width()
    }

    /// Refuses what would make fingerprints in another way, where the input holds fingerprints.
    pub(crate) fn refuse_all_but_width(&self) -> anyhow::Result<()> {
        match self.first_given() {
            Some(flag) => wrong(format!(
                "{flag}: the input holds fingerprints, which stay as they are; leave {flag} out, or \
                 give the texts"
            )),
            None => Ok(()),
        }
    }

    /// Refuses every flag, where features come with their bits.
    pub(crate) fn refuse_for_bits(&self) -> anyhow::Result<()> {
        match self.first_given().or(self.width.map(|_| "--width")) {
            Some(flag) => wrong(format!(
                "{flag}: features with --bits contain their hashes, so no recipe is used; leave {flag} out"
            )),
            None => Ok(()),
        }
    }

    /// A flag that is given, other than that of the width.
    fn first_given(&self) -> Option<&'static str> {
        let flags = [
            ("--recipe", self.recipe.is_some()),
            ("--html", self.parts.html.is_some()),
            ("--idf", self.parts.idf.is_some()),
            ("--dictionary", self.parts.dictionary.is_some()),
            ("--stop-words", self.parts.stop_words.is_some()),
            ("--language", self.parts.language.is_some()),
        ];
        flags.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }

    /// The files that the recipe takes something from.
    fn files(&self) -> RecipeFiles<'_> {
        RecipeFiles {
            idf: self.parts.idf.as_deref(),
            dictionary: self.parts.dictionary.as_deref(),
            stop_words: self.parts.stop_words.as_deref(),
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
        match self.parts.html {
            Some(HtmlPart::Main) => recipe = recipe.with_content(DocumentPart::HtmlMain),
            Some(HtmlPart::Full) => recipe = recipe.with_content(DocumentPart::HtmlFull),
            None => {}
        }
        if let Some(language) = self.parts.language {
            if !recipe.depends_on_language() {
                return wrong(format!(
                    "--language: recipe {} treats all languages alike; leave it out, or use a recipe of stop-words, \
                     stem or split = \"mixed\"",
                    self.name()
                ));
            }
            recipe.language = language;
        }
        if recipe.check().is_ok() {
            recipe = self.files().bind_words(&recipe)?;
        }
        if let Err(error) = recipe.check().and_then(|()| recipe.ready()) {
            return wrong(format!("--recipe {}: {}", self.name(), with_remedy(&error)));
        }
        Ok(recipe)
    }

    /// The recipe named, at the width and in the language asked for, and its statistics.
    pub(crate) fn recipe(&self) -> anyhow::Result<(Recipe, Option<Statistics>)> {
        let recipe = self.unbound()?;
        let Some(path) = self.files().statistics(&recipe) else {
            return match recipe.check_no_statistics() {
                Ok(()) => Ok((recipe, None)),
                Err(error) => wrong(format!("--recipe {}: {}", self.name(), with_remedy(&error))),
            };
        };
        let statistics = statistics::open(path)?;
        match recipe.bound_to_statistics(&statistics) {
            Ok(bound) => Ok((bound, Some(statistics))),
            Err(error) => wrong(format!("--idf {}: {error}", path.display())),
        }
    }

    /// The content of documents that go to where `stored` is the recipe: by that, or by the one that
    /// the flags name.
    pub(crate) fn content_like(&self, stored: &Recipe) -> anyhow::Result<(Recipe, Origin)> {
        let named =
            self.recipe.is_some() || self.parts.html.is_some() || self.parts.language.is_some();
        if named || self.width.is_some_and(|width| width != stored.width) {
            return self.with_width(self.width.or(Some(stored.width))).content();
        }
        let (recipe, statistics) = recipe_of(stored, self.files())?;
        Ok((recipe.clone(), Origin::Text { recipe: Box::new(recipe), statistics }))
    }

    /// Text as content, by the recipe named.
    pub(crate) fn content(&self) -> anyhow::Result<(Recipe, Origin)> {
        let (recipe, statistics) = self.recipe()?;
        Ok((recipe.clone(), Origin::Text { recipe: Box::new(recipe), statistics }))
    }
}

/// The recipe of a store with what it takes from files.
pub(crate) fn recipe_of(
    stored: &Recipe,
    files: RecipeFiles<'_>,
) -> anyhow::Result<(Recipe, Option<Statistics>)> {
    with_statistics(&files.bind_words(stored)?, files)
}

/// `stored`, which has its files of words, with its statistics.
pub(crate) fn with_statistics(
    stored: &Recipe,
    files: RecipeFiles<'_>,
) -> anyhow::Result<(Recipe, Option<Statistics>)> {
    let statistics = files.statistics(stored).map(statistics::open).transpose()?;
    let without = || if statistics.is_none() { stored.check_no_statistics() } else { Ok(()) };
    if let Err(error) = stored.ready().and_then(|()| without()) {
        return wrong(format!("the recipe {}: {}", stored.name, with_remedy(&error)));
    }
    match &statistics {
        None => Ok((stored.clone(), None)),
        Some(found) => match stored.bound_to_statistics(found) {
            Ok(bound) => Ok((bound, statistics)),
            Err(error) => wrong(format!("--idf: {error}")),
        },
    }
}

/// What is wrong with a recipe, and the flag that helps where one does.
pub(crate) fn with_remedy(error: &RecipeError) -> String {
    match error {
        RecipeError::DictionaryMissing { .. } => {
            format!("{error}; give its folder with --dictionary")
        }
        RecipeError::WordFileMissing { file, .. } => {
            let flag = match file {
                WordFileKind::User => "--dictionary",
                WordFileKind::Stop => "--stop-words",
                _ => "--idf",
            };
            format!("{error}; give it with {flag}")
        }
        RecipeError::StatisticsMissing { .. } => {
            format!("{error}; make one with `nearprint idf build` and give it with --idf")
        }
        _ => error.to_string(),
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

/// Whether the recipe of that name, or in that file, names no width.
pub(crate) fn leaves_width_open(name: &str) -> anyhow::Result<bool> {
    if Recipe::named(name).is_ok() {
        return Ok(true);
    }
    let Ok(toml) = std::fs::read_to_string(name) else { return Ok(false) };
    Ok(!Recipe::names_width(&toml))
}
