//! Stop words: tokens that become no features. The lists come from the crate `stop-words` (ISO
//! collection) at one pinned release, and frozen by a test. Without the
//! feature `languages` there are none, and recipes that ask for them are refused.

use crate::text::language::Language;
use std::collections::{HashMap, HashSet};

/// The words that a recipe leaves out, brought to the form that its tokens have.
#[derive(Clone, Debug, Default)]
pub(crate) struct StopWords {
    /// Words left out of every document.
    always: HashSet<String>,
    /// Those of the languages met so far; `None` where lists are not asked for.
    lists: Option<HashMap<Language, HashSet<String>>>,
}

impl StopWords {
    /// `words`, and with `by_language` the list of each document's language. The words have the form
    /// of tokens already.
    #[must_use]
    pub(crate) fn new(words: impl IntoIterator<Item = String>, by_language: bool) -> Self {
        let lists = by_language.then(HashMap::new);
        Self { always: words.into_iter().collect(), lists }
    }

    /// Whether no word is ever left out.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.always.is_empty() && self.lists.is_none()
    }

    /// Makes ready for documents in `language`: `form` brings a word of the list to the form of
    /// tokens.
    pub(crate) fn prepare(
        &mut self,
        language: Option<Language>,
        mut form: impl FnMut(&str) -> String,
    ) {
        if let (Some(lists), Some(language)) = (&mut self.lists, language) {
            lists.entry(language).or_insert_with(|| {
                language.stop_words().unwrap_or_default().iter().map(|word| form(word)).collect()
            });
        }
    }

    /// Whether `token` is left out of a document in `language`, for which [`Self::prepare`] was
    /// called.
    #[must_use]
    pub(crate) fn contains(&self, token: &str, language: Option<Language>) -> bool {
        self.always.contains(token)
            || language
                .and_then(|language| self.lists.as_ref()?.get(&language))
                .is_some_and(|list| list.contains(token))
    }
}

impl Language {
    /// The stop words of the language, which `stop-words = true` leaves out; `None` where there is no list,
    /// and without the feature `languages`.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Language;
    ///
    /// let list = Language::from_tag("en").unwrap().stop_words().unwrap();
    /// assert!(list.contains(&"the") && list.contains(&"new"));
    /// ```
    ///
    /// # References
    /// The ISO collection of stop words, as in the crate `stop-words`.
    #[must_use]
    pub fn stop_words(self) -> Option<&'static [&'static str]> {
        #[cfg(feature = "languages")]
        return stop_words::lookup(self.code());
        #[cfg(not(feature = "languages"))]
        None
    }
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn words_are_left_out_by_language() {
        let mut words = StopWords::new(["inc".to_owned()], true);
        let (english, french) = (Language::from_tag("en"), Language::from_tag("fr"));
        words.prepare(english, str::to_lowercase);
        words.prepare(french, str::to_lowercase);
        assert!(words.contains("the", english) && !words.contains("the", french));
        assert!(words.contains("les", french) && !words.contains("les", english));
        assert!(words.contains("inc", None) && !words.contains("council", english));
        assert!(StopWords::new([], false).is_empty());
    }

    /// The lists decide bits: another release of the crate must not change them unseen.
    #[test]
    fn the_lists_are_frozen() {
        let mut all = String::new();
        for code in stop_words::available_languages() {
            let words = stop_words::lookup(code).unwrap();
            all.push_str(&format!("{code} {}\n", words.join(" ")));
        }
        assert_eq!(stop_words::available_languages().len(), 58);
        assert_eq!(xxh3_64(all.as_bytes()), 0x6419_1f04_6017_ec37);
    }

    #[test]
    fn every_list_has_a_language() {
        for code in stop_words::available_languages() {
            assert!(Language::from_tag(code).and_then(Language::stop_words).is_some(), "{code}");
        }
    }
}
