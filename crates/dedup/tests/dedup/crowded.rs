//! Corpora in which so many documents are alike that their pairs are not listed.

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
        assert!(similarity(removed.position, removed.near) >= 0.8, "{removed:?}");
        assert_eq!(removed.evidence.similarity(), Some(similarity(removed.position, removed.near)));
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

/// A page with near-duplicates of which each is near two pages that are not near each other; and pages that have
/// all of it but what tells the first of these two, a fifth each. Which of the two is found first depends on which
/// features are rare, and in the whole these are others than among the near-duplicates alone.
fn parts() -> Vec<Vec<String>> {
    let base = |at: usize| format!("base{at}");
    let page = |first: bool, second: bool| -> Vec<String> {
        let word = |at: usize| match at {
            0..14 if first => format!("first{at}"),
            100..114 if second => format!("second{at}"),
            _ => base(at),
        };
        (0..200).map(word).collect()
    };
    let edited = |mut words: Vec<String>, name: &str, number: usize| {
        let at = 20 + number * 7 % 60;
        words[at] = format!("{name}x{number}");
        words.join(" ")
    };
    let near = (0..400).map(|number| edited(page(true, true), "own", number));
    let first = [page(true, false), page(false, true)].map(|words| words.join(" "));
    let mut parts = vec![first.into_iter().chain(near).collect::<Vec<_>>()];
    for fifth in 0..5 {
        // Two words more: no feature is between two fifths.
        let ours = 40 * fifth..(40 * fifth + 42).min(200);
        let shared = [page(false, false)[ours.clone()].to_vec(), page(false, true)[ours].to_vec()];
        let others = (0..300).map(|at| format!("other{fifth}x{at}"));
        let words: Vec<String> = others.chain(shared.concat()).collect();
        parts.push((0..900).map(|number| edited(words.clone(), "its", number)).collect());
    }
    parts
}

#[test]
fn what_becomes_of_a_document_is_decided_by_its_component_alone() {
    let parts = parts();
    // Where the text of a part stands in the whole, and that of which part it is.
    let mut whole: Vec<(usize, usize)> = Vec::new();
    for (part, texts) in parts.iter().enumerate() {
        whole.extend((0..texts.len()).map(|at| (part, at)));
    }
    whole.sort_by_key(|(part, at)| (at * 10_000 / parts[*part].len(), *part));
    let texts: Vec<&String> = whole.iter().map(|(part, at)| &parts[*part][*at]).collect();
    for (keep, rule, memory) in [
        (KeepRule::Central, ClusterRule::Star, Memory::Frugal),
        (KeepRule::First, ClusterRule::Star, Memory::Join(1 << 17)),
        (KeepRule::Longest, ClusterRule::Star, Memory::Frugal),
        (KeepRule::Last, ClusterRule::Connected, Memory::Frugal),
        (KeepRule::First, ClusterRule::Connected, Memory::Join(1 << 17)),
    ] {
        let dedup = Dedup::new().keep(keep).cluster_rule(rule).memory(memory);
        let removed = |found: &Found| -> Vec<(usize, usize, u32, String)> {
            let removed = found.removed().iter();
            let row = removed.map(|one| {
                (
                    one.position,
                    one.near,
                    one.evidence.distance,
                    format!("{:.9?}", one.evidence.similarity()),
                )
            });
            row.collect()
        };
        let found = dedup.texts(&texts).unwrap();
        let mut expected = Vec::new();
        let (mut crowded, mut cut_short) = (0, 0);
        for (part, texts) in parts.iter().enumerate() {
            let places = (0..whole.len()).filter(|place| whole[*place].0 == part);
            let places: Vec<usize> = places.collect();
            let found = dedup.texts(texts).unwrap();
            crowded += found.summary().crowded;
            cut_short += found.summary().cut_short;
            let rows = removed(&found).into_iter();
            expected.extend(rows.map(|(one, kept, distance, similarity)| {
                (places[one], places[kept], distance, similarity)
            }));
        }
        expected.sort();
        assert!(expected.len() > 500, "{}", expected.len());
        assert!(removed(&found) == expected, "{keep:?} {rule:?}");
        let summary = found.summary();
        assert_eq!((summary.crowded, summary.cut_short), (crowded, cut_short));
        assert!(crowded > 500, "{crowded}");
    }
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
