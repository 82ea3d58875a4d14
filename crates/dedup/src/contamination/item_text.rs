//! What a line behind an item says: a choice or an answer of the item, that one comes, or other words. The walk over these
//! lines is `following`'s.

use crate::contamination::answer_words::{
    begins_item, ends_block, is_beside, is_empty, is_in_argument, is_label, is_letter, is_mark,
    is_markup, is_short_answer, leads, lists_choices, may_head, names, says_answer,
};
use crate::contamination::judging::{AnswerPlace, Behind};
use crate::contamination::rule::BETWEEN;
use crate::passages::line_breaks::{first_line, is_break};
use crate::passages::units::Units;
use std::ops::Range;

/// Bytes of a line without the item's own words, at most.
const LONGEST: usize = 200;
/// Tokens before a label that are looked at, such as the marks of a list.
const NEAR: usize = 16;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
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

/// A text, and where choices and answers of an item stand in it behind its question.
pub(crate) struct ItemText<'a> {
    pub(crate) text: &'a str,
    pub(crate) units: &'a Units<'a>,
    pub(crate) behind: &'a Behind,
}

impl ItemText<'_> {
    /// The rest of a line, with its break; of a long one the part with words of the item, and no more if other words follow.
    pub(super) fn line(&self, start: usize) -> Range<usize> {
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

    pub(super) fn tokens(&self, bytes: &Range<usize>) -> Range<usize> {
        self.units.tokens_before(bytes.start)..self.units.tokens_before(bytes.end)
    }

    /// Of some tokens those that are words: in code and formulas marks are tokens too. Markup around choices is none, but
    /// where all of a tag or a command is the item's.
    pub(super) fn words(&self, tokens: &Range<usize>) -> Vec<usize> {
        let counts = |token: &usize| self.is_own(*token) || self.markup(*token).is_none();
        tokens.clone().filter(|token| self.is_word(*token)).filter(counts).collect()
    }

    fn is_word(&self, token: usize) -> bool {
        self.units.token(token).chars().any(char::is_alphanumeric)
    }

    /// Whether a token is one of a choice or an answer of the item.
    pub(super) fn is_own(&self, token: usize) -> bool {
        self.is_placed(token) && !self.is_markup_of_others(token)
    }

    /// The same where words in tags and commands of others count too.
    fn is_placed(&self, token: usize) -> bool {
        let mut places = self.behind.places.iter().filter(|place| place.tokens.contains(&token));
        places.any(|place| !place.others.iter().any(|others| others.contains(&token)))
    }

    /// Whether a place has some of these tokens, amid it or other than in tags and commands of others.
    pub(super) fn stands_in(&self, place: &AnswerPlace, tokens: &Range<usize>) -> bool {
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

    pub(super) fn leads(&self, token: usize) -> bool {
        leads(&self.word(token)) || self.is_marked(token)
    }

    /// Whether a token is the mark of a choice, such as `B)`. A label of another kind is one at the start of a line.
    pub(super) fn is_marked(&self, token: usize) -> bool {
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

    pub(super) fn says(&self, line: &Range<usize>) -> Line {
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
