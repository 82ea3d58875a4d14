//! Texts of archives in other character sets than UTF-8.

use crate::Folder;
use crate::archives::{batches, fields, read, record};

/// As crawls have them: texts of another character set, and those of UTF-8 that are cut within a character.
#[test]
fn a_conversion_that_is_no_utf_8_is_decoded_as_a_resource_is() {
    let folder = Folder::new();
    let latin1 = b"Un caf\xe9 au lait, s'il vous pla\xeet";
    let cut = &"na\u{ef}ve caf\u{e9}s \u{732b}".as_bytes()[..16];
    let converted = |id, block| record("1.0", "conversion", "text/plain", id, block);
    let records = [
        converted(1, latin1),
        record("1.0", "resource", "text/plain", 2, latin1),
        converted(3, cut),
        record("1.0", "conversion", "text/plain; charset=iso-8859-2", 4, b"\xb1"),
    ];
    folder.write("a.warc", records.concat());
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20);
    let read = read(&folder, &found, &fields(), |document| {
        (document.text.into_owned(), document.replaced_utf8)
    });
    let read: Vec<_> = read.into_iter().map(Result::unwrap).collect();
    let decoded = "Un caf\u{e9} au lait, s'il vous pla\u{ee}t".to_owned();
    let expected = [
        (decoded.clone(), false),
        (decoded, false),
        ("na\u{ef}ve caf\u{e9}s \u{fffd}".to_owned(), true),
        ("\u{105}".to_owned(), false),
    ];
    assert_eq!(read, expected);
}

/// Captures that are cut end within a character.
#[test]
fn a_page_without_a_charset_that_is_utf_8_but_for_its_end_is_utf_8() {
    let text = "<p>\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}</p>\u{732b}".as_bytes();
    let cut = &text[..text.len() - 1];
    let folder = Folder::new();
    folder.write("a.html", cut);
    folder.write("b.warc", record("1.0", "resource", "text/html", 1, cut));
    for name in ["a.html", "b.warc"] {
        let found = batches(&folder.sources(&[name]), 1 << 20, 1 << 20);
        let read = read(&folder, &found, &fields(), |document| document.text.into_owned());
        let text = read[0].as_ref().unwrap();
        assert!(text.starts_with("\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}"), "{text}");
    }
}
