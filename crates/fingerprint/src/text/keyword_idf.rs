//! The inverse document frequencies of keywords: those of a file, or those that come with jieba. Without the
//! feature `zh` jieba's are not there, and a recipe that asks for them is refused before any text is seen.

#[cfg(feature = "zh")]
use library::Listed;
#[cfg(not(feature = "zh"))]
use nothing::Listed;

use crate::text::idf_file::{IdfFile, UnlistedIdf};

/// Inverse document frequencies by word.
#[derive(Clone, Debug)]
pub(crate) struct KeywordIdf {
    file: Option<IdfFile>,
    unlisted: UnlistedIdf,
    listed: Listed,
}

impl KeywordIdf {
    /// Those of `file`, or jieba's where there is none.
    pub(crate) fn new(file: Option<IdfFile>, unlisted: UnlistedIdf) -> Self {
        Self { file, unlisted, listed: Listed::default() }
    }

    /// The inverse document frequency of `word`, which has two characters or more where jieba's are asked for.
    pub(crate) fn get(&mut self, word: &str) -> f64 {
        match self.file.as_ref().and_then(|file| file.content()) {
            Some(table) => table.get(word, self.unlisted),
            None => self.listed.get(word),
        }
    }
}

#[cfg(feature = "zh")]
mod library {
    use foldhash::fast::RandomState;
    use jieba_rs::{Jieba, KeywordExtract, TfIdf};
    use std::collections::HashMap;
    use std::sync::LazyLock;

    static TF_IDF: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);

    /// Longest word of the table, in bytes.
    const LONGEST: usize = 96;
    /// Words that are remembered, at most.
    const REMEMBERED: usize = 1 << 18;
    /// Words that are looked up in one dictionary, at most: it grows with each, and a new one is dear.
    const ASKED: usize = 1 << 12;

    /// The frequencies that come with jieba.
    #[derive(Clone, Debug, Default)]
    pub(super) struct Listed {
        /// What [`Self::get`] gives for the words met so far.
        known: HashMap<String, f64, RandomState>,
        /// Those of them that were looked up.
        asked: Option<Jieba>,
    }

    impl Listed {
        /// The frequency of `word`, which has two characters or more: the crate has none of others.
        pub(super) fn get(&mut self, word: &str) -> f64 {
            if let Some(&idf) = self.known.get(word) {
                return idf;
            }
            if word.len() > LONGEST {
                return median();
            }
            if self.known.len() == REMEMBERED {
                self.known.clear();
            }
            if self.known.len().is_multiple_of(ASKED) {
                self.asked = None;
            }
            let idf = if word.is_ascii() { None } else { self.look_up(word) };
            let idf = idf.unwrap_or_else(median);
            self.known.insert(word.to_owned(), idf);
            idf
        }

        fn look_up(&mut self, word: &str) -> Option<f64> {
            weight_alone(self.asked.get_or_insert_with(Jieba::empty), word)
        }
    }

    /// The weight of `word` as the only word of a text: 1 x its frequency / 1.
    ///
    /// `asked` holds words of equal frequency, so that it cuts a text into as few as can be: `word`,
    /// which it then holds, into one, whatever else it holds.
    fn weight_alone(asked: &mut Jieba, word: &str) -> Option<f64> {
        asked.add_word(word, Some(1), None);
        let found = TF_IDF.extract_keywords(asked, word, 1, Vec::new());
        found.first().filter(|keyword| keyword.keyword == word).map(|keyword| keyword.weight)
    }

    /// What a word counts that the table lacks.
    fn median() -> f64 {
        static MEDIAN: LazyLock<f64> =
            LazyLock::new(|| weight_alone(&mut Jieba::empty(), "zz").unwrap_or_default());
        *MEDIAN
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Figures of `jieba/analyse/idf.txt` of jieba 0.42.1.
        #[test]
        fn frequencies_are_those_of_the_table() {
            let mut listed = Listed::default();
            for _ in 0..2 {
                assert_eq!(listed.get("劳动防护"), 13.900_677_652);
                assert_eq!(listed.get("生化学"), 13.900_677_652);
                assert_eq!(listed.get("杭研"), 11.954_767_502_9);
                assert_eq!(listed.get("simhash"), 11.954_767_502_9);
            }
        }

        #[test]
        fn frequencies_depend_on_no_word_asked_before() {
            let text =
                "北京清华大学，北京大学，大学生活动中心，T恤，㐀㐁--㐀，防护，劳动防护用品。Café";
            let mut asked = Vec::new();
            let chars: Vec<_> = text.char_indices().collect();
            for (i, &(start, _)) in chars.iter().enumerate() {
                asked.extend(chars[i..].iter().skip(2).take(5).map(|&(end, _)| &text[start..end]));
            }
            let mut listed = Listed::default();
            for _ in 0..2 {
                for word in &asked {
                    assert_eq!(listed.get(word), Listed::default().get(word), "{word}");
                }
                let before = listed.known.len();
                (0..ASKED).for_each(|i| assert_eq!(listed.get(&format!("号{i}")), median()));
                assert!(listed.known.len() <= before + ASKED);
            }
        }
    }
}

#[cfg(not(feature = "zh"))]
mod nothing {
    #[derive(Clone, Debug, Default)]
    pub(super) struct Listed {}

    impl Listed {
        #[expect(clippy::unused_self, reason = "as the table of the dictionary")]
        pub(super) fn get(&mut self, _word: &str) -> f64 {
            0.0
        }
    }
}
