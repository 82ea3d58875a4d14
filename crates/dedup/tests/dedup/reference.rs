//! Documents of a reference that are near each other: they connect nothing, however pairs are found.

use nearprint_dedup::{
    ClusterRule, CriteriaSpec, FingerprintSpec, InputSpec, JobSpec, KeepRule, OutputSpec, Progress,
    Recall, Resources, Verify,
};
use nearprint_fingerprint::{Recipe, Width};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Documents: ids and texts.
type Rows<'a> = &'a [(&'a str, String)];

/// Texts of sixty words with another word at each of these places.
fn edited(places: &[usize]) -> String {
    let word = |at| match places.contains(&at) {
        true => format!("edit{at}"),
        false => format!("word{at}"),
    };
    (0..60).map(word).collect::<Vec<_>>().join(" ")
}

/// The ids of each cluster of `input` and what it is compared with.
fn clusters(
    (input, against): (Rows<'_>, Rows<'_>),
    criteria: CriteriaSpec,
    recipe: &str,
    cluster_rule: ClusterRule,
) -> BTreeSet<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, rows) in [("in.jsonl", input), ("against.jsonl", against)] {
        let row = |(id, text): &(&str, String)| format!("{}\n", json!({"id": id, "text": text}));
        fs::write(path(name), rows.iter().map(row).collect::<String>()).unwrap();
    }
    let name = |name| vec![path(name).display().to_string()];
    let keep = Some(KeepRule::First);
    let recipe = Recipe::named(recipe).unwrap().with_width(Width::W128);
    let job = JobSpec {
        fingerprints: FingerprintSpec {
            recipe,
            width: Some(Width::W128),
            ..FingerprintSpec::default()
        },
        input: InputSpec {
            inputs: name("in.jsonl"),
            against: name("against.jsonl"),
            ..InputSpec::default()
        },
        criteria: CriteriaSpec { cluster_rule, keep, ..criteria },
        outputs: OutputSpec { clusters: Some(path("clusters")), ..OutputSpec::default() },
        ..JobSpec::default()
    };
    let progress = Progress::default();
    job.open(&Resources::default(), &progress).unwrap().run(&progress).unwrap();
    let mut found: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for row in fs::read_to_string(path("clusters")).unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let members = found.entry(row["cluster"].as_u64().unwrap()).or_default();
        members.push(row["id"].as_str().unwrap().to_owned());
    }
    found
        .into_values()
        .map(|mut ids| {
            ids.sort();
            ids
        })
        .collect()
}

/// Bands, rare features, a radius, with a check and without, and an angle.
fn ways(jaccard: f64, cosine: f64) -> Vec<CriteriaSpec> {
    let by = |similarity, recall, k, verify| CriteriaSpec {
        similarity,
        recall,
        k,
        verify,
        ..CriteriaSpec::default()
    };
    vec![
        by(Some(jaccard), None, None, None),
        by(Some(jaccard), Some(Recall::Exact), None, None),
        by(None, None, Some(60), Some(Verify::Jaccard(jaccard))),
        by(None, None, Some(60), Some(Verify::Cosine(cosine))),
        by(None, None, None, Some(Verify::Cosine(cosine))),
    ]
}

#[test]
fn a_chain_through_two_documents_of_the_reference_is_two_clusters() {
    // Each is near those beside it alone.
    let input = [("d1", edited(&[10])), ("d2", edited(&[30, 50]))];
    let against = [("r1", edited(&[])), ("r2", edited(&[30]))];
    let expected =
        BTreeSet::from([["d1", "r1"], ["d2", "r2"]].map(|ids| ids.map(str::to_owned).to_vec()));
    for rule in [ClusterRule::Connected, ClusterRule::Star] {
        for way in ways(0.85, 0.92) {
            let found = clusters((&input, &against), way, "text", rule);
            assert_eq!(found, expected, "{rule:?}, {way:?}");
        }
    }
    // Without a reference all four are connected.
    let all = [input, against].concat();
    for way in ways(0.85, 0.92) {
        let found = clusters((&all, &[]), way, "text", ClusterRule::Connected);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [4], "{way:?}");
    }
}

#[test]
fn documents_of_equal_fingerprints_in_the_reference_are_connected_by_one_outside() {
    let words = |from: usize| (0..40).map(|at| format!("w{from}x{at}")).collect::<Vec<_>>();
    let turned = |from, by| {
        let mut words = words(from);
        words.rotate_left(by);
        words.join(" ")
    };
    let against = [
        ("r1", turned(1, 0)),
        ("r2", turned(1, 7)),
        ("r3", turned(2, 0)),
        ("r4", turned(2, 3)),
        ("r5", turned(2, 9)),
    ];
    let input = [("d1", turned(2, 20)), ("d2", turned(3, 0))];
    let expected = BTreeSet::from([["d1", "r3", "r4", "r5"].map(str::to_owned).to_vec()]);
    let by_radius = CriteriaSpec { k: Some(3), ..CriteriaSpec::default() };
    for way in [ways(0.85, 0.92), vec![by_radius]].concat() {
        let found = clusters((&input, &against), way, "words", ClusterRule::Connected);
        assert_eq!(found, expected, "{way:?}");
    }
}
