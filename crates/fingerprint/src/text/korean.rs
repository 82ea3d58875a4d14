//! Korean words: the words of UAX #29, and the pairs of syllables in them. A noun and its particle are
//! one word; pairs let its other forms share features, and need no dictionary.

use crate::in_bounds::text_in;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;

/// Whether a character is of the Korean alphabet.
pub(crate) fn is_hangul(c: char) -> bool {
    CodePointMapData::<Script>::new().get(c) == Script::Hangul
}

/// Calls `emit` with `word`, and with its pairs of characters if it has three syllables or more.
pub(crate) fn word_and_pairs(word: &str, mut emit: impl FnMut(&str)) {
    emit(word);
    if !word.chars().all(is_hangul) || word.chars().nth(2).is_none() {
        return;
    }
    let starts = word.char_indices().map(|(at, _)| at);
    let ends = word.char_indices().skip(2).map(|(at, _)| at).chain([word.len()]);
    for (start, end) in starts.zip(ends) {
        emit(text_in(word, start..end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_of_korean_have_pairs() {
        let found = |word| {
            let mut out = Vec::new();
            word_and_pairs(word, |token| out.push(token.to_owned()));
            out
        };
        assert_eq!(found("한국어는"), ["한국어는", "한국", "국어", "어는"]);
        assert_eq!(found("국어는"), ["국어는", "국어", "어는"]);
        assert_eq!(found("문서"), ["문서"]);
        assert_eq!(found("document"), ["document"]);
    }
}
