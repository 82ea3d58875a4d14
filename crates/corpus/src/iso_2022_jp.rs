//! How text in ISO-2022-JP is told, where nothing names its character set: all its bytes are those of ASCII.

#![deny(clippy::indexing_slicing)]

use encoding_rs::{DecoderResult, ISO_2022_JP};
use memchr::memchr_iter;

/// What every escape sequence begins with.
pub(crate) const ESCAPE: u8 = 0x1b;

/// Bytes of an escape sequence and of a character behind it.
pub(crate) const DESIGNATION: usize = 5;

/// Whether bytes are a text in ISO-2022-JP.
pub(crate) fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    designation(bytes, true).is_some()
}

/// Where a text goes over to characters of Japanese, if these are all `whole` of its bytes or the beginning: to JIS X 0208, of
/// which a character follows. A text of ASCII that cannot be decoded so has other escape sequences, as terminals are sent.
///
/// # References
///
/// Encoding Standard, section 13.2 "ISO-2022-JP".
pub(crate) fn designation(bytes: &[u8], whole: bool) -> Option<usize> {
    let mut escapes = memchr_iter(ESCAPE, bytes);
    let at = escapes.find(|at| {
        let sequence = bytes.get(at + 1..).unwrap_or_default();
        matches!(sequence, [b'$', b'@' | b'B', 0x21..=0x7e, 0x21..=0x7e, ..])
    })?;
    let japanese = bytes.get(at..).unwrap_or_default();
    (bytes.is_ascii() && decodes(japanese, whole)).then_some(at)
}

fn decodes(mut bytes: &[u8], whole: bool) -> bool {
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let mut text = [0; 1 << 12];
    loop {
        let (result, read, _) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, whole);
        bytes = bytes.get(read..).unwrap_or_default();
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_japanese_tell() {
        assert_eq!(designation(b"abc \x1b$B$\"\x1b(B", true), Some(4));
        assert_eq!(designation(b"abc \x1b[1m\x1b$B$\"\x1b(B", true), Some(8));
        assert_eq!(designation(b"\x1b$@$\"", true), Some(0));
        assert_eq!(designation(b"\x1b(Ja\x1b$B$\"\x1b(J", true), Some(4));
        // What is cut off may go on.
        assert_eq!(designation(b"\x1b$B$\"$", false), Some(0));
        for other in [
            &b"abc"[..],
            b"",
            b"\x1b",
            b"\x1b(B\x1b[m",
            b"\x1b(Ja\x1b(B",
            b"\x1b$B\n$",
            b"\x1b$B",
            b"\x1b$A$$",
            b"\x1b$B$\"$",
            b"\x1b$B$\" \n",
            b"\x1b$B!!\x1b[0m",
            b"\x1b$B$\"\x1b$(Q$\"\x1b(B",
            b"\x1b$B$\"\x1b(B\xc3\xa9",
        ] {
            assert_eq!(designation(other, true), None, "{other:?}");
        }
    }
}
