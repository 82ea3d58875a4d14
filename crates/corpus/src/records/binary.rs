//! Bytes that are no text. What else they are does not matter here.

use crate::archive::mime::is_versioned;
use crate::utf_16::utf_16;
use crate::wide_text::utf_16_of_any_script;

/// What bytes are called of which nothing tells what they are.
pub(crate) const UNKNOWN: &str = "binary data";

/// What a ZIP file is called.
pub(crate) const ZIP: &str = "a ZIP archive";

/// How PDF begins, and what it is called.
const PDF: (&[u8], &str) = (b"%PDF-", "a PDF document");

/// How some kinds of files begin, and what they are.
const OPENINGS: [(&[u8], &str); 18] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"PK\x03\x04", ZIP),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"Obj\x01", "an Avro file"),
    (b"\x04\x22\x4d\x18", "compressed with LZ4"),
    (b"\xff\x06\0\0sNaPpY", "compressed with Snappy"),
    (b"\x1f\x9d", "compressed with compress"),
    (b"\x5d\0\0", "compressed with LZMA"),
    (b"\x78\x01", "compressed with zlib"),
    (b"\x78\x9c", "compressed with zlib"),
    (b"\x78\xda", "compressed with zlib"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
];

/// Words that some kinds of files have at these places, and what they are: a text may have such a word, but no zero. The
/// first entry of a tar archive says what it is (POSIX.1, "ustar Interchange Format").
const WORDS: [(usize, &[u8], &str); 6] = [
    (0, PDF.0, PDF.1),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (0, b"ORC", "an ORC file"),
    (257, b"ustar", "a tar archive"),
    (0, b"nearprint decisions ", "a file of decisions"),
];

/// What a file is that begins with `head` and is no text; none of text, and of text in UTF-16,
/// which its first bytes tell.
pub(crate) fn kind(head: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = OPENINGS.iter().find(|(opening, _)| head.starts_with(opening)) {
        return Some(kind);
    }
    if head.strip_prefix(PDF.0).is_some_and(is_versioned) {
        return Some(PDF.1);
    }
    if !head.contains(&0) {
        return None;
    }
    let has = |at: usize, word: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(word));
    if let Some((.., kind)) = WORDS.iter().find(|(at, word, _)| has(*at, word)) {
        return Some(kind);
    }
    let told = utf_16(head).or_else(|| utf_16_of_any_script(head));
    told.is_none().then_some(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_told() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0\0"), Some("a PNG image"));
        assert_eq!(kind(b"%PDF-1.7\n"), Some("a PDF document"));
        assert_eq!(kind(b"%PDF- \0"), Some("a PDF document"));
        assert_eq!(kind(b"abc\0def"), Some("binary data"));
        assert_eq!(kind(b"ORC\x0a\0"), Some("an ORC file"));
        assert_eq!(kind(b"Obj\x01\x04"), Some("an Avro file"));
        assert_eq!(kind(b"\x93NUMPY\x01\0v\0"), Some("an array of NumPy"));
        assert_eq!(kind(b"\x78\x9c\x4b\x04"), Some("compressed with zlib"));
        assert_eq!(kind(b"\x04\x22\x4d\x18d"), Some("compressed with LZ4"));
        let tar = [b"a.jsonl".as_slice(), &[0; 250], b"ustar\x0000"].concat();
        assert_eq!(kind(&tar), Some("a tar archive"));
        assert_eq!(kind(b"GIF89a\x01\0\x01\0"), Some("a GIF image"));
        assert_eq!(kind(b"nearprint decisions 6\n\x1d\0"), Some("a file of decisions"));
        let mustard = [&[b'm'; 257][..], b"ustard"].concat();
        for text in [
            &b""[..],
            b"PK says",
            b"ORC",
            b"ORCS and elves",
            b"nearprint decisions are files",
            b"GIF89a has animations",
            b"%PDF-1.4 is the first line of a PDF",
            b"%PDF- is its mark",
            &mustard,
            b"caf\xe9",
            b"\xff\xfea\0b\0",
            b"a\0b\0",
            "ü".as_bytes(),
        ] {
            assert_eq!(kind(text), None, "{text:?}");
        }
    }
}
