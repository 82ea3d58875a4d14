//! What of a text goes where an item is cut out: its lines, or so many characters around it, and what follows it.

use crate::contamination::answer_words::{is_empty, labels_question};
use crate::contamination::enclosing::Opened;
use crate::contamination::following::{End, Following};
use crate::contamination::item_text::ItemText;
use crate::contamination::judging::Behind;
use crate::contamination::part::Part;
use crate::passages::line_breaks::{ends_line, first_line, is_break, last_line, without_break};
use crate::passages::units::Units;
use std::ops::Range;

/// Characters of a line that only closes what choices stand in, and those beside an item in its line that are looked at for
/// what they open, at most.
const CLOSING: usize = 100;
/// Widens places of a document.
pub(crate) struct Widening<'a> {
    text: &'a str,
    units: &'a Units<'a>,
    /// Characters on each side, or whole lines.
    margin: Option<usize>,
    /// The line in which the place before begins, and where that begins with a label above: a line of many places is looked
    /// through once.
    first: Range<usize>,
    start: usize,
    /// The line in which a place before ends, where that is another one.
    last: Range<usize>,
}

impl<'a> Widening<'a> {
    pub(crate) const fn new(text: &'a str, units: &'a Units<'a>, margin: Option<usize>) -> Self {
        Self { text, units, margin, first: 0..0, start: 0, last: 0..0 }
    }

    /// What goes with a place, behind which choices and answers of its item stand, in one part or more; `end` is where the
    /// item ends with those that follow it.
    ///
    /// # Complexity
    /// Linear in what goes, but for the lines in which a place before begins or ends.
    pub(crate) fn around(&mut self, place: Range<usize>, end: End, behind: &Behind) -> Vec<Part> {
        let following = Following {
            of: ItemText { text: self.text, units: self.units, behind },
            start: place.start,
        };
        let (cut, mut kept) = self.bytes(place, end, &following);
        let mut between = following.lines_between(&cut);
        between.retain(|lines| self.is_closed(lines));
        kept.extend(between);
        // With a margin the rest of the item's line may be one: it stays where it is joined to no other line.
        kept.retain(|lines| {
            let gone = self.of(cut.start..lines.start);
            ends_line(gone) || !gone.contains(is_break) || self.begins_line(cut.start)
        });
        kept.sort_unstable_by_key(|lines| (lines.start, lines.end));
        let mut parts = self.without(&cut, &kept);
        parts.extend(self.answer(cut.end, &following));
        parts
    }

    /// The parts of what goes between lines that stay, which are in order: one at least.
    fn without(&self, cut: &Range<usize>, kept: &[Range<usize>]) -> Vec<Part> {
        let (mut parts, mut at) = (Vec::new(), cut.start);
        for kept in kept {
            if at < kept.start {
                parts.push(self.part(at..kept.start));
            }
            at = at.max(kept.end);
        }
        if at < cut.end || parts.is_empty() {
            parts.push(self.part(at..cut.end));
        }
        parts
    }

    /// The answer behind what goes that is the item's, whatever stands between, with its lines. Another copy of it may be that of
    /// another question.
    fn answer(&self, end: usize, following: &Following<'_>) -> Vec<Part> {
        let place = following.of.behind.places.iter().find(|place| place.is_sure);
        let own = place.map(|place| self.units.span(place.tokens.clone()));
        let Some(own) = own.filter(|own| own.end > end) else { return Vec::new() };
        let own = match self.margin {
            Some(_) => own,
            None => self.line_of(own.start).start..self.line_of(own.end).end,
        };
        let own = own.start.max(end)..own.end;
        self.without(&own, &following.lines_between(&own))
    }

    /// A part of what goes: with a margin none that joins lines.
    fn part(&self, bytes: Range<usize>) -> Part {
        let bytes = if self.margin.is_some() { self.within_lines(bytes) } else { bytes };
        Part::of(self.text, bytes)
    }

    /// The bytes from the first that goes to the last, and lines between that stay.
    fn bytes(
        &mut self,
        place: Range<usize>,
        end: End,
        following: &Following<'_>,
    ) -> (Range<usize>, Vec<Range<usize>>) {
        let Some(margin) = self.margin else {
            let lines = self.lines_of(&place);
            let last = match end.byte < lines.end {
                true => following.below(end.token, lines.end).map_or(lines.end, |end| end.byte),
                false => end.byte,
            };
            let behind = lines.end..last;
            let (last, kept) = self.closed(lines.start, &place, behind, end.token, following);
            return (lines.start..last, kept);
        };
        let lines = place.end..end.byte;
        let (end, kept) = self.closed(place.start, &place, lines, end.token, following);
        let before = self.text.get(..place.start).unwrap_or_default();
        let start = before.char_indices().rev().take(margin).last();
        let start = start.map_or(place.start, |(at, _)| at);
        let behind = self.text.get(end..).unwrap_or_default();
        let end = behind.char_indices().nth(margin).map_or(self.text.len(), |(at, _)| end + at);
        // A break of two characters is one.
        let is_in_break = |at: usize| {
            self.of(0..at).ends_with('\r') && self.of(at..self.text.len()).starts_with('\n')
        };
        let (start, end) =
            (start - usize::from(is_in_break(start)), end + usize::from(is_in_break(end)));
        let start = self.token_over(start).map_or(start, |token| token.start);
        let end = self.token_over(end).map_or(end, |token| token.end);
        (start..end, kept)
    }

    /// Where lines that go with a place end, with those behind that close what they open, and an answer there; `first` is where
    /// what goes begins. Lines without a word of the item stay that open or close something of which the other end does.
    fn closed(
        &self,
        first: usize,
        place: &Range<usize>,
        lines: Range<usize>,
        token: usize,
        following: &Following<'_>,
    ) -> (usize, Vec<Range<usize>>) {
        let (mut opened, mut end) = (Opened::default(), lines.end);
        if lines.is_empty() {
            return (end, Vec::new());
        }
        // Many places may share a long line.
        let start = if place.start - first <= CLOSING { first } else { place.start };
        let stop = if lines.start - place.end <= CLOSING { lines.start } else { place.end };
        opened.read(self.text, start..stop);
        // Where the item itself has a fence, the next may close it.
        if opened.is_code() {
            return (end, Vec::new());
        }
        opened.read(self.text, lines.clone());
        while ends_line(self.of(0..end)) {
            let rest = self.of(end..self.text.len());
            let next = rest.char_indices().nth(CLOSING).map_or(rest, |(at, _)| &rest[..at]);
            let next = &next[..first_line(next)];
            if next.is_empty() || !opened.ends_with(next) {
                break;
            }
            end += next.len();
        }
        if end > lines.end {
            let answer = following.answer_below(End { token, byte: end });
            end = answer.map_or(end, |answer| answer.byte);
        }
        let kept = opened.lines().filter(|line| lines.contains(&line.start));
        (end, kept.filter(|line| !following.has_own(line)).collect())
    }

    /// Whether lines close all that they open, and nothing else.
    fn is_closed(&self, lines: &Range<usize>) -> bool {
        let mut opened = Opened::default();
        opened.read(self.text, lines.clone());
        opened.lines().next().is_none()
    }

    /// The token that a byte would cut in two.
    fn token_over(&self, byte: usize) -> Option<Range<usize>> {
        self.units.token_before(byte).filter(|token| byte < token.end)
    }

    /// The lines of a place, with the last break and a label above.
    fn lines_of(&mut self, place: &Range<usize>) -> Range<usize> {
        if !self.first.contains(&place.start) {
            self.first = self.line_of(place.start);
            self.start = self.label_above(self.first.start).unwrap_or(self.first.start);
        }
        let has_end = |line: &Range<usize>| line.start < place.end && place.end <= line.end;
        if has_end(&self.first) {
            return self.start..self.first.end;
        }
        if !has_end(&self.last) {
            self.last = self.line_of(place.end);
        }
        self.start..self.last.end
    }

    /// The line of a byte that begins or ends a token, with its break.
    fn line_of(&self, byte: usize) -> Range<usize> {
        let (before, behind) = (self.of(0..byte), self.of(byte..self.text.len()));
        byte - last_line(before)..byte + first_line(behind)
    }

    /// Where a line begins that only says that a question comes, above a line and at most one that is blank.
    fn label_above(&self, mut start: usize) -> Option<usize> {
        for _ in 0..2 {
            let above = without_break(self.of(0..start))?;
            start = above.len() - last_line(above);
            let line = self.of(start..above.len());
            if labels_question(line) {
                return Some(start);
            }
            if !is_empty(line) {
                return None;
            }
        }
        None
    }

    /// The same cut, between parts of lines: of lines of which nothing is left the break goes too, and no two lines of
    /// which something is left become one where the cut ends with a break.
    fn within_lines(&self, cut: Range<usize>) -> Range<usize> {
        let begins_line = self.begins_line(cut.start);
        let gone = self.of(cut.clone());
        if begins_line && !ends_line(gone) {
            let behind = self.of(cut.end..self.text.len());
            let said = behind.find(|char: char| is_break(char) || !char.is_whitespace());
            if said.is_none_or(|at| behind[at..].starts_with(is_break)) {
                return cut.start..cut.end + first_line(behind);
            }
        } else if !begins_line && let Some(kept) = without_break(gone) {
            return cut.start..cut.start + kept.len();
        }
        cut
    }

    fn begins_line(&self, byte: usize) -> bool {
        let before = self.of(0..byte);
        before.is_empty() || ends_line(before)
    }

    fn of(&self, bytes: Range<usize>) -> &'a str {
        self.text.get(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
