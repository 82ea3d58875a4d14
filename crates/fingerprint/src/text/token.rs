//! Text to tokens. What is made of the tokens is in [`crate::vote::shingle`].

use crate::in_bounds::text_in;
use crate::text::case::Case;
use crate::text::char_class::{CharClass, CharClasses};
use crate::text::language::Language;
use crate::text::{chinese, code, dictionary, korean, mixed};
use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use serde::{Deserialize, Serialize};

const SEGMENTER: WordSegmenterBorrowed<'static> =
    WordSegmenter::new_for_non_complex_scripts(WordBreakInvariantOptions::default());

/// The units that text is cut into.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Split};
///
/// let words = Recipe::named("words")?;
/// let blanks = Recipe { split: Split::Blanks, ..words.clone() };
/// assert_ne!(words.id(), blanks.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Words of UAX #29 that hold a letter or a digit. Each character of a script written without
    /// spaces (Han, Kana, Thai, Lao, Khmer, Myanmar), with its combining marks, is a token.
    Words,
    /// What stands between white space, as `str.split()` of Python cuts it.
    Blanks,
    /// Every character; runs of white space become one blank, none at either end.
    Characters,
    /// Chinese words by jieba, with its model for words that its dictionary lacks. Needs the feature
    /// `zh`.
    Zh,
    /// Words by ICU4X's dictionaries of Chinese and Japanese, Thai, Lao, Khmer and Burmese. Needs the
    /// feature `dictionary`.
    Dictionary,
    /// Words of the recipe's [`WordDictionary`](crate::text::word_dictionary::WordDictionary): there are none without it.
    /// Needs the feature `lindera`.
    Lindera,
    /// As [`Split::Words`], and of each Korean word of three syllables or more its pairs too.
    Ko,
    /// Text of several languages, by script: Han as [`Split::Zh`], Han among Kana and Thai and its
    /// kin as [`Split::Dictionary`], Hangul as [`Split::Ko`], the rest as [`Split::Words`].
    Mixed,
    /// Source code: identifiers, numbers and operators.
    Code,
}

impl Split {
    /// Calls `emit` with each token of `text` in order, its case mapped.
    ///
    /// `scratch` is working memory: its contents do not matter.
    ///
    /// # Complexity
    /// Linear in the length of `text`; no allocation but the growth of `scratch`.
    pub fn tokens(self, text: &str, case: Case, scratch: &mut String, emit: impl FnMut(&str)) {
        self.tokens_in(None, text, case, scratch, emit);
    }

    /// As [`Self::tokens`], of a document whose language is known: in a Japanese one
    /// [`Split::Mixed`] takes Han to be Japanese.
    pub fn tokens_in(
        self,
        language: Option<Language>,
        text: &str,
        case: Case,
        scratch: &mut String,
        mut emit: impl FnMut(&str),
    ) {
        self.parts_in(language, text, |part| {
            self.token_of(part, case, scratch);
            emit(scratch);
        });
    }

    /// Calls `emit` with each part of `text` that becomes a token, in order. A part is a slice of `text`; only those
    /// of Korean words overlap.
    pub(crate) fn parts_in(
        self,
        language: Option<Language>,
        text: &str,
        mut emit: impl FnMut(&str),
    ) {
        match self {
            Self::Words => words(text, emit),
            Self::Blanks => text.split_whitespace().for_each(emit),
            Self::Characters => characters(text, emit),
            Self::Zh => chinese::words(text, &mut |word| {
                if word.contains(char::is_alphanumeric) {
                    emit(word);
                }
            }),
            Self::Dictionary => dictionary::words(text, &mut emit),
            // A recipe's dictionary is no part of it: `Recipe::parts` cuts by it.
            Self::Lindera => {}
            Self::Ko => words(text, |word| korean::word_and_pairs(word, &mut emit)),
            Self::Mixed => {
                mixed::tokens(text, language, |text, emit| words(text, emit), &mut emit);
            }
            Self::Code => code::tokens(text, emit),
        }
    }

    /// Replaces `token` by the token that a part of a text becomes.
    pub(crate) fn token_of(self, part: &str, case: Case, token: &mut String) {
        token.clear();
        if self == Self::Characters && part.starts_with(char::is_whitespace) {
            token.push(' ');
        } else {
            case.map_into(part, token);
        }
    }
}

/// Every character, and every run of white space between others.
fn characters(text: &str, mut emit: impl FnMut(&str)) {
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (part, after) = rest.split_at(length);
        emit(part);
        rest = after;
    }
}

/// The word scanner: UAX #29 rules WB4 to WB13b over the common classes; a stretch that holds a
/// rare one goes to the library. A boundary stands on each side of [`CharClass::Solo`].
fn words(text: &str, mut emit: impl FnMut(&str)) {
    let classes = CharClasses::new();
    let class_at = |at: usize| text.get(at..).and_then(|rest| rest.chars().next());
    let mut at = 0;
    // The word under way: where it starts, its last class but Extend, and whether it may count.
    let mut start = 0;
    let mut last = CharClass::Other;
    let mut counts = false;
    loop {
        let next = class_at(at);
        let class = next.map_or(CharClass::Space, |c| classes.get(c));
        let end = at + next.map_or(0, char::len_utf8);
        let in_word = last != CharClass::Other;
        match class {
            CharClass::Letter | CharClass::Digit | CharClass::Joiner => {
                if !in_word {
                    (start, counts) = (at, false);
                }
                counts |= class != CharClass::Joiner;
                last = class;
                at = end;
                continue;
            }
            CharClass::Extend => {
                at = end;
                continue;
            }
            CharClass::MidLetter | CharClass::MidNum | CharClass::MidAny if in_word => {
                let after = class_at(end).map_or(CharClass::Space, |c| classes.get(c));
                let joins = match last {
                    CharClass::Letter => class != CharClass::MidNum,
                    CharClass::Digit => class != CharClass::MidLetter,
                    _ => false,
                };
                if joins && matches!(after, CharClass::Extend | CharClass::Rare) {
                    at = library_words(text, start, classes, &mut emit);
                    last = CharClass::Other;
                    continue;
                }
                if joins && after == last {
                    at = end;
                    continue;
                }
            }
            CharClass::Rare => {
                at = library_words(text, if in_word { start } else { at }, classes, &mut emit);
                last = CharClass::Other;
                continue;
            }
            _ => {}
        }
        if in_word && counts {
            emit(text_in(text, start..at));
        }
        last = CharClass::Other;
        if next.is_none() {
            return;
        }
        if class == CharClass::Solo {
            let marks = text_in(text, end..);
            let stop = marks.find(|c| !is_mark(classes.get(c))).unwrap_or(marks.len());
            at = end + stop;
            emit(text_in(text, end - next.map_or(0, char::len_utf8)..at));
        } else {
            at = end;
        }
    }
}

/// Emits the words between `start` and the next white space or solo character as the library finds
/// them, and returns where it stopped.
fn library_words(
    text: &str,
    start: usize,
    classes: CharClasses,
    emit: &mut impl FnMut(&str),
) -> usize {
    let rest = text_in(text, start..);
    let stop = rest
        .find(|c| matches!(classes.get(c), CharClass::Space | CharClass::Solo))
        .unwrap_or(rest.len());
    let stretch = text_in(rest, ..stop);
    let mut from = 0;
    for to in SEGMENTER.segment_str(stretch) {
        let segment = text_in(stretch, from..to);
        if counts_as_word(segment, classes) {
            emit(segment);
        }
        from = to;
    }
    start + stop
}

/// Whether a character belongs to the solo one before it.
fn is_mark(class: CharClass) -> bool {
    matches!(class, CharClass::Extend | CharClass::SoloMark)
}

/// Whether a segment holds a letter or a digit.
fn counts_as_word(segment: &str, classes: CharClasses) -> bool {
    segment.chars().any(|c| match classes.get(c) {
        CharClass::Letter | CharClass::Digit => true,
        CharClass::Rare => c.is_alphabetic(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(split: Split, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        split.tokens(text, Case::Lower, &mut String::new(), |token| out.push(token.to_owned()));
        out
    }

    /// The definition: solo characters cut the text, the library segments what lies between.
    fn reference(text: &str) -> Vec<String> {
        let classes = CharClasses::new();
        let mut out = Vec::new();
        let mut run = String::new();
        let mut chars = text.chars().peekable();
        let flush = |run: &mut String, out: &mut Vec<String>| {
            let mut from = 0;
            for to in SEGMENTER.segment_str(run) {
                if counts_as_word(&run[from..to], classes) {
                    out.push(run[from..to].to_owned());
                }
                from = to;
            }
            run.clear();
        };
        while let Some(c) = chars.next() {
            if classes.get(c) != CharClass::Solo {
                run.push(c);
                continue;
            }
            flush(&mut run, &mut out);
            let mut token = String::from(c);
            while let Some(mark) = chars.next_if(|&c| is_mark(classes.get(c))) {
                token.push(mark);
            }
            out.push(token);
        }
        flush(&mut run, &mut out);
        out
    }

    #[test]
    fn words_follow_the_annex() {
        assert_eq!(
            tokens(Split::Words, "Don't pay 3.14 or 1,000.50 for foo_bar's e.g. — x:y __ a_"),
            ["don't", "pay", "3.14", "or", "1,000.50", "for", "foo_bar's", "e.g", "x:y", "a_"]
        );
    }

    #[test]
    fn scripts_without_spaces_fall_back_to_characters() {
        assert_eq!(tokens(Split::Words, "在GPU上，3个"), ["在", "gpu", "上", "3", "个"]);
        assert_eq!(tokens(Split::Words, "カタカナとひ。"), ["カ", "タ", "カ", "ナ", "と", "ひ"]);
        assert_eq!(tokens(Split::Words, "ที่นี่"), ["ที่", "นี่"]);
        assert_eq!(tokens(Split::Words, "한국어 문서"), ["한국어", "문서"]);
    }

    #[test]
    fn characters_collapse_white_space() {
        assert_eq!(tokens(Split::Characters, "  A\t\n b "), ["a", " ", "b"]);
        assert_eq!(tokens(Split::Blanks, " A, \n b "), ["a,", "b"]);
        assert!(tokens(Split::Words, " …— ").is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(2000)))]
        #[test]
        fn the_scanner_agrees_with_the_library(
            text in "[aZé1_'.,:;·\u{301}\u{ad}\u{200d}\u{200c} \n\u{a0}א\"ש上かカーก\u{e35}ำ한🇫🇷👨👩٣و\u{1d400}\u{20000}-]{0,24}"
        ) {
            prop_assert_eq!(
                { let mut out = Vec::new(); words(&text, |t| out.push(t.to_owned())); out },
                reference(&text)
            );
        }

        #[test]
        fn any_text_is_segmented_as_the_library_does(text: String) {
            prop_assert_eq!(
                { let mut out = Vec::new(); words(&text, |t| out.push(t.to_owned())); out },
                reference(&text)
            );
        }
    }
}
