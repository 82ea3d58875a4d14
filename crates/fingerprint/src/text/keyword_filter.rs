//! Which words jieba takes for keywords: those that are long enough and no stop words.

use crate::text::stop_file::StopFile;

/// The stop words that jieba always has, in order.
const ENGLISH: [&str; 31] = [
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
        let length = word.trim().chars().take(self.least).count();
        if length < self.least {
            return false;
        }
        if word.chars().any(char::is_uppercase) {
            !self.stops(&word.to_lowercase())
        } else {
            !self.stops(word)
        }
    }

    fn stops(&self, word: &str) -> bool {
        let list = self.stop_file.as_ref().and_then(|file| file.content());
        ENGLISH.binary_search(&word).is_ok() || list.is_some_and(|list| list.contains(word))
    }
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
}
