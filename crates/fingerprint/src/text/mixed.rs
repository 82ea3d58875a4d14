//! Text of several languages, cut by script: each run of one script by the rules for it.

use crate::in_bounds::text_in;
use crate::text::korean::{is_hangul, word_and_pairs};
use crate::text::language::Language;
use crate::text::{chinese, dictionary};
use icu_properties::CodePointMapData;
use icu_properties::props::{LineBreak, Script};

/// What takes tokens, one after the other.
type Emit<'a> = &'a mut dyn FnMut(&str);

/// How the characters of a run are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// Han and Kana: Chinese, or Japanese where there is Kana.
    East { kana: bool },
    /// Thai, Lao, Khmer, Burmese.
    Complex,
    /// Korean.
    Hangul,
    /// All other scripts.
    Words,
}

/// What a character says of its run; `None` for punctuation, digits and marks, which stay with what
/// stands before them.
fn of(c: char) -> Option<Run> {
    if c.is_ascii() {
        return c.is_ascii_alphabetic().then_some(Run::Words);
    }
    match CodePointMapData::<Script>::new().get(c) {
        Script::Common if c == 'ー' => Some(Run::East { kana: true }),
        Script::Common | Script::Inherited | Script::Unknown => None,
        Script::Han | Script::Bopomofo => Some(Run::East { kana: false }),
        Script::Hiragana | Script::Katakana => Some(Run::East { kana: true }),
        _ if is_hangul(c) => Some(Run::Hangul),
        _ if CodePointMapData::<LineBreak>::new().get(c) == LineBreak::ComplexContext => {
            Some(Run::Complex)
        }
        _ => Some(Run::Words),
    }
}

/// Calls `emit` with every token of `text`: Han by [`chinese`], Han among Kana or in a Japanese
/// document and Thai and its kin by [`dictionary`], Hangul by [`crate::text::korean`], and the rest by
/// `words`.
pub(crate) fn tokens(
    text: &str,
    language: Option<Language>,
    words: fn(&str, Emit<'_>),
    emit: Emit<'_>,
) {
    let mut cut = |run: Run, part: &str| match run {
        Run::East { kana } if kana || language == Some(Language::JAPANESE) => {
            dictionary::words(part, emit);
        }
        Run::East { .. } => chinese::words(part, &mut |word| {
            if word.contains(char::is_alphanumeric) {
                emit(word);
            }
        }),
        Run::Complex => dictionary::words(part, emit),
        Run::Hangul => words(part, &mut |word| word_and_pairs(word, &mut *emit)),
        Run::Words => words(part, emit),
    };
    let (mut start, mut run) = (0, None);
    for (at, c) in text.char_indices() {
        let Some(here) = of(c) else { continue };
        match (run, here) {
            (Some(Run::East { kana }), Run::East { kana: here }) => {
                run = Some(Run::East { kana: kana || here });
            }
            (Some(before), here) if before != here => {
                cut(before, text_in(text, start..at));
                (start, run) = (at, Some(here));
            }
            _ => run = Some(here),
        }
    }
    cut(run.unwrap_or(Run::Words), text_in(text, start..));
}

#[cfg(all(test, feature = "zh", feature = "dictionary"))]
mod tests {
    use crate::text::case::Case;
    use crate::text::language::Language;
    use crate::text::token::Split;

    fn found(text: &str, language: Option<&str>) -> String {
        let language = language.and_then(Language::from_tag);
        let mut out = Vec::new();
        Split::Mixed.tokens_in(language, text, Case::Lower, &mut String::new(), |token| {
            out.push(token.to_owned());
        });
        out.join("/")
    }

    #[test]
    fn each_script_is_cut_by_its_own_rules() {
        assert_eq!(
            found("The GPU在北京清华大学，有3个。OK?", None),
            "the/gpu/在/北京/清华大学/有/3/个/ok"
        );
        assert_eq!(
            found("東京大学の研究 и 한국어는 ภาษาไทย end", None),
            "東京/大学/の/研究/и/한국어는/한국/국어/어는/ภาษา/ไทย/end"
        );
        assert_eq!(found("… 12", None), "12");
    }

    #[test]
    fn han_in_a_japanese_document_is_japanese() {
        assert_ne!(found("市議会承認", None), "市議会/承認");
        assert_eq!(found("市議会承認", Some("ja")), "市議会/承認");
        assert_eq!(found("市議会を承認", Some("zh")), "市議会/を/承認");
    }
}
