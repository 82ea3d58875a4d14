//! The lines, sentences and paragraphs of a text, as they stand in it.

use icu_segmenter::SentenceSegmenter;
use icu_segmenter::options::SentenceBreakInvariantOptions;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A unit of text that is larger than a token.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Unit, units};
///
/// let text = "One. Two\nthree?\n\nFour.\n";
/// let found = |unit| units(text, unit).map(|place| &text[place]).collect::<Vec<_>>();
/// assert_eq!(found(Unit::Line), ["One. Two\n", "three?\n", "\n", "Four.\n"]);
/// assert_eq!(found(Unit::Sentence), ["One. ", "Two\n", "three?\n", "\n", "Four.\n"]);
/// assert_eq!(found(Unit::Paragraph), ["One. Two\nthree?\n\n", "Four.\n"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// What ends with a mandatory break of UAX #14: a line feed, a carriage return or both, a vertical tab, a form feed, a
    /// next line (U+0085), a line or paragraph separator (U+2028, U+2029).
    Line,
    /// A sentence of UAX #29, untailored: it ends with its line at the latest.
    Sentence,
    /// Lines up to a blank one or a paragraph separator, with the blank lines behind them; those at the start of the text
    /// belong to the first.
    Paragraph,
}

/// The places of the units of `text` in bytes, in order: each begins where the one before it ends, the first at 0,
/// and the last ends with the text. The white space and the line break behind a unit belong to it.
///
/// # Complexity
/// Linear in the length of the text, without memory.
pub fn units(text: &str, unit: Unit) -> impl Iterator<Item = Range<usize>> {
    let options = SentenceBreakInvariantOptions::default();
    let mut sentences = SentenceSegmenter::new(options).segment_str(text);
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = match unit {
            Unit::Line => start + line_bytes(rest.as_bytes()),
            Unit::Sentence => sentences.find(|&end| end > start).unwrap_or(text.len()),
            Unit::Paragraph => start + paragraph_bytes(rest),
        };
        Some(std::mem::replace(&mut start, end)..end)
    })
}

/// The bytes of the first line, with its break.
fn line_bytes(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(next) = rest.iter().position(|&byte| matches!(byte, 0x0a..=0x0d | 0xc2 | 0xe2))
    {
        at += next;
        match text.get(at..) {
            Some([b'\r', b'\n', ..] | [0xc2, 0x85, ..]) => return at + 2,
            Some([0x0a..=0x0d, ..]) => return at + 1,
            Some([0xe2, 0x80, 0xa8 | 0xa9, ..]) => return at + 3,
            _ => at += 1,
        }
    }
    text.len()
}

/// The bytes of the first paragraph, with the blank lines behind it.
fn paragraph_bytes(text: &str) -> usize {
    let (mut at, mut has_text, mut has_ended) = (0, false, false);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.get(..line_bytes(rest.as_bytes())).unwrap_or(rest);
        let is_blank = line.chars().all(char::is_whitespace);
        if has_ended && !is_blank {
            break;
        }
        has_text |= !is_blank;
        has_ended = has_text && (is_blank || line.ends_with('\u{2029}'));
        at += line.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, unit: Unit) -> Vec<&str> {
        units(text, unit).map(|place| &text[place]).collect()
    }

    #[test]
    fn lines_end_with_every_mandatory_break() {
        assert_eq!(
            found("a\r\nb\rc\n\nd\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}’\u{a0}i", Unit::Line),
            [
                "a\r\n",
                "b\r",
                "c\n",
                "\n",
                "d\u{b}",
                "e\u{c}",
                "f\u{85}",
                "g\u{2028}",
                "h\u{2029}",
                "’\u{a0}i"
            ]
        );
        assert!(found("", Unit::Line).is_empty());
    }

    #[test]
    fn paragraphs_end_with_blank_lines() {
        assert_eq!(
            found("\n \na\nb\r\n\t\r\n\nc\u{2029}d\n", Unit::Paragraph),
            ["\n \na\nb\r\n\t\r\n\n", "c\u{2029}", "d\n"]
        );
        assert_eq!(found(" \n\n", Unit::Paragraph), [" \n\n"]);
    }

    #[test]
    fn sentences_are_those_of_the_annex() {
        assert_eq!(
            found(
                "Mr. Smith paid 3.5 m. in the U.S. yesterday. “Why?” He asked. 是的。不是！",
                Unit::Sentence
            ),
            [
                "Mr. ",
                "Smith paid 3.5 m. in the U.S. yesterday. ",
                "“Why?” ",
                "He asked. ",
                "是的。",
                "不是！"
            ]
        );
    }

    proptest! {
        #[test]
        fn units_follow_each_other_to_the_end(text in "[ab .?!A。\n\r\u{b}\u{85}\u{2028}\u{2029}’é\u{a0}\u{301}]{0,24}") {
            for unit in [Unit::Line, Unit::Sentence, Unit::Paragraph] {
                let mut last = 0;
                for place in units(&text, unit) {
                    prop_assert!(place.start == last && place.start < place.end);
                    prop_assert!(text.get(place.clone()).is_some());
                    last = place.end;
                }
                prop_assert_eq!(last, text.len());
            }
        }

        #[test]
        fn larger_units_end_where_smaller_ones_do(text in "[ab .?!A。\n\r\u{b}\u{85}\u{2028}\u{2029}’é\u{a0}]{0,24}") {
            let ends = |unit| units(&text, unit).map(|place| place.end).collect::<Vec<_>>();
            let lines = ends(Unit::Line);
            for end in ends(Unit::Paragraph) {
                prop_assert!(lines.contains(&end));
            }
            // The annex breaks no sentence at a vertical tab or a form feed.
            if !text.contains('\u{b}') {
                let sentences = ends(Unit::Sentence);
                for end in &lines {
                    prop_assert!(sentences.contains(end), "{} of {:?}", end, sentences);
                }
            }
        }
    }
}
