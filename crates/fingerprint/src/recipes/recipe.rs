//! All that decides the bits of a fingerprint, in one value with an id. The recipes that come with
//! the library are in [`crate::recipes::builtin`].

use crate::degenerate::DegenerateRule;
use crate::error::RecipeError;
use crate::hashing::hash::TokenHash;
use crate::ids::{RecipeId, StatisticsId};
use crate::text::accents::Accents;
use crate::text::case::Case;
use crate::text::form::TextForm;
use crate::text::grams::grams;
use crate::text::idf_file::{IdfFile, UnlistedIdf};
use crate::text::language::{Language, LanguageRule};
use crate::text::lexicon::Memory;
use crate::text::normalize::NormalForm;
use crate::text::stop_file::StopFile;
use crate::text::token::Split;
use crate::text::user_dictionary::UserDictionary;
use crate::text::word_dictionary::WordDictionary;
use crate::vote::sums::SignRule;
use crate::vote::weight::Weighting;
use nearprint_bits::Width;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The order in which the signs of V become the bits of the fingerprint.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{BitOrder, Recipe};
///
/// let text = Recipe::named("text")?;
/// let reversed = Recipe { bit_order: BitOrder::Reversed, ..text.clone() };
/// let long = "A text of more than three words.";
/// let [a, b] = [text, reversed].map(|recipe| recipe.fingerprinter::<1>().unwrap().fingerprint(long));
/// assert_eq!(a.fingerprint.reverse_bits(), b.fingerprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BitOrder {
    /// Bit `i` of the hash decides bit `i` of the fingerprint.
    #[default]
    Same,
    /// Bit `i` of the hash decides bit `width - 1 - i`.
    Reversed,
}

/// What part of a document the text is. The reader of documents acts on it; a fingerprinter gets
/// text.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{DocumentPart, Recipe};
///
/// assert_eq!(Recipe::named("web")?.content, DocumentPart::HtmlMain);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn narrowest() -> Width {
    Width::W64
}

fn unnamed() -> String {
    "unnamed".to_owned()
}

/// Of stored forms, which this library writes with their version. [`Recipe::from_toml`] takes the newest.
fn first_version() -> u32 {
    1
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
/// difference but in `name` and `description` is another [`RecipeId`](crate::ids::RecipeId).
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
    #[serde(default = "unnamed")]
    pub name: String,
    /// What it is for; no part of the id.
    #[serde(default)]
    pub description: String,
    /// The version of the rules themselves: a change of bits is a new one. Version 2 differs from
    /// version 1 in what the main text of a page is, and is for [`DocumentPart::HtmlMain`] alone.
    /// Version 3 is for [`Split::Zh`] alone: words and ranks are exactly those of jieba. The main
    /// text of a page is there as in version 2. Version 4 is for [`DocumentPart::HtmlMain`] alone: the structure
    /// of a page decides what its main text is. Chinese words are there as in version 3. In version 5 what a reader
    /// does not see, or sees as the same sign, makes no difference; all else is there as in version 4. It is the newest
    /// for text that people read: not for [`Split::Zh`], whose words and weights are those of jieba, and not for
    /// [`Split::Code`].
    /// [`Recipe::from_toml`] takes the newest where a file names none.
    #[serde(default = "first_version")]
    pub version: u32,
    /// What part of a document the text is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub content: DocumentPart,
    /// Unicode normalisation form of the text.
    #[serde(default)]
    pub normalize: NormalForm,
    /// What happens to upper-case letters.
    #[serde(default)]
    pub case: Case,
    /// What happens to accents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub accents: Accents,
    /// The units that the text is cut into.
    pub split: Split,
    /// The dictionary that words come from, where `split` asks for one. It decides bits, so that
    /// fingerprints made with different ones are never taken together; set by [`Self::bound_to_dictionary`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub dictionary: Option<WordDictionary>,
    /// A user dictionary of jieba, whose words are cut as a whole. Set by [`Self::bound_to_user_dictionary`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub user_dictionary: Option<UserDictionary>,
    /// Parts of speech, as jieba calls them, of the words that count. Without any, all count; of
    /// [`Weighting::Textrank`] only place names, nouns, verbs and verbs as nouns (`ns`, `n`, `v`, `vn`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub parts_of_speech: Vec<String>,
    /// Characters of the shortest word that counts. 0 stands for 2 where words are ranked as jieba does
    /// it, and else for 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub min_length: usize,
    /// Characters in a token, 1 to 16, where text is split into characters: each run of so many is one,
    /// as `grams` has it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gram: usize,
    /// The language of stop words, stems and the runs of a mixed text.
    #[serde(default, skip_serializing_if = "is_default")]
    pub language: LanguageRule,
    /// Whether the stop words of the language are left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_words: bool,
    /// Tokens that are left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_list: Vec<String>,
    /// A file of further tokens that are left out, as jieba reads one. Set by [`Self::bound_to_stop_file`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_file: Option<StopFile>,
    /// Whether tokens are brought to their stems, by the Snowball algorithm of the language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stem: bool,
    /// The score above which two neighbouring tokens are a phrase, and one token: see
    /// [`crate::learn::pair_counts::PairCounts`]. Phrases come from a statistics file. 0 stands for none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phrases: u32,
    /// Tokens in a feature, 1 to 16.
    #[serde(default = "one")]
    pub shingle: usize,
    /// What a feature counts for.
    pub weights: Weighting,
    /// The statistics file that weights and phrases come from. It decides bits, so that fingerprints
    /// made with different ones are never taken together; set by [`Self::bound_to_statistics`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub statistics: Option<StatisticsId>,
    /// The file of inverse document frequencies that keywords are weighed by, in place of those that
    /// come with jieba. Set by [`Self::bound_to_idf_file`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub idf_file: Option<IdfFile>,
    /// What a word counts that the file does not list.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unlisted_idf: UnlistedIdf,
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
    #[serde(default)]
    pub hash: TokenHash,
    /// Bits of the fingerprint: 64 where a file leaves it out, for whoever uses the recipe to choose.
    #[serde(default = "narrowest")]
    pub width: Width,
    /// When a bit is set.
    #[serde(default)]
    pub sign: SignRule,
    /// Which bit of the hash decides which bit of the fingerprint.
    #[serde(default)]
    pub bit_order: BitOrder,
}

/// Whether a TOML table has a key; false for what is no TOML.
fn names(toml: &str, key: &str) -> bool {
    toml::from_str::<toml::Table>(toml).is_ok_and(|recipe| recipe.contains_key(key))
}

/// The newest version of the rules that this library applies; it applies those before, too.
const RECIPE_VERSION: u32 = 5;

impl Recipe {
    /// Reads a recipe from TOML. Every key must be known. `split` and `weights` must be there: they are
    /// choices. Every other key has a default: that of an enumeration, `shingle = 1`, `width = 64`, the name
    /// `unnamed`, and the newest version of the rules for what the recipe is about. So a file that names no
    /// version may get another id by a later release; what this library writes names it.
    ///
    /// # Errors
    /// Names the line and what was expected there; a shingle length or version out of range.
    pub fn from_toml(text: &str) -> Result<Self, RecipeError> {
        let mut recipe: Self = toml::from_str(text)
            .map_err(|e| RecipeError::Toml { message: e.to_string().trim_end().to_owned() })?;
        if !names(text, "version") {
            recipe.version = recipe.newest_version();
        }
        recipe.with_version(recipe.version)
    }

    /// A recipe of these choices, with the defaults of all other keys.
    pub(crate) fn of_choices(split: Split, weights: Weighting) -> Self {
        Self {
            name: unnamed(),
            description: String::new(),
            version: first_version(),
            content: DocumentPart::default(),
            normalize: NormalForm::default(),
            case: Case::default(),
            accents: Accents::default(),
            split,
            dictionary: None,
            user_dictionary: None,
            parts_of_speech: Vec::new(),
            min_length: 0,
            gram: one(),
            language: LanguageRule::default(),
            stop_words: false,
            stop_list: Vec::new(),
            stop_file: None,
            stem: false,
            phrases: 0,
            shingle: one(),
            weights,
            statistics: None,
            idf_file: None,
            unlisted_idf: UnlistedIdf::default(),
            top: 0,
            min_features: 0,
            degenerate: DegenerateRule::default(),
            hash: TokenHash::default(),
            width: narrowest(),
            sign: SignRule::default(),
            bit_order: BitOrder::default(),
        }
    }

    /// Whether the TOML of a recipe names a width; false for what is no TOML.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let toml = Recipe::default().to_toml();
    /// assert!(Recipe::names_width(&toml));
    /// assert!(!Recipe::names_width(&toml.replace("width = 64\n", "")));
    /// ```
    #[must_use]
    pub fn names_width(toml: &str) -> bool {
        names(toml, "width")
    }

    /// The newest version of the rules for what the recipe is about.
    pub(crate) fn newest_version(&self) -> u32 {
        match (self.content, self.split) {
            _ if self.is_of_readers() => RECIPE_VERSION,
            (DocumentPart::HtmlMain, _) => 4,
            (_, Split::Zh) => 3,
            _ => 1,
        }
    }

    /// The same recipe by the rules of another version.
    ///
    /// # Errors
    /// A version that this library does not know, or that the recipe does not have.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let text = Recipe::named("text")?;
    /// assert_ne!(text.with_version(1)?.id(), text.with_version(5)?.id());
    /// assert!(text.with_version(4).unwrap_err().to_string().contains("html-main"));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn with_version(&self, version: u32) -> Result<Self, RecipeError> {
        if !(1..=RECIPE_VERSION).contains(&version) {
            return Err(RecipeError::Version { found: version, known: RECIPE_VERSION });
        }
        let recipe = Self { version, ..self.clone() };
        recipe.check()?;
        Ok(recipe)
    }

    /// The version in which this recipe has that id, where one does.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let newest = Recipe::from_toml("split = \"zh\"\nweights = \"textrank\"")?;
    /// let old = Recipe { version: 1, ..newest.clone() };
    /// assert_eq!(newest.version_with_id(old.id()), Some(1));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn version_with_id(&self, id: RecipeId) -> Option<u32> {
        (1..=RECIPE_VERSION).find(|version| Self { version: *version, ..self.clone() }.id() == id)
    }

    /// Whether words are exactly those of jieba, and may be chosen as there.
    pub(crate) fn cuts_as_jieba(&self) -> bool {
        self.version > 2 && self.split == Split::Zh
    }

    /// Whether the recipe is about text as people read it, so that what they do not see may be left out.
    pub(crate) fn is_of_readers(&self) -> bool {
        !matches!(self.split, Split::Zh | Split::Code)
            && self.weights != Weighting::Given
            && self.hash != TokenHash::Python
    }

    /// The form of text before it is cut into tokens.
    pub(crate) fn form(&self) -> TextForm {
        TextForm { normal: self.normalize, visible: self.version > 4 }
    }

    /// Whether words are ranked in jieba's graph.
    pub(crate) fn ranks_as_jieba(&self) -> bool {
        self.cuts_as_jieba() && self.weights == Weighting::Textrank
    }

    /// Whether words are what jieba calls keywords: it weighs punctuation, too, and knows stop words by
    /// their lower case.
    pub(crate) fn has_keywords(&self) -> bool {
        self.weights == Weighting::Keywords || self.ranks_as_jieba()
    }

    /// Characters of the shortest word that counts.
    pub(crate) fn least_length(&self) -> usize {
        match self.min_length {
            0 if self.has_keywords() => 2,
            0 => 1,
            least => least,
        }
    }

    /// Whether a document's language can decide a bit.
    #[must_use]
    pub fn depends_on_language(&self) -> bool {
        self.stop_words || self.stem || self.split == Split::Mixed
    }

    /// The same features, each once a document: what statistics count.
    pub(crate) fn of_features(&self) -> Self {
        let weights = match self.weights {
            // These choose among the tokens.
            Weighting::Keywords => Weighting::Keywords,
            _ if self.ranks_as_jieba() => Weighting::Textrank,
            _ => Weighting::Set,
        };
        Self { weights, top: 0, ..self.clone() }
    }

    /// Whether the [keys](crate::Outcome::keys) of the distinct features of a document tell its fingerprint: all
    /// features weigh the same, and none is hashed at full width. See
    /// [`Fingerprinter::of_keys`](crate::Fingerprinter::of_keys).
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// assert!(Recipe::named("text")?.is_told_by_keys());
    /// assert!(!Recipe::named("vectors")?.is_told_by_keys());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn is_told_by_keys(&self) -> bool {
        self.weights == Weighting::Set && self.hash != TokenHash::Python
    }

    /// Whether text goes straight from tokens to counts to integer weights: the recipes that have a
    /// path of their own.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.split, Split::Words | Split::Blanks | Split::Characters)
            && self.leaves_tokens()
            && self.phrases == 0
            && self.weights.is_integer()
            && self.top == 0
    }

    /// Whether tokens are what the text is cut into: with their accents, none left out, none brought to its stem.
    pub(crate) fn leaves_tokens(&self) -> bool {
        self.accents == Accents::Keep && !self.stop_words && self.stop_list.is_empty() && !self.stem
    }

    /// `text` as [`Self::tokens`] takes it: what a reader sees of it where the recipe asks for that, in its normal form and
    /// without the accents that it strips. Borrowed where that is the text itself.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// assert_eq!(Recipe::named("text")?.prepared("a so\u{ad}-called “ﬁle”"), "a so-called \"file\"");
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn prepared<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.form().apply(text) {
            Cow::Borrowed(text) => self.accents.apply(text),
            Cow::Owned(text) => Cow::Owned(self.accents.apply(&text).into_owned()),
        }
    }

    /// Calls `emit` with each token of `text`, which is [`Self::prepared`], in order, its case mapped. Stop words and stems are left as they are.
    ///
    /// `language` is the document's; `scratch` is working memory, and its contents do not matter.
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
        } else {
            self.parts(memory, language, text, |part| {
                self.split.token_of(part, self.case, scratch);
                emit(scratch);
            });
        }
    }

    /// Calls `emit` with each part of `text` that becomes a token by [`Split::token_of`], in order; of a recipe of
    /// runs of characters, with each character that runs are made of. See [`Split::parts_in`].
    pub(crate) fn parts(
        &self,
        memory: &mut Memory,
        language: Option<Language>,
        text: &str,
        mut emit: impl FnMut(&str),
    ) {
        if self.cuts_as_jieba() {
            self.chinese_words(text, &mut |_, word| emit(word));
        } else if let Some(dictionary) = &self.dictionary {
            dictionary.words(text, memory, &mut emit);
        } else {
            self.split.parts_in(language, text, emit);
        }
    }

    /// The same recipe at another width.
    #[must_use]
    pub fn with_width(&self, width: Width) -> Self {
        Self { width, ..self.clone() }
    }

    /// The same recipe of another part of a document, by the newest rules for that part.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{DocumentPart, Recipe};
    ///
    /// let of_pages = Recipe::named("text")?.with_content(DocumentPart::HtmlMain);
    /// assert_eq!(of_pages.id(), Recipe::named("web")?.id());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn with_content(&self, content: DocumentPart) -> Self {
        let is_main = content == DocumentPart::HtmlMain;
        let version = match (self.split, self.cuts_as_jieba()) {
            // Words stay what they are.
            (Split::Zh, false) => 1 + u32::from(is_main),
            (_, true) => 3 + u32::from(is_main),
            (_, false) if self.version > 4 => self.version,
            (_, false) => 1 + 3 * u32::from(is_main),
        };
        Self { version, content, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use crate::recipes::recipe::Recipe;

    #[test]
    fn what_must_be_chosen_is_enough() {
        let least = Recipe::from_toml("split = \"words\"\nweights = \"log\"").unwrap();
        let chosen = Recipe::of_choices(least.split, least.weights);
        assert_eq!(least, Recipe { version: 5, ..chosen });
        assert_eq!(least.id(), Recipe::named("words").unwrap().id());
        assert_eq!((least.name.as_str(), least.version), ("unnamed", 5));
        for (key, rest) in [("weights", "split = \"words\""), ("split", "weights = \"log\"")] {
            let error = Recipe::from_toml(rest).unwrap_err().to_string();
            assert!(error.contains(&format!("missing field `{key}`")), "{error}");
        }
    }

    #[test]
    fn a_recipe_without_a_version_has_the_newest() {
        for (keys, newest) in [
            ("split = \"words\"\nweights = \"set\"", 5),
            ("split = \"words\"\nweights = \"set\"\ncontent = \"html-full\"", 5),
            ("split = \"words\"\nweights = \"set\"\ncontent = \"html-main\"", 5),
            ("split = \"code\"\nweights = \"set\"", 1),
            ("split = \"code\"\nweights = \"set\"\ncontent = \"html-main\"", 4),
            ("split = \"zh\"\nweights = \"set\"", 3),
            ("split = \"zh\"\nweights = \"textrank\"\ncontent = \"html-main\"", 4),
        ] {
            let recipe = Recipe::from_toml(keys).unwrap();
            assert_eq!(recipe.version, newest, "{keys}");
            // What is written names it, and stays what it is.
            assert!(recipe.to_toml().contains(&format!("version = {newest}\n")));
            let old = Recipe::from_toml(&format!("version = 1\n{keys}")).unwrap();
            assert_eq!((old.version, old.id() == recipe.id()), (1, newest == 1), "{keys}");
            assert_eq!(recipe.version_with_id(old.id()), Some(1));
            assert_eq!(Recipe::from_toml(&old.to_toml()).unwrap(), old);
        }
        for recipe in Recipe::builtin() {
            assert_eq!(recipe.version, recipe.newest_version(), "{}", recipe.name);
        }
        assert_eq!(Recipe::default().version_with_id(0.into()), None);
    }

    #[test]
    fn a_wrong_recipe_says_what_is_wrong() {
        let toml = Recipe::named("text").unwrap().to_toml();
        let error = |from: &str, to: &str| {
            Recipe::from_toml(&toml.replace(from, to)).unwrap_err().to_string()
        };
        assert!(error("case", "kase").contains("unknown field `kase`"));
        assert!(error("width = 64", "width = 65").contains("width 65 is not supported"));
        assert!(error("shingle = 3", "shingle = 17").contains("1 to 16"));
        assert!(
            error("shingle = 3", "gram = 0\nshingle = 3").contains("gram = 0: use a length of 1")
        );
        assert!(error("shingle = 3", "gram = 4\nshingle = 3").contains("split = \"characters\""));
        assert!(error("version = 5", "version = 9").contains("version 9"));
        assert!(error("version = 5", "version = 2").contains("html-main"));
        assert!(error("weights = \"set\"", "").contains("missing field `weights`"));
        assert!(error("\"xxh3\"", "\"python\"").contains("shingle = 1"));
        assert!(error("\"words\"", "\"klingon\"").contains("unknown variant `klingon`"));
    }
}
