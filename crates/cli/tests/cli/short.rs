//! Documents of few features, of heavy ones and of none: every verb says the same of them.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};

const HEAVY: [&str; 5] = [
    r#"{"id":"a","features":{"x":10,"y":1,"z":2}}"#,
    r#"{"id":"b","features":{"x":10,"y":1,"z":2.1}}"#,
    r#"{"id":"c","features":{"x":2.04,"y":1,"z":0.96}}"#,
    r#"{"id":"d","features":{"x":1.96,"y":1.04,"z":1}}"#,
    r#"{"id":"e","features":{"x":-10,"w":3}}"#,
];
const BY_COSINE: [&str; 4] = ["--recipe", "vectors", "--similarity", "0.99"];

fn pairs(text: &str) -> Vec<String> {
    let name = |row: &Value, end: &str| row[end].as_str().unwrap().to_owned();
    rows(text).iter().map(|row| name(row, "a") + &name(row, "b")).collect()
}

#[test]
fn a_heavy_feature_hides_no_near_duplicate_where_features_decide() {
    let room = Room::new();
    room.write("in.jsonl", HEAVY.join("\n"));
    let decided = "are one phrase for the most part";
    for more in [&[][..], &["--recall", "exact"], &["--memory", "64M"], &["--width", "64"]] {
        let run = room.run(&[&["pairs", "in.jsonl"], &BY_COSINE[..], more].concat()).done();
        assert_eq!(pairs(run.text()), ["ab", "cd"], "{more:?}");
        assert!(!run.stderr.contains(decided), "{}", run.stderr);
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--keep", "first"];
        room.run(&[&args[..], &BY_COSINE, more].concat()).done();
        let kept: Vec<_> =
            rows(&room.text("out.jsonl")).iter().map(|row| row["id"].clone()).collect();
        assert_eq!(kept, ["a", "c", "e"], "{more:?}");
    }
    for (a, b, near) in [(1, 2, true), (3, 4, true), (1, 3, false), (1, 5, false)] {
        let [a, b] = [a, b].map(|row| format!("in.jsonl:{row}"));
        let args = [&["compare", &a, &b, "--format", "json"], &BY_COSINE[..]].concat();
        let answer: Value = serde_json::from_str(room.run(&args).done().text()).unwrap();
        assert_eq!(answer["near_duplicates"], json!(near), "{a} {b}");
    }
    let shards = ["shard", "create", "work", "in.jsonl", "-o", "clean/", "--keep", "first"];
    room.run(&[&shards[..], &BY_COSINE].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    assert_eq!(room.text("clean/in.jsonl"), room.text("out.jsonl"));
    // A radius alone cannot tell them: the fingerprint is that of one feature.
    let by_radius = ["pairs", "in.jsonl", "--recipe", "vectors", "-k", "3", "--width", "64"];
    let run = room.run(&by_radius).done();
    assert_eq!(pairs(run.text()), [""; 0]);
    assert!(run.stderr.contains(decided), "{}", run.stderr);
}

#[test]
fn a_segment_says_of_heavy_features_what_its_documents_do() {
    let room = Room::new();
    let near = |id: &str, row: &str| {
        let mut row: Value = serde_json::from_str(row).unwrap();
        row["id"] = json!(id);
        row["features"]["y"] = json!(1.01);
        format!("{row}\n")
    };
    room.write("in.jsonl", HEAVY.join("\n"));
    room.write("new.jsonl", near("n", HEAVY[0]) + &near("m", HEAVY[2]));
    let by_radius = ["--recipe", "vectors", "-k", "3", "--width", "64"];
    let narrow = [&BY_COSINE[..], &["--width", "64"]].concat();
    for (made, asked, kept) in [
        (&narrow[..], &narrow[..], 0),
        (&narrow[..], &by_radius[..], 2),
        (&by_radius[..], &by_radius[..], 2),
    ] {
        let out = ["-o", "out.jsonl", "--force", "--index-out", "old.seg"];
        room.run(&[&["dedup", "in.jsonl"], made, &out[..]].concat()).done();
        let out = ["-o", "out.jsonl", "--force", "--against"];
        for against in ["old.seg", "in.jsonl"] {
            room.run(&[&["dedup", "new.jsonl"], asked, &out[..], &[against]].concat()).done();
            assert_eq!(rows(&room.text("out.jsonl")).len(), kept, "{made:?}, {asked:?}, {against}");
        }
    }
}

#[test]
fn vectors_whose_weights_are_all_0_have_no_feature() {
    let room = Room::new();
    let vectors = [
        json!({"x": 0, "y": 0.0}),
        json!({"x": 1, "y": 2, "z": 2.9}),
        json!({}),
        json!({"x": -0.0}),
        json!({"x": 1, "y": 2, "z": 2.91}),
    ];
    let rows_of = (0..).zip(&vectors).map(|(id, features)| json!({"id": id, "features": features}));
    room.write("in.jsonl", rows_of.map(|row| row.to_string() + "\n").collect::<String>());
    let kept = || -> Vec<u64> {
        rows(&room.text("out.jsonl")).iter().map(|row| row["id"].as_u64().unwrap()).collect()
    };
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--keep", "first"];
    for by in [&BY_COSINE[..], &["--recipe", "vectors", "-k", "3", "--width", "64"]] {
        let run = room.run(&[&args[..], by].concat()).done();
        assert!(
            run.stderr.contains("3 documents with nothing to compare (kept)"),
            "{}",
            run.stderr
        );
        assert_eq!(kept(), [0, 1, 2, 3], "{by:?}");
        room.run(&[&args[..], by, &["--featureless", "collapse"]].concat()).done();
        assert_eq!(kept(), [0, 1], "{by:?}");
    }
    let printed = room.run(&["fingerprint", "in.jsonl", "--recipe", "vectors"]).done();
    let printed = rows(printed.text());
    let empty = (&json!(["empty"]), &json!("0000000000000000"));
    for at in [0, 2, 3] {
        assert_eq!((&printed[at]["flags"], &printed[at]["fingerprint"]), empty, "{at}");
    }
    // A store has them, and nothing is near them.
    room.run(&["store", "init", "s", "--recipe", "vectors", "-k", "3"]).done();
    let added = room.run(&["store", "add", "s", "in.jsonl"]).done();
    assert!(added.stderr.contains("3 documents with nothing to compare"), "{}", added.stderr);
    assert!(added.stderr.contains("5 new"), "{}", added.stderr);
    let compared = room.run(&["compare", "in.jsonl:1", "in.jsonl:4", "--recipe", "vectors"]).done();
    assert!(compared.text().contains("not near-duplicates"), "{}", compared.text());
}

#[test]
fn texts_that_repeat_their_words_otherwise_are_near_by_their_sets() {
    let room = Room::new();
    let often = "spam ".repeat(50);
    let texts =
        [format!("{often} egg ham"), "spam egg ham ham ham ham ham".to_owned(), "tea".to_owned()];
    let row = |(id, text): (usize, &String)| json!({"id": id, "text": text}).to_string() + "\n";
    room.write("in.jsonl", texts.iter().enumerate().map(row).collect::<String>());
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("count.toml", words.text().replace("\"log\"", "\"count\""));
    for recipe in ["words", "count.toml", "python-128"] {
        for flags in [&[][..], &["--recall", "exact"]] {
            let args = [&["pairs", "in.jsonl", "--recipe", recipe], flags].concat();
            let found = room.run(&args).done();
            let found = rows(found.text());
            assert_eq!(found.len(), 1, "{recipe} {flags:?}");
            assert_eq!(found[0]["similarity"], json!(1.0));
        }
        let args = ["compare", "--text", &texts[0], &texts[1], "--recipe", recipe];
        let compared = room.run(&args).done();
        assert!(compared.text().starts_with("verdict      near-duplicates"), "{}", compared.text());
    }
}
