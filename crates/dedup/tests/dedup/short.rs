//! Documents of few features and vectors of few or heavy ones, against comparing all pairs.

use nearprint_dedup::{Dedup, Memory, Recall, Verify};
use nearprint_fingerprint::{FeatureList, Fingerprinter, Overlap, Recipe, Weighting, Width, mix64};
use std::collections::BTreeSet;
use std::fmt::Write as _;

type Pairs = BTreeSet<(u64, u64)>;

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 += 1;
        usize::try_from(mix64(self.0) % end as u64).unwrap()
    }

    /// From -1 to 1.
    fn weight(&mut self) -> f64 {
        self.0 += 1;
        (mix64(self.0) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Texts of 0 to 12 different words each, all different, of families that share their words. A word comes once or
/// several times.
fn texts() -> Vec<String> {
    let (mut chance, mut texts) = (Chance(0), BTreeSet::new());
    for family in 0..60 {
        let mut words: Vec<String> = (0..13).map(|at| format!("w{family}x{at}")).collect();
        // The first words of the family, one fewer or more at a time, and some others in place of some.
        for length in (0..=12).chain([4, 5, 5, 6, 8, 9, 9, 10]) {
            let mut text = words[..length].to_vec();
            for _ in 0..chance.below(3) * text.len() {
                let again = chance.below(length);
                text.push(words[again].clone());
            }
            texts.insert(text.join(" "));
            if chance.below(2) == 0 {
                let (a, b) = (chance.below(13), chance.below(13));
                words.swap(a, b);
            }
        }
    }
    texts.into_iter().collect()
}

fn rows<T: serde::Serialize>(field: &str, documents: &[T]) -> String {
    let mut rows = String::new();
    for (id, document) in documents.iter().enumerate() {
        writeln!(rows, "{}", serde_json::json!({"id": id, field: document})).unwrap();
    }
    rows
}

/// All pairs of documents that `passes` lets pass.
fn passing(count: usize, passes: impl Fn(usize, usize) -> bool) -> Pairs {
    let pairs = (0..count).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.filter(|(a, b)| passes(*a, *b)).map(|(a, b)| (a as u64, b as u64)).collect()
}

/// The pairs of a job on a file of rows.
fn listed(job: Dedup, field: &str, rows: &str) -> Pairs {
    let room = tempfile::tempdir().unwrap();
    let path = |name: &str| room.path().join(name);
    std::fs::write(path("in.jsonl"), rows).unwrap();
    let job = job.threads(2).files([path("in.jsonl").display().to_string()]);
    job.text_field(field).force(true).pairs(path("pairs")).write(path("out.jsonl")).unwrap();
    let pairs = std::fs::read_to_string(path("pairs")).unwrap();
    let pair = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        (row["a"].as_u64().unwrap(), row["b"].as_u64().unwrap())
    };
    pairs.lines().map(pair).collect()
}

/// Whether what was found is what passes, but for as many as one in 2000, and one more.
#[track_caller]
fn assert_found(found: &Pairs, expected: &Pairs, case: &str) {
    let wrong: Vec<_> = found.difference(expected).take(3).collect();
    assert!(wrong.is_empty(), "{case}: found {wrong:?}");
    let missed = expected.difference(found).count();
    assert!(missed <= 1 + expected.len() / 2000, "{case}: {missed} of {} missed", expected.len());
}

#[test]
fn short_texts_are_found_as_stated_at_every_width_similarity_and_weight() {
    let texts = texts();
    let rows = rows("text", &texts);
    for weights in [Weighting::Set, Weighting::Log, Weighting::Count] {
        let recipe = Recipe { weights, ..Recipe::named("words").unwrap() };
        let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
        let keys: Vec<_> = texts.iter().map(|text| fingerprinter.read(text).keys()).collect();
        for similarity in [0.3, 0.5, 0.75, 0.8, 0.9, 1.0] {
            let near = |a: usize, b: usize| {
                !keys[a].is_empty() && Overlap::of(&keys[a], &keys[b]).jaccard() >= similarity
            };
            let expected = passing(texts.len(), near);
            assert!(expected.len() > 100, "{} pairs", expected.len());
            for width in Width::ALL {
                let memory = match width {
                    Width::W64 => Memory::Process(1 << 29),
                    Width::W128 => Memory::Frugal,
                    Width::W256 => Memory::Join(1 << 20),
                };
                let verify = Verify::Jaccard(similarity);
                let job = Dedup::new().recipe(recipe.clone()).width(width).memory(memory);
                let job = job.similarity(similarity).verify(verify).recall(0.999_99);
                let case = format!("{weights:?} {similarity} {width}");
                assert_found(&listed(job.clone(), "text", &rows), &expected, &case);
                if width == Width::W64 {
                    let all = listed(job.recall(Recall::Exact), "text", &rows);
                    assert!(all == expected, "{case}, exact");
                }
            }
        }
    }
}

/// Vectors of few dimensions, each with several that are near it: of equal, of random and of heavy weights, and of
/// one that has about half of all.
fn vectors() -> Vec<Vec<(String, f64)>> {
    let (mut chance, mut vectors) = (Chance(1 << 32), Vec::new());
    for family in 0..150 {
        let dimensions = 1 + family % 7;
        let mut one: Vec<f64> = (0..dimensions).map(|_| chance.weight()).collect();
        match family % 4 {
            0 => one.iter_mut().for_each(|weight| *weight = weight.signum()),
            1 => one[0] = 20.0 * chance.weight(),
            2 => one[0] = one[1..].iter().map(|weight| weight.abs()).sum::<f64>() + 1e-3,
            _ => {}
        }
        for _ in 0..5 {
            let near = one.iter().map(|weight| weight + chance.weight() / 5.0);
            vectors.push((0..).zip(near).map(|(at, x)| (format!("d{family}x{at}"), x)).collect());
        }
    }
    vectors
}

#[test]
fn vectors_of_few_or_heavy_weights_are_found_as_stated() {
    let vectors = vectors();
    let objects: Vec<serde_json::Value> = vectors
        .iter()
        .map(|vector| {
            serde_json::Value::Object(
                vector.iter().map(|(name, x)| (name.clone(), (*x).into())).collect(),
            )
        })
        .collect();
    let rows = rows("features", &objects);
    let recipe = Recipe::named("vectors").unwrap();
    let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
    let list = |vector: &Vec<(String, f64)>| -> FeatureList {
        fingerprinter.list_of_features(vector.iter().map(|(name, x)| (name, *x))).unwrap()
    };
    let lists: Vec<FeatureList> = vectors.iter().map(list).collect();
    for similarity in [0.7, 0.9, 0.97] {
        let expected = passing(lists.len(), |a, b| lists[a].cosine(&lists[b]) >= similarity);
        assert!(expected.len() > 300, "{} pairs", expected.len());
        for width in Width::ALL {
            let job = Dedup::new().recipe(recipe.clone()).width(width).similarity(similarity);
            let case = format!("{similarity} {width}");
            assert_found(&listed(job.clone(), "features", &rows), &expected, &case);
            assert!(
                listed(job.recall(Recall::Exact), "features", &rows) == expected,
                "{case}, exact"
            );
        }
    }
}
