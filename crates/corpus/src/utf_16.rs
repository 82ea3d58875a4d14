//! How text in UTF-16, and in UTF-32, is told, where nothing names its character set.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Bytes that are looked at.
const HEAD_BYTES: usize = 10;
/// What ends a text of DOS.
const DOS_END: u8 = 0x1a;

/// The kind of UTF-16 that the first bytes of a text tell: by its mark, or by the zeros beside characters of ASCII.
///
/// # References
///
/// Encoding Standard, section 6 "BOM sniff"; HTML Standard, section 13.2.3.2 "prescan a byte stream", which tells XML
/// by its zeros.
pub(crate) fn utf_16(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ => {}
    }
    // The mark at the end of a text of DOS is not of it.
    let mut head = head.get(..HEAD_BYTES).unwrap_or(head);
    while let [before @ .., DOS_END] = head {
        head = before;
    }
    let (units, _) = head.as_chunks();
    let is_text = |it: u8| !it.is_ascii_control() || matches!(it, b'\t' | b'\n' | b'\r' | 0x0c);
    let is_ascii = |zero: u8, other: u8| zero == 0 && other.is_ascii() && is_text(other);
    if units.len() < 2 {
        None
    } else if units.iter().all(|[first, second]| is_ascii(*second, *first)) {
        Some(UTF_16LE)
    } else {
        units.iter().all(|[first, second]| is_ascii(*first, *second)).then_some(UTF_16BE)
    }
}

/// Whether a text begins with the mark of UTF-32, of which that of UTF-16 is a part.
pub(crate) fn has_utf_32_mark(head: &[u8]) -> bool {
    head.starts_with(&[0xff, 0xfe, 0, 0]) || head.starts_with(&[0, 0, 0xfe, 0xff])
}

/// Whether the first bytes of a text are of UTF-32: its mark, or characters of four bytes each. In UTF-16 four such bytes
/// would have a control character, or be of planes that hold no text (Unicode Standard, section 2.8).
pub(crate) fn is_utf_32(head: &[u8]) -> bool {
    let (units, _) = head.as_chunks();
    let of_text = |unit: u32| {
        let is_text = |it: char| !it.is_control() || matches!(it, '\t' | '\n' | '\r');
        matches!(unit >> 16, 0..=3 | 14) && char::from_u32(unit).is_some_and(is_text)
    };
    let are_text = |unit: fn([u8; 4]) -> u32| units.iter().all(|it| of_text(unit(*it)));
    has_utf_32_mark(head)
        || units.len() > 1 && (are_text(u32::from_le_bytes) || are_text(u32::from_be_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_four_bytes_are_utf_32() {
        for text in ["id,text", "\u{4e2d}\u{6587}", "\u{1f642}\n\u{20}"] {
            let units = || text.chars().map(u32::from);
            for bytes in [
                units().flat_map(u32::to_le_bytes).collect::<Vec<u8>>(),
                units().flat_map(u32::to_be_bytes).collect(),
            ] {
                assert!(is_utf_32(&bytes), "{text}");
            }
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(!is_utf_32(&wide) && !is_utf_32(text.as_bytes()), "{text}");
        }
        // Lines of one character in UTF-16, numbers, and less than two characters.
        for other in
            [&b"x\0\n\0y\0\n\0"[..], b"\0x\0\n\0y\0\n", &[1, 0, 0, 0, 2, 0, 0, 0], b"a\0\0\0", b""]
        {
            assert!(!is_utf_32(other), "{other:?}");
        }
        assert!(has_utf_32_mark(&[0, 0, 0xfe, 0xff]) && is_utf_32(&[0xff, 0xfe, 0, 0]));
    }

    #[test]
    fn marks_and_zeros_tell_utf_16() {
        for (head, told) in [
            (&b"\xff\xfe"[..], Some(UTF_16LE)),
            (b"\xfe\xff\0a", Some(UTF_16BE)),
            (b"<\0p\0>\0", Some(UTF_16LE)),
            (b"\0<\0p\0>", Some(UTF_16BE)),
            (b"i\0d\0,\0t\0e\0\x03\x26", Some(UTF_16LE)),
            (b"i\0d\0,", Some(UTF_16LE)),
            (b".\0.\0\x1a\x1a", Some(UTF_16LE)),
            (b".\0\x02\0", None),
            (b"a\0", None),
            (b"a\0\0\0", None),
            (b"<p>a", None),
            (b"", None),
        ] {
            assert_eq!(utf_16(head), told, "{head:?}");
        }
    }
}
