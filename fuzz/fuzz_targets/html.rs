//! Any bytes as an HTML page: its characters, all its text and its main text, never a panic, and never
//! long.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_corpus::{Markup, Page, PageRules};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let (header, bytes) = match bytes.split_first() {
        Some((b'h', rest)) => (std::str::from_utf8(rest.get(..24).unwrap_or_default()).ok(), rest),
        _ => (None, bytes),
    };
    let markup = match bytes.split_first() {
        Some((b'x', rest)) => Markup::of_file(Path::new("a.xhtml"), rest, None),
        _ => Markup::decode(bytes, header),
    };
    for rules in [PageRules::Large, PageRules::Shown] {
        let page = Page::new(&markup.text, rules);
        let (main, fallback) = page.main();
        assert!(fallback.is_none() || main == page.full());
    }
});
