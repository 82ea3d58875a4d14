//! Similarity by the weights of features: what is removed is what a double loop over the input says.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers that are not negative"
)]

use crate::room::Room;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Vector = BTreeMap<String, f64>;

/// Numbers from -1 to 1 that look random.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from((mixed >> 40) as u32) / f64::from(1_u32 << 23) - 1.0
    }
}

/// Two vectors at an angle of so many degrees.
fn at_angle(degrees: f64, number: &mut impl FnMut() -> f64) -> [Vector; 2] {
    let [a, b] = [0, 1].map(|_| (0..40).map(|_| number()).collect::<Vec<f64>>());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let unit = |a: Vec<f64>| {
        let length = dot(&a, &a).sqrt();
        a.into_iter().map(|x| x / length).collect::<Vec<f64>>()
    };
    let a = unit(a);
    let along = dot(&a, &b);
    let across = unit(b.iter().zip(&a).map(|(y, x)| y - along * x).collect());
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let b: Vec<f64> = a.iter().zip(&across).map(|(x, y)| cosine * x + sine * y).collect();
    [a, b].map(|v| v.iter().enumerate().map(|(at, x)| (format!("d{at}"), *x)).collect())
}

fn rows(vectors: &[Vector]) -> String {
    let row = |(id, vector): (usize, &Vector)| json!({ "id": id, "features": vector }).to_string();
    vectors.iter().enumerate().map(|one| row(one) + "\n").collect()
}

/// The cosine and the weighted Jaccard similarity of two vectors, by a double loop.
fn measures(a: &Vector, b: &Vector) -> [f64; 2] {
    let (mut dot, mut common) = (0.0, 0.0);
    for (x, of_a) in a {
        for (y, of_b) in b {
            if x == y {
                dot += of_a * of_b;
                common += if of_a * of_b > 0.0 { of_a.abs().min(of_b.abs()) } else { 0.0 };
            }
        }
    }
    let norm = |v: &Vector| v.values().map(|x| x * x).sum::<f64>().sqrt();
    let total = |v: &Vector| v.values().map(|x| x.abs()).sum::<f64>();
    [dot / (norm(a) * norm(b)), common / (total(a) + total(b) - common)]
}

/// All pairs whose measure of that number is at least so much, by the ids of their rows.
fn passing(vectors: &[Vector], measure: usize, least: f64) -> Vec<(u64, u64)> {
    let pairs = (0..vectors.len()).flat_map(|a| (a + 1..vectors.len()).map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| {
        let found = measures(&vectors[*a], &vectors[*b])[measure];
        assert!((found - least).abs() > 1e-9, "no pair is at the threshold itself");
        found > least
    });
    pairs.map(|(a, b)| (a as u64, b as u64)).collect()
}

fn pairs(text: &str) -> Vec<(u64, u64)> {
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["a"].as_u64().unwrap(), row["b"].as_u64().unwrap())).collect()
}

#[test]
fn of_vectors_at_angles_those_go_whose_cosine_is_enough() {
    let (room, mut number) = (Room::new(), numbers(7));
    let angles = [10.0, 20.0, 30.0, 45.0];
    let all = angles.into_iter().flat_map(|degrees| vec![degrees; 60]);
    let vectors: Vec<Vector> = all.flat_map(|degrees| at_angle(degrees, &mut number)).collect();
    room.write("in.jsonl", rows(&vectors));
    let expected = passing(&vectors, 0, 0.9);
    assert_eq!(
        expected.len(),
        120,
        "those at 10 and 20 degrees, whose cosines are 0.985 and 0.940"
    );
    let reports = ["--pairs", "pairs.jsonl", "--removed", "removed.jsonl", "--summary", "s.json"];
    for flags in [
        &["--similarity", "0.9"][..],
        &["--verify", "cosine=0.9", "--threads", "1"],
        &["--verify", "cosine=0.9", "--recall", "exact"],
        &["-k", "60", "--verify", "cosine=0.9"],
    ] {
        let args = [
            &["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--recipe", "vectors"],
            flags,
            &reports,
        ];
        room.run(&args.concat()).done();
        assert_eq!(pairs(&room.text("pairs.jsonl")), expected, "{flags:?}");
        let removed: Vec<Value> = room
            .text("removed.jsonl")
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        assert_eq!(removed.len(), 120);
        for row in &removed {
            let [a, b] = ["id", "kept"].map(|end| &vectors[row[end].as_u64().unwrap() as usize]);
            let similarity = row["similarity"].as_f64().unwrap();
            assert!((similarity - measures(a, b)[0]).abs() <= 0.000_051, "{row}");
            assert_eq!(row["measure"], "cosine");
        }
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["verify"], "cosine=0.9");
        let method = &summary["method"];
        if flags[0] == "-k" {
            assert!(method["recall_at_similarity"].is_null(), "{method}");
        } else {
            let least = if flags.contains(&"exact") { 1.0 } else { 0.999 };
            assert!(method["recall_at_similarity"].as_f64().unwrap() >= least, "{method}");
            assert_eq!(
                (&method["measure"], &method["similarity"]),
                (&json!("cosine"), &json!(0.9))
            );
        }
    }
}

#[test]
fn weights_of_any_recipe_count_on_any_way() {
    let (room, mut number) = (Room::new(), numbers(3));
    // Texts whose words repeat, each a second time with some words more often and some in other places.
    let mut vectors: Vec<Vector> = Vec::new();
    for text in 0..40 {
        let one: Vector = (0..30)
            .map(|at| (format!("w{text}x{at}"), (9.0 * number().abs()).ceil().max(1.0)))
            .collect();
        let mut other = one.clone();
        for _ in 0..text / 2 {
            let at = (29.0 * number().abs()) as usize;
            other.insert(format!("w{text}x{at}"), (9.0 * number().abs()).ceil().max(1.0));
            other.insert(format!("n{text}x{at}"), 2.0);
        }
        vectors.extend([one, other]);
    }
    let words = |vector: &Vector| {
        vector
            .iter()
            .flat_map(|(word, count)| vec![word.as_str(); *count as usize])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let text: String = vectors
        .iter()
        .enumerate()
        .map(|(id, v)| json!({ "id": id, "text": words(v) }).to_string() + "\n")
        .collect();
    room.write("in.jsonl", text);
    let count =
        room.run(&["recipe", "show", "words"]).done().text().replace("\"log\"", "\"count\"");
    room.write("count.toml", count);
    for (measure, least, rule) in [(0, 0.9, "cosine=0.9"), (1, 0.701, "weighted-jaccard=0.701")] {
        let expected = passing(&vectors, measure, least);
        assert!((5..36).contains(&expected.len()), "{} pairs", expected.len());
        let common = ["in.jsonl", "--recipe", "count.toml", "--width", "128", "--verify", rule];
        for flags in [&[][..], &["--recall", "exact"], &["-k", "64"], &["--memory", "64M"]] {
            let run = room.run(&[&["pairs"], &common[..], flags].concat()).done();
            assert_eq!(pairs(run.text()), expected, "{rule} {flags:?}");
        }
        // In shards, and day by day over a segment: as in one run.
        let outputs = ["--removed", "removed.jsonl", "--cluster-rule", "star", "--keep", "first"];
        room.run(
            &[
                &["dedup"],
                &common[..],
                &["-o", "one.jsonl", "--force", "--index-out", "one.seg"],
                &outputs,
            ]
            .concat(),
        )
        .done();
        let removed = room.text("removed.jsonl");
        assert_eq!(removed.lines().count(), expected.len());
        if measure == 0 {
            room.run(
                &[&["shard", "create", "work"], &common[..], &["-o", "clean/", "--keep", "first"]]
                    .concat(),
            )
            .done();
            room.run(&["shard", "run", "work"]).done();
            assert_eq!(room.text("clean/in.jsonl"), room.text("one.jsonl"));
        }
        let against = ["--against", "one.seg", "-o", "two.jsonl", "--force"];
        room.run(&[&["dedup"], &common[..], &against].concat()).done();
        assert_eq!(room.text("two.jsonl"), "", "all that comes again is near what stays");
        room.run(
            &[
                &["dedup"],
                &common[..3],
                &["--width", "128", "-o", "o.jsonl", "--force", "--index-out", "sets.seg"],
            ]
            .concat(),
        )
        .done();
        let message = format!(
            "sets.seg: the segment has no weights of features, which {rule} needs. Build it again in a run with \
             the same measure, or use jaccard=X"
        );
        let refused =
            [&["dedup"], &common[..], &["--against", "sets.seg", "-o", "new.jsonl"]].concat();
        room.refuses(&refused, 1, &message);
        for name in ["sets.seg", "one.seg", "o.jsonl"] {
            std::fs::remove_file(room.path(name)).unwrap();
        }
    }
}

#[test]
fn what_a_measure_cannot_be_taken_of_is_refused() {
    let room = Room::new();
    room.write("codes.jsonl", "{\"fingerprint\":\"0123456789abcdef\"}\n");
    let message = "--verify cosine=0.9: the input holds fingerprints, which only estimate a cosine; -k 14 finds 95 % of \
                   the pairs at that cosine, or give the texts or features";
    room.refuses(&["pairs", "codes.jsonl", "--verify", "cosine=0.9"], 2, message);
    room.write("text.jsonl", "{\"text\":\"a\"}\n");
    let flags = ["dedup", "text.jsonl", "-o", "o", "--recall", "0.99", "-k", "3"];
    assert_eq!(room.run(&flags).code, Some(2));
    let message = "--recall: a recall needs a Jaccard similarity or a cosine: a radius, a containment and a \
                   weighted Jaccard similarity find every pair; leave it out with -k and \
                   with --verify none, containment or weighted-jaccard";
    let flags = [
        "dedup",
        "text.jsonl",
        "-o",
        "o",
        "--recipe",
        "words",
        "--recall",
        "0.99",
        "--verify",
        "weighted-jaccard=0.8",
    ];
    room.refuses(&flags, 2, message);
}

#[test]
fn rows_of_features_are_compared() {
    let room = Room::new();
    room.write("in.jsonl", "{\"features\":{\"x\":3,\"y\":4}}\n{\"features\":{\"y\":1}}\n");
    room.write("one.jsonl", "{\"features\":{\"x\":6,\"y\":8}}\n");
    let json = |a: &str, b: &str| -> Value {
        let run = room.run(&["compare", a, b, "--recipe", "vectors", "--format", "json"]).done();
        serde_json::from_str(run.text()).unwrap()
    };
    let found = json("in.jsonl:1", "in.jsonl:2");
    assert_eq!((&found["cosine"], &found["weighted_jaccard"]), (&json!(0.8), &json!(1.0 / 7.0)));
    assert_eq!((&found["verify"], &found["near_duplicates"]), (&json!("cosine=0.8"), &json!(true)));
    assert_eq!(
        found["features"],
        json!([{ "feature": "x", "a": 3, "b": 0 }, { "feature": "y", "a": 4, "b": 1 }])
    );
    assert_eq!(json("in.jsonl:1", "one.jsonl")["cosine"], 1.0);
    let refused = |a: &str, message: &str| {
        room.refuses(&["compare", a, "one.jsonl", "--recipe", "vectors"], 2, message);
    };
    refused("in.jsonl", "in.jsonl: more than one row; name one of them, such as in.jsonl:1");
    refused("in.jsonl:3", "in.jsonl:3: no such row; the file has 2");
    let message = "no.jsonl:1: no such file; recipe vectors takes rows of features: name a row of a JSONL file, such as \
                   rows.jsonl:1";
    room.refuses(&["compare", "no.jsonl:1", "one.jsonl", "--recipe", "vectors"], 1, message);
    let message = "--text: recipe vectors takes features with their weights, not texts; name a row of a JSONL file, \
                   such as rows.jsonl:1";
    room.refuses(&["compare", "--text", "a", "b", "--recipe", "vectors"], 2, message);
}

#[test]
fn a_cosine_that_fingerprints_find_has_more_bits() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"one two two three\"}\n{\"text\":\"one two two four\"}\n");
    let width = |verb: &[&str], flags: &[&str]| -> Value {
        let file = ["-o", "out.jsonl", "--force", "--summary", "s.json"];
        room.run(&[verb, &["in.jsonl"], &file, flags].concat()).done();
        serde_json::from_str::<Value>(&room.text("s.json")).unwrap()["width"].clone()
    };
    let by_cosine = ["--recipe", "words", "--verify", "cosine=0.8"];
    for (flags, expected) in [
        (&by_cosine[..], 256),
        (&["--recipe", "words"], 128),
        (&[&by_cosine[..], &["-k", "26"]].concat(), 64),
        (&[&by_cosine[..], &["--width", "64"]].concat(), 64),
        // Features that all weigh the same have bands for a cosine, down to one.
        (&["--verify", "cosine=0.8"], 128),
        (&["--verify", "cosine=0.5"], 256),
        (&["--recipe", "words", "--verify", "weighted-jaccard=0.8"], 128),
        (&["--recipe", "zh-keywords"], 256),
        (&["--recipe", "zh-keywords", "--verify", "jaccard=0.8"], 128),
    ] {
        assert_eq!(width(&["dedup"], flags), expected, "{flags:?}");
    }
    let said = |args: &[&str]| room.run(args).done().stderr;
    let pairs = said(&[&["pairs", "in.jsonl"], &by_cosine[..]].concat());
    assert!(pairs.contains("256 bits"), "{pairs}");
}
