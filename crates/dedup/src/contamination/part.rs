//! A part of a text that goes, with the line breaks that go with it.

use crate::passages::line_breaks::{ends_line, without_break};
use std::ops::Range;

/// Bytes that are kept of breaks before a part: a byte has their number where a part is stored.
const LEAD: usize = 255;

/// A part of a text that goes.
///
/// Lines go with their breaks. Where they end a text that no break ends, the breaks before them go too: no break ends what
/// is left. Parts that touch are one part, and those that nothing but such breaks parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Bytes of the breaks before it, at most [`LEAD`].
    pub(crate) lead: u32,
    /// Whether it ends a text that no break ends.
    pub(crate) is_last: bool,
}

impl Part {
    /// The part of a text that has these bytes.
    pub(crate) fn of(text: &str, bytes: Range<usize>) -> Self {
        let before = text.get(..bytes.start).unwrap_or_default();
        let breaks = std::iter::successors(without_break(before), |rest| without_break(rest));
        let leads = breaks.map(|rest| before.len() - rest.len());
        let lead = leads.take_while(|lead| *lead <= LEAD).last().unwrap_or(0);
        let is_last = bytes.end == text.len() && !ends_line(text);
        let [start, end, lead] =
            [bytes.start, bytes.end, lead].map(|bytes| crate::numbers::narrow(bytes as u64));
        Self { start, end, lead, is_last }
    }

    /// The parts of a text, by their first bytes, with those that touch as one: from the end on, as what ends the text
    /// decides what goes before it.
    pub(crate) fn joined(parts: impl DoubleEndedIterator<Item = Self>) -> Vec<Self> {
        let mut joined: Vec<Self> = Vec::new();
        for mut part in parts.rev() {
            while joined.last().is_some_and(|next| part.join(*next)) {
                joined.pop();
            }
            joined.push(part);
        }
        joined.reverse();
        joined
    }

    /// Takes in a part that begins no earlier, if they touch.
    fn join(&mut self, next: Self) -> bool {
        let touches = next.bytes().start <= self.end;
        if touches {
            self.end = self.end.max(next.end);
            self.is_last |= next.is_last;
        }
        touches
    }

    /// Parts as a list of numbers.
    pub(crate) fn list(parts: &[Self]) -> String {
        let numbers = parts.iter().flat_map(|part| {
            let Self { start, end, lead, is_last } = *part;
            [start, end, lead, u32::from(is_last)]
        });
        numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The parts of such a list.
    pub(crate) fn of_list(list: &str) -> Vec<Self> {
        let numbers: Vec<u32> = list.split(' ').filter_map(|number| number.parse().ok()).collect();
        let (parts, _) = numbers.as_chunks::<4>();
        let part = |[start, end, lead, is_last]: &[u32; 4]| Self {
            start: *start,
            end: *end,
            lead: *lead,
            is_last: *is_last != 0,
        };
        parts.iter().map(part).collect()
    }

    /// The bytes that go.
    pub(crate) fn bytes(&self) -> Range<u32> {
        let lead = if self.is_last { self.lead } else { 0 };
        self.start.saturating_sub(lead)..self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::line_breaks::first_line;

    #[test]
    fn parts_that_touch_go_as_one() {
        for end in ["\n", "\r\n", "\u{2028}"] {
            for (text, left) in [
                (["one", "two", "three", ""].join(end), ["one", ""].join(end)),
                (["one", "two", "three"].join(end), "one".to_owned()),
                (["two", "three", "one"].join(end), "one".to_owned()),
                (["two", "three"].join(end), String::new()),
            ] {
                let line = |part: &str| {
                    let start = text.find(part).unwrap();
                    Part::of(
                        &text,
                        start..start + part.len() + first_line(&text[start + part.len()..]),
                    )
                };
                let mut part = line("two");
                assert!(part.join(line("three")), "{text:?}");
                let gone = part.bytes();
                let kept = [&text[..gone.start as usize], &text[gone.end as usize..]].concat();
                assert_eq!(kept, left, "{text:?}");
            }
        }
        for (text, parts, left) in [
            ("one\ntwo\n\nthree", &["two", "three"][..], "one"),
            ("one\n\nthree", &["three"][..], "one"),
            ("one\r\n\r\n\r\nthree", &["three"][..], "one"),
            ("\ntwo\n\n\nthree", &["two", "three"][..], ""),
            ("one\n\ntwo\n\nthree\n\nfour", &["two", "three", "four"][..], "one"),
            ("one\ntwo\n\nthree\n", &["two", "three"][..], "one\n\n"),
        ] {
            let part = |line: &&str| {
                let start = text.find(*line).unwrap();
                Part::of(text, start..start + first_line(&text[start..]))
            };
            let joined = Part::joined(parts.iter().map(part));
            let mut kept = text.to_owned();
            for part in joined.iter().rev() {
                let gone = part.bytes();
                kept.replace_range(gone.start as usize..gone.end as usize, "");
            }
            assert_eq!(kept, left, "{text:?}");
        }
        let far = format!("one{}two", "\n".repeat(300));
        assert_eq!(Part::of(&far, 303..306).lead, 255);
        let text = "two\none\nthree";
        assert!(!Part::of(text, 0..4).join(Part::of(text, 8..13)));
    }
}
