//! What follows an item in a text and goes with it: its choices and answers, and lines such as `Answer: B`. What stands
//! behind other words is not the item's.

use crate::contamination::answer_words::{
    begins_item, ends_block, is_beside, is_empty, is_in_argument, is_label, is_letter, is_mark,
    is_markup, is_short_answer, leads, lists_choices, may_head, names, says_answer,
};
use crate::contamination::judging::{AnswerPlace, Behind};
use crate::contamination::rule::BETWEEN;
use crate::passages::line_breaks::{first_line, is_break, last_line};
use crate::passages::units::Units;
use std::ops::Range;

/// Blank lines that may stand before an answer, and bytes of a line without the item's own words, at most.
const BLANK: usize = 2;
const LONGEST: usize = 200;
/// Blank lines before the first choice, where it is marked as one, at most; so many before a line that choices come, too.
const BLANK_ABOVE: usize = 8;
/// Marks that open a text of several lines in code, and close it.
const QUOTES: [&str; 2] = ["\"\"\"", "'''"];
/// Tokens before a label that are looked at, such as the marks of a list.
const NEAR: usize = 16;

/// A text, and where choices and answers of an item stand in it behind its question.
pub(crate) struct Following<'a> {
    pub(crate) text: &'a str,
    pub(crate) units: &'a Units<'a>,
    pub(crate) behind: &'a Behind,
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

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    /// Nothing but marks, such as `---`.
    Rule,
    /// That an answer comes, such as `Answer:`.
    Announcement,
    /// That choices come, such as `Options:`.
    Choices,
    /// A choice or an answer of the item, up to this token; where that ends, here or in a line below; whether it is marked
    /// as a choice, and whether the line says that the answer comes.
    Own {
        token: usize,
        until: usize,
        is_marked: bool,
        is_answer: bool,
    },
    /// Such as `Answer: B`.
    Answer,
    /// Such as `(b)`, or `Option 2`; whether it names the letter of a choice, as `Option B` does.
    Mark {
        is_named: bool,
        is_letter: bool,
    },
    /// Other words that are marked as a choice, such as one in which a word was changed.
    Marked,
    /// Few other words; whether a colon ends them.
    Few {
        tokens: usize,
        is_open: bool,
    },
    Other,
}

impl Following<'_> {
    /// The end of an item whose question ends with a token, at a byte.
    pub(crate) fn end(&self, token: usize, byte: usize) -> End {
        let own = self.within_line(token, byte);
        let end = match own > token {
            true => End { token: own, byte: self.units.span(token..own).end },
            false => End { token, byte },
        };
        let rest = self.line(end.byte);
        if self.words(&self.tokens(&rest)).is_empty() {
            let closed = self.closing(&self.text[rest.clone()], end.byte).and_then(|marks| {
                Some(end.byte + self.text[rest.clone()].find(marks)? + marks.len())
            });
            let end = End { byte: closed.unwrap_or(end.byte), ..end };
            // Marks alone end the item, and hide no answer below.
            let is_whole = self.text[rest.clone()].ends_with(is_break);
            return is_whole.then(|| self.below(end.token, rest.end)).flatten().unwrap_or(end);
        }
        let whole = End { byte: rest.end, ..end };
        let mut walk = Walk::default();
        match self.says(&rest) {
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
        let mut line = self.line(from.byte);
        for _ in 0..BLANK {
            if self.says(&line) == Line::Blank {
                line = self.line(line.end);
            }
        }
        let says = self.says(&line);
        let gives =
            matches!(says, Line::Answer | Line::Announcement | Line::Own { is_answer: true, .. });
        gives.then(|| self.go_on(Walk { owns: 1, ..Walk::default() }, from)).flatten()
    }

    /// Whether some bytes have a word of a choice or an answer.
    pub(crate) fn has_own(&self, bytes: &Range<usize>) -> bool {
        self.tokens(bytes).any(|token| self.is_own(token))
    }

    /// Lines between those of a long answer that have no word of the item, by places: what stands there is another's.
    pub(crate) fn lines_between(&self, cut: &Range<usize>) -> Vec<Range<usize>> {
        let others = self.behind.places.iter().flat_map(|place| &place.others);
        let mut lines: Vec<_> =
            others.filter_map(|others| self.lines_within(others, cut)).collect();
        lines.sort_unstable_by_key(|lines| (lines.start, lines.end));
        lines
    }

    /// The whole lines of some tokens between two of an answer, if these go and those are words that stand beside none.
    fn lines_within(&self, others: &Range<usize>, cut: &Range<usize>) -> Option<Range<usize>> {
        let before = self.units.span(others.start.checked_sub(1)?..others.start).end;
        let behind = self.units.span(others.end..others.end + 1).start;
        let between = self.text.get(before..behind)?;
        let lines = before + first_line(between)..behind - last_line(between);
        if lines.is_empty() || cut.start > before || cut.end <= behind {
            return None;
        }
        let words = self.words(&self.tokens(&lines));
        let says_some = words.iter().any(|token| !self.leads(*token));
        (says_some && !words.iter().any(|token| self.is_own(*token))).then_some(lines)
    }

    /// Looks through the lines behind an end.
    fn go_on(&self, mut walk: Walk, from: End) -> Option<End> {
        let (mut at, mut end, mut token) = (from.byte, None, from.token);
        let mut is_closed = false;
        while at < self.text.len() {
            let line = self.line(at);
            at = line.end;
            // It closes what the item opened, and is of it.
            let is_next = walk.header.is_none() && walk.owns + walk.others == 0;
            let marks = self.text[line.clone()].trim();
            if is_next && !is_closed && self.closing(marks, from.byte) == Some(marks) {
                is_closed = true;
                end = Some(End { token, byte: at });
                continue;
            }
            // Behind other words choices come first, and behind other choices one of the item. Behind a rule no other line is
            // the item's.
            // But where all of the item's may stand there, changed.
            let all_changed = walk.others > 1 && walk.others == self.behind.missing;
            let is_far = walk.blank > BLANK;
            let is_near = !walk.is_ruled
                && !is_far
                && (walk.header.is_none() && (walk.others == 0 || all_changed) || walk.owns > 0);
            // Within an answer that goes on behind it a rule parts nothing.
            let is_within = self.is_within_answer(line.start);
            let says = match self.says(&line) {
                Line::Rule if is_within => Line::Blank,
                says => says,
            };
            // Behind what a line gave as the answer only the rest of it goes.
            let has_rest = |until: usize| {
                self.units.tokens_before(line.start) < until
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
                Line::Marked if !walk.is_ruled && !is_far && walk.others < self.behind.missing => {
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
                        && walk.others < self.behind.missing
                        && tokens <= self.behind.longest + 1 =>
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
            let item = self.text.get(self.start..byte).unwrap_or_default();
            item.matches(*marks).count() % 2 == 1
        };
        marks.find(is_open)
    }

    /// Whether an answer of rare words begins before a byte and goes on behind it.
    fn is_within_answer(&self, byte: usize) -> bool {
        let token = self.units.tokens_before(byte);
        let mut places = self.behind.places.iter().filter(|place| place.is_rare);
        places.any(|place| place.tokens.start < token && token < place.tokens.end)
    }

    /// Behind the last token of choices and answers that follow a token in its line and each other.
    fn within_line(&self, token: usize, byte: usize) -> usize {
        let Some(last) = self.behind.places.iter().map(|place| place.tokens.end).max() else {
            return token;
        };
        let until = self.units.span(token..last).end;
        let ended = self.text.get(byte..until).and_then(|text| text.find(is_break));
        let last = ended.map_or(last, |at| self.units.tokens_before(byte + at));
        let (mut end, mut placed) = (token, Vec::new());
        for place in &self.behind.places {
            if place.tokens.start >= last {
                break;
            }
            if !self.stands_in(place, &place.tokens) {
                continue;
            }
            let gap = self.words(&(end..place.tokens.start.max(end)));
            let is_new = place.is_rare && !placed.contains(&place.answer);
            let follows = gap.len() <= BETWEEN && (is_new || gap.iter().all(|at| self.leads(*at)))
                || is_new
                    && gap.len() <= BETWEEN + self.behind.missing_tokens
                    && gap.last().is_some_and(|at| self.is_marked(*at));
            if follows {
                end = end.max(place.tokens.end.min(last));
                placed.push(place.answer);
            }
        }
        end
    }

    /// The rest of a line, with its break; of a long one the part with words of the item, and no more if other words follow.
    fn line(&self, start: usize) -> Range<usize> {
        let own = self.behind.places.iter().map(|place| place.tokens.end).max();
        let own = own.map_or(start, |own| self.units.span(0..own).end);
        let limit = own.max(start + LONGEST);
        let rest = self.text.get(start..).unwrap_or_default();
        let most = rest.char_indices().map(|(at, _)| start + at).find(|at| *at > limit);
        let most = most.unwrap_or(self.text.len());
        let part = &self.text[start..most];
        if part.contains(is_break) {
            return start..start + first_line(part);
        }
        let rest = &self.text[most..];
        let near = rest.char_indices().find(|(at, _)| *at > LONGEST);
        let near = near.map_or(rest, |(at, _)| &rest[..at]);
        if near.len() < rest.len() && !near.contains(is_break) {
            return start..most;
        }
        let end = most + first_line(rest);
        start..if self.words(&self.tokens(&(most..end))).is_empty() { end } else { most }
    }

    fn tokens(&self, bytes: &Range<usize>) -> Range<usize> {
        self.units.tokens_before(bytes.start)..self.units.tokens_before(bytes.end)
    }

    /// Of some tokens those that are words: in code and formulas marks are tokens too. Markup around choices is none, but
    /// where all of a tag or a command is the item's.
    fn words(&self, tokens: &Range<usize>) -> Vec<usize> {
        let counts = |token: &usize| self.is_own(*token) || self.markup(*token).is_none();
        tokens.clone().filter(|token| self.is_word(*token)).filter(counts).collect()
    }

    fn is_word(&self, token: usize) -> bool {
        self.units.token(token).chars().any(char::is_alphanumeric)
    }

    /// Whether a token is one of a choice or an answer of the item.
    fn is_own(&self, token: usize) -> bool {
        self.is_placed(token) && !self.is_markup_of_others(token)
    }

    /// The same where words in tags and commands of others count too.
    fn is_placed(&self, token: usize) -> bool {
        let mut places = self.behind.places.iter().filter(|place| place.tokens.contains(&token));
        places.any(|place| !place.others.iter().any(|others| others.contains(&token)))
    }

    /// Whether a place has some of these tokens, amid it or other than in tags and commands of others.
    fn stands_in(&self, place: &AnswerPlace, tokens: &Range<usize>) -> bool {
        let (start, end) = (place.tokens.start.max(tokens.start), place.tokens.end.min(tokens.end));
        let is_amid = place.tokens.start < start && end < place.tokens.end;
        (start..end).any(|token| is_amid || !self.is_markup_of_others(token))
    }

    /// Whether a token is in a tag or a command that has another word than the item's: `0` in `<table border="0">`.
    fn is_markup_of_others(&self, token: usize) -> bool {
        let Some(markup) = self.markup(token).or_else(|| self.argument(token)) else {
            return false;
        };
        self.tokens(&markup).any(|token| self.is_word(token) && !self.is_placed(token))
    }

    /// The inside of the tag of HTML or the command of LaTeX around choices that a token is in, or the cross in a box, as in
    /// `- [x]`.
    fn markup(&self, token: usize) -> Option<Range<usize>> {
        let Range { start, end } = self.units.span(token..token + 1);
        let (before, here) = (self.text.get(..start)?, self.text.get(start..)?);
        if let Some(line) = before.strip_suffix('[')
            && (here.starts_with("x]") || here.starts_with("X]"))
        {
            let is_list = |char: &char| " \t-*+>.)".contains(*char) || char.is_ascii_digit();
            let is_box = line.chars().rev().find(|char| !is_list(char)).is_none_or(is_break);
            return is_box.then_some(start..end);
        }
        if before.ends_with('\\') {
            return is_markup(here).then(|| self.command(start));
        }
        // The name of an environment.
        if let Some(command) = before.strip_suffix('{') {
            let command = command.strip_suffix("begin").or_else(|| command.strip_suffix("end"))?;
            return command.ends_with('\\').then(|| self.command(command.len()));
        }
        let window = &before.as_bytes()[start.saturating_sub(LONGEST)..];
        let last = window.iter().rposition(|byte| matches!(byte, b'<' | b'>' | b'\n' | b'\r'));
        let tag = last.filter(|at| window[*at] == b'<')?;
        let inside = start - window.len() + tag + 1;
        let ends = |char: char| matches!(char, '<' | '>') || is_break(char);
        let (at, last) = here.char_indices().take(LONGEST).find(|(_, char)| ends(*char))?;
        (last == '>' && is_markup(&self.text[inside..])).then_some(inside..start + at)
    }

    /// A command of LaTeX that begins at a byte behind its backslash, with the name of an environment.
    fn command(&self, start: usize) -> Range<usize> {
        let here = self.text.get(start..).unwrap_or_default();
        let is_environment = here.starts_with("begin{") || here.starts_with("end{");
        let ends = |char: char| match is_environment {
            true => char == '}' || is_break(char),
            false => !char.is_ascii_alphabetic(),
        };
        let end = here.char_indices().take(LONGEST).find(|(_, char)| ends(*char));
        start..end.map_or(start, |(at, _)| start + at)
    }

    /// The command of LaTeX up to a token that is in an argument of it, as in `\begin{tasks}(2)` and `\item[4]`.
    fn argument(&self, token: usize) -> Option<Range<usize>> {
        let Range { start, end } = self.units.span(token..token + 1);
        let before = self.text.get(..start)?;
        let window = &before.as_bytes()[start.saturating_sub(LONGEST)..];
        let last = window.iter().rposition(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))?;
        let command = start - window.len() + last + 1;
        let is_argument = window[last] == b'\\' && is_in_argument(&before[command..]);
        is_argument.then_some(command..end)
    }

    fn word(&self, token: usize) -> String {
        self.units.token(token).to_lowercase()
    }

    fn leads(&self, token: usize) -> bool {
        leads(&self.word(token)) || self.is_marked(token)
    }

    /// Whether a token is the mark of a choice, such as `B)`. A label of another kind is one at the start of a line.
    fn is_marked(&self, token: usize) -> bool {
        let end = self.units.span(token..token + 1).end;
        let behind = self.text.get(end..).unwrap_or_default();
        let word = self.word(token);
        // The seventeenth choice has the letter of a question.
        let is_label =
            || is_label(&word) || word == "q" && self.behind.places.iter().any(|it| it.answer > 15);
        let ends = [')', '.', ':', ']', '）', '．', '：', '、', '】'];
        behind.starts_with(ends) && (is_mark(&word) || is_label() && self.is_first(token))
    }

    /// Whether no word stands before a token in its line.
    fn is_first(&self, token: usize) -> bool {
        let first = token.saturating_sub(NEAR);
        let is_passed = |at: usize| !self.is_word(at) || self.markup(at).is_some();
        let Some(before) = (first..token).rev().find(|at| !is_passed(*at)) else {
            return first == 0;
        };
        let (before, here) =
            (self.units.span(before..before + 1), self.units.span(token..token + 1));
        self.text.get(before.end..here.start).is_some_and(|between| between.contains(is_break))
    }

    /// Whether a token may be all that an answer is: a label of any script behind a colon, or marked as one.
    fn is_short_answer(&self, token: usize, word: &str) -> bool {
        let is_behind_colon = || {
            let start = self.units.span(token..token + 1).start;
            let before = self.text.get(..start).unwrap_or_default();
            let is_between = |char: char| " \t*_([（【".contains(char);
            before.trim_end_matches(is_between).ends_with([':', '：'])
        };
        // An item without choices has no labels.
        let has_choices = || !self.behind.places.is_empty() || self.behind.missing > 0;
        is_short_answer(word)
            || is_label(word) && has_choices() && (is_behind_colon() || self.is_marked(token))
    }

    /// Whether a line begins as a choice does.
    fn begins_choice(&self, line: &Range<usize>, first: usize) -> bool {
        let begun = self.text[line.clone()].trim_start();
        self.is_marked(first)
            || begun.starts_with(['-', '*', '•', '–', '☐', '☑', '☒'])
            || begins_item(begun)
    }

    fn says(&self, line: &Range<usize>) -> Line {
        let tokens = self.words(&self.tokens(line));
        let text = &self.text[line.clone()];
        let Some(first) = tokens.first() else {
            // Markup alone parts nothing, but where it ends what stands around the item.
            let is_markup = text.contains(char::is_alphanumeric) && !ends_block(text.trim_start());
            let is_blank = is_empty(text) || is_markup;
            return if is_blank { Line::Blank } else { Line::Rule };
        };
        let is_marked = self.begins_choice(line, *first);
        if let Some((until, is_answer)) = self.own(&self.tokens(line), is_marked) {
            let token = until.min(self.tokens(line).end);
            // So is a row of a table.
            let is_marked = is_marked || text.trim_start().starts_with('|');
            return Line::Own { token, until, is_marked, is_answer };
        }
        if line.len() > LONGEST {
            return Line::Other;
        }
        let is_last = |char: char| matches!(char, '*' | '_' | ' ') || is_break(char);
        let is_open = text.trim_end_matches(is_last).ends_with([':', '：']);
        let words: Vec<String> = tokens.iter().map(|token| self.word(*token)).collect();
        let shorts: Vec<bool> = tokens
            .iter()
            .zip(&words)
            .map(|(token, word)| self.is_short_answer(*token, word))
            .collect();
        let named = words.iter().filter(|word| names(word)).count();
        let announces = words.iter().any(|word| says_answer(word));
        let lists = words.iter().any(|word| lists_choices(word));
        let answers = shorts.contains(&true);
        let letters = words.iter().any(|word| is_letter(word));
        // `Option 1` and `Key:` may be headings; `Key: 1` and `Correct option B` give an answer.
        let heads = named < 2
            && words.iter().zip(&shorts).all(|(word, is_short)| *is_short || may_head(word));
        let gives = !heads || !is_open && text.contains([':', '：']);
        match words.iter().zip(&shorts).all(|(word, is_short)| *is_short || is_beside(word)) {
            true if answers && named > 0 && gives => Line::Answer,
            true if answers => Line::Mark { is_named: named > 0, is_letter: letters },
            true if is_open && announces && !lists && !heads => Line::Announcement,
            true if is_open && named > 0 => Line::Choices,
            // Such as `**Options**`.
            true if lists => Line::Few { tokens: tokens.len(), is_open: true },
            _ if is_marked => Line::Marked,
            _ if tokens.len() <= BETWEEN.max(self.behind.longest + 1) => {
                Line::Few { tokens: tokens.len(), is_open }
            }
            _ => Line::Other,
        }
    }

    /// Behind the last token of choices and answers that begin in a line, or go on in it, and that it has hardly another
    /// word than; and whether the line says that the answer comes.
    fn own(&self, line: &Range<usize>, is_marked: bool) -> Option<(usize, bool)> {
        let places = self.behind.places.iter();
        let here: Vec<_> = places.filter(|place| self.stands_in(place, line)).collect();
        let last = here.iter().map(|place| place.tokens.end).max()?;
        let is_own = |token: &usize| here.iter().any(|place| place.tokens.contains(token));
        let words = self.words(line).into_iter();
        let (own, others): (Vec<usize>, Vec<usize>) = words.partition(is_own);
        let other = others.iter().filter(|token| !self.leads(**token)).count();
        // Of usual words a single one may be anything's.
        let are_some = here.iter().any(|it| it.is_rare || it.answer != here[0].answer);
        let most = if are_some { own.len() / 2 } else { 0 };
        // `A) Jupiter (correct)` tells it of one of several choices, and `Answers: A) Jupiter` begins a list of them.
        let begun = own.first().copied().unwrap_or(line.start);
        let says =
            |token: &usize| says_answer(&self.word(*token)) && (*token < begun || !is_marked);
        let lists = |token: &usize| lists_choices(&self.word(*token));
        let is_list =
            || others.iter().any(lists) && others.iter().any(|token| self.is_marked(*token));
        let is_answer = || others.iter().any(says) && !is_list();
        let goes_on = !own.is_empty() && self.goes_on(line, begun);
        (other <= most || goes_on).then(|| (last, is_answer()))
    }

    /// Whether a line goes on with a choice or an answer of the line above, or begins with one whose mark ends that. Other words
    /// may follow, as in a paragraph.
    fn goes_on(&self, line: &Range<usize>, begun: usize) -> bool {
        let is_begun_above =
            |place: &AnswerPlace| place.tokens.start < line.start && line.start < place.tokens.end;
        self.behind.places.iter().any(is_begun_above)
            || begun == line.start && line.start.checked_sub(1).is_some_and(|at| self.is_marked(at))
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
