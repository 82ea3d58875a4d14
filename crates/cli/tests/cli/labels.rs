//! Labels of documents: fields by which they are compared and counted, and folders that give them.

use crate::nearprint::rows;
use crate::room::Room;
use crate::warc::crawl;
use serde_json::{Value, json};

pub(crate) const FOX: &str = "the quick brown fox jumps over the lazy dog at noon";
pub(crate) const SNOW: &str = "snow fell on the upper pastures before anybody was awake";

/// Foxes of two dumps, snow of one, and rows without a dump.
pub(crate) fn room() -> Room {
    let room = Room::new();
    let row = |(id, (text, dump)): (usize, &(&str, &str))| {
        let dump = if dump.is_empty() { String::new() } else { format!(",\"dump\":\"{dump}\"") };
        format!("{{\"id\":{id},\"text\":\"{text}\"{dump},\"nearprint\":\"mine\"}}\n")
    };
    let all = [
        (FOX, "a"),
        (SNOW, "b"),
        (FOX, "b"),
        (FOX, "b"),
        (SNOW, "b"),
        ("", "a"),
        (FOX, ""),
        (FOX, ""),
    ];
    let lines: String = all.iter().enumerate().map(row).collect();
    room.write("in.jsonl", lines);
    let cells = |(id, (text, dump)): (usize, &(&str, &str))| format!("{id},{dump},{text}\n");
    let table: String = all.iter().enumerate().map(cells).collect();
    room.write("in.csv", format!("id,dump,text\n{table}"));
    room
}

#[test]
fn labels_that_read_alike_are_counted_apart() {
    let room = Room::new();
    let row = |dump: &str| format!("{{\"text\":\"{FOX}\"{dump}}}\n");
    let dumps = [
        "",
        ",\"dump\":null",
        ",\"dump\":\"null\"",
        ",\"dump\":1",
        ",\"dump\":\"1\"",
        ",\"dump\":\"\\\"null\\\"\"",
    ];
    room.write("in.jsonl", dumps.map(row).concat());
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--count-by", "dump"]).done();
    let sources = json!({"null": 2, "\"null\"": 1, "1": 2, "\"\\\"null\\\"\"": 1});
    assert_eq!(
        rows(&room.text("out.jsonl"))[0]["nearprint"],
        json!({"copies": 6, "sources": sources})
    );
    // As documents are grouped.
    let clusters = room.run(&["clusters", "in.jsonl", "--within", "dump"]).done();
    assert_eq!(clusters.text().lines().count(), 4, "{}", clusters.text());
}

#[test]
fn documents_of_one_label_are_not_compared_across_labels() {
    let room = room();
    let compared = |a: &str, b: &str, flags: &[&str]| {
        let run = room.run(&[&["compare", a, b, "--in", "in.jsonl"], flags].concat()).done();
        run.text().lines().find(|line| line.starts_with("compared")).unwrap().to_owned()
    };
    for k in [&[][..], &["-k", "3"]] {
        for (a, b, flag, said) in [
            ("2", "3", "--across", "compared     no"),
            ("0", "2", "--across", "compared     yes"),
            ("6", "7", "--across", "compared     no"),
            ("2", "3", "--within", "compared     yes"),
            ("0", "2", "--within", "compared     no"),
        ] {
            let found = compared(a, b, &[&[flag, "dump"], k].concat());
            assert!(found.starts_with(said), "{a} {b} {flag} {k:?}: {found}");
        }
    }
}

#[test]
fn documents_are_compared_within_a_label() {
    let room = room();
    for (input, k) in [("in.jsonl", None), ("in.csv", None), ("in.jsonl", Some("3"))] {
        let k = k.map_or(vec![], |k| vec!["-k", k]);
        let run = |verb: &str, more: &[&str]| {
            room.run(&[&[verb, input, "--within", "dump", "--force"], more, &k].concat()).done()
        };
        run("dedup", &["-o", "out", "--removed", "removed.jsonl"]);
        let removed: Vec<String> = rows(&room.text("removed.jsonl"))
            .iter()
            .map(|row| row["id"].to_string().replace('"', ""))
            .collect();
        assert_eq!(removed.concat(), "347", "{input} {k:?}");
        let pairs = run("pairs", &[]).text().to_owned();
        assert_eq!(pairs.lines().count(), 3, "{pairs}");
        let clusters = run("clusters", &[]).text().to_owned();
        assert_eq!(clusters.lines().count(), 6, "{clusters}");
        std::fs::remove_file(room.path("out")).unwrap();
    }
    room.refuses(
        &["dedup", "in.jsonl", "-o", "o.jsonl", "--within", "dmup"],
        1,
        "no row has a value in the field \"dmup\"; the fields of the first are \"dump\", \"id\", \"nearprint\", \"text\"",
    );
    room.write("list.jsonl", "{\"text\":\"a b c\",\"dump\":[\"x\"]}\n");
    room.refuses(
        &["dedup", "list.jsonl", "-o", "o.jsonl", "--count-by", "dump"],
        1,
        "list.jsonl:1: the field \"dump\" must be a text, a number, true or false, found an array: documents are \
         grouped and counted by one value",
    );
    room.refuses(
        &[
            "dedup",
            "in.jsonl",
            "-o",
            "o.jsonl",
            "--within",
            "dump",
            "--index-out",
            "s.seen.jsonl.zst",
        ],
        2,
        "--within and --index-out: a segment keeps no fields to compare documents within or across: leave out one of the two",
    );
    // All verbs tell flags that do not go together in one way.
    let dedup = ["dedup", "in.jsonl", "-o", "o.jsonl", "--pairs", "p.jsonl"];
    let (verbs, folded) =
        ([&dedup[..], &["pairs", "in.jsonl"]], ["--across", "dump", "--fold-equal"]);
    for verb in verbs {
        room.refuses(
            &[verb, &folded].concat(),
            2,
            "--across and --fold-equal: equal documents with one value of the field are no pairs: list all pairs",
        );
        room.refuses(
            &[verb, &["--within", "dump", "--across", "dump"]].concat(),
            2,
            "--within and --across: no two documents have the same value and different values of one field: name two \
             fields, or one of the two",
        );
    }
    room.write("f.jsonl", "{\"fingerprint\":\"0123456789abcdef\"}\n");
    room.refuses(
        &["pairs", "f.jsonl", "-k", "3", "--within", "dump"],
        2,
        "--within: the input holds fingerprints, which are read without other fields; give the texts",
    );
    let refused = room.run(&["dedup", "in.jsonl", "-o", "o.jsonl", "--rehydrate", "twice"]);
    assert!(refused.stderr.contains("use all, sqrt, log or a number from 1, such as 5"));
}

#[test]
fn a_run_that_would_remove_too_much_writes_nothing() {
    let room = room();
    let run = |share| {
        ["dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.jsonl", "--fail-if-removed", share]
    };
    let message = "5 of 8 documents would be removed (62.5 %), and at most 62 % are allowed: nothing was written";
    room.refuses(&run("62%"), 1, message);
    room.refuses(&run("0.62"), 1, message);
    room.run(&run("62.5%")).done();
    assert_eq!(rows(&room.text("r.jsonl")).len(), 5);
    assert!(room.run(&run("62,5")).stderr.contains("use a share such as 40% or 0.4"));
    // A share of which the double is a little less is met exactly.
    for (removed, shares, less) in [
        (29, ["29%", "0.29"], "28.9%"),
        (58, ["58 %", "0.58"], "57.9%"),
        (7, ["7.0%", "7e-2"], "6.9%"),
    ] {
        let row = |number: u32| {
            let of = number.saturating_sub(removed);
            format!("{{\"id\":{number},\"text\":\"w{of} x{of} y{of} z{of}\"}}\n")
        };
        room.write("in.jsonl", (0..100).map(row).collect::<String>());
        for share in shares {
            room.run(&[&run(share)[..], &["--force"]].concat()).done();
        }
        let most = less.trim_end_matches('%');
        let message = format!(
            "{removed} of 100 documents would be removed ({removed} %), and at most {most} % are allowed: nothing was written"
        );
        room.refuses(&[&run(less)[..], &["--force"]].concat(), 1, &message);
    }
}

#[test]
fn folders_and_files_are_labels() {
    let room = Room::new();
    let row = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    for (path, dump) in [
        ("in/CC-1/dump=a/x.jsonl", "a"),
        ("in/CC-1/dump=b/y.jsonl", "b"),
        ("in/CC-2/dump=a/x.jsonl", "c"),
    ] {
        room.write(path, row(&format!("{dump}1"), FOX) + &row(&format!("{dump}2"), FOX));
    }
    let kept = |flags: &[&str]| {
        room.run(
            &[&["dedup", "in", "-o", "out.jsonl", "--keep", "first", "--force"], flags].concat(),
        )
        .done();
        let ids = rows(&room.text("out.jsonl"));
        ids.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kept(&[]), "a1");
    assert_eq!(kept(&["--within", "@folder"]), "a1 c1");
    assert_eq!(kept(&["--within", "dump"]), "a1 b1");
    assert_eq!(kept(&["--within", "@file"]), "a1 b1 c1");
    assert_eq!(kept(&["--across", "@folder"]), "a1 a2 b1 b2");
    kept(&["--count-by", "@file", "--group-by", "@folder", "--summary", "s.json"]);
    let sources =
        json!({"CC-1/dump=a/x.jsonl": 2, "CC-1/dump=b/y.jsonl": 2, "CC-2/dump=a/x.jsonl": 2});
    assert_eq!(rows(&room.text("out.jsonl"))[0]["nearprint"]["sources"], sources);
    let told: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let names: Vec<_> =
        told["by_source"]["sources"].as_array().unwrap().iter().map(|one| &one["source"]).collect();
    assert_eq!(names, ["CC-1", "CC-2"]);
    // The same again from decisions, in shards, and of texts and archives, which have no fields of their own.
    room.run(&["dedup", "in", "--group-by", "@folder", "--decisions", "d.bin"]).done();
    room.run(&[
        "decide",
        "d.bin",
        "--within",
        "@folder",
        "--keep",
        "first",
        "--kept",
        "kept.jsonl",
    ])
    .done();
    assert_eq!(rows(&room.text("kept.jsonl")), [json!({"id": "a1"}), json!({"id": "c1"})]);
    room.run(&[
        "shard", "create", "work/", "in", "-o", "shards/", "--within", "@folder", "--keep", "first",
    ])
    .done();
    room.run(&["shard", "run", "work/"]).done();
    let parts: Vec<String> = room
        .names()
        .into_iter()
        .filter(|name| name.starts_with("shards/") && name.ends_with(".jsonl"))
        .collect();
    let ids: Vec<_> =
        parts.iter().flat_map(|part| rows(&room.text(part))).map(|row| row["id"].clone()).collect();
    assert_eq!(ids, [json!("a1"), json!("c1")]);
    for folder in ["one", "two"] {
        room.write(&format!("texts/{folder}/a.txt"), FOX);
        room.write(&format!("crawl/{folder}/a.warc"), crawl().concat());
    }
    let pairs = |input: &str, flags: &[&str]| {
        room.run(&[&["pairs", input], flags].concat()).done().text().lines().count()
    };
    assert_eq!((pairs("texts", &[]), pairs("texts", &["--within", "@folder"])), (1, 0));
    assert_eq!(pairs("texts", &["--across", "@folder"]), 1);
    let (all, within) = (pairs("crawl", &[]), pairs("crawl", &["--within", "@folder"]));
    assert!(within > 0 && all > 2 * within, "{all} {within}");
    room.run(&["split", "in", "-o", "parts/", "--stratify", "@folder"]).done();
    let missing = room.run(&["dedup", "texts", "-o", "out/", "--within", "dump"]);
    assert!(
        missing
            .stderr
            .contains("no row has a value in the field \"dump\"; texts and pages have no fields"),
        "{}",
        missing.stderr
    );
    room.write("level/a.jsonl", "{\"text\":\"one two three\"}\n");
    for flat in ["texts/one", "level"] {
        let missing = room.run(&["dedup", flat, "-o", "out/", "--within", "@folder"]);
        let is_said = missing.stderr.contains("no file lies in a folder of the input; give the ");
        assert!(missing.code == Some(1) && is_said, "{}", missing.stderr);
    }
    // What a row says counts before what its path does.
    room.write("own/dump=a/x.jsonl", "{\"id\":1,\"dump\":\"b\",\"text\":\"one two three\"}\n{\"id\":2,\"text\":\"four five six\"}\n");
    room.run(&["dedup", "own", "-o", "own.jsonl", "--count-by", "dump"]).done();
    let sources: Vec<_> = rows(&room.text("own.jsonl"))
        .iter()
        .map(|row| row["nearprint"]["sources"].clone())
        .collect();
    assert_eq!(sources, [json!({"b": 1}), json!({"a": 1})]);
}
