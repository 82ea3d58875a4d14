//! `Recall::Exact` against comparing all pairs.

use nearprint_dedup::{Dedup, Error, Memory, Recall, Verify};
use nearprint_fingerprint::{Fingerprinter, Overlap, Recipe, Width};
use nearprint_rules::Error as RuleError;
use std::collections::BTreeSet;
use std::path::Path;

/// Texts of a few originals: edited by some words, cut short, and put into longer ones.
fn texts(count: usize) -> Vec<String> {
    let text = |number: usize| {
        let original = number * 7919 % (count / 3);
        let word = |at: usize| match (at * 11 + number * 17) % 53 < number % 3 {
            true => format!("edit{number}x{at}"),
            false => format!("w{original}x{at}"),
        };
        let length = if number.is_multiple_of(5) { 12 + number % 9 } else { 40 };
        let own = (0..number % 6 / 4 * 20).map(|at| format!("own{number}x{at}"));
        (0..length).map(word).chain(own).collect::<Vec<_>>().join(" ")
    };
    (0..count).map(text).collect()
}

fn keys(texts: &[String]) -> Vec<Vec<u64>> {
    let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::default()).unwrap();
    texts.iter().map(|text| fingerprinter.read(text).keys()).collect()
}

/// All pairs that pass, by the definition.
fn passing(keys: &[Vec<u64>], verify: Verify) -> BTreeSet<(u64, u64)> {
    let passes = |a: usize, b: usize| {
        let overlap = Overlap::of(&keys[a], &keys[b]);
        match verify {
            Verify::Jaccard(least) => overlap.jaccard() >= least,
            Verify::Containment(least) => overlap.containment() >= least,
            other => other.similarity(&keys[a], &keys[b]).is_some(),
        }
    };
    let pairs = (0..keys.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.filter(|(a, b)| passes(*a, *b)).map(|(a, b)| (a as u64, b as u64)).collect()
}

fn write(path: &Path, texts: &[String]) {
    let row =
        |(id, text): (usize, &String)| serde_json::json!({"id": id, "text": text}).to_string();
    std::fs::write(path, texts.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")).unwrap();
}

#[test]
fn the_pairs_of_files_are_all_that_pass() {
    let room = tempfile::tempdir().unwrap();
    let path = |name: &str| room.path().join(name);
    let texts = texts(700);
    let keys = keys(&texts);
    write(&path("in.jsonl"), &texts);
    for (verify, memory, width) in [
        (Verify::Jaccard(0.8), Memory::Frugal, Width::W128),
        (Verify::Jaccard(0.5), Memory::Join(1 << 20), Width::W64),
        (Verify::Jaccard(0.2), Memory::Process(64 << 20), Width::W256),
        (Verify::Containment(0.9), Memory::Frugal, Width::W128),
        (Verify::Containment(0.6), Memory::Join(1 << 20), Width::W64),
    ] {
        let job = Dedup::new().recall(Recall::Exact).verify(verify).memory(memory).width(width);
        let job = job.threads(2).files([path("in.jsonl").display().to_string()]).force(true);
        let summary = job.pairs(path("pairs")).write(path("out.jsonl")).unwrap();
        let pairs = std::fs::read_to_string(path("pairs")).unwrap();
        let pairs = pairs.lines().map(|row| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            (row["a"].as_u64().unwrap(), row["b"].as_u64().unwrap())
        });
        let expected = passing(&keys, verify);
        assert!(expected.len() > 100, "{verify}: {} pairs", expected.len());
        assert!(pairs.collect::<BTreeSet<_>>() == expected, "{verify}");
        assert_eq!((summary.method.name, summary.crowded, summary.cut_short), ("exact", 0, 0));
    }
}

#[test]
fn nothing_near_a_reference_stays() {
    let room = tempfile::tempdir().unwrap();
    let path = |name: &str| room.path().join(name);
    let texts = texts(600);
    let keys = keys(&texts);
    write(&path("old.jsonl"), &texts[..300]);
    let row = |id: usize| serde_json::json!({"id": id, "text": texts[id]}).to_string();
    std::fs::write(path("new.jsonl"), (300..600).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    let job = Dedup::new().similarity(0.6).recall(Recall::Exact);
    let job = job.files([path("new.jsonl").display().to_string()]);
    let job = job.against([path("old.jsonl").display().to_string()]);
    job.write(path("out.jsonl")).unwrap();
    let kept = std::fs::read_to_string(path("out.jsonl")).unwrap();
    let id = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        row["id"].as_u64().unwrap()
    };
    let kept: BTreeSet<u64> = kept.lines().map(id).collect();
    let near = passing(&keys, Verify::Jaccard(0.6));
    assert!(kept.len() > 10 && kept.len() < 290, "{}", kept.len());
    for (a, b) in near {
        assert!(!(kept.contains(&b) && (a < 300 || kept.contains(&a))), "{b} stays beside {a}");
    }
}

#[test]
fn of_many_alike_no_two_that_are_near_stay() {
    // Three texts, each in more documents than a list of 1024 holds, with up to seven words of their own.
    let text = |number: usize| {
        let own = (0..number / 3 % 8).map(|at| format!("own{number}x{at}"));
        (0..90)
            .map(|at| format!("kind{}x{at}", number % 3))
            .chain(own)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let texts: Vec<String> = (0..3600).map(text).collect();
    let keys = keys(&texts);
    let dedup = Dedup::new().similarity(0.85).recall(Recall::Exact);
    let found = dedup.clone().threads(2).texts(&texts).unwrap();
    let summary = found.summary();
    assert!(summary.crowded > 3000 && summary.cut_short == 0, "{summary:?}");
    let similarity = |a: usize, b: usize| Overlap::of(&keys[a], &keys[b]).jaccard();
    for removed in found.removed() {
        assert!(similarity(removed.position, removed.near) >= 0.85, "{removed:?}");
    }
    for (at, a) in found.kept().iter().enumerate() {
        for b in &found.kept()[at + 1..] {
            assert!(similarity(*a, *b) < 0.85, "{a} and {b} stay");
        }
    }
    let alone = dedup.threads(1).memory(Memory::Join(24 << 20)).texts(&texts).unwrap();
    assert_eq!(alone.kept(), found.kept());
}

#[test]
fn what_cannot_be_exact_is_refused() {
    let texts = ["one two three", "four five six"];
    let exact = || Dedup::new().recall(Recall::Exact);
    let refused = |dedup: Dedup| dedup.texts(&texts).unwrap_err();
    assert!(matches!(refused(exact().k(3)), Error::Rules(RuleError::NoBands)));
    assert!(matches!(refused(exact().verify(Verify::None)), Error::Rules(RuleError::NoBands)));
    assert!(matches!(refused(exact().similarity(0.0)), Error::Rules(RuleError::Share { .. })));
    assert!(matches!(
        refused(Dedup::new().verify(Verify::Containment(0.0))),
        Error::Rules(RuleError::Share { .. })
    ));
    for few in [&texts[..0], &texts[..1], &texts[..]] {
        assert_eq!(exact().texts(few).unwrap().kept().len(), few.len());
    }
    let equal = ["a b c d e"; 50];
    assert_eq!(exact().texts(&equal).unwrap().kept(), [0]);
    let words: Vec<String> = (0..50).map(|word| format!("word{word}")).collect();
    assert_eq!(exact().texts(&words).unwrap().kept().len(), 50);
}
