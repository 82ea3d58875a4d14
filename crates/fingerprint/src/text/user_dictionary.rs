//! A user dictionary, `word [frequency] [part of speech]` a line, as jieba's `load_userdict` reads it. How its
//! words take part in a cut is in [`crate::text::segmenter`].

use crate::error::WordFileError;
use crate::text::by_content::ByContent;
use crate::text::segmenter::Segmenter;
use crate::text::user_word::UserWord;
use crate::text::word_lines::{lines, shown};

/// A user dictionary that a recipe names: see [`UserDictionary::read`].
pub type UserDictionary = ByContent<UserWords>;

/// The words of a [`UserDictionary`], together with those of jieba.
#[derive(Debug)]
pub struct UserWords {
    segmenter: Segmenter,
    unreachable: Vec<(usize, String)>,
}

impl ByContent<UserWords> {
    /// Bytes of the longest file.
    pub const MOST_BYTES: usize = 16 << 20;

    /// Reads a user dictionary: on each line a word and, each after one blank, its frequency and its part
    /// of speech in lower-case letters; UTF-8. Without a frequency a word has the one that jieba
    /// suggests, at which the word is cut as a whole. Frequency 0 removes a word. Empty lines
    /// are passed over.
    ///
    /// # Errors
    /// The first line with a frequency that is too large; bytes that are not UTF-8, with their line; more
    /// than [`Self::MOST_BYTES`]; a build without the feature `zh`.
    ///
    /// # Complexity
    /// A copy of jieba's dictionary (25 MB), and for each word a search for it among the words so far.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, UserDictionary};
    ///
    /// let recipe = Recipe { shingle: 1, ..Recipe::named("zh")? };
    /// let bound = recipe.bound_to_user_dictionary(&UserDictionary::read("区块链 nz\n".as_bytes())?)?;
    /// let words = |recipe: &Recipe| -> Result<usize, nearprint_fingerprint::RecipeError> {
    ///     Ok(recipe.fingerprinter::<1>()?.features("区块链").len())
    /// };
    /// assert_eq!((words(&recipe)?, words(&bound)?), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, WordFileError> {
        let mut words = Vec::new();
        let mut unreachable = Vec::new();
        for (line, text) in lines(bytes, Self::MOST_BYTES)? {
            let text = text.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
            if text.is_empty() {
                continue;
            }
            let Some(word) = UserWord::parse(text) else {
                let expected = "a frequency of at most 15 digits";
                return Err(WordFileError::Line { line, found: shown(text), expected });
            };
            if unreachable.len() < UserWords::MOST_UNREACHABLE && !Segmenter::can_find(word.word) {
                unreachable.push((line, shown(word.word)));
            }
            words.push(word);
        }
        if cfg!(not(feature = "zh")) {
            return Err(WordFileError::NotBuilt);
        }
        let segmenter = Segmenter::with_words(&words);
        Ok(Self::new(bytes, UserWords { segmenter, unreachable }))
    }
}

impl UserWords {
    /// Lines that [`Self::unreachable`] names, at most.
    const MOST_UNREACHABLE: usize = 100;

    /// Lines whose word jieba never finds in a text, and that word: it holds a blank or another
    /// character that always stands alone. The first hundred; a line in another form is among them.
    #[must_use]
    pub fn unreachable(&self) -> &[(usize, String)] {
        &self.unreachable
    }

    /// What whoever wrote the file should know: the first of [`Self::unreachable`], and how many more there are.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::UserDictionary;
    ///
    /// let file = UserDictionary::read("云计算 5\nEdu Trust认证 2000\n".as_bytes())?;
    /// let remark = file.content().and_then(|words| words.remark()).unwrap();
    /// assert!(remark.starts_with("line 2: jieba finds the word \"Edu Trust认证\" in no text: expected"));
    /// # Ok::<(), nearprint_fingerprint::WordFileError>(())
    /// ```
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let (line, word) = self.unreachable.first()?;
        let more = match self.unreachable.len() {
            1 => String::new(),
            Self::MOST_UNREACHABLE => ", nor those of 99 or more further lines".to_owned(),
            others => format!(", nor those of {} further lines", others - 1),
        };
        Some(format!(
            "line {line}: jieba finds the word \"{word}\" in no text{more}: expected a word without blanks, \
             and each after one blank its frequency and its part of speech in lower-case letters"
        ))
    }

    pub(crate) fn segmenter(&self) -> &Segmenter {
        &self.segmenter
    }
}

#[cfg(all(test, feature = "zh"))]
mod tests {
    use super::*;

    #[test]
    fn lines_that_no_text_can_match_are_named() {
        let file =
            UserDictionary::read("云计算 5\nEdu Trust认证 2000\n\n韩玉\t3\n".as_bytes()).unwrap();
        let expected = [(2, "Edu Trust认证".to_owned()), (4, "韩玉\t3".to_owned())];
        assert_eq!(file.content().unwrap().unreachable(), expected);
        let error = UserDictionary::read(b"a 1\nb 1234567890123456 n\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: \"b 1234567890123456 n\""), "{error}");
    }
}
