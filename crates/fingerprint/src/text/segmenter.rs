//! Chinese words, and with them their parts of speech, as jieba 0.42.1 finds them: by its dictionary,
//! with the words that a user adds or removes, and by its models for what the dictionary lacks.
//!
//! The dictionary, the choice among its words and the model of words alone are those of the crate
//! `jieba-rs`. [`crate::text::part_of_speech`] is the model of words with parts of speech. Without the feature
//! `zh` there are no words, and a recipe that asks for them is refused before any text is seen.

#[cfg(feature = "zh")]
pub(crate) use library::Segmenter;
#[cfg(not(feature = "zh"))]
pub(crate) use nothing::Segmenter;

#[cfg(feature = "zh")]
mod library {
    use crate::in_bounds::text_in;
    use crate::text::chinese::parts_of_compound;
    use crate::text::part_of_speech::MODEL;
    use crate::text::pieces::pieces;
    use crate::text::user_word::UserWord;
    use jieba_rs::Jieba;
    use std::collections::{HashMap, HashSet};
    use std::sync::LazyLock;

    /// What jieba calls a word of no known kind.
    const UNKNOWN: &str = "x";

    static STANDARD: LazyLock<Segmenter> = LazyLock::new(|| {
        let mut jieba = Jieba::new();
        // A word stands twice in jieba's dictionary, and jieba counts it twice: the sum of all
        // frequencies decides the last bits of every choice.
        jieba.add_word("\0", Some(3), None);
        Segmenter { jieba, tags: HashMap::new(), removed: HashSet::new() }
    });
    /// The model of words alone.
    static NO_WORDS: LazyLock<Jieba> = LazyLock::new(Jieba::empty);

    /// A dictionary with the models.
    #[derive(Clone, Debug)]
    pub(crate) struct Segmenter {
        jieba: Jieba,
        /// Parts of speech that a user gives.
        tags: HashMap<Box<str>, Box<str>>,
        /// Words that a user removes. The dictionary still holds them, with frequency 0.
        removed: HashSet<Box<str>>,
    }

    /// What the dictionary makes of a stretch of text.
    enum Found<'a> {
        /// A word with its part of speech.
        Word(&'a str, &'a str),
        /// Characters that no word of the dictionary joins, and how many.
        Run(&'a str, usize),
    }

    impl Segmenter {
        /// That of jieba's own dictionary.
        pub(crate) fn standard() -> &'static Self {
            &STANDARD
        }

        /// The same with the words of a user, each added as jieba's `add_word` does.
        pub(crate) fn with_words(words: &[UserWord<'_>]) -> Self {
            let mut segmenter = Self::standard().clone();
            // jieba goes on counting the frequencies that are replaced, and nothing for words that are removed.
            let mut replaced = 0_usize;
            for &UserWord { word, frequency, part_of_speech } in words {
                let frequency = frequency.unwrap_or_else(|| segmenter.suggested(word));
                if segmenter.is_word(word) {
                    replaced += segmenter.frequency(word);
                }
                if let Some(part_of_speech) = part_of_speech {
                    segmenter.tags.insert(word.into(), part_of_speech.into());
                }
                if frequency > 0 {
                    segmenter.jieba.add_word(word, Some(frequency), None);
                    segmenter.removed.remove(word);
                } else {
                    replaced = replaced.saturating_sub(segmenter.remove(word));
                }
                segmenter.jieba.add_word("\u{1}", Some(replaced), None);
            }
            segmenter
        }

        /// Removes `word`; returns by how much the sum of all frequencies is too large then.
        fn remove(&mut self, word: &str) -> usize {
            let mut added = 0;
            if self.is_word(word) {
                // A text goes on with the first character alone: it needs to be a word.
                let first = word.chars().next().map(String::from).unwrap_or_default();
                let is_first = first == word;
                if is_first || !self.jieba.has_word(&first) {
                    self.jieba.add_word(&first, Some(1), None);
                    added = 1;
                }
                if !is_first {
                    self.jieba.add_word(word, Some(0), None);
                }
            }
            self.removed.insert(word.into());
            added
        }

        /// Whether jieba can find `word` in a text: whether it has no character that always stands alone.
        pub(crate) fn can_find(word: &str) -> bool {
            word.chars().all(|c| is_joined(c) || matches!(c, '%' | '-'))
        }

        fn is_word(&self, word: &str) -> bool {
            self.jieba.has_word(word) && !self.removed.contains(word)
        }

        /// The sum of all frequencies. The crate shows it in its `Debug` form alone.
        fn total(&self) -> usize {
            let shown = format!("{:?}", self.jieba);
            let digits = shown.rsplit_once("total_freq: ").map_or("", |(_, rest)| rest);
            digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or_default()
        }

        /// The frequency of a word of the dictionary: by how much the sum falls without it.
        fn frequency(&mut self, word: &str) -> usize {
            let with = self.total();
            self.jieba.add_word(word, Some(0), None);
            let frequency = with - self.total();
            self.jieba.add_word(word, Some(frequency), None);
            frequency
        }

        /// jieba's `suggest_freq`: a frequency at which `word` is cut as a whole.
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "jieba computes it so; the product is positive and below 2^53"
        )]
        fn suggested(&mut self, word: &str) -> usize {
            let segments: Vec<String> = self
                .jieba
                .cut(word, false)
                .into_iter()
                .map(|token| token.word.to_owned())
                .collect();
            let total = self.total() as f64;
            let mut share = 1.0;
            for segment in &segments {
                let frequency = if self.is_word(segment) { self.frequency(segment) } else { 1 };
                share *= frequency as f64 / total;
            }
            let own = if self.is_word(word) { self.frequency(word) } else { 1 };
            own.max((share * total) as usize + 1)
        }

        /// Calls `emit` with every word of `text`, punctuation and spaces included.
        pub(crate) fn words(&self, text: &str, emit: &mut dyn FnMut(&str)) {
            stretches(text, is_beyond, |stretch, alone| {
                if self.removed.is_empty() {
                    for token in self.jieba.cut(stretch, true) {
                        self.whole_or_parts(token.word, emit);
                    }
                } else {
                    self.walk(stretch, |c| is_joined(c) || matches!(c, '%' | '-'), &mut |found| {
                        match found {
                            Found::Word(word, _) => emit(word),
                            Found::Run(run, count) => self.words_of_run(run, count, emit),
                        }
                    });
                }
                if let Some(alone) = alone {
                    emit(alone);
                }
            });
        }

        /// The crate keeps compounds such as `RAID-1` whole that jieba cuts.
        fn whole_or_parts(&self, word: &str, emit: &mut dyn FnMut(&str)) {
            // What begins with another character holds no letter or digit of ASCII to cut at.
            let joined = word.len() > 1
                && word.starts_with(|first: char| first.is_ascii())
                && word.bytes().any(|byte| matches!(byte, b'.' | b'_' | b'-'));
            if joined && !self.jieba.has_word(word) {
                parts_of_compound(word, emit);
            } else {
                emit(word);
            }
        }

        fn words_of_run(&self, run: &str, count: usize, emit: &mut dyn FnMut(&str)) {
            if count == 1 {
                return emit(run);
            }
            if self.is_word(run) {
                return run.split_inclusive(|_| true).for_each(emit);
            }
            for token in NO_WORDS.cut(run, true) {
                // jieba takes apart what its model joins again, and no letters or digits.
                if token.word.starts_with(is_han) && self.removed.contains(token.word) {
                    token.word.split_inclusive(|_| true).for_each(&mut *emit);
                } else {
                    self.whole_or_parts(token.word, emit);
                }
            }
        }

        /// Calls `emit` with every word of `text` and its part of speech, as `jieba.posseg` finds both:
        /// its words can be others than those of [`Self::words`].
        pub(crate) fn tagged(&self, text: &str, emit: &mut dyn FnMut(&str, &str)) {
            stretches(
                text,
                |c| is_beyond(c) || matches!(c, '%' | '-'),
                |stretch, alone| {
                    self.walk(stretch, is_joined, &mut |found| match found {
                        Found::Word(word, tag) => emit(word, tag),
                        Found::Run(run, count) => self.tagged_run(run, count, emit),
                    });
                    if let Some(alone) = alone {
                        emit(alone, UNKNOWN);
                    }
                },
            );
        }

        fn tagged_run(&self, run: &str, count: usize, emit: &mut dyn FnMut(&str, &str)) {
            if count == 1 || self.is_word(run) {
                for c in run.split_inclusive(|_| true) {
                    emit(c, self.tag_of(c));
                }
                return;
            }
            for (part, is_han) in kinds(run, is_han) {
                if is_han {
                    MODEL.words(part, emit);
                } else {
                    tagged_symbols(part, emit);
                }
            }
        }

        /// The part of speech of a character.
        fn tag_of<'a>(&'a self, c: &'a str) -> &'a str {
            if let Some(tag) = self.tags.get(c) {
                return tag;
            }
            let tag = if self.is_word(c) {
                self.jieba.tag(c, false).first().map(|tag| tag.tag)
            } else {
                None
            };
            tag.filter(|tag| !tag.is_empty()).unwrap_or(UNKNOWN)
        }

        /// Calls `each` with what the dictionary finds in `stretch`. What is not `joined` stands alone.
        fn walk<'a>(
            &'a self,
            stretch: &'a str,
            joined: fn(char) -> bool,
            each: &mut dyn FnMut(Found<'a>),
        ) {
            // The run under way: where it begins and ends, and its characters.
            let mut run = (0, 0, 0);
            for token in self.jieba.tag(stretch, false) {
                let single = token.end - token.start == 1;
                let is_block = token.word.starts_with(joined);
                // Letters and digits that no word joins come as one token.
                let unjoined =
                    !single && token.word.is_ascii() && is_block && !self.is_word(token.word);
                if (single && is_block) || unjoined {
                    let start = if run.2 == 0 { token.byte_start } else { run.0 };
                    run = (start, token.byte_end, run.2 + token.end - token.start);
                    continue;
                }
                if run.2 > 0 {
                    each(Found::Run(text_in(stretch, run.0..run.1), run.2));
                    run = (0, 0, 0);
                }
                let tag = match self.tags.get(token.word) {
                    Some(tag) => tag,
                    None if !is_block || token.tag.is_empty() => UNKNOWN,
                    None => token.tag,
                };
                each(Found::Word(token.word, tag));
            }
            if run.2 > 0 {
                each(Found::Run(text_in(stretch, run.0..run.1), run.2));
            }
        }
    }

    /// Letters, digits and what else stands between Han characters, as `jieba.posseg` cuts them.
    fn tagged_symbols(symbols: &str, emit: &mut dyn FnMut(&str, &str)) {
        let mut rest = symbols;
        while let Some(first) = rest.bytes().next() {
            let numeric = |byte: u8| byte == b'.' || byte.is_ascii_digit();
            let run =
                |kind: &dyn Fn(u8) -> bool| rest.bytes().take_while(|&byte| kind(byte)).count();
            let (length, tag) = if numeric(first) {
                (run(&numeric), "m")
            } else if first.is_ascii_alphanumeric() {
                (run(&|byte: u8| byte.is_ascii_alphanumeric()), "eng")
            } else {
                (run(&|byte: u8| byte != b'.' && !byte.is_ascii_alphanumeric()), UNKNOWN)
            };
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            emit(word, tag);
            rest = after;
        }
    }

    /// The longest parts of `text` whose characters are all of one kind, and whether it is that of `kind`.
    fn kinds(text: &str, kind: fn(char) -> bool) -> impl Iterator<Item = (&str, bool)> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let is_kind = kind(rest.chars().next()?);
            let end = rest.find(|c| kind(c) != is_kind).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            rest = after;
            Some((part, is_kind))
        })
    }

    /// Calls `each` with the stretches of `text` between characters that stand `alone`, each with the
    /// one behind it.
    fn stretches<'a>(
        text: &'a str,
        alone: impl Fn(char) -> bool,
        mut each: impl FnMut(&'a str, Option<&'a str>),
    ) {
        for piece in pieces(text) {
            for stretch in piece.split_inclusive(&alone) {
                match stretch.char_indices().next_back() {
                    Some((at, c)) if alone(c) => {
                        each(text_in(stretch, ..at), Some(text_in(stretch, at..)));
                    }
                    _ => each(stretch, None),
                }
            }
        }
    }

    /// The Han characters that jieba joins to words.
    fn is_han(c: char) -> bool {
        matches!(c, '\u{4e00}'..='\u{9fd5}')
    }

    /// What `jieba.posseg` joins to words.
    fn is_joined(c: char) -> bool {
        is_han(c) || c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '&' | '.' | '_')
    }

    /// Han characters that jieba leaves alone and the crate joins to words: later and rarer ones.
    fn is_beyond(c: char) -> bool {
        matches!(c,
            '\u{3400}'..='\u{4dbf}'
            | '\u{9fd6}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2ebef}'
            | '\u{2f800}'..='\u{2fa1f}'
        )
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// As `jieba.suggest_freq` of jieba 0.42.1 answers, whose sum of frequencies is 60101967.
        #[test]
        fn suggested_frequencies_are_those_of_jieba() {
            let mut segmenter = Segmenter::standard().clone();
            assert_eq!(segmenter.total(), 60_101_967);
            for (word, frequency) in [
                ("区块链", 1),
                ("中出", 348),
                ("出了", 1263),
                ("北京", 34489),
                ("生化学", 4),
                ("长江大桥", 3859),
            ] {
                assert_eq!(segmenter.suggested(word), frequency, "{word}");
            }
            assert_eq!(segmenter.total(), 60_101_967);
        }
    }
}

#[cfg(not(feature = "zh"))]
mod nothing {
    use crate::text::user_word::UserWord;

    #[derive(Clone, Debug)]
    pub(crate) struct Segmenter;

    #[expect(clippy::unused_self, reason = "as the one of the dictionary")]
    impl Segmenter {
        pub(crate) fn standard() -> &'static Self {
            &Self
        }

        pub(crate) fn with_words(_words: &[UserWord<'_>]) -> Self {
            Self
        }

        pub(crate) fn can_find(_word: &str) -> bool {
            true
        }

        pub(crate) fn words(&self, _text: &str, _emit: &mut dyn FnMut(&str)) {}

        pub(crate) fn tagged(&self, _text: &str, _emit: &mut dyn FnMut(&str, &str)) {}
    }
}
