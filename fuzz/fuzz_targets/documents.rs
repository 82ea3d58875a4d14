//! Any bytes read as a row of the store: a document or none, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_store::Document;

fuzz_target!(|bytes: &[u8]| {
    let _narrow = Document::<1>::from_row(bytes);
    let _wide = Document::<2>::from_row(bytes);
    if let Some(document) = Document::<4>::from_row(bytes) {
        assert!(document.id.len() + 40 <= bytes.len());
    }
});
