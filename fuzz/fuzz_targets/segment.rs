//! Any bytes opened as a segment and asked everything: an error or an answer, never a panic.
//!
//! The footer's checksum is made right, so that what it guards is reached. Start from the golden
//! file; see fuzz/README.md.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Means, Segment};
use xxhash_rust::xxh3::xxh3_64;

/// As many answers and entries of a damaged file are looked at.
const SOME: usize = 1000;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    seal(&mut file);
    ask::<1>(&file);
    ask::<2>(&file);
    ask::<4>(&file);
});

/// Writes the checksum that the footer of `file` should have, where there is room for one.
fn seal(file: &mut [u8]) {
    let Some(end) = file.len().checked_sub(24) else { return };
    let (body, tail) = file.split_at_mut(end);
    let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]) as usize;
    if let Some(start) = end.checked_sub(length) {
        tail[4..12].copy_from_slice(&xxh3_64(&body[start..]).to_le_bytes());
    }
}

fn ask<const WORDS: usize>(file: &[u8]) {
    let Ok(segment) = Segment::<_, WORDS>::open(file) else { return };
    let _damage = segment.verify();
    let ends = [[0; WORDS], [u64::MAX; WORDS], [0x0123_4567_89ab_cdef; WORDS]];
    let queries = ends.map(Fingerprint::from_words);
    for k in 0..=segment.layout().k().min(4) {
        let _answers = segment.batch(&queries, k, Some(SOME), Means::Tables);
        let _first = segment.any(&queries[2], k);
    }
    let _scanned = segment.batch(&queries, 2, Some(SOME), Means::Scan);
    for entry in segment.entries().take(SOME) {
        let Ok((fingerprint, _docs)) = entry else { break };
        let mut found = None;
        let _searched = segment.search(&[fingerprint], 0, |near| {
            found = Some(near);
            ControlFlow::Break(())
        });
        let _docs = found.map(|near| segment.documents_of(&near).map(Iterator::count));
    }
}
