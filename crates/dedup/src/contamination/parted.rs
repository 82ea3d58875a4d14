//! Marks that no blank parts from the word behind them.

use memchr::memchr2_iter;
use std::borrow::Cow;

/// What may stand before a letter that is a part of a longer name, such as that of a file.
const JOINS: [char; 6] = ['.', '_', '-', '@', '/', '\\'];

/// Bytes that are looked at together.
const STRETCH: usize = 512;

/// A text with blanks in the place of such marks, as in `A.Chloroplast` and `Answer:B`, each of which is one word (UAX #29,
/// WB6 and WB7). All else is at its byte.
///
/// # Complexity
/// Linear; a copy where there are some.
pub(crate) fn parted(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let stretches = (0..bytes.len()).step_by(STRETCH).filter(|start| may_part(bytes, *start));
    let marks = stretches.flat_map(|start| {
        let stretch = bytes.get(start..bytes.len().min(start + STRETCH)).unwrap_or_default();
        memchr2_iter(b'.', b':', stretch).map(move |at| start + at)
    });
    let mut marks = marks.filter(|at| parts(text, *at));
    let Some(first) = marks.next() else { return Cow::Borrowed(text) };
    let (mut told, mut from) = (String::with_capacity(text.len()), 0);
    for at in std::iter::once(first).chain(marks) {
        told.push_str(text.get(from..at).unwrap_or_default());
        told.push(' ');
        from = at + 1;
    }
    told.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(told)
}

/// Whether a stretch may have a mark that parts two words. Most have none, which is told without a branch for each byte.
fn may_part(bytes: &[u8], start: usize) -> bool {
    if start == 0 {
        return true;
    }
    let part = |from: usize| bytes.get(from..bytes.len().min(from + STRETCH)).unwrap_or_default();
    let is_ascii_letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_letter = |byte: u8| is_ascii_letter(byte) | (byte >= 0x80);
    let around =
        part(start - 2).iter().zip(part(start - 1)).zip(part(start).iter().zip(part(start + 1)));
    around.fold(false, |found, ((first, before), (mark, behind))| {
        let is_mark = (*mark == b':') | (*mark == b'.') & !is_ascii_letter(*first);
        found | is_letter(*before) & is_letter(*behind) & is_mark
    })
}

/// Whether the mark at a byte parts two words: a colon between letters, or a full stop between one letter and a word. `e.g.`
/// and `example.com` are one word each.
fn parts(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    // So it is at the end of most sentences.
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'"'));
    if is_end(bytes.get(at + 1)) {
        return false;
    }
    let (before, behind) = text.split_at(at);
    let (mut before, mut behind) = (before.chars().rev(), behind.chars().skip(1));
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    if !is_letter(before.next()) || !is_letter(behind.next()) {
        return false;
    }
    let goes_on = |c: char| c.is_alphanumeric() || JOINS.contains(&c);
    bytes.get(at) == Some(&b':') || !before.next().is_some_and(goes_on) && is_letter(behind.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_parted_from_the_words_behind_them_and_names_stay() {
        for (text, told) in [
            ("A.Chloroplast", "A Chloroplast"),
            ("(b.Die Zelle)", "(b Die Zelle)"),
            ("Б.Клетка", "Б Клетка"),
            ("'a.Zelle'", "'a Zelle'"),
            ("Answer:B", "Answer B"),
            ("1 A:x\nB.yz.", "1 A x\nB yz."),
        ] {
            assert_eq!(parted(text), told);
            assert!(matches!(parted(text), Cow::Owned(_)));
            // Wherever it stands among the bytes that are looked at together.
            for before in STRETCH - 4..STRETCH + 4 {
                let before = " ".repeat(before);
                assert_eq!(parted(&format!("{before}{text}")), format!("{before}{told}"));
            }
        }
        for text in [
            "e.g. this, i.e. that, U.S.A. and 3.14",
            "example.com, a.b, no.x.yz and f.x",
            "std::string http://a.de 10:30 12:a",
            "One. Two: \"three\".Four",
            "A．叶绿体 is parted as it is",
            ".:",
            "",
        ] {
            assert!(matches!(parted(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
