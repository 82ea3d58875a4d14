//! Stemming: words to their stems by the Snowball algorithms, which are frozen in the crate
//! `rust-stemmers`. Without the feature `languages` there are none, and recipes that ask for them are
//! refused.

use crate::text::language::Language;
#[cfg(feature = "languages")]
use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

#[cfg(feature = "languages")]
/// The algorithm of a language, where there is one.
fn algorithm(language: Language) -> Option<Algorithm> {
    Some(match language.code() {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(feature = "languages")]
/// Whether words of `language` have stems here.
#[must_use]
pub(crate) fn is_offered(language: Language) -> bool {
    algorithm(language).is_some()
}

/// The stem of a lower-case word; the word itself in a language without an algorithm.
///
/// # References
/// Porter, "Snowball: A language for stemming algorithms", 2001.
#[must_use]
pub(crate) fn stem(word: &str, language: Language) -> Cow<'_, str> {
    #[cfg(feature = "languages")]
    if let Some(algorithm) = algorithm(language) {
        return Stemmer::create(algorithm).stem(word);
    }
    let _ = language;
    Cow::Borrowed(word)
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_share_their_stem() {
        let language = |code| Language::from_tag(code).unwrap();
        assert_eq!(stem("duplicates", language("en")), stem("duplicated", language("en")));
        assert_eq!(stem("häuser", language("de")), stem("häusern", language("de")));
        assert_eq!(stem("книги", language("ru")), stem("книга", language("ru")));
        assert_eq!(stem("approving", language("en")), "approv");
        assert_eq!(stem("文档", language("zh")), "文档");
        assert!(is_offered(language("sv")) && !is_offered(language("zh")));
    }
}
