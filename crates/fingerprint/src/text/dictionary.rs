//! Words by the dictionaries of ICU4X: Chinese and Japanese, Thai, Lao, Khmer and Burmese; all other
//! text by UAX #29. The dictionaries come from one pinned release; golden fingerprints freeze
//! them. Without the feature `dictionary` there are no words, and a recipe that asks for them is
//! refused before any text is seen.

#[cfg(feature = "dictionary")]
pub(crate) fn words(text: &str, emit: &mut dyn FnMut(&str)) {
    use crate::in_bounds::text_in;
    use crate::text::pieces::pieces;
    use icu_segmenter::options::WordBreakInvariantOptions;
    use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
    use std::sync::LazyLock;

    static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
        LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

    for piece in pieces(text) {
        let mut from = 0;
        for to in SEGMENTER.segment_str(piece) {
            let segment = text_in(piece, from..to);
            if segment.contains(char::is_alphanumeric) {
                emit(segment);
            }
            from = to;
        }
    }
}

#[cfg(not(feature = "dictionary"))]
pub(crate) fn words(_text: &str, _emit: &mut dyn FnMut(&str)) {}

#[cfg(all(test, feature = "dictionary"))]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        let mut out = Vec::new();
        words(text, &mut |word| out.push(word.to_owned()));
        out.join("/")
    }

    #[test]
    fn words_of_scripts_without_spaces_are_found() {
        assert_eq!(found("市議会は新しい予算を承認した。"), "市議会/は/新しい/予算/を/承認/した");
        assert_eq!(found("สภาเมืองอนุมัติงบประมาณใหม่"), "สภา/เมือง/อนุมัติ/งบ/ประมาณ/ใหม่");
        assert_eq!(found("GPU 3.14, don't — 日本語"), "GPU/3.14/don't/日本語");
    }
}
