//! Any bytes as a WARC file: the same records in batches of any size, and what is written of them is read
//! back without an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_corpus::{
    Fields, InputFormat, InvalidUtf8, PageRules, Part, ReadOptions, Reader, discover,
};
use std::sync::LazyLock;

static FILE: LazyLock<String> = LazyLock::new(|| {
    let name = format!("nearprint-fuzz-{}.warc", std::process::id());
    std::env::temp_dir().join(name).display().to_string()
});

const LIMIT: usize = 4096;

/// The bytes of every whole record and of what is carried, and the others' errors.
fn read(bytes: &[u8], batch_bytes: usize) -> (Vec<u8>, Vec<String>) {
    std::fs::write(&*FILE, bytes).unwrap();
    let sources = discover(std::slice::from_ref(&*FILE), Some(InputFormat::WARC)).unwrap();
    let fields = Fields { part: Some(Part::Full(PageRules::Shown)), ..Fields::default() };
    let options = ReadOptions { batch_bytes, max_record_bytes: LIMIT, ..ReadOptions::default() };
    let (mut raw, mut errors) = (Vec::new(), Vec::new());
    for batch in Reader::new(&sources, options) {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => {
                errors.push(error.to_string());
                continue;
            }
        };
        for at in 0..=batch.len() {
            batch.carried_before(at).for_each(|carried| raw.extend_from_slice(carried.raw()));
            let Some(record) = batch.record(at) else { continue };
            raw.extend_from_slice(record.held());
            match record.document(&fields, InvalidUtf8::Replace) {
                Ok(document) => assert!(record.held().len() <= LIMIT && document.full.is_none()),
                Err(error) if record.held().is_empty() => errors.push(error.to_string()),
                Err(_) => {}
            }
        }
    }
    (raw, errors)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let (raw, errors) = read(bytes, 1 << 20);
    assert_eq!(read(bytes, usize::from(*first) + 1), (raw.clone(), errors));
    assert_eq!(read(&raw, 1 << 20), (raw, Vec::new()));
});
