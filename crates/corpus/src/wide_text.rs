//! How text in UTF-16 without a mark is told, whatever its script: by many bytes of it.
//!
//! A byte order mark alone is sure (Encoding Standard, section 6). Without one there are the zeros beside characters of
//! ASCII, such as spaces and line ends: in a text of any script some are there, all on one side. No text in UTF-8, or in a
//! character set of one or two bytes, has a zero. What has one may be anything else, so the other characters have to be of a
//! script, and bytes among them that stand in no text of one byte a character: short lines with a zero make characters too.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Bytes that are looked at.
pub(crate) const HEAD_BYTES: usize = 4096;
/// Units by which a text is told, at least.
const UNITS: usize = 4;
/// How many times as many characters a text has of its script as of others.
const OF_OTHERS: usize = 6;
/// How many times as many it has as of those that stand in few texts.
const OF_STRANGERS: usize = 16;
/// Ideographs to a byte beyond ASCII, at most: of their lower bytes it is about every second one.
const TO_HIGH: usize = 4;

/// Whether a byte stands in no text.
pub(crate) const fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

/// Whether the first bytes of a file are of no usual text, or most may be letters of one of the [`BARE`] blocks, so that
/// more of them are worth a look.
pub(crate) fn is_unusual(head: &[u8]) -> bool {
    let is_utf_8 = match str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    !is_utf_8 || head.iter().any(is_control) || is_bare(head)
}

/// Blocks of letters of which some have lower bytes of ASCII: those of India, Glagolitic, Tifinagh, and the syllables of
/// Japanese. A word of such letters alone is ASCII, byte for byte.
const BARE: [u8; 8] = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, GLAGOLITIC, 0x2d, 0x30];
/// The block of Glagolitic, which is a comma: many a table begins with columns of one letter.
const GLAGOLITIC: u8 = 0x2c;
/// The lower byte before the first syllable of Japanese. Numbers may have a zero at every second place.
const NO_KANA: u8 = 0x40;

/// Whether most of every other byte are of one of those blocks.
fn is_bare(head: &[u8]) -> bool {
    let (units, _) = head.as_chunks::<2>();
    let is_of = |block: u8, high: u8, low: u8| {
        high == block && (usize::from(block) != KANA || low > NO_KANA)
    };
    let are_most = |count: usize| count * 2 > units.len();
    let are_of = |block: u8| {
        are_most(units.iter().filter(|[low, high]| is_of(block, *high, *low)).count())
            || are_most(units.iter().filter(|[high, low]| is_of(block, *high, *low)).count())
    };
    let mut blocks = BARE.into_iter().filter(|block| *block != GLAGOLITIC);
    units.len() >= UNITS && blocks.any(are_of)
}

/// The kind of UTF-16 that bytes of a text tell. `None` where they may be of both kinds, or of anything else.
pub(crate) fn utf_16_of_any_script(head: &[u8]) -> Option<&'static Encoding> {
    let (units, _) = head.as_chunks();
    if units.len() < UNITS || !head.contains(&0) || are_lines_of_bytes(head) {
        return None;
    }
    // But for the zeros it is ASCII: few words of other scripts are.
    let is_ascii = head.iter().all(|byte| *byte == 0 || byte.is_ascii() && !is_control(byte));
    let high = head.iter().filter(|byte| !byte.is_ascii()).count();
    // Text of one byte a character is of ideographs too, two of its characters each.
    let ideographs = if str::from_utf8(head).is_ok() { 0 } else { high * TO_HIGH };
    let is_text = |unit: fn([u8; 2]) -> u16| {
        let scripts = Scripts::of(units.iter().map(|bytes| unit(*bytes)));
        scripts.is_some_and(|scripts| {
            scripts.are_bare()
                || match is_ascii {
                    true => scripts.are_latin(),
                    false => scripts.are_of_text(ideographs),
                }
        })
    };
    match (is_text(u16::from_le_bytes), is_text(u16::from_be_bytes)) {
        (true, false) => Some(UTF_16LE),
        (false, true) => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether these are lines of DOS in a character set of bytes, and zeros behind them. In UTF-16 the last `\r` is of a letter
/// of Malayalam or Sinhala, and others of its script stand before it, whose `\r` no `\n` follows.
fn are_lines_of_bytes(head: &[u8]) -> bool {
    let end = head.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let lines = head.get(..end).unwrap_or_default();
    let is_alone = |pair: &[u8]| matches!(pair, [b'\r', next] if *next != b'\n');
    lines.ends_with(b"\r\n") && !lines.contains(&0) && !lines.windows(2).any(is_alone)
}

/// Blocks of 256 characters: those of the first two planes.
const BLOCKS: usize = 0x200;
/// The block of the syllables of Japanese.
const KANA: usize = 0x30;

/// What the characters of a text are.
struct Scripts {
    all: usize,
    /// Those of ASCII and Latin-1.
    latin: usize,
    /// Those of ASCII, each beside a zero.
    ascii: usize,
    /// Those of these that are letters or digits.
    words: usize,
    /// Blanks of ASCII, and what of it stands behind another character of it.
    joined: usize,
    /// Those of Chinese, Japanese and Korean.
    ideographs: usize,
    /// Those of other scripts, by their blocks.
    letters: [usize; BLOCKS],
    /// Those that stand in few texts, and those that begin a block, as a zero on the other side does.
    strangers: usize,
}

impl Scripts {
    /// `None` where they are no characters. The last may be cut.
    fn of(units: impl Iterator<Item = u16>) -> Option<Self> {
        let letters = [0; BLOCKS];
        let (all, latin, ascii, words, joined) = (0, 0, 0, 0, 0);
        let (ideographs, strangers) = (0, 0);
        let mut scripts = Self { all, latin, ascii, words, joined, ideographs, letters, strangers };
        let mut is_behind_ascii = false;
        let mut decoded = char::decode_utf16(units).peekable();
        while let Some(next) = decoded.next() {
            let Ok(next) = next else {
                return decoded.peek().is_none().then_some(scripts);
            };
            scripts.all += 1;
            match u32::from(next) {
                0x09..=0x0d | 0x20..0x7f => {
                    scripts.ascii += 1;
                    scripts.words += usize::from(next.is_ascii_alphanumeric());
                    scripts.joined += usize::from(is_behind_ascii || next.is_ascii_whitespace());
                    scripts.latin += 1;
                }
                0xa0..0x100 => scripts.latin += 1,
                // Punctuation and signs of all scripts, of all those of India, and pictures.
                0x0964..0x0966
                | 0x2001..0x2c00
                | 0x3000..0x3003
                | 0xfe01..0xfe10
                | 0xfeff
                | 0x1_f000..0x2_0000 => {}
                0x2e80..0x3000
                | 0x3100..0xa000
                | 0xa960..0xa980
                | 0xac00..0xd7b0
                | 0xf900..0xfb00
                | 0xfe30..0xfe50
                | 0xff01..0xfff0
                | 0x2_0000..0x4_0000 => scripts.ideographs += 1,
                0..0x100 | 0x3021..0x3041 | 0xe000..0xf900 | 0xfff0..0x1_0000 => {
                    scripts.strangers += 1;
                }
                one if one < 0x1_0000 && one.is_multiple_of(0x100) => scripts.strangers += 1,
                one => {
                    match usize::try_from(one >> 8).ok().and_then(|at| scripts.letters.get_mut(at))
                    {
                        Some(count) => *count += 1,
                        None => scripts.strangers += 1,
                    }
                }
            }
            is_behind_ascii = next.is_ascii();
        }
        Some(scripts)
    }

    /// Whether characters such as these are of a text in Latin letters.
    fn are_latin(&self) -> bool {
        self.latin * 4 >= self.all * 3 && self.has_blanks()
    }

    /// Whether these are letters of one of the [`BARE`] blocks, and characters of ASCII.
    ///
    /// Other bytes make such characters where each field is one byte, the same byte parts all of them, and a zero ends a
    /// record. There each zero follows the last field. In a text a blank or a second character of ASCII stands beside some
    /// zero, or nothing but punctuation does.
    fn are_bare(&self) -> bool {
        let of_letters: usize = self.letters.iter().sum();
        let are_of = |block: usize| self.letters.get(block) == Some(&of_letters);
        BARE.into_iter().any(|block| are_of(usize::from(block)))
            && (self.ideographs == 0 || are_of(KANA))
            && self.all - self.ascii - of_letters < of_letters
            && self.strangers == 0
            && self.ascii > 0
            && (self.words == 0 || self.joined > 0)
    }

    /// Whether some are of ASCII, as in a text of any script, and few are strange.
    fn has_blanks(&self) -> bool {
        self.ascii > 0 && self.strangers * OF_STRANGERS <= self.all
    }

    /// Whether characters such as these are of a text, which has so many ideographs at most.
    fn are_of_text(&self, most_ideographs: usize) -> bool {
        let Self { ideographs, letters, .. } = self;
        let of_letters: usize = letters.iter().sum();
        // Latin letters with accents are of no script that has a text of its own; others fill two blocks.
        let (first, second) = letters.iter().skip(3).fold((0, 0), |(first, second), count| {
            if *count > first { (*count, first) } else { (first, second.max(*count)) }
        });
        let is_most = |one: usize, other: usize| one > 0 && one >= other * OF_OTHERS;
        let in_letters = is_most(first + second, of_letters - first - second)
            && is_most(of_letters, *ideographs);
        let of_kana = letters.get(KANA).copied().unwrap_or(0);
        let in_ideographs = *ideographs > 0
            && *ideographs <= most_ideographs
            && is_most(ideographs + of_kana, of_letters - of_kana);
        self.are_latin() || (in_letters || in_ideographs) && self.has_blanks()
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
            "\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}\u{ff0c}\u{6211}\u{4eec}\u{3002}\n",
            "\u{4eca}\u{65e5}\u{306f}\u{3001}\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3002}\n",
            "\u{3053}\u{3093}\u{306b}\u{3061}\u{306f}\u{3001}\u{305b}\u{304b}\u{3044}\n\u{306f}\u{308c}\n",
            "\u{c624}\u{b298}\u{c740} \u{b0a0}\u{c528}\u{ac00} \u{c88b}\u{c544}\u{c11c}",
            "\u{421}\u{435}\u{433}\u{43e}\u{434}\u{43d}\u{44f}, \u{434}\u{430}\n",
            "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}\n",
            "\u{421}\u{435}\u{433}\u{43e}\u{434}\u{43d}\u{44f},\n\u{c}\u{434}\u{430} \u{f0b7} \u{43f}\u{43e}\u{433}\u{43e}\u{434}\u{430}",
            "\u{906}\u{91c} \u{92e}\u{94c}\u{938}\u{92e} \u{905}\u{91a}\u{94d}\u{91b}\u{93e}",
            "\u{12e8}\u{12a0}\u{121b}\u{122d}\u{129b} \u{133d}\u{1201}\u{134d} \u{1290}\u{12cd}",
            "\u{1f10}\u{3bd} \u{1f00}\u{3c1}\u{3c7}\u{1fc7} \u{1f26}\u{3bd} \u{1f41} \u{3bb}\u{3cc}\u{3b3}\u{3bf}\u{3c2}",
            "\u{a284}\u{a0b7}\u{a277}\u{a2ab} \u{a252}\u{a2ba}\n",
            "\u{1e900}\u{1e921}\u{1e922}\u{1e923} \u{1e924}\u{1e925}",
            "\u{dc}ber den Fluss, und \u{201e}weiter\u{201c}",
            "\u{6587},\u{672c}\n\u{421}\u{435}\u{433}\u{43e}\u{434}\u{43d}\u{44f}, \u{434}\u{430} \u{43f}\u{43e}\u{433}\u{43e}\u{434}\u{430}",
            "id,\u{6587}\u{672c}\n1,\u{4eca}\u{5929}\u{5f88}\u{597d}\n",
            "\u{a15}\u{a3f} \u{a39}\u{a48}\n",
            "\u{43c}\u{438}\u{440}\n",
            "\u{3053}\u{3068}\u{3070} \u{306e} \u{3042}\u{305d}\u{3073}\n",
            "\u{3053}\u{3068}\u{3070}\u{3000}\u{306e}\u{3000}\u{3042}\u{305d}\u{3073}\n",
            "\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947} \u{926}\u{941}\u{928}\u{93f}\u{92f}\u{93e}\n",
            // Of these letters the one byte is a carriage return.
            "\u{d28}\u{d2e}\u{d38}\u{d4d}\u{d15}\u{d3e}\u{d30}\u{d02}\n",
            "\u{d86}\u{dba}\u{dd4}\u{db6}\u{ddd}\u{dc0}\u{db1}\u{dca}\n",
            // All bytes are of ASCII, beside digits, letters, signs and ideographs.
            "\u{3053}\u{3068}\u{3070}2024",
            "\u{3053}\u{3068}\u{3070} to \u{3042}\u{305d}\u{3073}\n",
            "1. \u{3053}\u{3068}\u{3070}\n2. \u{304a}\u{3068}\n",
            "\u{3044}\u{3061} (\u{306b})\n",
            "\u{3042}\u{306e}\u{5927}\u{304d}\u{306a}\u{6728}\u{306e}\u{4e0b}\u{3067}\n",
            "\u{938}\u{92e}\u{92f} 12 \u{92c}\u{938}\n",
            "\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947}, ok\n",
            "\u{a38}\u{a24}\u{964} \u{a38}\u{a24}\n",
            "\u{c26}\u{c2e}\u{c28} 5\n",
            "\u{2d30}\u{2d63}\u{2d53}\u{2d4d} \u{2d30}\u{2d4e}\u{2d30}\n",
            "\u{2c32}\u{2c35}\u{2c40}\u{2c35} \u{2c44}\u{2c41}\n",
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
    fn a_word_whose_bytes_are_all_of_ascii_is_worth_a_look() {
        for word in [
            "\u{3053}\u{3068}\u{3070}\u{3068}\u{3044}",
            "\u{3042}\u{306e}\u{5927}\u{304d}\u{306a}",
            "\u{928}\u{92e}\u{938}\u{94d}\u{924}",
            "\u{2d5c}\u{2d30}\u{2d4e}\u{2d30}\u{2d63}",
        ] {
            assert!(wide(word).iter().all(|bytes| is_unusual(bytes)), "{word}");
        }
        for usual in [
            &b"id\ttext\n1\t"[..],
            b"10203040,a",
            b"1000000000",
            b"a,b,c,d,e,",
            b"{\"a\":1}\n{\"",
            b"a\n",
        ] {
            assert!(!is_unusual(usual), "{usual:?}");
        }
    }

    #[test]
    fn other_bytes_are_of_other_character_sets_or_no_text() {
        let numbers: Vec<u8> = (0..64_u32).flat_map(|it| (it * 977).to_le_bytes()).collect();
        let samples: Vec<u8> = (0..256_u16).flat_map(|it| (it * 251).to_le_bytes()).collect();
        // GB 2312, Shift_JIS, EUC-KR, windows-1251 and windows-1252; GB 2312 and CP850 with line ends of DOS.
        let legacy = [
            &b"\xd6\xd0\xb9\xfa\xc8\xcb\xc3\xf1\xb9\xb2\xba\xcd\xb9\xfa\xcd\xf2\xcb\xea\n"[..],
            b"\x82\xa9\x8a\xbf\x8e\x9a\x81\x42\x82\xa9\x8a\xbf\x8e\x9a\x82\xa9\x8a\xbf\n",
            b"\xc7\xd1\xb1\xb9\xbe\xee\xc7\xd1\xb1\xb9\xbe\xee\xc7\xd1\xb1\xb9\xbe\xee\n",
            b"\xd1\xe5\xe3\xee\xe4\xed\xff \xf5\xee\xf0\xee\xf8\xe0\xff \xef\xee\xe3\n",
            b"\xe9t\xe9 comme hiver, la for\xeat reste verte.\n",
            b"\xc8\xcb\xc8\xcb\xc9\xfa\xb6\xf8\xd7\xd4\xd3\xc9,\xd4\xda\xd7\xf0\xd1\xcf\xba\xcd\xc8\xa8\xc0\xfb\xc9\xcf\xd2\xbb\xc2\xc9\xc6\xbd\xb5\xc8\r\n",
            b"\x90t\x82 comme hiver, la for\x88t reste verte\r\n",
        ];
        for text in legacy {
            // As DOS ended files, with a zero behind, and with fields parted by controls.
            for end in [&b""[..], b"\x1a", b"\0", b"\0\0", b"\x010\x011\n"] {
                for start in [&b""[..], b"a"] {
                    let bytes = [start, text, end].concat();
                    assert_eq!(utf_16_of_any_script(&bytes), None, "{bytes:?}");
                }
            }
        }
        for bytes in [
            // Controls that part fields, move a cursor, and end texts.
            &b"a\x01b\x01c\nd\x01e\x01f\ng\x01h\x01i\n"[..],
            b"caf\xe9\x01Z\xfcrich\x01na\xefve\nx\x01y\x01z\n",
            b"a\tb\tc\td\te\tf\tg\th\ti\tj\t",
            &[&b"-\x08\\\x08|\x08/\x08".repeat(60), &b"done\n"[..]].concat(),
            &b"\x08.".repeat(50),
            &b"1\x1f0\x1f1\x1f1\x1f0\x1f1\x1f0\n".repeat(3),
            b"./a\0./ab\0./abc\0./abcd\0./abcde\0",
            b"./caf\xe9\0./th\xe9s\0./\xe9t\xe9\0",
            // Lines and fields of one character, and a zero.
            b"a\nb\nc\nd\0e\nf\n",
            b"1\n2\n3\n4\n5\x006\n7\n8\n",
            b"a\tb\tc\td\te\tf\tg\th\0i\tj\t",
            b"x\ry\rz\rw\0v\ru\r",
            // The same, each record ended by a zero, and numbers in hexadecimal.
            b"a,b,c\0d,e,f\0",
            b"1\t-\tb\0c\t2\t-\0",
            b"a-b-c-d\0e-f-g-h\0",
            b"a0b0c\0d0e0f\0",
            b"0102030405\0\n",
            b"10203040\0\n",
            // Fields filled with zeros, lists of names, and ISO-2022-JP.
            b"a0\0\0b0\0\0c0\0\0",
            b"src/a.rs\0src/b.rs\0src/lib.rs\0",
            b"\x1b$B0J0e0U\x1b(B\0\n",
            // Lines of signs.
            b"-- 10 \0--\n",
            b"# \0-- 0a b #\n",
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
