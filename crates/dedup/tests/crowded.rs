//! Corpora in which so many documents are alike that their pairs are not listed.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

use nearprint_dedup::{ClusterRule, Dedup, Found, KeepRule, Memory};
use nearprint_fingerprint::{Fingerprinter, Overlap, Recipe};

/// Two clusters of edited copies, and pages that share 70 of 100 words with one another; in turn.
fn texts() -> Vec<String> {
    let edited = |name: &str, copy: usize| {
        let word = |at: usize| match (at * 7 + copy * 13) % 101 {
            0 => format!("{name}edit{copy}x{at}"),
            _ => format!("{name}{at}"),
        };
        (0..150).map(word).collect::<Vec<_>>().join(" ")
    };
    let page = |number: usize| {
        let own = (0..30).map(|at| format!("own{number}x{at}"));
        (0..70).map(|at| format!("all{at}")).chain(own).collect::<Vec<_>>().join(" ")
    };
    let text = |number: usize| match number % 3 {
        0 => edited("one", number),
        1 => edited("two", number),
        _ => page(number),
    };
    (0..1500).map(text).collect()
}

fn keys(texts: &[String]) -> Vec<Vec<u64>> {
    let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::default()).unwrap();
    texts.iter().map(|text| fingerprinter.read(text).keys()).collect()
}

/// Every removed text is near the one that stays, and no two that stay are near each other.
fn check(found: &Found, keys: &[Vec<u64>]) {
    let similarity = |a: usize, b: usize| Overlap::of(&keys[a], &keys[b]).jaccard();
    for removed in found.removed() {
        assert!(similarity(removed.position, removed.kept) >= 0.8, "{removed:?}");
        assert_eq!(removed.similarity, similarity(removed.position, removed.kept));
    }
    for (at, a) in found.kept().iter().enumerate() {
        for b in &found.kept()[at + 1..] {
            assert!(similarity(*a, *b) < 0.8, "{a} and {b} stay");
        }
    }
}

#[test]
fn crowds_are_decided_exactly_by_every_rule() {
    let texts = texts();
    let keys = keys(&texts);
    for keep in [KeepRule::Central, KeepRule::First, KeepRule::Last, KeepRule::Longest] {
        let dedup = Dedup::new().recipe(Recipe::named("text").unwrap()).keep(keep);
        let found = dedup.texts(&texts).unwrap();
        check(&found, &keys);
        let summary = found.summary();
        assert!(summary.crowded > 900 && summary.cut_short == 0, "{summary:?}");
        // Fewer than for all pairs of the two clusters: 2 * 500 * 499 / 2.
        assert!(summary.candidates < 100_000, "{}", summary.candidates);
        assert!(found.kept().len() < 520, "{keep:?}: {} stay", found.kept().len());
    }
    let connected = Dedup::new().cluster_rule(ClusterRule::Connected).texts(&texts).unwrap();
    check(&connected, &keys);
}

#[test]
fn threads_and_memory_change_nothing() {
    let texts = texts();
    let of = |dedup: Dedup| {
        let found = dedup.texts(&texts).unwrap();
        (found.kept().to_vec(), found.removed().to_vec())
    };
    let expected = of(Dedup::new().threads(1));
    assert_eq!(of(Dedup::new().threads(3)), expected);
    assert_eq!(of(Dedup::new().memory(Memory::Join(2 << 20))), expected);
}

#[test]
fn a_crowded_document_is_a_pair_with_the_one_that_stays_for_it() {
    let room = tempfile::tempdir().unwrap();
    let path = |name: &str| room.path().join(name);
    let row =
        |(id, text): (usize, &String)| serde_json::json!({"id": id, "text": text}).to_string();
    let rows: Vec<String> = texts().iter().enumerate().map(row).collect();
    std::fs::write(path("in.jsonl"), rows.join("\n")).unwrap();
    let files = Dedup::new().files([path("in.jsonl").display().to_string()]);
    let files = files.pairs(path("pairs")).removed(path("removed"));
    let summary = files.write(path("out.jsonl")).unwrap();
    let read = |name: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(path(name)).unwrap();
        text.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let id = |row: &serde_json::Value, field: &str| row[field].as_u64().unwrap();
    let pairs: Vec<_> = read("pairs").iter().map(|row| (id(row, "a"), id(row, "b"))).collect();
    assert_eq!(summary.pairs, Some(pairs.len() as u64));
    for removed in read("removed") {
        let (one, kept) = (id(&removed, "id"), id(&removed, "kept"));
        assert!(pairs.contains(&(one.min(kept), one.max(kept))), "{one} and {kept}");
    }
}
