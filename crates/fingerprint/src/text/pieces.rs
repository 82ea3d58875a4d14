//! Long text in pieces, so that a segmenter whose memory grows with its input stays small.

/// Longest piece in bytes: beyond every paragraph, so that the border of a piece is hardly ever met
/// within one.
#[cfg(any(feature = "zh", feature = "dictionary"))]
const LONGEST: usize = 1 << 20;

/// The pieces of `text`, at most [`LONGEST`] bytes each.
#[cfg(any(feature = "zh", feature = "dictionary"))]
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    pieces_within(text, LONGEST)
}

/// The pieces of `text`: at most `longest` bytes each, cut after the last white space or ideographic
/// full stop that fits, or else between two characters.
#[cfg(any(feature = "zh", feature = "dictionary", feature = "lindera"))]
pub(crate) fn pieces_within(text: &str, longest: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (mut piece, mut after) = rest.split_at(first(rest, longest).len());
        if !after.is_empty()
            && let Some((at, c)) =
                piece.char_indices().rfind(|(_, c)| c.is_whitespace() || *c == '。')
        {
            (piece, after) = rest.split_at(at + c.len_utf8());
        }
        rest = after;
        Some(piece)
    })
}

/// As much of the start of `text` as fits in `bytes`.
#[cfg(any(feature = "zh", feature = "dictionary", feature = "lindera", feature = "languages"))]
pub(crate) fn first(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    crate::in_bounds::text_in(text, ..end)
}

#[cfg(all(test, feature = "zh"))]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_text_and_end_at_spaces() {
        assert_eq!(pieces("").count(), 0);
        assert_eq!(pieces("a b").collect::<Vec<_>>(), ["a b"]);
        for text in ["word ".repeat(600_000), "字".repeat(900_000), "字字。".repeat(300_000)] {
            let found: Vec<_> = pieces(&text).collect();
            assert!(found.len() > 2 && found.iter().all(|piece| piece.len() <= LONGEST));
            assert_eq!(found.concat(), text);
            let stop = [' ', '。'];
            assert!(!text.contains(stop) || found.iter().all(|piece| piece.ends_with(stop)));
        }
    }
}
