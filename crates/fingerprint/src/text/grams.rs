//! Runs of characters as tokens, by definition. What hashes them faster is tested against this.

use crate::in_bounds::text_in;
use crate::text::case::Case;
use std::collections::VecDeque;

/// Longest run of characters offered as a token.
pub(crate) const MAX_GRAM: usize = 16;

/// Calls `emit` with every run of `length` characters of `text`, its case mapped, where runs of white
/// space are one blank and none stands at either end. A shorter text is one token, an empty one none.
///
/// `scratch` is working memory: its contents do not matter.
///
/// # Complexity
/// Linear in the length of `text`, with a copy of it.
pub(crate) fn grams(
    text: &str,
    length: usize,
    case: Case,
    scratch: &mut String,
    mut emit: impl FnMut(&str),
) {
    scratch.clear();
    for (i, run) in text.split_whitespace().enumerate() {
        if i > 0 {
            scratch.push(' ');
        }
        case.map_into(run, scratch);
    }
    let mut starts = VecDeque::new();
    let mut found = false;
    for at in scratch.char_indices().map(|(at, _)| at).chain([scratch.len()]) {
        if starts.len() == length
            && let Some(start) = starts.pop_front()
        {
            emit(text_in(scratch, start..at));
            found = true;
        }
        starts.push_back(at);
    }
    if !found && !scratch.is_empty() {
        emit(scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_blank() {
        let mut found = Vec::new();
        grams(" To\tbe ", 4, Case::Lower, &mut String::new(), |gram| found.push(gram.to_owned()));
        assert_eq!(found, ["to b", "o be"]);
    }

    fn found(text: &str, length: usize) -> Vec<String> {
        let mut out = Vec::new();
        grams(text, length, Case::Fold, &mut String::from("x"), |gram| out.push(gram.to_owned()));
        out
    }

    #[test]
    fn every_run_is_a_token_and_a_shorter_text_is_one() {
        assert_eq!(found("指纹：É ", 2), ["指纹", "纹：", "：é"]);
        assert_eq!(found("a\u{3000}\n b", 3), ["a b"]);
        assert_eq!(found("ab", 3), ["ab"]);
        assert_eq!(found("ab", 1), ["a", "b"]);
        assert!(found(" \n", 3).is_empty());
    }
}
