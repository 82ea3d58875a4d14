//! A corpus that is made: the same rows at every call.

use std::fmt::Write as _;

/// A made corpus of some 4 MB, so that several batches are under way at once: every fifth document
/// is an edited copy of one that lies far before it, every eleventh an exact one. The same at every
/// call.
pub(crate) fn made() -> String {
    let mut state = 1_u64;
    let mut next = |below: usize| {
        // Knuth's MMIX generator; its high bits are good enough for words.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut texts: Vec<Vec<usize>> = Vec::new();
    let mut rows = String::new();
    for number in 0..3000_usize {
        let text = if number > 500 && number.is_multiple_of(5) {
            let mut copy = texts[next(number - 400)].clone();
            for _ in 0..=next(4) {
                let at = next(copy.len());
                copy[at] = next(5000);
            }
            copy
        } else if number > 500 && number.is_multiple_of(11) {
            texts[next(number - 400)].clone()
        } else {
            (0..180 + next(120)).map(|_| next(5000)).collect()
        };
        write!(rows, "{{\"id\":\"d{number}\",\"text\":\"").unwrap();
        text.iter().for_each(|word| write!(rows, "w{word} ").unwrap());
        rows.push_str("\"}\n");
        texts.push(text);
    }
    rows
}
