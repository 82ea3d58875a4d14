//! How text in UTF-16 is told, where nothing names its character set.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Bytes that are looked at.
const HEAD_BYTES: usize = 10;

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
    let head = head.get(..HEAD_BYTES).unwrap_or(head);
    let (units, _) = head.as_chunks();
    let is_ascii = |zero: u8, other: u8| zero == 0 && other != 0 && other.is_ascii();
    if units.len() < 2 {
        None
    } else if units.iter().all(|[first, second]| is_ascii(*second, *first)) {
        Some(UTF_16LE)
    } else {
        units.iter().all(|[first, second]| is_ascii(*first, *second)).then_some(UTF_16BE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_zeros_tell_utf_16() {
        for (head, told) in [
            (&b"\xff\xfe"[..], Some(UTF_16LE)),
            (b"\xfe\xff\0a", Some(UTF_16BE)),
            (b"<\0p\0>\0", Some(UTF_16LE)),
            (b"\0<\0p\0>", Some(UTF_16BE)),
            (b"i\0d\0,\0t\0e\0\x03\x26", Some(UTF_16LE)),
            (b"i\0d\0,", Some(UTF_16LE)),
            (b"a\0", None),
            (b"a\0\0\0", None),
            (b"<p>a", None),
            (b"", None),
        ] {
            assert_eq!(utf_16(head), told, "{head:?}");
        }
    }
}
