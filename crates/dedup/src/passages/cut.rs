//! What goes of one document: runs to cuts, and the text without them.

use crate::passages::line_breaks::without_break;
use crate::passages::units::{Units, segments};
use nearprint_fingerprint::Unit;
use std::ops::Range;

/// How what repeats is cut out.
///
/// # Examples
/// ```
/// use nearprint_dedup::CutRule;
/// use nearprint_fingerprint::Unit;
///
/// let rule = CutRule { whole: Some(Unit::Sentence), min_left: 20, ..CutRule::default() };
/// assert_eq!(rule.joint, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutRule {
    /// Only whole ones of these go: nothing ends within one.
    pub whole: Option<Unit>,
    /// Text to put where something was cut. By default nothing at the start or the end of a line or next to
    /// white space, a line break if one was cut, and else a space.
    pub joint: Option<String>,
    /// A document that was cut and has fewer tokens left goes as a whole, but for one that has the kept text of a passage
    /// that repeats in another document.
    pub min_left: u64,
}

impl CutRule {
    /// What goes only as a whole, as the command line names it.
    pub(crate) fn whole_name(&self) -> Option<&'static str> {
        self.whole.map(|unit| match unit {
            Unit::Line => "line",
            Unit::Sentence => "sentence",
            Unit::Paragraph => "paragraph",
        })
    }
}

/// What stands at a cut where nobody says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    Nothing,
    Blank,
    Break,
}

/// A part of a document that goes, in bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) bytes: Range<usize>,
    pub(crate) joint: Joint,
    /// The most that there are of one of its windows.
    pub(crate) copies: u32,
}

/// Units that go, and how many there are of the window that there are most of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gone {
    pub(crate) units: Range<usize>,
    pub(crate) copies: u32,
}

/// The cuts of a document of which some units go, in any order. They ascend, and none touches the next but at the
/// start of a line.
///
/// # Complexity
/// `O(n log n)` for `n` ranges; linear in the text where whole segments go.
pub(crate) fn cuts(
    text: &str,
    units: &Units<'_>,
    mut gone: Vec<Gone>,
    whole: Option<Unit>,
) -> Vec<Cut> {
    gone.sort_unstable_by_key(|gone| (gone.units.start, gone.units.end));
    let mut merged: Vec<Gone> = Vec::new();
    for next in gone {
        match merged.last_mut() {
            Some(last) if next.units.start <= last.units.end => {
                last.units.end = last.units.end.max(next.units.end);
                last.copies = last.copies.max(next.copies);
            }
            _ => merged.push(next),
        }
    }
    let mut found = Vec::new();
    if let Some(whole) = whole {
        segments(text, whole, &mut found);
    }
    let mut cuts: Vec<Cut> = Vec::new();
    for Gone { units: range, copies } in merged {
        let bytes = units.span(range);
        let bytes = match whole {
            Some(_) => match within(&found, &bytes, units) {
                Some(bytes) => bytes,
                None => continue,
            },
            None => bytes,
        };
        let (mut bytes, joint) = with_lines(text, bytes, units);
        bytes.start = bytes.start.max(cuts.last().map_or(0, |last| last.bytes.end));
        cuts.push(Cut { bytes, joint, copies });
    }
    cuts
}

/// The bytes of the segments all tokens of which are within some bytes.
fn within(
    segments: &[Range<usize>],
    bytes: &Range<usize>,
    units: &Units<'_>,
) -> Option<Range<usize>> {
    let (first, behind) = (units.tokens_before(bytes.start), units.tokens_before(bytes.end));
    let from = segments.partition_point(|segment| segment.end <= bytes.start);
    let all = segments.get(from..).unwrap_or_default().iter();
    let touched = all.take_while(|segment| segment.start < bytes.end);
    let mut whole = touched.filter(|segment| {
        let (start, end) = (units.tokens_before(segment.start), units.tokens_before(segment.end));
        start < end && first <= start && end <= behind
    });
    let start = whole.next()?;
    let end = whole.last().unwrap_or(start).end;
    Some(start.start..end)
}

/// The line breaks of a text, in their order: those that end [`Unit::Line`].
fn breaks(text: &str) -> impl Iterator<Item = Range<usize>> {
    nearprint_fingerprint::units(text, Unit::Line).filter_map(move |line| {
        let said = without_break(text.get(line.clone())?)?;
        Some(line.start + said.len()..line.end)
    })
}

/// The bytes that go with some, and what stands in their place: a line without a token left goes whole.
fn with_lines(text: &str, bytes: Range<usize>, units: &Units<'_>) -> (Range<usize>, Joint) {
    let Range { start, end } = bytes;
    let within = |from: usize, to: usize| {
        let breaks = breaks(text.get(from..to).unwrap_or_default());
        breaks.map(move |found| found.start + from..found.end + from)
    };
    // The breaks that end the lines with the ends of the cut, as far as no other token stands in them; nothing in
    // place of a break where the text begins or ends.
    let (gap, behind) = (units.gap_before(start), units.gap_behind(end, text.len()));
    let before = within(gap, start).last().or((gap == 0).then_some(0..0));
    let next = within(end, behind).next();
    let next = next.or((behind == text.len()).then_some(behind..behind));
    let has_break = within(start, end).next().is_some();
    match (before, next) {
        (Some(before), Some(next)) if !next.is_empty() => (before.end..next.end, Joint::Nothing),
        (Some(before), Some(next)) => (before.start..next.end, Joint::Nothing),
        (Some(before), None) => (if has_break { before.end } else { start }..end, Joint::Nothing),
        (None, Some(next)) => (start..if has_break { next.start } else { end }, Joint::Nothing),
        (None, None) if has_break => (start..end, Joint::Break),
        (None, None) => {
            let before = text[..start].chars().next_back();
            let behind = text[end..].chars().next();
            let is_parted = [before, behind].into_iter().flatten().any(char::is_whitespace);
            (start..end, if is_parted { Joint::Nothing } else { Joint::Blank })
        }
    }
}

/// The text without the cuts, which ascend. A break in place of a cut is the first one in it: others may not stand in this
/// text.
pub(crate) fn without(
    text: &str,
    cuts: impl Iterator<Item = (Range<usize>, Joint)>,
    joint: Option<&str>,
) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for (bytes, usual) in cuts {
        left.push_str(text.get(at..bytes.start).unwrap_or_default());
        left.push_str(joint.unwrap_or(match usual {
            Joint::Nothing => "",
            Joint::Blank => " ",
            Joint::Break => {
                let gone = text.get(bytes.clone()).unwrap_or_default();
                breaks(gone).next().and_then(|found| gone.get(found)).unwrap_or_default()
            }
        }));
        at = bytes.end;
    }
    left.push_str(text.get(at..).unwrap_or_default());
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::unit::PassageUnit;
    use crate::passages::units::UnitReader;
    use nearprint_fingerprint::{Digits, Recipe};

    /// The text without the tokens between two words.
    fn cut(text: &str, from: &str, to: &str, whole: Option<Unit>) -> String {
        let mut reader =
            UnitReader::new(&Recipe::default(), PassageUnit::Token, Digits::Keep).unwrap();
        let units = reader.read(text);
        let start = units.tokens_before(text.find(from).unwrap());
        let end = units.tokens_before(text.rfind(to).unwrap() + to.len());
        let gone = vec![Gone { units: start..end, copies: 2 }];
        let cuts = cuts(text, &units, gone, whole);
        without(text, cuts.into_iter().map(|cut| (cut.bytes, cut.joint)), None)
    }

    #[test]
    fn a_line_without_a_token_left_goes_whole() {
        for (text, from, to, left) in [
            ("one\n* two three.\r\nfour", "two", "three", "one\nfour"),
            ("* one two.\nthree", "one", "two", "three"),
            ("one\r\n- two\n", "two", "two", "one\r\n"),
            ("one\r\n- two", "two", "two", "one"),
            ("- one two\nthree", "one", "one", "-  two\nthree"),
            ("- one\n- two three", "one", "two", " three"),
            ("one two.\nthree!\nfour", "two", "three", "one \nfour"),
            ("one two.\r\nthree!\r\nfour", "two", "three", "one \r\nfour"),
            ("one two\nthree four", "two", "three", "one \n four"),
            ("one two three", "two", "two", "one  three"),
            ("one-two-three", "two", "two", "one- -three"),
            ("one", "one", "one", ""),
            ("one\rtwo three\rfour", "two", "three", "one\rfour"),
            ("one two.\rthree!\rfour", "two", "three", "one \rfour"),
            ("one\u{85}two\u{85}three", "two", "two", "one\u{85}three"),
            ("one\u{2028}two", "two", "two", "one"),
            ("one two\u{2029}three four", "two", "three", "one \u{2029} four"),
        ] {
            assert_eq!(cut(text, from, to, None), left, "{text:?}");
        }
    }

    #[test]
    fn only_whole_ones_go_where_that_is_asked_for() {
        let text = "One two. Three four! Five six? Seven eight.";
        let of = |whole| cut(text, "two", "Seven", Some(whole));
        assert_eq!(of(Unit::Sentence), "One two.  Seven eight.");
        assert_eq!(of(Unit::Line), text);
        let lines = "one two\nthree\n***\nfour\n\nfive six";
        assert_eq!(cut(lines, "two", "five", Some(Unit::Line)), "one two\n\nfive six");
        assert_eq!(cut(lines, "two", "five", Some(Unit::Paragraph)), lines);
        assert_eq!(cut(lines, "one", "five", Some(Unit::Paragraph)), "\nfive six");
    }
}
