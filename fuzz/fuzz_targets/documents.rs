//! Any bytes read as a row of the store: a document or none, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::Width;
use nearprint_store::Document;

fuzz_target!(|bytes: &[u8]| {
    for width in Width::ALL {
        if let Some(document) = Document::from_row(bytes, width) {
            assert!(document.id.len() + 8 * width.words() + 8 <= bytes.len());
        }
    }
});
