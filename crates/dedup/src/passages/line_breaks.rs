//! Where the lines of a text end, for cuts that leave whole lines: as the unit of a line does.

/// Whether a character ends a line (Unicode Standard, section 5.8, and UAX 14, classes BK, CR, LF and NL).
pub(crate) const fn is_break(char: char) -> bool {
    matches!(char, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A text without the break that it ends with, if it does.
pub(crate) fn without_break(text: &str) -> Option<&str> {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(is_break))
}

/// Whether a text ends with a break.
pub(crate) fn ends_line(text: &str) -> bool {
    text.ends_with(is_break)
}

/// Bytes of the last line of a text that no break ends.
pub(crate) fn last_line(text: &str) -> usize {
    text.len() - text.rfind(is_break).map_or(0, |at| at + length(&text[at..]))
}

/// Bytes of the first line of a text, with its break.
pub(crate) fn first_line(text: &str) -> usize {
    text.find(is_break).map_or(text.len(), |at| at + length(&text[at..]))
}

/// Bytes of the break that a text begins with.
fn length(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { text.chars().next().map_or(0, char::len_utf8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_any_break() {
        for own in ["\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("é{own}two");
            assert_eq!((first_line(&text), last_line(&text)), (2 + own.len(), 3), "{own:?}");
            let ended = format!("two{own}");
            assert_eq!((without_break(&ended), last_line(&ended)), (Some("two"), 0), "{own:?}");
            assert!(ends_line(&ended) && !ends_line(&text), "{own:?}");
        }
        assert_eq!((first_line("one"), last_line("one"), without_break("one")), (3, 3, None));
        assert_eq!(last_line("\r\n"), 0);
    }
}
