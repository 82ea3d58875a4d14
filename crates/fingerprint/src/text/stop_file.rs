//! A file of stop words, one a line, as jieba's `set_stop_words` reads it.

use crate::error::WordFileError;
use crate::text::by_content::ByContent;
use crate::text::word_lines::lines;
use std::collections::HashSet;

/// A file of stop words that a recipe names: see [`StopFile::read`].
pub type StopFile = ByContent<StopWordList>;

/// The words of a [`StopFile`].
#[derive(Debug)]
pub struct StopWordList(HashSet<Box<str>>);

impl ByContent<StopWordList> {
    /// Bytes of the longest file.
    pub const MOST_BYTES: usize = 16 << 20;

    /// Reads stop words: one a line, UTF-8. A line is taken as it stands, blanks and all.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, with their line; more than [`Self::MOST_BYTES`].
    ///
    /// # Complexity
    /// Linear in the bytes; 16 bytes and its own for each word.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, StopFile};
    ///
    /// let file = StopFile::read("文本\n".as_bytes())?;
    /// let recipe = Recipe::named("zh-keywords")?.bound_to_stop_file(&file)?;
    /// let features = recipe.fingerprinter::<1>()?.features("文本变成指纹");
    /// assert_eq!((features.weight("文本"), features.weight("指纹") > 0.0), (0.0, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, WordFileError> {
        let lines = lines(bytes, Self::MOST_BYTES)?;
        let words = lines.flat_map(|(_, line)| line.lines()).map(Box::from).collect();
        Ok(Self::new(bytes, StopWordList(words)))
    }
}

impl StopWordList {
    /// Whether `word` stands on a line of its own.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// Every word, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lines() {
        let file = StopFile::read("的\r\n \nthe end".as_bytes()).unwrap();
        let words = file.content().unwrap();
        assert!(["的", " ", "the end"].iter().all(|word| words.contains(word)));
        assert_eq!(words.iter().count(), 3);
        assert!(!words.contains("的\r"));
    }
}
