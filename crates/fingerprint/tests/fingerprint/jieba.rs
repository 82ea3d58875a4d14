//! The recipe `zh-keywords` against jieba itself: `jieba/keywords.py` wrote what is compared here.
//!
//! `jieba/samples.jsonl` is its answer on `samples/zh.jsonl`, `jieba/made.jsonl` that on a text where
//! the order of multiplication and division shows. To compare on other documents, run the
//! script on them and name its output in `NEARPRINT_JIEBA_ROWS`.

use nearprint_fingerprint::{Fingerprinter, Recipe};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Row {
    text: String,
    /// Words and the shortest digits of their weights.
    keywords: Vec<(String, String)>,
    fingerprint: String,
}

fn compare(rows: &str) -> usize {
    let recipe = Recipe::named("zh-keywords").unwrap();
    let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
    let mut compared = 0;
    for line in rows.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let set = fingerprinter.features(&row.text);
        let found: BTreeMap<_, _> =
            set.iter().map(|(word, weight)| (word.to_owned(), weight)).collect();
        let expected: BTreeMap<_, f64> = row
            .keywords
            .into_iter()
            .map(|(word, digits)| (word, digits.parse().unwrap()))
            .collect();
        assert_eq!(found, expected, "row {compared}: {}", row.text);
        let fingerprint = fingerprinter.fingerprint(&row.text).fingerprint.to_string();
        assert_eq!(fingerprint, row.fingerprint, "row {compared}: {}", row.text);
        compared += 1;
    }
    compared
}

#[test]
fn keywords_weights_and_fingerprints_are_those_of_jieba() {
    assert_eq!(compare(include_str!("jieba/samples.jsonl")), 32);
    assert_eq!(compare(include_str!("jieba/made.jsonl")), 1);
    if let Ok(path) = std::env::var("NEARPRINT_JIEBA_ROWS") {
        println!("{} further documents agree", compare(&std::fs::read_to_string(path).unwrap()));
    }
}
