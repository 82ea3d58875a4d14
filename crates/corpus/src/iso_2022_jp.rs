//! How text in ISO-2022-JP is told, where nothing names its character set: all its bytes are those of ASCII.

#![deny(clippy::indexing_slicing)]

use memchr::memchr_iter;

/// What every escape sequence begins with.
pub(crate) const ESCAPE: u8 = 0x1b;

/// Bytes of an escape sequence and of a character behind it.
pub(crate) const DESIGNATION: usize = 5;

/// Whether bytes are a text in ISO-2022-JP.
pub(crate) fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    designation(bytes).is_some() && bytes.is_ascii()
}

/// Where bytes first go over to a set of characters of Japanese: to JIS X 0208, of which a character follows, or to one
/// of JIS X 0201. The way back to ASCII tells nothing: terminals are sent it too.
///
/// # References
///
/// Encoding Standard, section 13.2 "ISO-2022-JP".
pub(crate) fn designation(bytes: &[u8]) -> Option<usize> {
    memchr_iter(ESCAPE, bytes).find(|at| {
        let sequence = bytes.get(at + 1..).unwrap_or_default();
        matches!(
            sequence,
            [b'$', b'@' | b'B', 0x21..=0x7e, 0x21..=0x7e, ..] | [b'(', b'I' | b'J', ..]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_japanese_characters_tells() {
        assert_eq!(designation(b"abc \x1b[1m\x1b$B$\"\x1b(B"), Some(8));
        assert_eq!(designation(b"\x1b$@$\""), Some(0));
        assert_eq!(designation(b"\x1b(Ja\x1b(B"), Some(0));
        for other in
            [&b"abc"[..], b"", b"\x1b", b"\x1b(B\x1b[m", b"\x1b$B\n$", b"\x1b$B", b"\x1b$A$$"]
        {
            assert_eq!(designation(other), None, "{other:?}");
        }
        assert!(is_iso_2022_jp(b"\x1b$B$\"\x1b(B") && !is_iso_2022_jp(b"\x1b$B$\"\x1b(B\xc3\xa9"));
    }
}
