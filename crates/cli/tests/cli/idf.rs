//! Weights that come from a corpus: built, used, and refused where they do not fit.

use crate::nearprint::run_with;
use crate::room::Room;

const ROWS: &str = "{\"id\":1,\"text\":\"the council met and the council voted\"}\n\
                    {\"id\":2,\"text\":\"the storm came and the storm went\"}\n\
                    {\"id\":3,\"text\":\"the council saw the storm\"}\n";

/// A room with a corpus, the recipe `mine.toml` by TF-IDF, and its statistics.
fn room() -> Room {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("mine.toml", words.text().replace("\"log\"", "\"idf\""));
    let build = ["idf", "build", "in.jsonl", "--recipe", "mine.toml", "-o", "in.idf"];
    let said = room.run(&build).done();
    assert!(said.stderr.contains("9 features of 3 documents, statistics "), "{}", said.stderr);
    room
}

#[test]
fn statistics_decide_bits_and_recipe_ids() {
    let room = room();
    let flags = ["--recipe", "mine.toml", "--idf", "in.idf"];
    let with = |args: &[&'static str]| [args, &flags[..]].concat();
    let fingerprints = room.run(&with(&["fingerprint", "in.jsonl"])).done();
    let one_thread = room.run(&with(&["fingerprint", "in.jsonl", "--threads", "1"])).done();
    assert_eq!(fingerprints.text(), one_thread.text());
    let counted = room.run(&["fingerprint", "in.jsonl", "--recipe", "words"]).done();
    assert_ne!(fingerprints.text(), counted.text());
    room.run(&with(&["dedup", "in.jsonl", "-o", "out.jsonl", "--summary", "s.json"])).done();
    let summary: serde_json::Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let compared = room
        .run(&with(&["compare", "--text", "the council", "the storm", "--format", "json"]))
        .done();
    let compared: serde_json::Value = serde_json::from_str(compared.text()).unwrap();
    assert_eq!(compared["recipe_id"], summary["recipe_id"]);
    // ln((1 + 3) / (1 + 2)) + 1 for a word of two documents.
    let weight = compared["features"][0]["a"].as_f64().unwrap();
    assert!((weight - (4.0_f64 / 3.0).ln() - 1.0).abs() < 1e-12, "{weight}");
    for verb in ["pairs", "clusters"] {
        room.run(&with(&[verb, "in.jsonl"])).done();
    }
    let shown = room.run(&["idf", "show", "in.idf"]).done();
    assert!(
        shown.text().contains("documents  3\nfeatures   9\nphrases    0\nof\n"),
        "{}",
        shown.text()
    );
}

#[test]
fn statistics_that_do_not_fit_are_refused() {
    let room = room();
    let mine = ["fingerprint", "in.jsonl", "--recipe", "mine.toml"];
    room.refuses(
        &mine,
        2,
        "--recipe mine.toml: weights = \"idf\" needs a statistics file; make one with \
         `nearprint idf build` and give it with --idf",
    );
    let idf = |file| [&mine[..], &["--idf", file]].concat();
    room.write("other.toml", room.text("mine.toml").replace("shingle = 1", "shingle = 2"));
    room.run(&["idf", "build", "in.jsonl", "--recipe", "other.toml", "-o", "other.idf"]).done();
    room.refuses(
        &idf("other.idf"),
        2,
        "--idf other.idf: the statistics file counts features of another recipe: shingle = 1 in \
         the recipe, 2 in the file; build one with this recipe",
    );
    room.refuses(
        &["fingerprint", "in.jsonl", "--idf", "in.idf"],
        2,
        "--idf in.idf: the recipe uses no statistics file; weights = \"idf\" or \"bm25\", or \
         phrases, do",
    );
    room.write("text.idf", ROWS);
    let none = "text.idf: this is not a statistics file; make one with `nearprint idf build`";
    room.refuses(&idf("text.idf"), 1, none);
    room.write("cut.idf", &room.read("in.idf")[..100]);
    let corrupt = "cut.idf: the statistics file is corrupt: its checksum does not match its \
                   contents; build it again";
    room.refuses(&idf("cut.idf"), 1, corrupt);
    let mut newer = room.read("in.idf");
    newer[8] = 3;
    room.write("newer.idf", newer);
    let version =
        "newer.idf: the statistics file has version 3; this release reads versions 1 to 2";
    room.refuses(&idf("newer.idf"), 1, version);
}

#[test]
fn records_that_cannot_be_counted_are_told() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b\"}\n{\"body\":\"c\"}\n");
    let build = ["idf", "build", "in.jsonl", "--recipe", "words", "-o", "out.idf"];
    let message = "in.jsonl:2: the row has no field \"text\"; it has \"body\"; name the field of \
                   the text with --text-field";
    room.refuses(&build, 1, message);
    let skipped = room.run(&[&build[..], &["--on-error", "skip"]].concat()).done();
    assert!(skipped.stderr.contains("1 skipped (text-missing)"));
    let given = ["idf", "build", "in.jsonl", "--recipe", "vectors", "-o", "out.idf", "--force"];
    let message =
        "--recipe vectors: its features come with their weights, and take none from a corpus";
    room.refuses(&given, 2, message);
}

/// Rows in which only "new" and "york" belong together.
fn rows_with_a_phrase() -> String {
    let row = |i: u32| {
        let place =
            if i.is_multiple_of(3) { "New York".to_owned() } else { format!("at {}", i * i % 31) };
        format!("{{\"text\":\"{} he met {} {place}\"}}\n", i % 13, i * 7 % 37)
    };
    (0..90).map(row).collect()
}

#[test]
fn phrases_are_learned_and_joined() {
    let room = Room::new();
    room.write("in.jsonl", rows_with_a_phrase());
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("mine.toml", words.text().replace("shingle", "phrases = 10\nshingle"));
    room.refuses(
        &["fingerprint", "in.jsonl", "--recipe", "mine.toml"],
        2,
        "--recipe mine.toml: phrases needs a statistics file; make one with `nearprint idf build` \
         and give it with --idf",
    );
    let built =
        room.run(&["idf", "build", "in.jsonl", "--recipe", "mine.toml", "-o", "in.idf"]).done();
    assert!(built.stderr.contains("of 90 documents, 1 phrase, statistics "), "{}", built.stderr);
    // A stream is kept for the three readings it takes.
    let piped = ["idf", "build", "-", "--recipe", "mine.toml", "-o", "piped.idf"];
    run_with(room.command(&piped), rows_with_a_phrase()).done();
    assert_eq!(room.read("piped.idf"), room.read("in.idf"));
    let shown = room.run(&["idf", "show", "in.idf"]).done();
    assert!(shown.text().contains("phrases    1\nof\n"), "{}", shown.text());
    let flags = ["--recipe", "mine.toml", "--idf", "in.idf"];
    let texts = ["compare", "--text", "old york", "New York", "--format", "json"];
    let compared = room.run(&[&texts[..], &flags[..]].concat()).done();
    let compared: serde_json::Value = serde_json::from_str(compared.text()).unwrap();
    assert_eq!(compared["jaccard"], 0.0);
    assert_eq!(compared["b"]["features"], 1);
    let of_another = ["fingerprint", "in.jsonl", "--recipe", "words", "--idf", "in.idf"];
    let unused = "--idf in.idf: the recipe uses no statistics file; weights = \"idf\" or \
                  \"bm25\", or phrases, do";
    room.refuses(&of_another, 2, unused);
}
