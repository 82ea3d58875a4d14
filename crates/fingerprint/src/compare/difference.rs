//! Where two texts differ, side by side: the changes with some words around them. A page
//! decides how to show them.

use crate::compare::edits::{Edit, edits};
use crate::in_bounds::list_in;
use serde::Serialize;
use similar::DiffableStr;
use std::ops::Range;

/// Words and signs that are shown around a change.
const CONTEXT: usize = 10;
/// Most white space before a word that is shown.
const INDENT: usize = 16;
/// A longer change is shown by its beginning and its end.
const LONGEST: usize = 600;
/// Characters of its end.
const END: usize = 120;

/// The places where two texts differ.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Difference, Piece};
///
/// let found = Difference::of("It rained in May.", "It rained in June.", 12);
/// assert_eq!(found.rows[0].right[1], Piece::Changed("June".to_owned()));
/// ```
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Places that differ, in their order; changes that are near each other are one.
    pub rows: Vec<Row>,
    /// Rows that are not shown.
    pub more: usize,
    /// Words alike behind the last change.
    pub rest: usize,
}

/// One or more changes that are near each other, as they stand in each of the texts.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Difference;
///
/// let found = Difference::of("the same", "the same", 9);
/// assert!(found.rows.is_empty());
/// ```
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Equal words before it that are not shown.
    pub gap: usize,
    /// The place in the first text.
    pub left: Vec<Piece>,
    /// The place in the second text.
    pub right: Vec<Piece>,
}

/// A run of text.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Difference, Piece};
///
/// let found = Difference::of("one two", "one three", 9);
/// assert_eq!(found.rows[0].left, [Piece::Alike("one ".into()), Piece::Changed("two".into())]);
/// ```
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// The run is in both texts, but for its white space.
    Alike(String),
    /// The run is in this text only.
    Changed(String),
    /// The number of characters of a change that are not shown.
    LeftOut(usize),
}

/// A text as its tokens: words and signs (UAX #29). White space stands between tokens and is none, so that
/// texts that are wrapped or indented otherwise have the same tokens.
struct Tokens<'a> {
    text: &'a str,
    tokens: Vec<&'a str>,
    /// Where each token stands in the text.
    places: Vec<Range<usize>>,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Self {
        let (mut tokens, mut places, mut end) = (Vec::new(), Vec::new(), 0);
        for token in text.tokenize_unicode_words() {
            let start = end;
            end += token.len();
            if !token.chars().all(char::is_whitespace) {
                tokens.push(token);
                places.push(start..end);
            }
        }
        Self { text, tokens, places }
    }

    /// The tokens of a run with the white space between them.
    fn text(&self, run: Range<usize>) -> String {
        let mut text = String::new();
        for at in run.clone() {
            if at > run.start {
                text.push_str(&self.space_before(at));
            }
            text.push_str(self.tokens.get(at).copied().unwrap_or_default());
        }
        text
    }

    /// The white space between a token and the one before it.
    fn space_before(&self, at: usize) -> String {
        let before = at.checked_sub(1).and_then(|before| self.places.get(before));
        let between = before.zip(self.places.get(at)).map(|(before, here)| before.end..here.start);
        between.and_then(|between| self.text.get(between)).map_or_else(String::new, squeezed)
    }
}

/// White space with at most one empty line and a bounded indentation.
fn squeezed(space: &str) -> String {
    let breaks = space.matches('\n').count().min(2);
    let indent = space.rsplit('\n').next().unwrap_or_default();
    let indent = indent.chars().filter(|c| *c != '\r').take(INDENT);
    "\n".repeat(breaks).chars().chain(indent).collect()
}

impl Difference {
    /// The difference of two texts, word by word (UAX #29), in at most `rows` rows. White space does not
    /// matter: a text that is wrapped otherwise is the same.
    ///
    /// # Complexity
    /// Linear in the texts times what differs. The work is bounded: of texts that differ in too much,
    /// only the beginning is compared, and the rest is one change.
    #[must_use]
    pub fn of(old: &str, new: &str, rows: usize) -> Self {
        let (olds, news) = (Tokens::of(old), Tokens::of(new));
        let mut spans: Vec<Edit> = Vec::new();
        let edits = edits(&olds.tokens, &news.tokens);
        let last = edits.len().saturating_sub(1);
        for (at, edit) in edits.into_iter().enumerate() {
            let (old, new) = (edit.old, edit.new);
            let between = at > 0 && at < last;
            // A sign between two changed words is part of the change.
            let alike = edit.alike && !(between && words(list_in(&olds.tokens, old.clone())) == 0);
            match spans.last_mut() {
                Some(last) if !alike && !last.alike => {
                    (last.old.end, last.new.end) = (old.end, new.end);
                }
                _ => spans.push(Edit { alike, old, new }),
            }
        }
        let mut found = Self { rows: Vec::new(), more: 0, rest: 0 };
        let (mut row, last) = (Row::default(), spans.len().saturating_sub(1));
        for (at, Edit { alike, old, new }) in spans.into_iter().enumerate() {
            if !alike {
                push_changed(&mut row.left, &olds, old);
                push_changed(&mut row.right, &news, new);
                continue;
            }
            let length = old.len();
            let both = |row: &mut Row, from: usize, to: usize| {
                push_alike(&mut row.left, &olds, old.start + from..old.start + to);
                push_alike(&mut row.right, &news, new.start + from..new.start + to);
            };
            let before = if at > 0 { CONTEXT } else { 0 };
            let behind = if at < last { CONTEXT } else { 0 };
            // A gap gets its own line if it holds as much as the text shown around it.
            if length <= before + behind + CONTEXT && (at > 0 && at < last) {
                both(&mut row, 0, length);
                continue;
            }
            let (head, tail) = (before.min(length), length.saturating_sub(behind));
            let tail = tail.max(head);
            both(&mut row, 0, head);
            let gap = words(list_in(&olds.tokens, old.start + head..old.start + tail));
            if at > 0 {
                found.push(std::mem::take(&mut row), rows);
            }
            if at < last {
                row.gap = gap;
                both(&mut row, tail, length);
            } else {
                found.rest = gap;
            }
        }
        found.push(row, rows);
        found
    }

    fn push(&mut self, mut row: Row, rows: usize) {
        row.trim();
        if row.left.is_empty() && row.right.is_empty() {
            return;
        }
        if self.rows.len() < rows {
            self.rows.push(row);
        } else {
            self.more += 1;
        }
    }
}

impl Row {
    /// Takes the space at the ends.
    fn trim(&mut self) {
        for side in [&mut self.left, &mut self.right] {
            if let Some(Piece::Alike(text)) = side.first_mut() {
                *text = text.trim_start().to_owned();
            }
            if let Some(Piece::Alike(text)) = side.last_mut() {
                *text = text.trim_end().to_owned();
            }
            side.retain(|piece| !matches!(piece, Piece::Alike(text) if text.is_empty()));
        }
    }
}

fn push_alike(side: &mut Vec<Piece>, of: &Tokens<'_>, run: Range<usize>) {
    if !run.is_empty() {
        let space = of.space_before(run.start);
        push_text(side, &format!("{space}{}", of.text(run)));
    }
}

fn push_changed(side: &mut Vec<Piece>, of: &Tokens<'_>, run: Range<usize>) {
    if !run.is_empty() {
        push_text(side, &of.space_before(run.start));
        side.extend(changed(&of.text(run)));
    }
}

/// Text that both sides have, or white space.
fn push_text(side: &mut Vec<Piece>, text: &str) {
    let text = visible(text);
    match side.last_mut() {
        Some(Piece::Alike(before)) => before.push_str(&text),
        _ if text.is_empty() => {}
        _ => side.push(Piece::Alike(text)),
    }
}

/// A change, the middle of a long one left out.
fn changed(text: &str) -> Vec<Piece> {
    let text = visible(text);
    let length = text.chars().count();
    if length == 0 {
        return Vec::new();
    }
    if length <= LONGEST {
        return vec![Piece::Changed(text)];
    }
    let head: String = text.chars().take(LONGEST - END).collect();
    let end: String = text.chars().skip(length - END).collect();
    vec![Piece::Changed(head), Piece::LeftOut(length - LONGEST), Piece::Changed(end)]
}

/// Tokens that hold a letter or a digit.
fn words(tokens: &[impl AsRef<str>]) -> usize {
    tokens.iter().filter(|token| token.as_ref().contains(char::is_alphanumeric)).count()
}

/// Control characters as their pictures; a page cannot hold them.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::visible;
///
/// assert_eq!(visible("bell\u{7}"), "bell\u{2407}");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        _ => c,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 12;

    fn side(pieces: &[Piece]) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Alike(text) => text.clone(),
            Piece::Changed(text) => format!("[{text}]"),
            Piece::LeftOut(number) => format!("<{number}>"),
        };
        pieces.iter().map(text).collect()
    }

    #[test]
    fn neighbouring_changes_are_one_and_what_is_alike_stays_away() {
        let alike = "same words ".repeat(100);
        let old = format!("{alike}one two three. {alike}end");
        let new = format!("{alike}uno due tre. {alike}end");
        let found = Difference::of(&old, &new, ROWS);
        let [row] = found.rows.as_slice() else { panic!("{found:?}") };
        let context = "same words ".repeat(5);
        let behind = "same words ".repeat(4);
        assert_eq!(side(&row.left), format!("{context}[one two three]. {behind}same"));
        assert!(side(&row.right).contains("[uno due tre]"));
        assert_eq!((row.gap, found.rest, found.more), (190, 192, 0));
    }

    #[test]
    fn equal_texts_have_no_row_and_unequal_ones_are_whole() {
        assert_eq!(Difference::of("a b", "a b", ROWS).rows, []);
        let found = Difference::of("", "all new", ROWS);
        assert_eq!(
            (side(&found.rows[0].left), side(&found.rows[0].right)),
            (String::new(), "[all new]".to_owned())
        );
        let found = Difference::of("", &"长".repeat(1000), ROWS);
        assert!(side(&found.rows[0].right).ends_with(&format!("<400>[{}]", "长".repeat(END))));
    }

    /// What only white space tells apart is alike; each side shows its own lines.
    #[test]
    fn white_space_is_no_difference() {
        let licence = "Permission is hereby granted, free of charge, to any person obtaining a copy of \
            this software and associated files, to deal in the Software without limitation.";
        let words = || licence.split(' ');
        let wrapped: Vec<_> =
            words().collect::<Vec<_>>().chunks(7).map(|line| line.join(" ")).collect();
        for space in ["\n", "\r\n", "\n\n    ", "\t", "\u{2028}"] {
            let other = format!("  {}\n", wrapped.join(space));
            let found = Difference::of(licence, &other, ROWS);
            assert_eq!((found.rows.len(), found.rest), (0, words().count()), "{space:?}");
            // Three words differ: three marks, in one place, as they are near each other.
            let other = other.replace("free", "rid").replace("copy", "twin").replace("deal", "act");
            let found = Difference::of(licence, &other, ROWS);
            let marks = |side: &[Piece]| -> Vec<_> {
                let changed = |piece: &Piece| match piece {
                    Piece::Changed(text) => Some(text.clone()),
                    _ => None,
                };
                side.iter().filter_map(changed).collect()
            };
            let [row] = found.rows.as_slice() else { panic!("{found:?}") };
            assert_eq!(marks(&row.left), ["free", "copy", "deal"], "{space:?}");
            assert_eq!(marks(&row.right), ["rid", "twin", "act"], "{space:?}");
            assert_eq!((side(&row.left).contains('\n'), row.left.len()), (false, 7));
        }
        // A word more, at an end of a line and at the ends of the text.
        for (old, new, expected) in [
            ("one two", "one\nand two", "one\n[and] two"),
            ("one two", "one and\ntwo", "one [and]\ntwo"),
            ("one", "one \n\n\n two ", "one\n\n [two]"),
            ("one", " zero\none", "[zero]\none"),
            ("one two", "onetwo", "[onetwo]"),
        ] {
            assert_eq!(side(&Difference::of(old, new, ROWS).rows[0].right), expected);
        }
        // No space fills a page.
        let far = format!("one{}{}three", "\n".repeat(900), " ".repeat(900));
        let found = Difference::of("one two", &far, ROWS);
        assert_eq!(side(&found.rows[0].right), format!("one\n\n{}[three]", " ".repeat(INDENT)));
    }

    #[test]
    fn many_changes_are_counted() {
        let text = |word: &str| {
            (0..20).map(|at| format!("{word}{at} {}", "and so on ".repeat(40))).collect::<String>()
        };
        let found = Difference::of(&text("x"), &text("y"), ROWS);
        assert_eq!((found.rows.len(), found.more), (ROWS, 8));
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("a\0\u{1b}\n\u{85}\u{7f}"), "a\u{2400}\u{241b}\n\u{fffd}\u{2421}");
    }
}
