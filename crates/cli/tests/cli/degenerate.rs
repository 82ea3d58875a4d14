//! Documents with too little in them: flagged, counted, and duplicates of nothing but their equals.

use crate::room::Room;
use serde_json::Value;

/// Two equal short texts, two near but different ones that one word dominates, two empty ones, and
/// two ordinary near-duplicates.
fn rows() -> String {
    let long = (0..40).map(|n| format!("word{n} ")).collect::<String>();
    let spam = "spam ".repeat(40);
    [
        ("s1", "Not found".to_owned()),
        ("s2", "not FOUND!".to_owned()),
        ("d1", format!("{spam} one")),
        ("d2", format!("{spam} two")),
        ("e1", String::new()),
        ("e2", " … ".to_owned()),
        ("l1", format!("{long} end")),
        ("l2", format!("{long} END.")),
    ]
    .map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n"))
    .concat()
}

fn pairs(text: &str) -> Vec<(String, String)> {
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let id = |row: &Value, side: &str| row[side].as_str().unwrap().to_owned();
    rows.map(|row| (id(&row, "a"), id(&row, "b"))).collect()
}

/// Pairs by text, and by the rows that `fingerprint` prints.
fn both(room: &Room, recipe: &str) -> String {
    let flags = ["--recipe", recipe, "-q"];
    let printed = room.run(&[&["fingerprint", "in.jsonl"], &flags[..]].concat()).done();
    room.write("rows.jsonl", printed.text());
    let radius = ["-k", "3", "--width", "64"];
    let texts = room.run(&[&["pairs", "in.jsonl"], &flags[..], &radius].concat()).done();
    let rows = room.run(&["pairs", "rows.jsonl", "-q"]).done();
    assert_eq!(texts.text(), rows.text());
    for verb in ["pairs", "clusters"] {
        let held = room.run(&[verb, "rows.jsonl"]).done();
        let spilled = room.run(&[verb, "rows.jsonl", "--memory", "4M"]).done();
        assert_eq!(held.text(), spilled.text());
    }
    let pairs = pairs(texts.text());
    pairs.iter().map(|(a, b)| format!("{a}={b} ")).collect::<String>().trim().to_owned()
}

#[test]
fn degenerate_documents_follow_the_rule_of_the_recipe() {
    let room = Room::new();
    room.write("in.jsonl", rows());
    let recipe = room.run(&["recipe", "show", "text"]).done();
    for (rule, expected) in
        [("exact", "s1=s2 l1=l2"), ("apart", "l1=l2"), ("join", "s1=s2 d1=d2 l1=l2")]
    {
        let weights = "degenerate = \"".to_owned() + rule + "\"\n";
        let toml = recipe.text().replace("weights = \"set\"", "weights = \"count\"");
        room.write("rule.toml", toml + &weights);
        assert_eq!(both(&room, "rule.toml"), expected, "{rule}");
        let out = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--summary", "s.json", "-k3"];
        room.run(&[&out[..], &["--recipe", "rule.toml"]].concat()).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["removed"], expected.split(' ').count());
        let counts = ["empty", "short", "dominant"].map(|key| summary[key].as_u64().unwrap());
        assert_eq!((counts, summary["degenerate"].as_str()), ([2, 2, 2], Some(rule)));
    }
}

#[test]
fn rows_say_what_is_wrong() {
    let room = Room::new();
    room.write("in.jsonl", rows());
    let printed = room.run(&["fingerprint", "in.jsonl", "--recipe", "words"]).done();
    let rows: Vec<Value> =
        printed.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let flags = |at: usize| rows[at]["flags"].to_string();
    assert_eq!([flags(2), flags(4), flags(6)], ["[\"dominant\"]", "[\"empty\"]", "null"]);
    assert_ne!(rows[2]["content"], rows[3]["content"]);
    room.write("bad.jsonl", "{\"fingerprint\":\"00000000000000ff\",\"content\":\"xyz\"}\n");
    let message = "bad.jsonl:1: field \"content\": expected 16 hexadecimal digits, found \"xyz\"";
    room.refuses(&["pairs", "bad.jsonl"], 1, message);
}

#[test]
fn texts_without_a_feature_collapse_where_that_is_asked_for() {
    let texts =
        ["\u{1f600}", "", "\u{1f389}", "\u{1f600}", "", "...", "three small words", "\u{1f600}"];
    let row = |(at, text)| format!("{{\"id\":{at},\"text\":\"{text}\"}}\n");
    let room = Room::new();
    room.write("in.jsonl", (0..).zip(texts).map(row).collect::<String>());
    let kept = |name: &str| -> Vec<u64> {
        let rows = crate::nearprint::rows(&room.text(name)).into_iter();
        rows.map(|row| row["id"].as_u64().unwrap()).collect()
    };
    let files = ["-o", "out.jsonl", "--removed", "gone.jsonl", "--summary", "s.json", "--force"];
    let dedup = |more: &[&str]| {
        let args = ["dedup", "in.jsonl", "--index-out", "out.seg"];
        let run = room.run(&[&args[..], &files, more].concat()).done();
        (run.stderr, serde_json::from_str::<Value>(&room.text("s.json")).unwrap())
    };
    let (said, summary) = dedup(&[]);
    assert!(said.contains("7 documents with nothing to compare (kept)"), "{said}");
    assert_eq!((kept("out.jsonl").len(), summary["empty"].as_u64()), (8, Some(7)));
    for by in [&[][..], &["--recall", "exact"], &["-k", "3", "--width", "64"]] {
        let (said, summary) = dedup(&[&["--featureless", "collapse"], by].concat());
        let remark = "7 documents with nothing to compare (duplicates only of identical ones)";
        assert!(said.contains(remark), "{said}");
        assert_eq!(kept("out.jsonl"), [0, 1, 2, 5, 6], "{by:?}");
        assert_eq!(kept("gone.jsonl"), [3, 4, 7], "{by:?}");
        assert_eq!(
            ["documents", "kept", "removed", "exact", "empty"]
                .map(|key| summary[key].as_u64().unwrap()),
            [8, 5, 3, 3, 7]
        );
    }
    // `compare` says what becomes of them.
    let compare = |more: &[&str]| {
        let args = ["compare", "0", "3", "--in", "in.jsonl", "--format", "json"];
        room.run(&[&args[..], more].concat())
    };
    let told: Value =
        serde_json::from_str(compare(&["--featureless", "collapse"]).done().text()).unwrap();
    let of =
        |at: usize| (&told["documents"][at]["stays"], &told["documents"][at]["representative"]);
    assert_eq!((&told["equal_content"], &told["similarity"]), (&true.into(), &1.0.into()));
    assert_eq!((of(0), of(1)), ((&true.into(), &0.into()), (&false.into(), &0.into())));
    assert!(compare(&[]).stderr.contains("has no feature to compare"));
    // A segment answers as the texts.
    dedup(&["--featureless", "collapse"]);
    room.write("more.jsonl", [row((20, "")), row((21, "!!")), row((22, "!!"))].concat());
    for against in ["out.seg", "in.jsonl"] {
        let args = ["dedup", "more.jsonl", "--against", against, "--featureless", "collapse"];
        room.run(&[&args[..], &files].concat()).done();
        assert_eq!(kept("out.jsonl"), [21], "{against}");
    }
}
