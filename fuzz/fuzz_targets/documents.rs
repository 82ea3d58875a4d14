//! Any bytes read as a row of the store: a document or none, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::Fingerprint;
use nearprint_store::Document;

fuzz_target!(|bytes: &[u8]| {
    let _narrow = Document::<Fingerprint<1>>::from_row(bytes);
    let _wide = Document::<Fingerprint<2>>::from_row(bytes);
    if let Some(document) = Document::<Fingerprint<4>>::from_row(bytes) {
        assert!(document.id.len() + 40 <= bytes.len());
    }
});
