//! Stemming: words to their stems by the Snowball algorithms, which are frozen in the crate
//! `rust-stemmers`.

use crate::text::language::Language;
use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

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

/// Whether words of `language` have stems here.
#[must_use]
pub(crate) fn is_offered(language: Language) -> bool {
    algorithm(language).is_some()
}

/// The stem of a lower-case word; the word itself in a language without an algorithm.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Language, stem};
///
/// assert_eq!(stem("approving", Language::from_tag("en").unwrap()), "approv");
/// ```
///
/// # References
/// Porter, "Snowball: A language for stemming algorithms", 2001.
#[must_use]
pub fn stem(word: &str, language: Language) -> Cow<'_, str> {
    match algorithm(language) {
        Some(algorithm) => Stemmer::create(algorithm).stem(word),
        None => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_share_their_stem() {
        let language = |code| Language::from_tag(code).unwrap();
        assert_eq!(stem("duplicates", language("en")), stem("duplicated", language("en")));
        assert_eq!(stem("häuser", language("de")), stem("häusern", language("de")));
        assert_eq!(stem("книги", language("ru")), stem("книга", language("ru")));
        assert_eq!(stem("文档", language("zh")), "文档");
        assert!(is_offered(language("sv")) && !is_offered(language("zh")));
    }
}
