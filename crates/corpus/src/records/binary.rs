//! Bytes that are no text. What else they are does not matter here.

/// What a ZIP file is called.
pub(crate) const ZIP: &str = "a ZIP archive";

/// How some kinds of files begin, and what they are.
const OPENINGS: [(&[u8], &str); 8] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", ZIP),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
];

/// What a file is that begins with `head` and is no text; none of text, and of text in UTF-16,
/// which its byte order mark shows.
pub(crate) fn kind(head: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = OPENINGS.iter().find(|(opening, _)| head.starts_with(opening)) {
        return Some(kind);
    }
    let wide = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    (!wide && head.contains(&0)).then_some("binary data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_told() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0\0"), Some("a PNG image"));
        assert_eq!(kind(b"%PDF-1.7\n"), Some("a PDF document"));
        assert_eq!(kind(b"abc\0def"), Some("binary data"));
        for text in [&b""[..], b"PK says", b"caf\xe9", b"\xff\xfea\0b\0", "ü".as_bytes()] {
            assert_eq!(kind(text), None, "{text:?}");
        }
    }
}
