//! Chinese words by jieba: a dictionary of words with their frequencies, and a hidden Markov model
//! for what it lacks. What stands between Han characters is cut as jieba cuts it.
//!
//! The dictionary is the one of the crate `jieba-rs` at one pinned release; golden fingerprints
//! freeze it. Without the feature `zh` there are no words, and a recipe that asks for them is refused
//! before any text is seen.

#[cfg(feature = "zh")]
pub(crate) use dictionary::{parts_of_compound, words};
#[cfg(not(feature = "zh"))]
pub(crate) use nothing::words;

#[cfg(feature = "zh")]
mod dictionary {
    use crate::text::pieces::pieces;
    use jieba_rs::Jieba;
    use std::sync::LazyLock;

    static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

    /// Calls `emit` with every word of `text`, punctuation and spaces included.
    pub(crate) fn words(text: &str, emit: &mut dyn FnMut(&str)) {
        for piece in pieces(text) {
            for token in JIEBA.cut(piece, true) {
                let word = token.word;
                // What begins with another character holds no letter or digit of ASCII to cut at.
                let joined = word.len() > 1
                    && word.starts_with(|first: char| first.is_ascii())
                    && word.bytes().any(|byte| matches!(byte, b'.' | b'_' | b'-'));
                if joined && !JIEBA.has_word(word) {
                    parts_of_compound(word, emit);
                } else {
                    emit(word);
                }
            }
        }
    }

    /// The parts of a compound such as `RAID-1` or `1.5.2`, as jieba itself cuts it: letters and
    /// digits with one decimal part and a percent sign are one word, what joins them is another. The
    /// crate keeps compounds whole.
    pub(crate) fn parts_of_compound(compound: &str, emit: &mut dyn FnMut(&str)) {
        let run = |text: &str, part: fn(&u8) -> bool| text.bytes().take_while(part).count();
        let mut rest = compound;
        while !rest.is_empty() {
            let mut length = run(rest, u8::is_ascii_alphanumeric);
            if length == 0 {
                length = run(rest, |byte| !byte.is_ascii_alphanumeric());
            } else {
                if let Some(decimal) = rest.get(length..).and_then(|rest| rest.strip_prefix('.'))
                    && let digits @ 1.. = run(decimal, u8::is_ascii_digit)
                {
                    length += 1 + digits;
                }
                length += usize::from(rest.as_bytes().get(length) == Some(&b'%'));
            }
            let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            emit(part);
            rest = after;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn words_are_those_of_the_dictionary_and_of_the_model() {
            let mut found = Vec::new();
            words("我来到北京清华大学，他来到了网易杭研大厦。", &mut |word| {
                found.push(word.to_owned())
            });
            assert_eq!(found.join("/"), "我/来到/北京/清华大学/，/他/来到/了/网易/杭研/大厦/。");
        }

        #[test]
        fn compounds_are_cut_as_jieba_cuts_them() {
            let found = |text| {
                let mut out = Vec::new();
                words(text, &mut |word| out.push(word.to_owned()));
                out.join(" ")
            };
            // Of `list(jieba.cut(text))` of jieba 0.42.1.
            assert_eq!(found("用RAID-1和vg_critical卷"), "用 RAID - 1 和 vg _ critical 卷");
            assert_eq!(found("版本1.5.2a增长3.5%a.5b"), "版本 1.5 . 2a 增长 3.5% a.5 b");
        }
    }
}

#[cfg(not(feature = "zh"))]
mod nothing {
    pub(crate) fn words(_text: &str, _emit: &mut dyn FnMut(&str)) {}
}
