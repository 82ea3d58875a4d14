//! Quality on the labelled sets of `samples/labelled`, at the default setting.
//!
//! The bounds are what it reached when they were frozen, less a hair. A change that falls below one
//! is a change of quality, to be meant and stated.

use crate::nearprint::repository;
use crate::room::Room;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;

/// How far below the frozen figures a score may fall.
const HAIR: f64 = 0.01;

type Pairs = BTreeSet<(String, String)>;

/// A file of `samples/labelled`.
fn path(name: &str) -> PathBuf {
    repository().join("samples/labelled").join(name)
}

/// The text of such a file.
pub(crate) fn unpacked(name: &str) -> String {
    let packed = std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    text
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.min(b).to_owned(), a.max(b).to_owned())
}

/// The pairs of a set that have the label.
fn labelled(set: &str, label: &str) -> Pairs {
    let rows = unpacked(&format!("{set}.pairs.tsv.gz"));
    let rows = rows.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[2] == label).map(|row| pair(row[0], row[1])).collect()
}

/// Runs `pairs` with `args` on a set and says how many of its duplicates were found (recall), and how
/// many of the pairs found are duplicates (precision). Grey pairs count neither way; a pair that has
/// no label is none.
fn scores(set: &str, args: &[&str]) -> (f64, f64) {
    let room = Room::new();
    let input = path(&format!("{set}.jsonl.gz"));
    room.run(&[&["pairs", input.to_str().unwrap(), "-o", "pairs.jsonl"], args].concat()).done();
    let found: Pairs = room
        .text("pairs.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| pair(row["a"].as_str().unwrap(), row["b"].as_str().unwrap()))
        .collect();
    let (duplicates, grey) = (labelled(set, "dup"), labelled(set, "grey"));
    let right = found.intersection(&duplicates).count() as f64;
    let counted = found.difference(&grey).count() as f64;
    (right / counted, right / duplicates.len() as f64)
}

/// The set reaches both at the default setting.
fn reaches(set: &str, precision: f64, recall: f64) {
    let reached = scores(set, &[]);
    assert!(reached.0 >= precision - HAIR, "{set}: precision {}", reached.0);
    assert!(reached.1 >= recall - HAIR, "{set}: recall {}", reached.1);
}

#[test]
fn licences() {
    reaches("licences", 1.0, 0.1945);
}

#[test]
fn bibliography() {
    reaches("bibliography", 1.0, 0.3333);
}

/// The scores tell settings apart: a radius that takes in everything finds all and is right of little.
#[test]
fn a_setting_that_is_too_wide_loses_precision() {
    let (precision, recall) = scores("bibliography", &["--width", "64", "-k", "19"]);
    assert!(precision < 0.5 && recall > 0.8, "precision {precision}, recall {recall}");
}

#[test]
fn evaluate_reads_the_labels_as_they_are() {
    let room = Room::new();
    let [input, labels] = ["bibliography.jsonl.gz", "bibliography.pairs.tsv.gz"].map(path);
    let args = ["evaluate", input.to_str().unwrap(), "--labels", labels.to_str().unwrap()];
    let rest = ["--unlisted", "different", "--only", "dedup", "--format", "json"];
    let told = room.run(&[&args[..], &rest].concat()).done();
    let told: Value = serde_json::from_str(told.text()).unwrap();
    let said = (&told["labels"]["same"], &told["labels"]["different"]);
    assert_eq!(said, (&216.into(), &326.into()));
}
