//! `--equal bytes`: only documents of equal texts go, whatever they are like.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::Value;

/// Texts of which the second and the last repeat the first byte for byte; two are empty.
const ROWS: &str = "{\"id\":\"a\",\"text\":\"Snow fell on the upper pastures.\"}\n\
                    {\"id\":\"b\",\"text\":\"Snow fell on the upper pastures.\"}\n\
                    {\"id\":\"c\",\"text\":\"snow fell on the upper pastures.\"}\n\
                    {\"id\":\"d\",\"text\":\"Snow fell on the  upper pastures.\"}\n\
                    {\"id\":\"e\",\"text\":\"\\ud83c\\udf89\"}\n\
                    {\"id\":\"f\",\"text\":\"\\ud83c\\udf89\"}\n\
                    {\"id\":\"g\",\"text\":\"\"}\n\
                    {\"id\":\"h\",\"text\":\"\"}\n\
                    {\"text\":\"Snow f\\u0065ll on the upper pastures.\",\"id\":\"i\"}\n";

/// The ids of rows.
fn ids(text: &str) -> String {
    rows(text).iter().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn only_documents_of_equal_texts_go() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--equal", "bytes"];
    let reports = ["--removed", "r.jsonl", "--pairs", "p.jsonl", "--summary", "s.json"];
    let run = room.run(&[&dedup[..], &reports].concat()).done();
    assert_eq!(ids(&room.text("out.jsonl")), "acdegh");
    assert_eq!(ids(&room.text("r.jsonl")), "bfi");
    assert_eq!(rows(&room.text("p.jsonl")).len(), 4);
    assert!(run.stderr.contains("3 exact duplicates, 0 near-duplicates"), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&summary["method"]["name"], &summary["removed"]), (&"bytes".into(), &3.into()));
    let collapse = ["--featureless", "collapse", "--force", "--keep", "last"];
    room.run(&[&dedup[..], &collapse].concat()).done();
    assert_eq!(ids(&room.text("out.jsonl")), "cdfhi");
    // Others count equal texts the same way.
    let pairs = room.run(&["pairs", "in.jsonl", "--equal", "bytes"]).done();
    assert_eq!(rows(pairs.text()).len(), 4);
    let clusters = room.run(&["clusters", "in.jsonl", "--equal", "bytes", "-q"]).done();
    assert_eq!(rows(clusters.text()).len(), 5);
    // And so do shards, and a later run against this one's input.
    let create = ["shard", "create", "work", "--", "in.jsonl", "-o", "shards/", "--equal", "bytes"];
    room.run(&create).done();
    room.run(&["shard", "run", "work"]).done();
    assert_eq!(ids(&room.text("shards/in.jsonl")), "acdegh");
    room.write("new.jsonl", ROWS.lines().skip(2).map(|row| format!("{row}\n")).collect::<String>());
    room.write("old.jsonl", ROWS.lines().take(1).map(|row| format!("{row}\n")).collect::<String>());
    let against =
        ["dedup", "new.jsonl", "-o", "n.jsonl", "--equal", "bytes", "--against", "old.jsonl"];
    room.run(&against).done();
    assert_eq!(ids(&room.text("n.jsonl")), "cdegh");
}

#[test]
fn what_was_replaced_in_a_text_is_told_apart() {
    let room = Room::new();
    let row = |byte: u8| [&b"{\"text\":\"a "[..], &[byte], b"\"}\n"].concat();
    room.write("in.jsonl", [row(0xff), row(0xfe), row(0xff)].concat());
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--equal", "bytes", "--on-error", "skip"];
    room.run(&dedup).done();
    assert_eq!(room.read("out.jsonl"), [row(0xff), row(0xfe)].concat());
}

#[test]
fn what_does_not_go_with_equal_bytes_is_refused() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    room.run(&["dedup", "in.jsonl", "-o", "x.jsonl", "--index-out", "x.seg"]).done();
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--equal", "bytes"];
    let said = "only documents of equal bytes are compared: leave out ";
    let with = |more: &[&'static str]| [&dedup[..], more].concat();
    let segment = format!("{said}a segment, which has no bytes");
    room.refuses(&with(&["--index-out", "y.seg"]), 1, &segment);
    let segments = format!("{said}segments, which have no bytes");
    room.refuses(&with(&["--against", "x.seg"]), 1, &segments);
    let features = format!("{said}a recipe of given features");
    room.refuses(&with(&["--recipe", "vectors"]), 1, &features);
    assert_eq!(room.run(&with(&["--similarity", "0.9"])).code, Some(2));
    assert_eq!(room.run(&with(&["-k", "3"])).code, Some(2));
    let compare = "--equal: this verb measures how alike documents are; leave it out";
    room.refuses(&["compare", "--text", "a", "b", "--equal", "bytes"], 2, compare);
    room.write("codes.jsonl", "{\"fingerprint\":\"00000000000000ff\"}\n");
    let run = room.run(&["pairs", "codes.jsonl", "--equal", "bytes"]);
    assert!(
        run.stderr.starts_with("error: --equal: the input holds fingerprints"),
        "{}",
        run.stderr
    );
}
