//! Distances where the first reading makes no fingerprints, against those of jobs that make them for all documents.

use nearprint_dedup::{ClusterRule, Dedup, KeepRule};
use nearprint_fingerprint::{Recipe, Weighting};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Texts of so many words in groups of eight; in each a few words are others, and some are equal or short.
fn texts(documents: u32) -> Vec<String> {
    let text = |document: u32| {
        let (group, words) = (document / 8, 20 + document / 8 % 150);
        let words = (0..if document.is_multiple_of(31) { 2 } else { words }).map(|at| {
            let changed = (document * 7 + at * 13) % 97 < document % 5;
            format!("w{}", if changed { document * 31 + at } else { group * 1000 + at })
        });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..documents).map(text).collect()
}

fn corpus(texts: &[String]) -> String {
    let mut rows = String::new();
    for (id, text) in texts.iter().enumerate() {
        writeln!(rows, "{{\"id\":{id},\"text\":\"{text}\"}}").unwrap();
    }
    rows
}

/// Survivors, or all documents with what became of them, and the list of what goes; beside a list of pairs where they are
/// asked for.
fn written(room: &Path, dedup: &Dedup, pairs: bool, annotate: bool) -> [String; 2] {
    let name = |name: &str| room.join(name);
    let job = dedup.clone().force(true).annotate(annotate).removed(name("removed.jsonl"));
    let job = if pairs { job.pairs(name("pairs.jsonl")) } else { job };
    let job = job.files([name("in.jsonl").display().to_string()]);
    let summary = job.write(name("kept.jsonl")).unwrap();
    assert!(summary.removed > 300, "{summary:?}");
    ["kept.jsonl", "removed.jsonl"].map(|file| fs::read_to_string(name(file)).unwrap())
}

#[test]
fn distances_are_the_same_whether_all_documents_have_fingerprints_or_none() {
    let (room, texts) = (tempfile::tempdir().unwrap(), texts(1600));
    fs::write(room.path().join("in.jsonl"), corpus(&texts)).unwrap();
    let words = Recipe { shingle: 1, ..Recipe::named("text").unwrap() };
    let logs = Recipe { weights: Weighting::Log, ..words.clone() };
    for (recipe, similarity) in [(Recipe::named("text").unwrap(), 0.5), (words, 0.8), (logs, 0.8)] {
        let jobs = [
            Dedup::new(),
            Dedup::new().cluster_rule(ClusterRule::Connected),
            Dedup::new().keep(KeepRule::Longest),
            Dedup::new().keep(KeepRule::Nothing),
        ];
        for job in jobs.map(|job| job.recipe(recipe.clone()).similarity(similarity)) {
            for annotate in [false, true] {
                let with = written(room.path(), &job, true, annotate);
                assert!(written(room.path(), &job, false, annotate) == with, "{job:?}");
            }
            let found = job.texts(&texts).unwrap();
            let mut pairs = Vec::new();
            let with = job
                .texts_and_pairs_by(texts.len(), |at| &texts[at], |pair| pairs.push(pair))
                .unwrap();
            assert_eq!((found.kept(), found.removed()), (with.kept(), with.removed()), "{job:?}");
            assert!(found.removed().iter().any(|removed| removed.evidence.distance > 0));
            assert!(pairs.iter().any(|pair| pair.evidence.distance > 0));
        }
    }
}
