//! What follows an item in a text and goes with it: its choices and answers, and lines such as `Answer: B`. What stands
//! behind other words is not the item's.

use crate::contamination::item_text::{ItemText, Line};
use crate::contamination::rule::BETWEEN;
use crate::passages::line_breaks::{first_line, is_break, last_line};
use std::ops::Range;

/// Blank lines that may stand before an answer.
const BLANK: usize = 2;
/// Blank lines before the first choice, where it is marked as one, at most; so many before a line that choices come, too.
const BLANK_ABOVE: usize = 8;
/// Marks that open a text of several lines in code, and close it.
const QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// An item in a text, and what stands behind it.
pub(crate) struct Following<'a> {
    pub(crate) of: ItemText<'a>,
    /// Where the item begins in the text.
    pub(crate) start: usize,
}

/// Where an item ends with what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Behind the last token of a choice or an answer.
    pub(crate) token: usize,
    pub(crate) byte: usize,
}

impl Following<'_> {
    /// The end of an item whose question ends with a token, at a byte.
    pub(crate) fn end(&self, token: usize, byte: usize) -> End {
        let own = self.within_line(token, byte);
        let end = match own > token {
            true => End { token: own, byte: self.of.units.span(token..own).end },
            false => End { token, byte },
        };
        let rest = self.of.line(end.byte);
        if self.of.words(&self.of.tokens(&rest)).is_empty() {
            let closed = self.closing(&self.of.text[rest.clone()], end.byte).and_then(|marks| {
                Some(end.byte + self.of.text[rest.clone()].find(marks)? + marks.len())
            });
            let end = End { byte: closed.unwrap_or(end.byte), ..end };
            // Marks alone end the item, and hide no answer below.
            let is_whole = self.of.text[rest.clone()].ends_with(is_break);
            return is_whole.then(|| self.below(end.token, rest.end)).flatten().unwrap_or(end);
        }
        let whole = End { byte: rest.end, ..end };
        let mut walk = Walk::default();
        match self.of.says(&rest) {
            Line::Answer => whole,
            Line::Announcement => {
                walk.is_announced = true;
                self.go_on(walk, whole).unwrap_or(whole)
            }
            Line::Choices => {
                walk.listed = Some(true);
                self.go_on(walk, whole).unwrap_or(end)
            }
            Line::Few { tokens, is_open } if tokens <= BETWEEN => {
                walk.header = Some(is_open);
                self.go_on(walk, whole).unwrap_or(end)
            }
            _ => end,
        }
    }

    /// The end of an item of which lines that begin at a byte have more; `token` is its end above.
    pub(crate) fn below(&self, token: usize, byte: usize) -> Option<End> {
        self.go_on(Walk::default(), End { token, byte })
    }

    /// The end behind lines that close what choices stand in, where the answer follows these.
    pub(crate) fn answer_below(&self, from: End) -> Option<End> {
        let mut line = self.of.line(from.byte);
        for _ in 0..BLANK {
            if self.of.says(&line) == Line::Blank {
                line = self.of.line(line.end);
            }
        }
        let says = self.of.says(&line);
        let gives =
            matches!(says, Line::Answer | Line::Announcement | Line::Own { is_answer: true, .. });
        gives.then(|| self.go_on(Walk { owns: 1, ..Walk::default() }, from)).flatten()
    }

    /// Whether some bytes have a word of a choice or an answer.
    pub(crate) fn has_own(&self, bytes: &Range<usize>) -> bool {
        self.of.tokens(bytes).any(|token| self.of.is_own(token))
    }

    /// Lines between those of a long answer that have no word of the item, by places: what stands there is another's.
    pub(crate) fn lines_between(&self, cut: &Range<usize>) -> Vec<Range<usize>> {
        let others = self.of.behind.places.iter().flat_map(|place| &place.others);
        let mut lines: Vec<_> =
            others.filter_map(|others| self.lines_within(others, cut)).collect();
        lines.sort_unstable_by_key(|lines| (lines.start, lines.end));
        lines
    }

    /// The whole lines of some tokens between two of an answer, if these go and those are words that stand beside none.
    fn lines_within(&self, others: &Range<usize>, cut: &Range<usize>) -> Option<Range<usize>> {
        let before = self.of.units.span(others.start.checked_sub(1)?..others.start).end;
        let behind = self.of.units.span(others.end..others.end + 1).start;
        let between = self.of.text.get(before..behind)?;
        let lines = before + first_line(between)..behind - last_line(between);
        if lines.is_empty() || cut.start > before || cut.end <= behind {
            return None;
        }
        let words = self.of.words(&self.of.tokens(&lines));
        let says_some = words.iter().any(|token| !self.of.leads(*token));
        (says_some && !words.iter().any(|token| self.of.is_own(*token))).then_some(lines)
    }

    /// Looks through the lines behind an end.
    fn go_on(&self, mut walk: Walk, from: End) -> Option<End> {
        let (mut at, mut end, mut token) = (from.byte, None, from.token);
        let mut is_closed = false;
        while at < self.of.text.len() {
            let line = self.of.line(at);
            at = line.end;
            // It closes what the item opened, and is of it.
            let is_next = walk.header.is_none() && walk.owns + walk.others == 0;
            let marks = self.of.text[line.clone()].trim();
            if is_next && !is_closed && self.closing(marks, from.byte) == Some(marks) {
                is_closed = true;
                end = Some(End { token, byte: at });
                continue;
            }
            // Behind other words choices come first, and behind other choices one of the item. Behind a rule no other line is
            // the item's.
            // But where all of the item's may stand there, changed.
            let all_changed = walk.others > 1 && walk.others == self.of.behind.missing;
            let is_far = walk.blank > BLANK;
            let is_near = !walk.is_ruled
                && !is_far
                && (walk.header.is_none() && (walk.others == 0 || all_changed) || walk.owns > 0);
            // Within an answer that goes on behind it a rule parts nothing.
            let is_within = self.is_within_answer(line.start);
            let says = match self.of.says(&line) {
                Line::Rule if is_within => Line::Blank,
                says => says,
            };
            // Behind what a line gave as the answer only the rest of it goes.
            let has_rest = |until: usize| {
                self.of.units.tokens_before(line.start) < until
                    && matches!(says, Line::Blank | Line::Own { .. })
            };
            if walk.answered.is_some_and(|until| !has_rest(until)) {
                break;
            }
            match says {
                Line::Blank if is_within => {}
                Line::Blank if walk.blank < walk.most_blank() => walk.blank += 1,
                Line::Rule if walk.blank < BLANK => {
                    walk.blank += 1;
                    walk.is_ruled = true;
                }
                Line::Own { token: own, until, is_marked, is_answer } => {
                    let is_behind_others = walk.header == Some(false) || walk.others > 0;
                    if !is_marked && (walk.is_ruled || is_far || is_behind_others && walk.owns == 0)
                    {
                        break;
                    }
                    token = token.max(own);
                    end = Some(End { token, byte: at });
                    let gives_answer = is_answer || walk.is_announced;
                    let answered = walk.answered.or(gives_answer.then_some(until));
                    let (owns, header) = (walk.owns + 1, walk.header);
                    walk = Walk { owns, header, answered, ..Walk::default() };
                }
                Line::Announcement if is_near && !walk.is_announced => {
                    walk.is_announced = true;
                    end = Some(End { token, byte: at });
                }
                // It goes with what follows it, and stays where nothing of the item does.
                Line::Choices
                    if walk.listed.is_none()
                        && (is_near || !walk.is_ruled && walk.owns + walk.others == 0) =>
                {
                    walk.listed = Some(true);
                    walk.header = walk.header.map(|_| true);
                    walk.blank = 0;
                }
                Line::Answer if is_near => {
                    end = Some(End { token, byte: at });
                    break;
                }
                Line::Mark { is_named, is_letter }
                    if is_near
                        && (walk.is_announced
                            || walk.listed == Some(true)
                            || is_named && walk.owns > 0 && walk.blank < BLANK
                            || is_named && is_letter && walk.others + walk.blank == 0) =>
                {
                    end = Some(End { token, byte: at });
                    if walk.is_announced {
                        break;
                    }
                    walk.listed = walk.listed.map(|_| false);
                    walk.blank = (walk.blank + 1).min(BLANK);
                }
                // Its choice may stand below.
                Line::Mark { .. } if walk.blank < BLANK => walk.blank += 1,
                Line::Marked
                    if !walk.is_ruled && !is_far && walk.others < self.of.behind.missing =>
                {
                    walk.others += 1;
                }
                Line::Few { is_open, tokens }
                    if !walk.is_ruled
                        && (is_open || !is_far)
                        && walk.header.is_none()
                        && walk.owns + walk.others == 0
                        && tokens <= BETWEEN =>
                {
                    walk.header = Some(is_open);
                    walk.blank = 0;
                }
                Line::Few { tokens, .. }
                    if !walk.is_ruled
                        && walk.owns > 0
                        && walk.others < self.of.behind.missing
                        && tokens <= self.of.behind.longest + 1 =>
                {
                    walk.others += 1;
                }
                _ => break,
            }
        }
        end
    }

    /// The marks in a text that close one of several lines, which the item opens up to a byte, and closes nowhere there.
    fn closing(&self, text: &str, byte: usize) -> Option<&'static str> {
        // Few lines have such marks: only behind these the item is looked through.
        let mut marks = QUOTES.into_iter().filter(|marks| text.contains(marks));
        let is_open = |marks: &&str| {
            let item = self.of.text.get(self.start..byte).unwrap_or_default();
            item.matches(*marks).count() % 2 == 1
        };
        marks.find(is_open)
    }

    /// Whether an answer of rare words begins before a byte and goes on behind it.
    fn is_within_answer(&self, byte: usize) -> bool {
        let token = self.of.units.tokens_before(byte);
        let mut places = self.of.behind.places.iter().filter(|place| place.is_rare);
        places.any(|place| place.tokens.start < token && token < place.tokens.end)
    }

    /// Behind the last token of choices and answers that follow a token in its line and each other.
    fn within_line(&self, token: usize, byte: usize) -> usize {
        let Some(last) = self.of.behind.places.iter().map(|place| place.tokens.end).max() else {
            return token;
        };
        let until = self.of.units.span(token..last).end;
        let ended = self.of.text.get(byte..until).and_then(|text| text.find(is_break));
        let last = ended.map_or(last, |at| self.of.units.tokens_before(byte + at));
        let (mut end, mut placed) = (token, Vec::new());
        for place in &self.of.behind.places {
            if place.tokens.start >= last {
                break;
            }
            if !self.of.stands_in(place, &place.tokens) {
                continue;
            }
            let gap = self.of.words(&(end..place.tokens.start.max(end)));
            let is_new = place.is_rare && !placed.contains(&place.answer);
            let follows = gap.len() <= BETWEEN
                && (is_new || gap.iter().all(|at| self.of.leads(*at)))
                || is_new
                    && gap.len() <= BETWEEN + self.of.behind.missing_tokens
                    && gap.last().is_some_and(|at| self.of.is_marked(*at));
            if follows {
                end = end.max(place.tokens.end.min(last));
                placed.push(place.answer);
            }
        }
        end
    }
}

/// How far the lines behind an item were looked through.
#[derive(Default)]
struct Walk {
    /// Lines of choices and answers.
    owns: usize,
    /// Lines since the last of these.
    blank: usize,
    others: usize,
    /// Whether a line said that an answer comes.
    is_announced: bool,
    /// Whether one that said that choices come is the last that counts; `None` where none did.
    listed: Option<bool>,
    /// Whether nothing but marks stood in one.
    is_ruled: bool,
    /// Behind the last token of what a line gave as the answer.
    answered: Option<usize>,
    /// Whether a colon ends the words before the choices, where there are some.
    header: Option<bool>,
}

impl Walk {
    /// Blank lines that may stand before the next line of the item.
    const fn most_blank(&self) -> usize {
        if self.owns + self.others == 0 && !self.is_announced { BLANK_ABOVE } else { BLANK }
    }
}
