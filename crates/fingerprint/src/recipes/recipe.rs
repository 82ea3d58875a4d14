//! All that decides the bits of a fingerprint, in one value with an id. The recipes that come with
//! the library are in [`crate::recipes::builtin`].

use crate::error::RecipeError;
use crate::hashing::hash::TokenHash;
use crate::text::accents::Accents;
use crate::text::case::Case;
use crate::text::grams::{MAX_GRAM, grams};
use crate::text::language::{Language, LanguageRule};
use crate::text::lexicon::Memory;
use crate::text::normalize::Form;
use crate::text::token::Split;
use crate::text::word_dictionary::WordDictionary;
use crate::text::{stem, stop_words};
use crate::vote::shingle::MAX_SHINGLE;
use crate::vote::sums::SignRule;
use crate::vote::weight::Weighting;
use crate::weighing::statistics::StatisticsId;
use nearprint_bits::Width;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// The order in which the signs of V become the bits of the fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BitOrder {
    /// Bit `i` of the hash decides bit `i` of the fingerprint.
    Same,
    /// Bit `i` of the hash decides bit `width - 1 - i`.
    Reversed,
}

/// What part of a document the text is. Whoever reads documents acts on it; a fingerprinter is given
/// text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentPart {
    /// The document is text.
    #[default]
    Text,
    /// The main text of an HTML page: without navigation, advertisements and other boilerplate.
    HtmlMain,
    /// All text of an HTML page.
    HtmlFull,
}

/// What may be a duplicate of a *degenerate* document: one that is short, or one in which a single
/// feature has more than half of all weight, so that it alone decides every bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DegenerateRule {
    /// Only documents with the same tokens in the same order: too little is there to be near.
    #[default]
    Exact,
    /// Nothing.
    Apart,
    /// Whatever is within the radius, as with any other document.
    Join,
}

impl DegenerateRule {
    /// The name that recipes have for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Apart => "apart",
            Self::Join => "join",
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_one(value: &usize) -> bool {
    *value == 1
}

/// A complete statement of how text becomes a fingerprint.
///
/// Equal recipes give bit-identical fingerprints on every platform and in every release; any
/// difference but in `name` and `description` is another [`RecipeId`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Width};
///
/// let text = Recipe::named("text").unwrap();
/// let copy = Recipe::from_toml(&text.to_toml()).unwrap();
/// assert_eq!(copy.id(), text.id());
/// assert_ne!(text.with_width(Width::W128).id(), text.id());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// What people call it; no part of the id.
    pub name: String,
    /// What it is for; no part of the id.
    #[serde(default)]
    pub description: String,
    /// The version of the rules themselves: a change of bits is a new one.
    pub version: u32,
    /// What part of a document the text is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub content: DocumentPart,
    /// Unicode normalisation form of the text.
    pub normalize: Form,
    /// What happens to upper-case letters.
    pub case: Case,
    /// What happens to accents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub accents: Accents,
    /// The units that the text is cut into.
    pub split: Split,
    /// The dictionary that words come from, where `split` asks for one. It decides bits, so that
    /// fingerprints made with different ones are never taken together; set by [`WordDictionary::bind`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub dictionary: Option<WordDictionary>,
    /// Characters in a token, 1 to 16, where text is split into characters: each run of so many is one,
    /// as [`crate::text::grams`] has it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gram: usize,
    /// The language that stop words, stems and the runs of a mixed text go by.
    #[serde(default, skip_serializing_if = "is_default")]
    pub language: LanguageRule,
    /// Whether the stop words of the language are left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_words: bool,
    /// Tokens that are left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_list: Vec<String>,
    /// Whether tokens are brought to their stems, by the Snowball algorithm of the language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stem: bool,
    /// The score above which two neighbouring tokens are a phrase, and one token: see
    /// [`crate::learn::pair_counts::PairCounts`]. Phrases come from a statistics file. 0 stands for none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phrases: u32,
    /// Tokens in a feature, 1 to 16.
    pub shingle: usize,
    /// What a feature counts for.
    pub weights: Weighting,
    /// The statistics file that weights and phrases come from. It decides bits, so that fingerprints
    /// made with different ones are never taken together; set by [`crate::weighing::statistics::Statistics::bind`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub statistics: Option<StatisticsId>,
    /// Features that count: so many of the heaviest, of equal ones those that come first in the
    /// text. 0 stands for all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub top: usize,
    /// Distinct features below which a document is short. Fewer tokens than a shingle are short
    /// always.
    #[serde(default, skip_serializing_if = "is_default")]
    pub min_features: usize,
    /// What may be a duplicate of a short document, or of one that a single feature decides.
    #[serde(default, skip_serializing_if = "is_default")]
    pub degenerate: DegenerateRule,
    /// The hash of a token.
    pub hash: TokenHash,
    /// Bits of the fingerprint.
    pub width: Width,
    /// When a bit is set.
    pub sign: SignRule,
    /// Which bit of the hash decides which bit of the fingerprint.
    pub bit_order: BitOrder,
}

/// The version of the rules that this library applies.
pub(crate) const RECIPE_VERSION: u32 = 1;

impl Recipe {
    /// Reads a recipe from TOML, every key of which must be known.
    ///
    /// # Errors
    /// Names the line and what was expected there; a shingle length or version out of range.
    pub fn from_toml(text: &str) -> Result<Self, RecipeError> {
        let recipe: Self = toml::from_str(text)
            .map_err(|e| RecipeError::Toml { message: e.to_string().trim_end().to_owned() })?;
        if recipe.version != RECIPE_VERSION {
            return Err(RecipeError::Version { found: recipe.version, known: RECIPE_VERSION });
        }
        recipe.check()?;
        Ok(recipe)
    }

    /// Whether the keys agree with each other.
    ///
    /// # Errors
    /// The first pair of keys that do not, and what to do.
    pub fn check(&self) -> Result<(), RecipeError> {
        if !(1..=MAX_SHINGLE).contains(&self.shingle) {
            return Err(RecipeError::Shingle { found: self.shingle, most: MAX_SHINGLE });
        }
        if !(1..=MAX_GRAM).contains(&self.gram) {
            return Err(RecipeError::Gram { found: self.gram, most: MAX_GRAM });
        }
        if self.hash == TokenHash::Python && self.shingle != 1 {
            return Err(RecipeError::PythonShingle);
        }
        self.check_language()?;
        let says = |holds: bool, keys: &str, remedy| {
            let keys = keys.to_owned();
            if holds { Err(RecipeError::Contradiction { keys, remedy }) } else { Ok(()) }
        };
        says(
            self.gram > 1 && self.split != Split::Characters,
            &format!("gram = {}", self.gram),
            "runs of characters are tokens: use split = \"characters\"",
        )?;
        says(
            self.dictionary.is_some() && self.split != Split::Lindera,
            "dictionary",
            "only split = \"lindera\" uses one: leave it out",
        )?;
        says(
            self.hash == TokenHash::Python && !self.is_plain(),
            "hash = \"python\"",
            "it reproduces one program that knows set, count and log weights of plain tokens only",
        )?;
        says(
            self.weights == Weighting::Keywords && self.split != Split::Zh,
            "weights = \"keywords\"",
            "they are those of jieba: use split = \"zh\"",
        )?;
        says(
            matches!(self.weights, Weighting::Keywords | Weighting::Textrank) && self.shingle != 1,
            &format!("shingle = {}", self.shingle),
            "keywords and textrank weigh single tokens: use shingle = 1",
        )?;
        says(
            self.phrases > 0 && matches!(self.weights, Weighting::Keywords | Weighting::Given),
            &format!("phrases = {}", self.phrases),
            "keywords and given features are taken as they are: leave phrases out",
        )?;
        says(
            self.weights == Weighting::Given
                && (self.normalize, self.case, self.split, self.shingle)
                    != (Form::Keep, Case::Keep, Split::Blanks, 1),
            "weights = \"given\"",
            "features are taken as they come: use normalize = \"keep\", case = \"keep\", \
             split = \"blanks\" and shingle = 1",
        )
    }

    fn check_language(&self) -> Result<(), RecipeError> {
        let says = |holds: bool, keys: &str, remedy| {
            let keys = keys.to_owned();
            if holds { Err(RecipeError::Contradiction { keys, remedy }) } else { Ok(()) }
        };
        let depends = self.stop_words || self.stem;
        says(
            depends && self.language == LanguageRule::None,
            "stop-words and stem",
            "they depend on the language: set language to a code such as \"en\", or to \"auto\"",
        )?;
        says(
            !self.depends_on_language() && self.language != LanguageRule::None,
            "language",
            "nothing depends on it: leave it out, or set stop-words, stem or split = \"mixed\"",
        )?;
        says(
            self.stem && self.case == Case::Keep,
            "stem = true and case = \"keep\"",
            "stems are those of lower-case words: use case = \"lower\"",
        )?;
        if let LanguageRule::Of(language) = self.language {
            let lacks =
                |what, key| RecipeError::LanguageLacks { language: language.code(), what, key };
            if self.stop_words && stop_words::list(language).is_none() {
                return Err(lacks("list of stop words", "stop-words"));
            }
            if self.stem && !stem::is_offered(language) {
                return Err(lacks("stemming algorithm", "stem"));
            }
        }
        Ok(())
    }

    /// Whether a document's language can decide a bit.
    #[must_use]
    pub fn depends_on_language(&self) -> bool {
        self.stop_words || self.stem || self.split == Split::Mixed
    }

    /// Whether anything in it comes from a statistics file.
    #[must_use]
    pub fn needs_statistics(&self) -> bool {
        self.asks_statistics().is_some()
    }

    /// The key whose value comes from a statistics file.
    pub(crate) fn asks_statistics(&self) -> Option<&'static str> {
        match self.weights {
            Weighting::Idf => Some("weights = \"idf\""),
            Weighting::Bm25 => Some("weights = \"bm25\""),
            _ if self.phrases > 0 => Some("phrases"),
            _ => None,
        }
    }

    /// Whether this build has all that the recipe asks for.
    ///
    /// # Errors
    /// A dictionary that it lacks, or that is to be given.
    pub fn ready(&self) -> Result<(), RecipeError> {
        let lacks = |what, feature| Err(RecipeError::NotBuilt { what, feature });
        match self.split {
            Split::Zh if !cfg!(feature = "zh") => lacks("split = \"zh\"", "zh"),
            Split::Mixed if !cfg!(feature = "zh") => lacks("split = \"mixed\"", "zh"),
            Split::Dictionary if !cfg!(feature = "dictionary") => {
                lacks("split = \"dictionary\"", "dictionary")
            }
            Split::Mixed if !cfg!(feature = "dictionary") => {
                lacks("split = \"mixed\"", "dictionary")
            }
            Split::Lindera if !cfg!(feature = "lindera") => lacks("split = \"lindera\"", "lindera"),
            Split::Lindera if !self.dictionary.as_ref().is_some_and(WordDictionary::is_open) => {
                let named = self.dictionary.as_ref().map(ToString::to_string);
                Err(RecipeError::DictionaryMissing { named })
            }
            _ => Ok(()),
        }
    }

    /// The same features, each once a document: what statistics count.
    pub(crate) fn of_features(&self) -> Self {
        let weights = match self.weights {
            // These choose among the tokens.
            Weighting::Keywords => Weighting::Keywords,
            _ => Weighting::Set,
        };
        Self { weights, top: 0, ..self.clone() }
    }

    /// The keys that decide which features a text has, one `key = value` a line.
    pub(crate) fn feature_form(&self) -> String {
        const NOT_OF_FEATURES: [&str; 8] = [
            "weights",
            "statistics",
            "top",
            "min-features",
            "degenerate",
            "width",
            "sign",
            "bit-order",
        ];
        let canonical = self.canonical();
        let of_features = |line: &&str| {
            line.split_once(" = ").is_some_and(|(key, _)| !NOT_OF_FEATURES.contains(&key))
        };
        canonical.lines().filter(of_features).flat_map(|line| [line, "\n"]).collect()
    }

    /// How another [`Self::feature_form`] differs, in the words of [`Self::differences`].
    pub(crate) fn feature_differences(&self, other: &str) -> Vec<String> {
        form_differences(&self.feature_form(), other)
    }

    /// Whether text goes straight from tokens to counts to integer weights: the recipes that have a
    /// path of their own.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.split, Split::Words | Split::Blanks | Split::Characters)
            && self.accents == Accents::Keep
            && !self.stop_words
            && self.stop_list.is_empty()
            && !self.stem
            && self.phrases == 0
            && self.weights.is_integer()
            && self.top == 0
    }

    /// Calls `emit` with each token of `text`, which is in the recipe's normal form and without the
    /// accents that it strips, in order, its case mapped. Stop words and stems are left as they are.
    ///
    /// `language` is that of the document; `scratch` is working memory: its contents do not matter.
    ///
    /// # Complexity
    /// Linear in the length of `text`.
    pub fn tokens(
        &self,
        language: Option<Language>,
        text: &str,
        scratch: &mut String,
        emit: impl FnMut(&str),
    ) {
        self.tokens_with(&mut Memory::default(), language, text, scratch, emit);
    }

    /// As [`Self::tokens`], with the memory that a dictionary works in.
    pub(crate) fn tokens_with(
        &self,
        memory: &mut Memory,
        language: Option<Language>,
        text: &str,
        scratch: &mut String,
        mut emit: impl FnMut(&str),
    ) {
        if self.gram > 1 {
            grams(text, self.gram, self.case, scratch, emit);
        } else if let Some(dictionary) = &self.dictionary {
            dictionary.words(text, memory, |word| {
                scratch.clear();
                self.case.map_into(word, scratch);
                emit(scratch);
            });
        } else {
            self.split.tokens_in(language, text, self.case, scratch, emit);
        }
    }

    /// The recipe as TOML that [`Self::from_toml`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The same recipe at another width.
    #[must_use]
    pub fn with_width(&self, width: Width) -> Self {
        Self { width, ..self.clone() }
    }

    /// The id: XXH3-128 of the canonical form.
    #[must_use]
    pub fn id(&self) -> RecipeId {
        RecipeId(xxh3_128(self.canonical().as_bytes()))
    }

    /// One `key = value` a line, keys in a fixed order, name and description left out.
    fn canonical(&self) -> String {
        let unnamed = Self { name: String::new(), description: String::new(), ..self.clone() };
        let toml = unnamed.to_toml();
        let lines = toml.lines().filter(|l| !l.starts_with("name") && !l.starts_with("descr"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// How `other` differs, as `key: this, that` in words; empty where the bits are the same.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let text = Recipe::named("text").unwrap();
    /// assert_eq!(text.differences(&text.with_width(Width::W128)), ["width = 64 here, 128 there"]);
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        form_differences(&self.canonical(), &other.canonical())
    }
}

/// How two forms of `key = value` lines differ, by key.
fn form_differences(ours: &str, theirs: &str) -> Vec<String> {
    let keys =
        |text| -> BTreeMap<_, _> { str::lines(text).filter_map(|l| l.split_once(" = ")).collect() };
    let (ours, theirs) = (keys(ours), keys(theirs));
    let all: BTreeSet<_> = ours.keys().chain(theirs.keys()).copied().collect();
    let value = |keys: &BTreeMap<_, _>, key| keys.get(key).copied().unwrap_or("absent").to_owned();
    all.into_iter()
        .filter(|key| ours.get(key) != theirs.get(key))
        .map(|key| format!("{key} = {} here, {} there", value(&ours, key), value(&theirs, key)))
        .collect()
}

/// The identity of a recipe, stored wherever fingerprints are: 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecipeId(u128);

impl From<u128> for RecipeId {
    fn from(id: u128) -> Self {
        Self(id)
    }
}

impl From<RecipeId> for u128 {
    fn from(id: RecipeId) -> Self {
        id.0
    }
}

impl fmt::Display for RecipeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipes::recipe::Recipe;

    #[test]
    fn every_setting_changes_the_id_and_names_do_not() {
        let text = Recipe::named("text").unwrap();
        let named = Recipe { name: "x".into(), description: "y".into(), ..text.clone() };
        assert_eq!(named.id(), text.id());
        let others = [
            Recipe { version: 2, ..text.clone() },
            Recipe { normalize: Form::Nfc, ..text.clone() },
            Recipe { content: DocumentPart::HtmlMain, ..text.clone() },
            Recipe { case: Case::Keep, ..text.clone() },
            Recipe { accents: Accents::Strip, ..text.clone() },
            Recipe { gram: 4, ..text.clone() },
            Recipe { language: LanguageRule::Auto, ..text.clone() },
            Recipe { stop_words: true, ..text.clone() },
            Recipe { stop_list: vec!["x".into()], ..text.clone() },
            Recipe { stem: true, ..text.clone() },
            Recipe { phrases: 10, ..text.clone() },
            Recipe { top: 9, ..text.clone() },
            Recipe { min_features: 8, ..text.clone() },
            Recipe { degenerate: DegenerateRule::Apart, ..text.clone() },
            Recipe { split: Split::Blanks, ..text.clone() },
            Recipe { shingle: 4, ..text.clone() },
            Recipe { weights: Weighting::Count, ..text.clone() },
            Recipe { hash: TokenHash::Fnv1a, ..text.clone() },
            Recipe { width: Width::W256, ..text.clone() },
            Recipe { sign: SignRule::NonNegative, ..text.clone() },
            Recipe { bit_order: BitOrder::Reversed, ..text.clone() },
        ];
        for other in others {
            assert_ne!(other.id(), text.id(), "{other:?}");
            assert_eq!(text.differences(&other).len(), 1, "{other:?}");
        }
    }

    #[test]
    fn a_wrong_recipe_says_what_is_wrong() {
        let toml = Recipe::named("text").unwrap().to_toml();
        let error = |from: &str, to: &str| {
            Recipe::from_toml(&toml.replace(from, to)).unwrap_err().to_string()
        };
        assert!(error("case", "kase").contains("unknown field `kase`"));
        assert!(error("width = 64", "width = 65").contains("width 65 is not offered"));
        assert!(error("shingle = 3", "shingle = 17").contains("1 to 16"));
        assert!(
            error("shingle = 3", "gram = 0\nshingle = 3").contains("gram = 0: use a length of 1")
        );
        assert!(error("shingle = 3", "gram = 4\nshingle = 3").contains("split = \"characters\""));
        assert!(error("version = 1", "version = 9").contains("version 9"));
        assert!(error("weights = \"set\"", "").contains("missing field `weights`"));
        assert!(error("\"xxh3\"", "\"python\"").contains("shingle = 1"));
        assert!(error("\"words\"", "\"klingon\"").contains("unknown variant `klingon`"));
    }

    #[test]
    fn keys_that_contradict_each_other_are_refused() {
        let words = Recipe::named("words").unwrap();
        let error = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = words.clone();
            change(&mut recipe);
            let error = recipe.check().unwrap_err().to_string();
            assert_eq!(Recipe::from_toml(&recipe.to_toml()).unwrap_err().to_string(), error);
            error
        };
        let of = |code: &str| code.parse::<LanguageRule>().unwrap();
        assert!(error(&|r| r.stem = true).contains("set language"));
        assert!(error(&|r| r.language = LanguageRule::Auto).contains("nothing depends on it"));
        assert!(error(&|r| (r.stem, r.language) = (true, of("zh"))).contains("no stemming"));
        assert!(error(&|r| (r.stop_words, r.language) = (true, of("is"))).contains("no list"));
        assert!(
            error(&|r| (r.stem, r.case, r.language) = (true, Case::Keep, of("en")))
                .contains("lower-case")
        );
        assert!(error(&|r| r.weights = Weighting::Keywords).contains("split = \"zh\""));
        assert!(
            error(&|r| (r.weights, r.shingle) = (Weighting::Textrank, 2)).contains("shingle = 1")
        );
        assert!(
            error(&|r| (r.weights, r.split, r.phrases) = (Weighting::Keywords, Split::Zh, 9))
                .contains("phrases = 9: keywords")
        );
        assert!(error(&|r| r.weights = Weighting::Given).contains("as they come"));
        assert!(error(&|r| (r.hash, r.top) = (TokenHash::Python, 3)).contains("one program"));
    }
}
