//! What a recipe states, key by key, in words.

use crate::degenerate::DegenerateRule;
use crate::hashing::hash::TokenHash;
use crate::recipes::recipe::{BitOrder, DocumentPart, Recipe};
use crate::text::accents::Accents;
use crate::text::case::Case;
use crate::text::keyword_filter::ENGLISH;
use crate::text::language::LanguageRule;
use crate::text::normalize::NormalForm;
use crate::text::token::Split;
use crate::vote::sums::SignRule;
use crate::vote::weight::Weighting;
use std::collections::BTreeSet;

/// A key of a recipe with its value.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
///
/// let all = Recipe::named("words")?.meanings();
/// let hash = all.iter().find(|one| one.key == "hash").unwrap();
/// assert_eq!((hash.value.as_str(), hash.is_default), ("\"xxh3\"", true));
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMeaning {
    /// The key, as TOML has it.
    pub key: &'static str,
    /// The value, as TOML has it.
    pub value: String,
    /// Whether the key has this value where a recipe leaves it out; `split` and `weights` must be there.
    pub is_default: bool,
    /// What that means.
    pub meaning: &'static str,
}

impl Recipe {
    /// The keys that decide bits, each with its value and what it means, in the order of the steps from
    /// text to fingerprint. Keys of steps that the recipe does not take are left out.
    #[must_use]
    pub fn meanings(&self) -> Vec<KeyMeaning> {
        let choices = Self::of_choices(self.split, self.weights);
        let defaults = Self { version: self.newest_version(), ..choices }.entries();
        let told =
            self.entries().into_iter().filter(|(key, _)| !matches!(*key, "name" | "description"));
        let told = told.filter_map(|(key, value)| {
            let value = value?;
            let usual = defaults.iter().find(|(other, _)| *other == key);
            let is_default = !matches!(key, "split" | "weights")
                && usual.is_some_and(|(_, usual)| usual.as_ref() == Some(&value));
            Some(KeyMeaning { key, value, is_default, meaning: self.meaning(key) })
        });
        told.collect()
    }

    /// What whoever makes such a recipe should know, and may not expect: a sentence each.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let mine = "split = \"words\"\nweights = \"set\"\nhash = \"fnv1a\"";
    /// assert!(Recipe::from_toml(mine)?.remarks()[0].contains("fnv1a-mix"));
    /// assert!(Recipe::default().remarks().is_empty());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.phrases > 0 && (self.stop_words || !self.stop_list.is_empty()) {
            let mut remark =
                "stop words are left out before phrases are joined, so no phrase has one \
                              in it"
                    .to_owned();
            if let LanguageRule::Of(language) = self.language
                && let Some(list) = language.stop_words().filter(|_| self.stop_words)
            {
                remark.push_str(&format!("; the list of {language} has {} words", list.len()));
                if list.contains(&"new") {
                    remark.push_str(", \"new\" is one of them, and \"new york\" is never a phrase");
                }
            }
            remarks.push(remark);
        }
        if matches!(self.hash, TokenHash::Fnv1a | TokenHash::Fnv1aGo | TokenHash::Python) {
            remarks.push(
                "the hash is weak: its bits correlate on short tokens, and distances mislead; fnv1a-mix \
                 is as portable and has none of these faults"
                    .to_owned(),
            );
        }
        if self.content == DocumentPart::HtmlMain && self.version < 4 {
            let takes = if self.version == 1 {
                "anything that looks like the main text"
            } else {
                "what looks like the main text where that is a quarter of the page"
            };
            remarks.push(format!(
                "version {} takes {takes}; by the rules of version 4 the structure of the page decides: a \
                 footer or a sidebar is never taken for an article, and long menus hide none",
                self.version
            ));
        }
        if self.split == Split::Zh && !self.cuts_as_jieba() {
            remarks.push(format!(
                "version {} cuts and ranks words by earlier rules: not all keywords and few ranks are those of jieba, \
                 and its user dictionaries, stop-word files and parts of speech are refused; version {} is jieba to the \
                 last bit, and makes other fingerprints",
                self.version,
                self.newest_version()
            ));
        }
        remarks
    }

    /// The words that the recipe leaves out of every text, ascending: the stop words of its language, of its list and
    /// of its file, and of keywords and ranks as jieba has them the English ones that jieba always leaves out. With
    /// `language = "auto"` those of each text's own language are left out besides.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let keywords = Recipe::named("zh-keywords")?.left_out();
    /// assert!(keywords.len() == 31 && keywords.contains(&"the".to_owned()));
    /// assert!(Recipe::named("zh")?.left_out().is_empty());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn left_out(&self) -> Vec<String> {
        let of_language = match self.language {
            LanguageRule::Of(language) if self.stop_words => language.stop_words(),
            _ => None,
        };
        let of_jieba = if self.has_keywords() { &ENGLISH[..] } else { &[] };
        let of_file = self.stop_file.as_ref().and_then(|file| file.content());
        let words = of_language.unwrap_or_default().iter().chain(of_jieba).copied();
        let words = words.chain(of_file.into_iter().flat_map(|file| file.iter()));
        let words = words.chain(self.stop_list.iter().map(String::as_str)).map(str::to_owned);
        let words: BTreeSet<String> = words.collect();
        words.into_iter().collect()
    }

    fn meaning(&self, key: &str) -> &'static str {
        match key {
            "version" => "the rules that apply: a change of bits is a new version",
            "content" => match self.content {
                DocumentPart::Text => "documents are text",
                DocumentPart::HtmlMain => "documents are pages, and their main text counts",
                DocumentPart::HtmlFull => "documents are pages, and all their text counts",
            },
            "normalize" => match self.normalize {
                NormalForm::Keep => "characters are unchanged",
                NormalForm::Nfc => "characters and their accents are composed (NFC)",
                NormalForm::Nfkc => {
                    "full-width letters, ligatures and the like become plain (NFKC)"
                }
            },
            "case" => match self.case {
                Case::Keep => "upper case is kept",
                Case::Lower => "letters become lower case",
                Case::Fold => "letters become lower case, all forms of sigma one",
            },
            "accents" => match self.accents {
                Accents::Keep => "accents stay",
                Accents::Strip => "Latin, Greek and Cyrillic letters lose their accents",
            },
            "split" => self.split_meaning(),
            "dictionary" => "the dictionary that words come from, by its identity",
            "user-dictionary" => "words of a user, by the identity of their file",
            "parts-of-speech" => "only words of these kinds are tokens, as jieba calls them",
            "min-length" => "words of fewer characters are not tokens",
            "gram" => "every run of this many characters is a token",
            "language" => "the language of stop words and stems; auto: each document's own",
            "stop-words" => "the stop words of the language are not tokens (`recipe stop-words`)",
            "stop-list" => "these are not tokens",
            "stop-file" => "the words of a file are not tokens, by its identity",
            "stem" => "tokens become their stems (Snowball)",
            "phrases" => "neighbours that score above this in the corpus are one token",
            "shingle" => match self.shingle {
                1 => "every token is a feature: the order of tokens does not matter",
                _ => "every run of this many tokens is a feature: order matters",
            },
            "weights" => self.weights_meaning(),
            "statistics" => {
                "the statistics file that weights or phrases come from, by its identity"
            }
            "idf-file" => {
                "the frequencies that keywords are weighed by, by the identity of their file"
            }
            "unlisted-idf" => "the weight of a word that the file does not list",
            "top" => "only this many of the heaviest features count",
            "min-features" => "a document of fewer distinct features is short",
            "degenerate" => match self.degenerate {
                DegenerateRule::Exact => "short documents are duplicates only of identical ones",
                DegenerateRule::Apart => "short documents are never duplicates",
                DegenerateRule::Join => "short documents are compared as others are",
            },
            "hash" => match self.hash {
                TokenHash::Xxh3 => "XXH3: fast, and every bit of it is good",
                TokenHash::Fnv1a => "FNV-1a: weak on short tokens, for compatibility only",
                TokenHash::Fnv1aMix => {
                    "FNV-1a and a finaliser: portable, and every bit of it is good"
                }
                TokenHash::Fnv1aGo => "FNV-1a as Go prints it signed: weak, for compatibility only",
                TokenHash::Python => {
                    "the string hash of Python 2: very weak, for compatibility only"
                }
            },
            "width" => "bits of the fingerprint, unless a command sets others",
            "sign" => match self.sign {
                SignRule::Positive => "a bit is 1 where its sum is above 0",
                SignRule::NonNegative => "a bit is 1 where its sum is 0 or more: for compatibility",
            },
            "bit-order" => match self.bit_order {
                BitOrder::Same => "bit i of the hash decides bit i",
                BitOrder::Reversed => {
                    "bit i of the hash decides the i-th from the other end: for compatibility"
                }
            },
            _ => "",
        }
    }

    const fn split_meaning(&self) -> &'static str {
        match self.split {
            Split::Words => "tokens are words (UAX #29); of scripts without spaces, characters",
            Split::Blanks => "tokens are separated by white space",
            Split::Characters => "tokens are characters",
            Split::Zh => "tokens are Chinese words as jieba cuts them",
            Split::Dictionary => {
                "tokens are words by ICU4X's dictionaries (Chinese, Japanese, Thai and kin)"
            }
            Split::Lindera => "tokens are words by a dictionary that you give",
            Split::Ko => "tokens are words, and pairs of syllables of Korean words",
            Split::Mixed => "tokens are cut by the rules of each script",
            Split::Code => "tokens are identifiers, numbers and operators",
        }
    }

    const fn weights_meaning(&self) -> &'static str {
        match self.weights {
            Weighting::Set => "a feature counts 1, however often it occurs",
            Weighting::Count => "a feature counts as often as it occurs",
            Weighting::Log => "a feature counts 1 + log2 of how often it occurs, rounded down",
            Weighting::Idf => "TF-IDF: rare features of the corpus count more",
            Weighting::Bm25 => "BM25: as TF-IDF, and repetition counts less and less",
            Weighting::Textrank => "TextRank: tokens count by how central they are in the text",
            Weighting::Keywords => "jieba's TF-IDF of the words",
            Weighting::Given => "features come with their weights, in place of text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_every_recipe_has_a_meaning() {
        let all = Recipe::with_every_key();
        for recipe in Recipe::builtin().iter().chain([&all]) {
            for KeyMeaning { key, meaning, .. } in recipe.meanings() {
                assert!(!meaning.is_empty(), "{}: {key}", recipe.name);
            }
        }
        let written: Vec<_> = all.meanings().iter().map(|one| one.key).collect();
        let keys = all.entries().map(|(key, _)| key);
        assert_eq!(written, keys[2..]);
    }

    #[cfg(feature = "languages")]
    #[test]
    fn a_list_that_takes_names_apart_is_told() {
        let recipe = Recipe {
            phrases: 10,
            stop_words: true,
            language: "en".parse().unwrap(),
            ..Recipe::named("words").unwrap()
        };
        let [remark] = &recipe.remarks()[..] else { panic!("one remark") };
        assert!(remark.ends_with("\"new york\" is never a phrase"), "{remark}");
        assert!(Recipe { stop_words: false, ..recipe }.remarks().is_empty());
    }

    #[test]
    fn a_default_is_what_stands_where_the_key_is_left_out() {
        let chosen = |recipe: &Recipe| {
            let all = recipe.meanings().into_iter().filter(|one| !one.is_default);
            all.map(|one| one.key).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&Recipe::named("words").unwrap()), ["split", "weights"]);
        assert_eq!(chosen(&Recipe::named("text").unwrap()), ["split", "shingle", "weights"]);
        let python = ["normalize", "case", "split", "weights", "hash", "width", "sign"];
        assert_eq!(chosen(&Recipe::named("python-128").unwrap()), python);
    }
}
