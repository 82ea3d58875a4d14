//! Corpora in which so many documents are alike that their pairs are not listed.

use nearprint_dedup::{
    ClusterRule, CriteriaSpec, DecisionSpec, Dedup, Found, InputSpec, JobSpec, KeepRule, LabelSpec,
    Memory, OutputSpec, Progress, Recall, Resources, Summary,
};
use nearprint_fingerprint::{Fingerprinter, Overlap, Recipe};
use std::fs;
use std::path::Path;

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

/// Pages of three templates of 80 words, of which each changed up to four by a number that looks random, so that each is
/// near some of its template; equal ones; and pages of their own.
fn templates() -> Vec<String> {
    let random = |of: usize| {
        let mut word = (of as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ word >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        usize::try_from((word ^ word >> 29) >> 33).unwrap()
    };
    let page = |number: usize| {
        let number = if number % 31 == 5 { number / 2 } else { number };
        let (template, own) = (number % 4, number * 64);
        let changed: Vec<usize> =
            (0..=random(own) % 4).map(|at| random(own + at + 1) % 80).collect();
        let word = |at: usize| match template == 3 || changed.contains(&at) {
            true => format!("own{number}x{at}"),
            false => format!("template{template}x{at}"),
        };
        (0..80 - number % 3).map(word).collect::<Vec<_>>().join(" ")
    };
    (0..3600).map(page).collect()
}

/// What a job, and a decision from the file of another one, remove and leave of the templates.
fn decided_twice(folder: &Path, kept_at: f64, job: &JobSpec) -> [(Summary, [String; 2]); 2] {
    let with = Resources { threads: Some(2), force: true, ..Resources::default() };
    let progress = Progress::default();
    let run = |job: &JobSpec| job.open(&with, &progress).unwrap().run(&progress).unwrap().summary;
    let outputs = |name: &str| OutputSpec {
        survivors: Some(folder.join(format!("{name}.out"))),
        removed: Some(folder.join(format!("{name}.removed"))),
        ..OutputSpec::default()
    };
    let written = |name: &str| {
        ["removed", "out"]
            .map(|of| fs::read_to_string(folder.join(format!("{name}.{of}"))).unwrap())
    };
    let file = folder.join("decisions");
    let mut keeps = JobSpec {
        outputs: OutputSpec {
            decisions: Some(file.clone()),
            copies: true,
            ..OutputSpec::default()
        },
        labels: LabelSpec { count_by: Some("dump".to_owned()), ..LabelSpec::default() },
        ..job.clone()
    };
    keeps.criteria.similarity = Some(kept_at);
    keeps.criteria.keep = None;
    keeps.criteria.cluster_rule = ClusterRule::Star;
    run(&keeps);
    let summary = run(&JobSpec { outputs: outputs("job"), ..job.clone() });
    let decision = DecisionSpec {
        file,
        similarity: job.criteria.similarity,
        keep: job.criteria.keep,
        cluster_rule: Some(job.criteria.cluster_rule),
        input: job.input.clone(),
        labels: job.labels.clone(),
        outputs: outputs("decision"),
        ..DecisionSpec::default()
    };
    let decided = decision.open(&with, &progress).unwrap().run(&progress).unwrap();
    [(summary, written("job")), (decided.outcome.summary, written("decision"))]
}

#[test]
fn crowds_are_decided_again_as_they_were() {
    let room = tempfile::tempdir().unwrap();
    let (corpus, reference) = (room.path().join("in.jsonl"), room.path().join("known.jsonl"));
    let dumps = ["a", "b"];
    let row = |(id, text): (usize, &String)| {
        format!("{}\n", serde_json::json!({"id": id, "text": text, "dump": dumps[id / 3 % 2]}))
    };
    let texts = templates();
    fs::write(&corpus, texts.iter().enumerate().map(row).collect::<String>()).unwrap();
    let known = texts.iter().enumerate().skip(5).step_by(200);
    fs::write(&reference, known.map(row).collect::<String>()).unwrap();
    let (star, connected) = (ClusterRule::Star, ClusterRule::Connected);
    let dump = || Some("dump".to_owned());
    let mut removed = std::collections::BTreeSet::new();
    for (kept_at, similarity, recall, keep, cluster_rule, within, against) in [
        (0.8, 0.8, None, KeepRule::Central, star, None, false),
        (0.7, 0.8, None, KeepRule::Central, star, None, false),
        (0.7, 0.7, Some(Recall::Exact), KeepRule::Central, star, None, false),
        (0.7, 0.8, Some(Recall::Exact), KeepRule::Central, star, dump(), false),
        (0.8, 0.8, None, KeepRule::First, star, None, false),
        (0.7, 0.8, None, KeepRule::Longest, star, dump(), false),
        (0.8, 0.8, None, KeepRule::Nothing, star, None, false),
        (0.8, 0.8, None, KeepRule::Central, star, None, true),
        (0.8, 0.8, None, KeepRule::Last, star, None, true),
        (0.8, 0.8, None, KeepRule::First, connected, None, false),
    ] {
        let against = if against { vec![reference.display().to_string()] } else { Vec::new() };
        let inputs = vec![corpus.display().to_string()];
        let job = JobSpec {
            input: InputSpec { inputs, against, ..InputSpec::default() },
            criteria: CriteriaSpec {
                similarity: Some(similarity),
                recall,
                keep: Some(keep),
                cluster_rule,
                ..CriteriaSpec::default()
            },
            labels: LabelSpec { within, ..LabelSpec::default() },
            ..JobSpec::default()
        };
        let [(summary, of_job), (_, of_decision)] = decided_twice(room.path(), kept_at, &job);
        let of = format!("{kept_at} {similarity} {recall:?} {keep:?} {cluster_rule:?}");
        let lines = of_job[0].lines().zip(of_decision[0].lines());
        assert_eq!(lines.clone().find(|(one, other)| one != other), None, "{of}");
        assert!(of_job == of_decision, "{of}");
        assert!(recall.is_some() || summary.crowded > 1000, "{of} {summary:?}");
        assert!(summary.cut_short == 0 || cluster_rule == connected, "{of} {summary:?}");
        removed.insert(summary.removed);
    }
    assert!(removed.len() > 5, "{removed:?}");
}
