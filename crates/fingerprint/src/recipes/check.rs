//! Whether the keys of a recipe agree with each other, and whether this build has what they ask for.

use crate::error::RecipeError;
use crate::hashing::hash::TokenHash;
use crate::recipes::recipe::{DocumentPart, Recipe};
use crate::text::case::Case;
use crate::text::grams::MAX_GRAM;
use crate::text::idf_file::UnlistedIdf;
use crate::text::language::LanguageRule;
use crate::text::normalize::NormalForm;
#[cfg(feature = "languages")]
use crate::text::stem;
use crate::text::token::Split;
use crate::text::word_dictionary::WordDictionary;
use crate::vote::shingle::MAX_SHINGLE;
use crate::vote::weight::Weighting;

impl Recipe {
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
            matches!(self.version, 2 | 4) && self.content != DocumentPart::HtmlMain,
            &format!("version = {}", self.version),
            if self.split == Split::Zh {
                "its rules apply only to content = \"html-main\": use version = 3"
            } else {
                "its rules apply only to content = \"html-main\": use version = 1"
            },
        )?;
        says(
            self.version == 3 && self.split != Split::Zh,
            "version = 3",
            "its rules apply only to split = \"zh\": use version = 1, or 4 with content = \"html-main\"",
        )?;
        self.check_chinese()?;
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
            self.phrases > 0 && (self.has_keywords() || self.weights == Weighting::Given),
            &format!("phrases = {}", self.phrases),
            "keywords and given features are taken as they are: leave phrases out",
        )?;
        says(
            self.weights == Weighting::Given
                && (self.normalize, self.case, self.split, self.shingle)
                    != (NormalForm::Keep, Case::Keep, Split::Blanks, 1),
            "weights = \"given\"",
            "features are taken as they come: use normalize = \"keep\", case = \"keep\", \
             split = \"blanks\" and shingle = 1",
        )
    }

    /// The keys that are about words as jieba cuts them.
    fn check_chinese(&self) -> Result<(), RecipeError> {
        let says = |holds: bool, keys: &str, remedy| {
            let keys = keys.to_owned();
            if holds { Err(RecipeError::Contradiction { keys, remedy }) } else { Ok(()) }
        };
        let asked = [
            (self.user_dictionary.is_some(), "user-dictionary"),
            (!self.parts_of_speech.is_empty(), "parts-of-speech"),
            (self.min_length > 0, "min-length"),
            (self.stop_file.is_some(), "stop-file"),
            (self.idf_file.is_some(), "idf-file"),
            (self.unlisted_idf != UnlistedIdf::Median, "unlisted-idf"),
        ];
        let key = asked.iter().find(|(asked, _)| *asked).map_or("", |(_, key)| key);
        says(
            !key.is_empty() && !self.cuts_as_jieba(),
            key,
            "it is about words as jieba cuts them: use split = \"zh\" and version = 3, or 4 with content = \"html-main\"",
        )?;
        says(
            (self.idf_file.is_some() || self.unlisted_idf != UnlistedIdf::Median)
                && self.weights != Weighting::Keywords,
            "idf-file and unlisted-idf",
            "they are about weights = \"keywords\": leave them out, or use these weights",
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
        #[cfg(feature = "languages")]
        if let LanguageRule::Of(language) = self.language {
            let lacks =
                |what, key| RecipeError::LanguageLacks { language: language.code(), what, key };
            if self.stop_words && language.stop_words().is_none() {
                return Err(lacks("list of stop words", "stop-words"));
            }
            if self.stem && !stem::is_offered(language) {
                return Err(lacks("stemming algorithm", "stem"));
            }
        }
        Ok(())
    }

    /// Whether this build has all that the recipe asks for.
    ///
    /// # Errors
    /// [`RecipeError::NotBuilt`] names the cargo feature to build with;
    /// [`RecipeError::DictionaryMissing`] asks for a dictionary and [`RecipeError::WordFileMissing`]
    /// for a file of words.
    pub fn ready(&self) -> Result<(), RecipeError> {
        self.check_word_files()?;
        let lacks = |what, feature| Err(RecipeError::NotBuilt { what, feature });
        let asks = [
            (self.stem, "stem = true"),
            (self.stop_words, "stop-words = true"),
            (self.language == LanguageRule::Auto, "language = \"auto\""),
        ];
        if let Some((_, what)) = asks.into_iter().find(|(asked, _)| *asked)
            && !cfg!(feature = "languages")
        {
            return lacks(what, "languages");
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::idf_file::IdfFile;

    #[test]
    fn keys_that_contradict_each_other_are_refused() {
        let words = Recipe::named("words").unwrap().with_version(1).unwrap();
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
        #[cfg(feature = "languages")]
        {
            assert!(error(&|r| (r.stem, r.language) = (true, of("zh"))).contains("no stemming"));
            assert!(error(&|r| (r.stop_words, r.language) = (true, of("is"))).contains("no list"));
        }
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
        assert!(error(&|r| r.version = 3).contains("only to split = \"zh\""));
        let zh = |r: &mut Recipe| (r.split, r.version, r.shingle) = (Split::Zh, 3, 1);
        assert!(error(&|r| (r.split, r.min_length) = (Split::Zh, 2)).contains("version = 3"));
        assert!(
            error(&|r| (zh(r), r.idf_file = Some(IdfFile::named(1.into()))).0).contains("keywords")
        );
        assert!(error(&|r| (zh(r), r.unlisted_idf = UnlistedIdf::Mean).0).contains("keywords"));
        let needs = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = Recipe::named("zh-keywords").unwrap();
            change(&mut recipe);
            recipe.check().unwrap();
            recipe.ready().unwrap_err().to_string()
        };
        assert_eq!(needs(&|r| r.unlisted_idf = UnlistedIdf::Mean), "the recipe needs an idf file");
        assert_eq!(needs(&|r| r.min_length = 1), "the recipe needs an idf file");
    }

    #[test]
    fn what_this_build_lacks_is_refused_by_name() {
        let of = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = Recipe::named("words").unwrap();
            change(&mut recipe);
            recipe.check().and_then(|()| recipe.ready()).map_err(|error| error.to_string())
        };
        let stems = of(&|r| (r.stem, r.language) = (true, "en".parse().unwrap()));
        let detects = of(&|r| (r.stop_words, r.language) = (true, LanguageRule::Auto));
        if cfg!(feature = "languages") {
            assert_eq!((stems, detects), (Ok(()), Ok(())));
        } else {
            assert_eq!(
                stems.unwrap_err(),
                "stem = true needs a part that this build lacks: build with the feature languages"
            );
            assert!(detects.unwrap_err().contains("feature languages"));
        }
        // Every built-in recipe does without.
        let plain = |recipe: &&Recipe| !matches!(recipe.split, Split::Zh | Split::Dictionary);
        for recipe in Recipe::builtin().iter().filter(plain) {
            assert_eq!(recipe.ready(), Ok(()), "{}", recipe.name);
        }
    }
}
