//! How text in UTF-16 without a mark is told, whatever its script: by many bytes of it.
//!
//! A byte order mark alone is sure (Encoding Standard, section 6). Without one there are bytes that no text in UTF-8, or in
//! a character set of one or two bytes, has: zeros and other controls, in which each script has some of its characters.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Bytes that are looked at.
pub(crate) const HEAD_BYTES: usize = 4096;
/// Units by which a text is told, at least.
const UNITS: usize = 8;
/// Units to a control of text in Chinese, Japanese or Korean, at most, and of other text.
const OF_IDEOGRAPHS: usize = 32;
const OF_LETTERS: usize = 8;
/// How many times as many characters a text has of its script as of others.
const OF_OTHERS: usize = 6;

/// Whether a byte stands in no text.
pub(crate) const fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

/// Whether the first bytes of a file are of no usual text, so that more of them are worth a look.
pub(crate) fn is_unusual(head: &[u8]) -> bool {
    let is_utf_8 = match str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    !is_utf_8 || head.iter().any(is_control)
}

/// The kind of UTF-16 that bytes of a text tell. `None` where they may be of both kinds, or of anything else.
pub(crate) fn utf_16_of_any_script(head: &[u8]) -> Option<&'static Encoding> {
    let (units, _) = head.as_chunks();
    let controls = head.iter().filter(|byte| is_control(byte)).count();
    if units.len() < UNITS || controls == 0 {
        return None;
    }
    let is_utf_8 = str::from_utf8(head).is_ok();
    let is_text = |unit: fn([u8; 2]) -> u16| {
        let scripts = Scripts::of(units.iter().map(|bytes| unit(*bytes)));
        scripts.is_some_and(|scripts| scripts.are_of_text(controls, is_utf_8))
    };
    match (is_text(u16::from_le_bytes), is_text(u16::from_be_bytes)) {
        (true, false) => Some(UTF_16LE),
        (false, true) => Some(UTF_16BE),
        _ => None,
    }
}

/// What the characters of a text are.
#[derive(Default)]
struct Scripts {
    all: usize,
    /// Those that begin a block of 256, as small numbers of two bytes do in the other order.
    first: usize,
    /// Those of ASCII and Latin-1.
    latin: usize,
    /// Those of Chinese, Japanese and Korean.
    ideographs: usize,
    /// Those of other scripts, by their blocks of 256.
    letters: [usize; 0x20],
}

impl Scripts {
    /// `None` where one of them stands in no text. The last may be cut.
    fn of(units: impl Iterator<Item = u16>) -> Option<Self> {
        let mut scripts = Self::default();
        let mut decoded = char::decode_utf16(units).peekable();
        while let Some(next) = decoded.next() {
            let Ok(next) = next else {
                return decoded.peek().is_none().then_some(scripts);
            };
            scripts.all += 1;
            scripts.first += usize::from(u32::from(next).is_multiple_of(0x100));
            match u32::from(next) {
                0x09 | 0x0a | 0x0d | 0x20..0x7f | 0xa0..0x100 => scripts.latin += 1,
                block @ 0x100..0x2000 => {
                    *scripts.letters.get_mut(usize::try_from(block >> 8).ok()?)? += 1;
                }
                0x2000..0x2c00 | 0xfe00..0xfe10 | 0xfeff | 0x1_f000..0x2_0000 => {}
                0x2e80..0xa000
                | 0xa960..0xa980
                | 0xac00..0xd7b0
                | 0xf900..0xfb00
                | 0xfe30..0xfe50
                | 0xff00..0xfff0
                | 0x2_0000..0x4_0000 => scripts.ideographs += 1,
                _ => return None,
            }
        }
        Some(scripts)
    }

    /// Whether characters such as these are of a text, of whose bytes so many are controls.
    fn are_of_text(&self, controls: usize, is_utf_8: bool) -> bool {
        let Self { all, first, latin, ideographs, letters } = self;
        let of_letters: usize = letters.iter().sum();
        // Latin letters with accents are of no script that has a text of its own.
        let most = letters.iter().skip(3).max().copied().unwrap_or(0);
        let is_most = |one: usize, other: usize| one > 0 && one >= other * OF_OTHERS;
        let in_letters = is_most(most, of_letters - most) && is_most(of_letters, *ideographs);
        let in_ideographs = is_most(*ideographs, of_letters) && !is_utf_8;
        let is_known = latin * 4 >= all * 3
            || in_letters && controls * OF_LETTERS >= *all
            || in_ideographs && controls * OF_IDEOGRAPHS >= *all;
        is_known && first * 4 <= *all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> [Vec<u8>; 2] {
        let units = || text.encode_utf16();
        [units().flat_map(u16::to_le_bytes).collect(), units().flat_map(u16::to_be_bytes).collect()]
    }

    #[test]
    fn text_of_any_script_is_told() {
        for text in [
            "\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}\u{ff0c}\u{6211}\u{4eec}\u{3002}",
            "\u{4eca}\u{65e5}\u{306f}\u{3001}\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3002}",
            "\u{c624}\u{b298}\u{c740} \u{b0a0}\u{c528}\u{ac00} \u{c88b}\u{c544}\u{c11c}",
            "\u{421}\u{435}\u{433}\u{43e}\u{434}\u{43d}\u{44f}, \u{434}\u{430}\n",
            "\u{906}\u{91c} \u{92e}\u{94c}\u{938}\u{92e} \u{905}\u{91a}\u{94d}\u{91b}\u{93e}",
            "\u{dc}ber den Fluss, und \u{201e}weiter\u{201c}",
            "\u{6587},\u{672c}\n\u{421}\u{435}\u{433}\u{43e}\u{434}\u{43d}\u{44f}, \u{434}\u{430} \u{43f}\u{43e}\u{433}\u{43e}\u{434}\u{430}",
            "id,\u{6587}\u{672c}\n1,\u{4eca}\u{5929}\n",
        ] {
            let told = wide(text).map(|bytes| utf_16_of_any_script(&bytes));
            assert_eq!(told, [Some(UTF_16LE), Some(UTF_16BE)], "{text}");
            assert!(wide(text).iter().all(|bytes| is_unusual(bytes)), "{text}");
            // A head may end within a unit, or a pair of them.
            let cut = wide(&format!("{text}\u{20bb7}")).map(|mut bytes| {
                bytes.truncate(bytes.len() - 1);
                utf_16_of_any_script(&bytes)
            });
            assert_eq!(cut, told, "{text}");
            assert_eq!(utf_16_of_any_script(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn other_bytes_are_of_other_character_sets_or_no_text() {
        let numbers: Vec<u8> = (0..64_u32).flat_map(|it| (it * 977).to_le_bytes()).collect();
        let samples: Vec<u8> = (0..256_u16).flat_map(|it| (it * 251).to_le_bytes()).collect();
        for bytes in [
            // GB 2312, Shift_JIS, EUC-KR, windows-1251 and windows-1252.
            &b"\xd6\xd0\xb9\xfa\xc8\xcb\xc3\xf1\xb9\xb2\xba\xcd\xb9\xfa\xcd\xf2\xcb\xea\n"[..],
            b"\x82\xa9\x8a\xbf\x8e\x9a\x81\x42\x82\xa9\x8a\xbf\x8e\x9a\x82\xa9\x8a\xbf",
            b"\xc7\xd1\xb1\xb9\xbe\xee\xc7\xd1\xb1\xb9\xbe\xee\xc7\xd1\xb1\xb9\xbe\xee",
            b"\xd1\xe5\xe3\xee\xe4\xed\xff \xf5\xee\xf0\xee\xf8\xe0\xff \xef\xee\xe3",
            b"\xe9t\xe9 comme hiver, la for\xeat reste verte.\n",
            // Controls that part fields.
            b"a\x01b\x01c\nd\x01e\x01f\ng\x01h\x01i\n",
            b"caf\xe9\x01Z\xfcrich\x01na\xefve\nx\x01y\x01z\n",
            b"a\tb\tc\td\te\tf\tg\th\ti\tj\t",
            &numbers,
            &samples,
            &[0; 64],
            &[7, 0].repeat(32),
            b"",
        ] {
            assert_eq!(utf_16_of_any_script(bytes), None, "{bytes:?}");
        }
        assert!(!is_unusual("caf\u{e9}".as_bytes()) && !is_unusual(&"\u{e9}".as_bytes()[..1]));
        assert!(is_unusual(b"caf\xe9 ") && is_unusual(b"a\0"));
    }
}
