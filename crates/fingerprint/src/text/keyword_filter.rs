//! Which words jieba takes for keywords: those that are long enough and no stop words.

use crate::text::stop_file::StopFile;

/// The stop words that jieba always has, in order.
pub(crate) const ENGLISH: [&str; 31] = [
    "all", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "has", "have", "if",
    "in", "is", "it", "not", "of", "on", "one", "or", "that", "the", "then", "this", "to", "we",
    "which", "with", "you",
];

/// Words of at least so many characters that are no stop words.
#[derive(Clone, Debug)]
pub(crate) struct KeywordFilter {
    least: usize,
    stop_file: Option<StopFile>,
}

impl KeywordFilter {
    /// Words of at least `least` characters that `stop_file` does not list.
    pub(crate) fn new(least: usize, stop_file: Option<StopFile>) -> Self {
        Self { least, stop_file }
    }

    /// Whether `word` may be a keyword.
    pub(crate) fn takes(&self, word: &str) -> bool {
        if !is_long(word, self.least) {
            return false;
        }
        if word.chars().any(|c| !is_caseless(c) && c.is_uppercase()) {
            !self.stops(&word.to_lowercase())
        } else {
            !self.stops(word)
        }
    }

    fn stops(&self, word: &str) -> bool {
        let list = self.stop_file.as_ref().and_then(|file| file.content());
        // Most words are not English: they need not be looked for.
        let is_english = word.is_ascii() && ENGLISH.binary_search(&word).is_ok();
        is_english || list.is_some_and(|list| list.contains(word))
    }
}

/// Whether `word` has at least `least` characters, without blanks at its ends.
pub(crate) fn is_long(word: &str, least: usize) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return least == 0 };
    let last = if least < 2 { Some(first) } else { chars.nth(least - 2) };
    last.is_some_and(|last| {
        // What is between two characters that are no blanks stays.
        !(first.is_whitespace() || last.is_whitespace()) || word.trim().chars().count() >= least
    })
}

/// Whether `c` is in the block of characters that most Chinese words are of: none of them has a case.
fn is_caseless(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_stop_words_are_no_keywords() {
        let file = StopFile::read("文本\nsimhash\n".as_bytes()).unwrap();
        let (plain, filter) = (KeywordFilter::new(2, None), KeywordFilter::new(2, Some(file)));
        for word in ["的", "The", " ", "\r\n", "a"] {
            assert!(!plain.takes(word) && !filter.takes(word), "{word:?}");
        }
        for word in ["文本", "SimHash"] {
            assert!(plain.takes(word) && !filter.takes(word), "{word:?}");
        }
        assert!(filter.takes("指纹") && !KeywordFilter::new(3, None).takes("指纹"));
        assert!(ENGLISH.is_sorted());
    }

    #[test]
    fn blanks_at_the_ends_are_no_characters() {
        for word in [
            "",
            " ",
            "a",
            " a",
            "a\u{3000}",
            "文本",
            " 文本",
            "a b",
            " a  b ",
            "\u{3000} \n",
            "文 ",
        ] {
            for least in 0..5 {
                let length = word.trim().chars().count();
                assert_eq!(is_long(word, least), length >= least, "{word:?} {least}");
            }
        }
    }
}
