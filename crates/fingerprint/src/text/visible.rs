//! Text as a reader sees it: characters that are not displayed go, and punctuation that looks alike is one
//! character. These are rules of version 5 of the recipes, and the lists are frozen with it.

use crate::kernel::{Compiled, Kernel};
use icu_properties::props::{CanonicalCombiningClass, ExtendedPictographic, JoiningType};
use icu_properties::{CodePointMapData, CodePointSetData};
use std::borrow::Cow;
use std::ops::Range;

/// What a reader sees of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// The character itself.
    Itself,
    /// Other ones, which look the same.
    As(&'static str),
    /// Nothing.
    Nothing,
    /// Nothing by itself; perhaps an effect on its neighbours: a joiner or a tag.
    InContext,
}

/// Nothing is seen of
/// - `Default_Ignorable_Code_Point` of the Unicode Character Database, unassigned ones included;
/// - controls (`Cc`) that neither are white space nor separate (U+001C to U+001F);
/// - what only lengthens the join of letters (`Joining_Type=Join_Causing`), such as the tatweel.
///
/// The apostrophe, quotation mark and hyphen of ASCII stand for the punctuation and modifier letters that UTS #39
/// confuses with them, and for the marks that typography sets in their place. What the compatibility form (UAX #15) would
/// make of one of these, or join with a tatweel, is seen as what that stands for.
fn sight(c: char) -> Sight {
    match c {
        '\u{200c}' | '\u{200d}' | '\u{e0020}'..='\u{e007f}' => Sight::InContext,
        '\0'..='\u{8}'
        | '\u{e}'..='\u{1b}'
        | '\u{7f}'..='\u{84}'
        | '\u{86}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{640}'
        | '\u{7fa}'
        | '\u{883}'..='\u{885}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180a}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Sight::Nothing,
        '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ˈ' | 'ˊ' | 'ˋ' | '\u{374}' | '\u{384}' | '՚' | '׳' | 'ߴ'
        | 'ߵ' | '\u{1fbd}' | '\u{1fbf}' | '\u{1ffd}' | '\u{1ffe}' | '‘' | '’' | '‚' | '‛' | '′'
        | '‵' | 'ꞌ' | '＇' => Sight::As("'"),
        'ʺ' | '˝' | 'ˮ' | '״' | '“' | '”' | '„' | '‟' | '″' | '‶' | '〝' | '〞' | '〟' | '＂' => {
            Sight::As("\"")
        }
        '˗' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '⁃' | '−' | '⁻' | '₋' | '︱' | '︲' | '﹘'
        | '﹣' | '－' => Sight::As("-"),
        'ŉ' => Sight::As("'n"),
        '‴' | '‷' => Sight::As("'''"),
        '⁗' => Sight::As("''''"),
        '\u{fcf2}' => Sight::As("\u{64e}\u{651}"),
        '\u{fcf3}' => Sight::As("\u{64f}\u{651}"),
        '\u{fcf4}' => Sight::As("\u{650}\u{651}"),
        '\u{fe71}' => Sight::As("\u{64b}"),
        '\u{fe77}' => Sight::As("\u{64e}"),
        '\u{fe79}' => Sight::As("\u{64f}"),
        '\u{fe7b}' => Sight::As("\u{650}"),
        '\u{fe7d}' => Sight::As("\u{651}"),
        '\u{fe7f}' => Sight::As("\u{652}"),
        _ => Sight::Itself,
    }
}

/// Whether a reader sees nothing of a character, wherever it stands.
pub(crate) fn is_unseen(c: char) -> bool {
    sight(c) == Sight::Nothing
}

/// Whether a zero-width non-joiner shows between two parts of a text as it came; `None` where what decides stands before
/// it and is not seen as it stands.
pub(crate) fn non_joiner_shows(before: &str, after: &str) -> Option<bool> {
    let joining = CodePointMapData::<JoiningType>::new();
    for c in before.chars().rev() {
        if sight(c) != Sight::Itself {
            return None;
        }
        if joining.get(c) != JoiningType::Transparent {
            break;
        }
    }
    Some(shows('\u{200c}', before, after))
}

/// Whether a character of which a reader does not see itself may begin with this byte.
const fn is_suspect(byte: u8) -> bool {
    matches!(
        byte,
        0..=8 | 0x0e..=0x1b | 0x7f | 0xc2 | 0xc5 | 0xca | 0xcb | 0xcd | 0xce | 0xd5 | 0xd7..=0xd9 | 0xdf..=0xe3 | 0xea
            | 0xef | 0xf0 | 0xf3
    )
}

/// [`is_suspect`] as a table.
const SUSPECTS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_suspect(byte.to_le_bytes()[0]);
        byte += 1;
    }
    table
};

/// Whether `text` has a character of ASCII that is not displayed.
pub(crate) fn has_unseen_ascii(text: &str) -> bool {
    let unseen = |byte: u8| (byte == 0x7f) | (byte < 0x1c) & (byte.wrapping_sub(b'\t') >= 5);
    let any = |chunk: &[u8]| chunk.iter().fold(false, |any, &byte| any | unseen(byte));
    text.as_bytes().chunks(64).any(any)
}

/// Bytes that are looked at together.
const CHUNK: usize = 64;

/// Whether a character of which a reader does not see itself may begin in these bytes, but for the last.
#[inline(always)]
fn has_suspect(window: &[u8; CHUNK + 1]) -> bool {
    // Among the letters of Polish, Thai, Devanagari, Hebrew and Arabic few characters are meant: two bytes tell.
    let suspect = |first: u8, second: u8| {
        (first < 0x1c) & (first.wrapping_sub(b'\t') >= 5)
            | (first == 0x7f)
            | (first == 0xc2)
            | (first == 0xc5) & (second == 0x89)
            | (first.wrapping_sub(0xca) < 5)
            | (first == 0xd5)
            | (first == 0xd7) & (second >= 0xb3)
            | (first == 0xd8) & (second == 0x9c)
            | (first == 0xd9) & (second == 0x80)
            | (first == 0xdf)
            | (first == 0xe0) & (second == 0xa2)
            | (first.wrapping_sub(0xe1) < 3)
            | (first == 0xea)
            | (first >= 0xee)
    };
    let pairs = window.iter().zip(&window[1..]);
    pairs.fold(false, |any, (&first, &second)| any | suspect(first, second))
}

/// Where the next character begins, from `at` on, of which a reader may not see itself.
struct NextSuspect<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Compiled for NextSuspect<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let Self { bytes, mut at } = self;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let chunk = rest.get(..CHUNK).unwrap_or(rest);
            let mut last = [b' '; CHUNK + 1];
            let window = rest.first_chunk().unwrap_or_else(|| {
                last[..rest.len()].copy_from_slice(rest);
                &last
            });
            if has_suspect(window)
                && let Some(next) = chunk.iter().position(|&byte| SUSPECTS[usize::from(byte)])
            {
                return Some(at + next);
            }
            at += chunk.len();
        }
        None
    }
}

/// `text` as a reader sees it; borrowed where that is all of it.
///
/// Joiners stay where they show: the zero-width non-joiner between letters that would join and either joiner after
/// a virama (RFC 5892, A.1 and A.2), the zero-width joiner before a virama (the Unicode Standard, 12.2: the
/// ya-phalaa of Bengali) and between pictographs (UAX #29, GB11). Tags stay behind a black flag.
///
/// # Complexity
/// Linear.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    visible_with(text, |_, _| {})
}

/// As [`visible`]; calls `change` for each character of which a reader does not see itself, in order, with its bytes
/// in `text` and those that stand for it in what is given.
pub(crate) fn visible_with(
    text: &str,
    mut change: impl FnMut(Range<usize>, Range<usize>),
) -> Cow<'_, str> {
    let mut out = String::new();
    // All before `from` is in `out`.
    let (mut from, mut at, mut changed) = (0, 0, false);
    let (kernel, bytes) = (Kernel::detect(), text.as_bytes());
    while let Some(next) = kernel.run(NextSuspect { bytes, at }) {
        at = next;
        let Some(c) = text[at..].chars().next() else { break };
        let end = at + c.len_utf8();
        let sight = sight(c);
        if sight != Sight::Itself {
            out.push_str(&text[from..at]);
            from = end;
            let start = out.len();
            match sight {
                Sight::As(others) => out.push_str(others),
                Sight::InContext if shows(c, &out, &text[end..]) => out.push(c),
                _ => {}
            }
            if out[start..] != text[at..end] {
                change(at..end, start..out.len());
                changed = true;
            }
        }
        at = end;
    }
    if !changed {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// Whether a joiner or tag has an effect between `before`, as it is seen, and `after`.
fn shows(c: char, before: &str, after: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return false };
    let mut next = after.chars().flat_map(|c| {
        let (others, itself) = match sight(c) {
            Sight::Itself => ("", Some(c)),
            Sight::As(others) => (others, None),
            Sight::Nothing | Sight::InContext => ("", None),
        };
        others.chars().chain(itself)
    });
    let classes = CodePointMapData::<CanonicalCombiningClass>::new();
    let is_virama = |c| classes.get(c) == CanonicalCombiningClass::Virama;
    match c {
        '\u{200c}' | '\u{200d}' if is_virama(last) => true,
        '\u{200c}' => {
            let joining = CodePointMapData::<JoiningType>::new();
            let left = before.chars().rev().map(|c| joining.get(c));
            let left = left.clone().find(|&joining| joining != JoiningType::Transparent);
            let right =
                next.map(|c| joining.get(c)).find(|&joining| joining != JoiningType::Transparent);
            matches!(left, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
                && matches!(right, Some(JoiningType::RightJoining | JoiningType::DualJoining))
        }
        '\u{200d}' => {
            let pictographs = CodePointSetData::new::<ExtendedPictographic>();
            let is_modifier = |c: &char| matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}');
            let left = before.chars().rev().find(|c| !is_modifier(c));
            let is_left = left.is_some_and(|c| pictographs.contains(c));
            next.next().is_some_and(|c| is_virama(c) || is_left && pictographs.contains(c))
        }
        _ => matches!(last, '\u{1f3f4}' | '\u{e0020}'..='\u{e007f}'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::NormalForm;
    use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
    use proptest::prelude::*;

    #[test]
    fn what_is_not_seen_is_what_unicode_says() {
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let category = CodePointMapData::<GeneralCategory>::new();
        let joining = CodePointMapData::<JoiningType>::new();
        for c in '\0'..=char::MAX {
            let control = category.get(c) == GeneralCategory::Control
                && !c.is_whitespace()
                && !('\u{1c}'..='\u{1f}').contains(&c);
            let unseen =
                control || ignorable.contains(c) || joining.get(c) == JoiningType::JoinCausing;
            assert_eq!(
                matches!(sight(c), Sight::Nothing | Sight::InContext),
                unseen,
                "{c:?} {:?}",
                sight(c)
            );
            if sight(c) != Sight::Itself {
                let first = c.encode_utf8(&mut [0; 4]).as_bytes()[0];
                assert!(is_suspect(first), "{c:?}");
                for before in [0, CHUNK - 1, CHUNK] {
                    let text = format!("{}{c}{}", "x".repeat(before), "x".repeat(CHUNK));
                    let found = NextSuspect { bytes: text.as_bytes(), at: 0 }.run();
                    assert_eq!(found, Some(before), "{c:?}");
                }
            }
            let unseen_ascii = c.is_ascii() && sight(c) != Sight::Itself;
            assert_eq!(has_unseen_ascii(&c.to_string()), unseen_ascii, "{c:?}");
        }
    }

    #[test]
    fn what_a_reader_does_not_see_goes_and_signs_that_look_alike_are_one() {
        for (text, seen) in [
            (
                "plain text\r\n\tand more\u{85}\u{a0}é 上海 Ёлка",
                "plain text\r\n\tand more\u{85}\u{a0}é 上海 Ёлка",
            ),
            ("don’t donʼt don‘t don＇t don´t", "don't don't don't don't don't"),
            ("“a” „b“ ″c″ – — ‑ −1", "\"a\" \"b\" \"c\" - - - -1"),
            (
                "co\u{ad}op\u{200b}er\u{2060}ate\u{feff} n\0ow\u{7f}\u{200e}\u{202e}",
                "cooperate now",
            ),
            ("كتـــاب", "كتاب"),
            ("a\u{fe0f} ✂\u{fe0f} 葛\u{e0100}", "a ✂ 葛"),
            // Persian, Devanagari, Sinhala: a joiner changes what is displayed.
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("क्\u{200d}ष क्\u{200c}ष", "क्\u{200d}ष क्\u{200c}ष"),
            ("ශ්\u{200d}රී", "ශ්\u{200d}රී"),
            ("র\u{200d}\u{9cd}যাব র\u{200d}া", "র\u{200d}\u{9cd}যাব রা"),
            // What the compatibility form would make of these is not seen as it stands.
            ("dit is ŉ boek, ŉ man", "dit is 'n boek, 'n man"),
            ("a‴ b‷ c⁗ 10⁻³ one︱two", "a''' b''' c'''' 10-³ one-two"),
            ("م\u{fe77}د \u{fcf2}", "م\u{64e}د \u{64e}\u{651}"),
            ("می\u{200c}\u{fe77}خ", "می\u{200c}\u{64e}خ"),
            ("wo\u{200c}rd wo\u{200d}rd \u{200c}می\u{200c} خ", "word word می خ"),
            (
                "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥 👩🏽\u{200d}🚀",
                "👨\u{200d}👩\u{200d}👧 ❤\u{200d}🔥 👩🏽\u{200d}🚀",
            ),
            ("🏴\u{e0067}\u{e0062}\u{e007f} x\u{e0067}", "🏴\u{e0067}\u{e0062}\u{e007f} x"),
        ] {
            assert_eq!(visible(text), seen);
            assert_eq!(matches!(visible(text), Cow::Borrowed(_)), text == seen, "{text:?}");
        }
    }

    #[test]
    fn no_normal_form_brings_back_what_is_not_seen() {
        for c in '\0'..=char::MAX {
            for normal in [NormalForm::Nfc, NormalForm::Nfkc] {
                let seen = visible(c.encode_utf8(&mut [0; 4])).into_owned();
                let normal = normal.apply(&seen);
                assert_eq!(visible(&normal), normal, "{c:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_seen_is_seen_as_it_stands(
            text in "[ab '\"\n\0\u{ad}\u{200b}\u{200c}\u{200d}’“–ŉ⁗\u{fe77}\u{fcf2}ـيख\u{94d}👩🏽🚀\u{fe0f}🏴\u{e0067}上]{0,20}"
        ) {
            let once = visible(&text).into_owned();
            prop_assert_eq!(visible(&once).into_owned(), once);
        }
    }
}
