//! Chinese words by jieba: a dictionary of words with their frequencies, and a hidden Markov model
//! for what it lacks. What stands between Han characters is cut as jieba cuts it.
//!
//! The dictionary is the one of the crate `jieba-rs` at one pinned release; golden fingerprints
//! freeze it. Without the feature `zh` there are no words, and a recipe that asks for them is refused
//! before any text is seen.

#[cfg(feature = "zh")]
pub(crate) use dictionary::{KeywordTable, words};
#[cfg(not(feature = "zh"))]
pub(crate) use nothing::{KeywordTable, words};

#[cfg(feature = "zh")]
mod dictionary {
    use crate::text::pieces::pieces;
    use foldhash::fast::RandomState;
    use jieba_rs::{Jieba, KeywordExtract, KeywordExtractConfig, TfIdf};
    use std::collections::HashMap;
    use std::sync::LazyLock;

    static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);
    static TF_IDF: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);
    static ENGLISH: LazyLock<KeywordExtractConfig> = LazyLock::new(KeywordExtractConfig::default);

    /// Longest word of the table, in bytes.
    const LONGEST: usize = 96;
    /// Words that are remembered, at most.
    const REMEMBERED: usize = 1 << 18;
    /// Words that are looked up in one dictionary, at most: it grows with each, and a new one is dear.
    const ASKED: usize = 1 << 12;

    /// Calls `emit` with every word of `text`, punctuation and spaces included.
    pub(crate) fn words(text: &str, mut emit: impl FnMut(&str)) {
        for piece in pieces(text) {
            for token in JIEBA.cut(piece, true) {
                let word = token.word;
                // What begins with another character holds no letter or digit of ASCII to cut at.
                let joined = word.len() > 1
                    && word.starts_with(|first: char| first.is_ascii())
                    && word.bytes().any(|byte| matches!(byte, b'.' | b'_' | b'-'));
                if joined && !JIEBA.has_word(word) {
                    parts(word, &mut emit);
                } else {
                    emit(word);
                }
            }
        }
    }

    /// The parts of a compound such as `RAID-1` or `1.5.2`, as jieba itself cuts it: letters and
    /// digits with one decimal part and a percent sign are one word, what joins them is another. The
    /// crate keeps compounds whole.
    fn parts(compound: &str, emit: &mut impl FnMut(&str)) {
        let run = |text: &str, part: fn(&u8) -> bool| text.bytes().take_while(part).count();
        let mut rest = compound;
        while !rest.is_empty() {
            let mut length = run(rest, u8::is_ascii_alphanumeric);
            if length == 0 {
                length = run(rest, |byte| !byte.is_ascii_alphanumeric());
            } else {
                if let Some(decimal) = rest.get(length..).and_then(|rest| rest.strip_prefix('.'))
                    && let digits @ 1.. = run(decimal, u8::is_ascii_digit)
                {
                    length += 1 + digits;
                }
                length += usize::from(rest.as_bytes().get(length) == Some(&b'%'));
            }
            let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            emit(part);
            rest = after;
        }
    }

    /// The inverse document frequencies that come with jieba, as its keywords use them.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct KeywordTable {
        /// What [`Self::get`] gives for the words met so far.
        known: HashMap<String, Option<f64>, RandomState>,
        /// Those of them that were looked up.
        asked: Option<Jieba>,
    }

    impl KeywordTable {
        /// The inverse document frequency of `word`; `None` where it may be no keyword: it has fewer
        /// than two characters or is one of 31 common words of English.
        pub(crate) fn get(&mut self, word: &str) -> Option<f64> {
            word.chars().nth(1)?;
            if let Some(&idf) = self.known.get(word) {
                return idf;
            }
            word.trim().chars().nth(1)?;
            if word.len() > LONGEST {
                return Some(median());
            }
            if self.known.len() == REMEMBERED {
                self.known.clear();
            }
            if self.known.len().is_multiple_of(ASKED) {
                self.asked = None;
            }
            let idf = self.look_up(word);
            self.known.insert(word.to_owned(), idf);
            idf
        }

        /// What [`Self::get`] gives for a word of two characters or more.
        fn look_up(&mut self, word: &str) -> Option<f64> {
            if word.is_ascii() {
                let stop_word = ENGLISH.stop_words().contains(&word.to_ascii_lowercase());
                return (!stop_word).then(median);
            }
            let asked = self.asked.get_or_insert_with(Jieba::empty);
            Some(weight_alone(asked, word).unwrap_or_else(median))
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

        #[test]
        fn words_are_those_of_the_dictionary_and_of_the_model() {
            let mut found = Vec::new();
            words("我来到北京清华大学，他来到了网易杭研大厦。", |word| {
                found.push(word.to_owned())
            });
            assert_eq!(found.join("/"), "我/来到/北京/清华大学/，/他/来到/了/网易/杭研/大厦/。");
        }

        #[test]
        fn compounds_are_cut_as_jieba_cuts_them() {
            let found = |text| {
                let mut out = Vec::new();
                words(text, |word| out.push(word.to_owned()));
                out.join(" ")
            };
            // Of `list(jieba.cut(text))` of jieba 0.42.1.
            assert_eq!(found("用RAID-1和vg_critical卷"), "用 RAID - 1 和 vg _ critical 卷");
            assert_eq!(found("版本1.5.2a增长3.5%a.5b"), "版本 1.5 . 2a 增长 3.5% a.5 b");
        }

        /// Figures of `jieba/analyse/idf.txt` of jieba 0.42.1 and the rules of its `extract_tags`.
        #[test]
        fn frequencies_are_those_of_the_table() {
            let mut table = KeywordTable::default();
            for _ in 0..2 {
                assert_eq!(table.get("劳动防护"), Some(13.900_677_652));
                assert_eq!(table.get("生化学"), Some(13.900_677_652));
                assert_eq!(table.get("杭研"), Some(11.954_767_502_9));
                assert_eq!(table.get("simhash"), Some(11.954_767_502_9));
            }
            for word in ["的", "The", " ", "\r\n", "a"] {
                assert_eq!(table.get(word), None, "{word:?}");
            }
        }

        #[test]
        fn frequencies_depend_on_no_word_asked_before() {
            let text =
                "北京清华大学，北京大学，大学生活动中心，T恤，㐀㐁--㐀，防护，劳动防护用品。Café";
            let mut asked = Vec::new();
            let chars: Vec<_> = text.char_indices().collect();
            for (i, &(start, _)) in chars.iter().enumerate() {
                asked.extend(chars[i..].iter().skip(1).take(5).map(|&(end, _)| &text[start..end]));
            }
            let mut table = KeywordTable::default();
            for _ in 0..2 {
                for word in &asked {
                    assert_eq!(table.get(word), KeywordTable::default().get(word), "{word}");
                }
                let before = table.known.len();
                (0..ASKED).for_each(|i| assert_eq!(table.get(&format!("号{i}")), Some(median())));
                assert!(table.known.len() <= before + ASKED);
            }
        }
    }
}

#[cfg(not(feature = "zh"))]
mod nothing {
    pub(crate) fn words(_text: &str, _emit: impl FnMut(&str)) {}

    #[derive(Clone, Debug, Default)]
    pub(crate) struct KeywordTable {}

    impl KeywordTable {
        #[expect(clippy::unused_self, reason = "as the table of the dictionary")]
        pub(crate) fn get(&mut self, _word: &str) -> Option<f64> {
            None
        }
    }
}
