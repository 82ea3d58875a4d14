//! A file of inverse document frequencies, `word frequency` a line, as jieba's `set_idf_path` reads it.

use crate::error::WordFileError;
use crate::text::by_content::ByContent;
use crate::text::word_lines::{lines, shown};
use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What a word counts that an [`IdfFile`] does not list.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{IdfFile, Recipe, UnlistedIdf};
///
/// let file = IdfFile::read("文本 1\n指纹 2\n重复 9\n".as_bytes())?;
/// let recipe = Recipe { unlisted_idf: UnlistedIdf::Mean, ..Recipe::named("zh-keywords")? };
/// let features = recipe.bound_to_idf_file(&file)?.fingerprinter::<1>()?.features("近似");
/// assert_eq!(features.weight("近似"), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnlistedIdf {
    /// The median of all that are listed, as in jieba: of an even number the greater of the two.
    #[default]
    Median,
    /// Their mean, as in cppjieba and so in gojieba.
    Mean,
}

/// A file of inverse document frequencies that a recipe names: see [`IdfFile::read`].
pub type IdfFile = ByContent<IdfTable>;

/// The frequencies of an [`IdfFile`].
#[derive(Debug)]
pub struct IdfTable {
    listed: HashMap<Box<str>, f64, RandomState>,
    median: f64,
    mean: f64,
}

impl ByContent<IdfTable> {
    /// Bytes of the longest file.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Reads inverse document frequencies: on each line a word, one blank and a number; UTF-8. Of a
    /// word that comes twice the last number counts. Empty lines are passed over.
    ///
    /// # Errors
    /// The first line that is anything else; bytes that are not UTF-8, with their line; more than
    /// [`Self::MOST_BYTES`]; no word at all.
    ///
    /// # Complexity
    /// `O(n log n)` for `n` words; 32 bytes and its own for each word.
    pub fn read(bytes: &[u8]) -> Result<Self, WordFileError> {
        let mut listed = HashMap::default();
        let (mut sum, mut count) = (0.0, 0.0);
        for (line, text) in lines(bytes, Self::MOST_BYTES)? {
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let wrong = || WordFileError::Line {
                line,
                found: shown(text),
                expected: "a word, one blank and its inverse document frequency, such as \"文本 7.5\"",
            };
            let (word, number) = text.split_once(' ').ok_or_else(wrong)?;
            let idf: f64 = number.parse().map_err(|_| wrong())?;
            if !idf.is_finite() {
                return Err(wrong());
            }
            listed.insert(Box::from(word), idf);
            (sum, count) = (sum + idf, count + 1.0);
        }
        let mut ordered: Vec<f64> = listed.values().copied().collect();
        ordered.sort_unstable_by(f64::total_cmp);
        let median = *ordered.get(ordered.len() / 2).ok_or(WordFileError::Empty)?;
        Ok(Self::new(bytes, IdfTable { listed, median, mean: sum / count }))
    }
}

impl IdfTable {
    /// What `word` counts.
    pub(crate) fn get(&self, word: &str, unlisted: UnlistedIdf) -> f64 {
        self.listed.get(word).copied().unwrap_or(match unlisted {
            UnlistedIdf::Median => self.median,
            UnlistedIdf::Mean => self.mean,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_words_count_the_median_or_the_mean() {
        let file = IdfFile::read("a 1\nb 2\r\n\nc 9\na 3.5\n".as_bytes()).unwrap();
        let table = file.content().unwrap();
        let get = |word| (table.get(word, UnlistedIdf::Median), table.get(word, UnlistedIdf::Mean));
        assert_eq!(get("a"), (3.5, 3.5));
        // Of 2, 3.5 and 9; of all four lines.
        assert_eq!(get("z"), (3.5, 3.875));
    }

    #[test]
    fn a_line_that_says_no_number_is_named() {
        for broken in ["文本", "文本 x", "文本  7.5", "文本 inf", "文本 NaN", "文本\t7.5", "a 1 2"]
        {
            let error = IdfFile::read(format!("a 1\n{broken}\n").as_bytes()).unwrap_err();
            let says = error.to_string();
            assert!(says.starts_with(&format!("line 2: \"{broken}\"")), "{says}");
        }
        assert_eq!(IdfFile::read(b"\n").unwrap_err(), WordFileError::Empty);
    }
}
