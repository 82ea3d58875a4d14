//! A path as a text, for messages and ids.

use std::path::Path;

/// The characters of a path. Bytes that are none are each written as U+FFFD and two hexadecimal digits, and so are
/// those of U+FFFD itself: different paths are different texts, and the text tells the path.
pub(crate) fn printed(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for part in chunk.valid().split_inclusive('\u{fffd}') {
            match part.strip_suffix('\u{fffd}') {
                Some(before) => {
                    text.push_str(before);
                    put("\u{fffd}".as_bytes(), &mut text);
                }
                None => text.push_str(part),
            }
        }
        put(chunk.invalid(), &mut text);
    }
    text
}

/// The characters of bytes. Those that are none are written as in a path.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        put(chunk.invalid(), &mut text);
    }
    text
}

fn put(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        text.push('\u{fffd}');
        text.push_str(&format!("{byte:02x}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_as_they_are() {
        assert_eq!(printed(Path::new("a/\u{e9} b\\x.txt")), "a/\u{e9} b\\x.txt");
        assert_eq!(printed(Path::new("\u{fffd}e9")), "\u{fffd}ef\u{fffd}bf\u{fffd}bde9");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_characters_stay_distinct() {
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes| printed(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(name(b"caf\xe9.txt"), "caf\u{fffd}e9.txt");
        assert_eq!(name(b"caf\xe8.txt"), "caf\u{fffd}e8.txt");
        assert_eq!(name(b"\xff\xfe"), "\u{fffd}ff\u{fffd}fe");
    }
}
