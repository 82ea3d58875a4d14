//! Any bytes as a statistics file, also with the checksum put right: refused, or answering.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::Statistics;
use xxhash_rust::xxh3::xxh3_128;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    let _ = Statistics::open(bytes.clone());
    let Some(length) = bytes.len().checked_sub(16) else { return };
    let checksum = xxh3_128(&bytes[..length]);
    bytes[length..].copy_from_slice(&checksum.to_le_bytes());
    let Ok(statistics) = Statistics::open(bytes) else { return };
    for key in [0, 1, 1 << 32, u64::MAX / 3, u64::MAX] {
        let _documents = statistics.documents_with(key);
        let _phrase = statistics.phrases().joined(key, !key);
    }
    for recipe in nearprint_fingerprint::Recipe::builtin() {
        let _ = recipe.bound_to_statistics(&statistics);
    }
});
