//! Frozen sketches of fixed sets and texts. A difference here is a new version of sketches, never a new
//! golden file: sketches are kept on disk beside fingerprints.

use nearprint_fingerprint::{BandShape, BandSketcher, Fingerprinter, Recipe, mix64};
use std::fmt::Write as _;

fn row(sketcher: &mut BandSketcher, name: &str, keys: &[u64], out: &mut String) {
    let mut bytes = Vec::new();
    sketcher.sketch(keys, &mut bytes);
    write!(out, "{name} ").unwrap();
    bytes.iter().for_each(|byte| write!(out, "{byte:02x}").unwrap());
    out.push('\n');
}

#[test]
fn sketches_are_frozen() {
    let mut found = format!("version {}\n", BandShape::VERSION);
    for (similarity, recall) in [(0.5, 0.9), (0.8, 0.999), (0.85, 0.999), (0.9, 0.99), (1.0, 0.5)] {
        let shape = BandShape::for_similarity(similarity, recall).unwrap();
        writeln!(found, "{similarity} {recall}: {} x {}", shape.bands(), shape.rows()).unwrap();
        let mut sketcher = BandSketcher::new(shape);
        for size in [0, 1, 2, 9, 95, 500, 2000, 20_000] {
            let keys: Vec<u64> = (0..size).map(mix64).collect();
            row(&mut sketcher, &size.to_string(), &keys, &mut found);
        }
        let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::default()).unwrap();
        let seen = fingerprinter.read("The storm reached the coast late on Monday, and it stayed.");
        row(&mut sketcher, "text", &seen.keys(), &mut found);
    }
    let frozen = include_str!("golden_sketches.txt");
    assert!(found == frozen, "golden_sketches.txt differs; found:\n{found}");
}
