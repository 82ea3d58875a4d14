//! FILE:LINE, one document of a file of rows, in every verb that takes single documents; and the samples with the
//! verbs that they are for.

use crate::nearprint::{Run, repository, run};
use crate::room::{Room, gzip};
use crate::warc::record;
use serde_json::Value;

const ROWS: [&str; 3] = [
    "the ferry leaves the harbour at noon",
    "snow fell on the upper pastures",
    "<p>a page of its own</p>",
];

/// The same rows in every form.
fn room() -> Room {
    let room = Room::new();
    let json = |name: &str| -> String {
        let row =
            |text: &&str| format!("{}\n", serde_json::json!({ name: text, "id": text.len() }));
        ROWS.iter().map(row).collect()
    };
    room.write("a.jsonl", json("text"));
    room.write("a.jsonl.gz", gzip(json("text").as_bytes()));
    room.write("body.jsonl", json("body"));
    let table: String = ROWS.iter().map(|text| format!("1,\"{text}\"\n")).collect();
    room.write("a.csv", format!("id,text\n{table}"));
    room.write("a.tsv", format!("id\ttext\n{}", table.replace(",\"", "\t\"")));
    room.write("one.jsonl", format!("{}\n", serde_json::json!({ "text": ROWS[1] })));
    // What no name tells is told by content.
    room.write("packed.gz", gzip(room.text("one.jsonl").as_bytes()));
    room.write("archive", gzip(record("conversion", "text/plain", 1, ROWS[1]).as_bytes()));
    room.write("table", format!("id,text\n1,\"{}\"\n", ROWS[1]));
    room.write("first.txt", ROWS[0]);
    room.write("second.txt", ROWS[1]);
    room
}

fn json(run: Run) -> Value {
    serde_json::from_str(run.done().text()).unwrap()
}

#[test]
fn a_row_is_the_text_that_it_holds() {
    let room = room();
    for recipe in ["text", "words", "chars-5"] {
        let by = ["--recipe", recipe, "--format", "json"];
        let compare = |a: &str, b: &str| json(room.run(&[&["compare", a, b], &by[..]].concat()));
        let explain = |of: &str| json(room.run(&[&["explain", of], &by[..]].concat()));
        let (files, first) = (compare("first.txt", "second.txt"), explain("first.txt"));
        for file in ["a.jsonl", "a.jsonl.gz", "a.csv", "a.tsv"] {
            // The header of a table is a line.
            let header = u32::from(!file.starts_with("a.jsonl"));
            let row = |row: u32| format!("{file}:{}", row + header);
            assert_eq!(compare(&row(1), &row(2)), files, "{file}");
            assert_eq!(compare(&row(1), "one.jsonl"), files, "{file}");
            assert_eq!(compare("first.txt", &row(2)), files, "{file}");
            assert_eq!(explain(&row(1)), first, "{file}");
            let text =
                room.run(&["text", &row(2), "first.txt", &row(1), "--recipe", recipe]).done();
            assert_eq!(
                text.text(),
                format!("{}\n\n{}\n\n{}\n", ROWS[1], ROWS[0], ROWS[0]),
                "{file}"
            );
        }
        for file in ["packed.gz", "archive", "table", "archive:1"] {
            assert_eq!(compare("first.txt", file), files, "{file}");
        }
        let body = [&["compare", "body.jsonl:1", "body.jsonl:2", "--text-field", "body"], &by[..]];
        assert_eq!(json(room.run(&body.concat())), files);
    }
    let page =
        json(room.run(&["compare", "a.jsonl:3", "a.csv:4", "--recipe", "web", "--format", "json"]));
    assert_eq!((&page["distance"], &page["a"]["features"]), (&0.into(), &3.into()));
    for (args, message) in [
        (&["compare", "a.jsonl:9", "a.jsonl:1"][..], "a.jsonl:9: no such row; the file has 3"),
        (&["compare", "a.jsonl:0", "a.jsonl:1"], "a.jsonl:0: no such row; the file has 3"),
        (
            &["compare", "a.jsonl", "a.jsonl:1"],
            "a.jsonl: more than one row; name one of them, such as a.jsonl:1",
        ),
        (&["explain", "a.csv:9"], "a.csv:9: no such row; the file has 3"),
        (
            &["explain", "a.csv:1", "--id", "1"],
            "--id: the input names a row; leave one of them out",
        ),
        (&["text", "a.csv:9"], "a.csv:9: no such row; the file has 3"),
        (
            &["text", "a.csv:1"],
            "a.csv:1: no such row; the file has 3; rows are named by their lines, the first by 2",
        ),
        (
            &["compare", "a.csv", "a.csv:2"],
            "a.csv: more than one row; name one of them, such as a.csv:2",
        ),
        (&["text", "a.csv:0", "-o", "x"], "a.csv:0: no such row; the file has 3"),
    ] {
        room.refuses(args, 2, message);
    }
    let message = "no.jsonl:1: no such file; use --text to compare the words themselves, or --in CORPUS for ids of its \
                   documents";
    room.refuses(&["compare", "no.jsonl:1", "a.jsonl:1"], 1, message);
}

#[test]
fn an_id_that_is_a_place_names_its_document() {
    let room = Room::new();
    room.write("a.csv", "text,n\nthe first text,1\n\n\"the second\ntext\",2\nthe third text,3\n");
    let rows = "{\"text\":\"one\"}\n\n{\"text\":\"two\"}\n";
    room.write("a.jsonl", rows);
    room.write("a.txt", "a whole file\n");
    room.write("a.warc", record("conversion", "text/plain", 1, ROWS[0]));
    for file in ["a.csv", "a.jsonl", "a.txt"] {
        let told = |of: &str| room.run(&["text", of, "--format", "json"]).done().text().to_owned();
        for line in told(file).lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            assert_eq!(told(row["id"].as_str().unwrap()), format!("{line}\n"));
        }
    }
    assert!(room.run(&["text", "a.warc:1"]).done().text().contains(ROWS[0]));
    room.run(&["explain", "a.csv:4"]).done();
    room.refuses(
        &["explain", "a.csv:3"],
        2,
        "a.csv:3: no such row; the file has 3; rows are named by their lines, the first by 2",
    );
}

#[test]
fn every_sample_serves_the_verbs_it_is_for() {
    let samples = repository().join("samples");
    let of = |args: &[&str]| run(&samples, args).done();
    for (name, recipe, pairs) in [("news", "text", 43), ("zh", "zh", 18), ("ja", "ja", 18)] {
        let (corpus, labels) = (format!("{name}.jsonl"), format!("{name}.labels.tsv"));
        let evaluate =
            ["evaluate", &corpus, "--labels", &labels, "--recipe", recipe, "--format", "json"];
        let judged = json(run(&samples, &evaluate));
        let gold = &judged["labels"];
        let all = gold["same"].as_u64().unwrap() + gold["different"].as_u64().unwrap();
        assert_eq!(all, pairs, "{gold}");
        let (first, second) = (format!("{corpus}:1"), format!("{corpus}:2"));
        of(&["compare", &first, &second, "--recipe", recipe]);
        of(&["explain", &first, "--recipe", recipe]);
        of(&["text", &first, "--recipe", recipe]);
        for verb in ["pairs", "clusters", "stats"] {
            assert!(!of(&[verb, &corpus, "--recipe", recipe]).text().is_empty());
        }
    }
    let labels = |file: &str| {
        let args = ["evaluate", "news.jsonl", "--labels", file, "--format", "json"];
        json(run(&samples, &args))
    };
    assert_eq!(labels("news.labels.tsv"), labels("news.labels.jsonl"));
    for (a, b) in
        [("html/mill.html", "html/mill-reprint.html"), ("html/cafe.html", "html/chaguan.html")]
    {
        of(&["compare", a, b, "--recipe", "web"]);
    }
    of(&["pairs", "text"]);
    of(&["pairs", "html", "--recipe", "web"]);
    // The list of a recipe is what that recipe leaves out.
    let list = of(&["recipe", "stop-words", "zh-keywords", "--format", "json"]);
    let words: Vec<String> = serde_json::from_str(list.text()).unwrap();
    let sample = "the 共识 with 算法 which 的";
    let explained = json(run(
        &samples,
        &["explain", "--text", sample, "--recipe", "zh-keywords", "--format", "json"],
    ));
    let tokens = explained["tokens"].to_string();
    for word in ["the", "with", "which"] {
        assert!(words.contains(&word.to_owned()) && !tokens.contains(word), "{tokens}");
    }
    assert!(!words.contains(&"的".to_owned()) && tokens.contains("共识"), "{tokens}");
    let language = of(&["recipe", "stop-words", "zh"]);
    assert!(language.text().contains("的") && language.stderr.contains("such as zh-keywords"));
}

#[test]
fn rows_say_which_document_is_of_the_reference() {
    let room = Room::new();
    let said = "the quick brown fox jumps over the lazy dog at noon, and nobody knows why it does";
    room.write("old.jsonl", format!("{{\"id\":\"o\",\"text\":\"{said}\"}}\n"));
    let more = "{\"id\":\"c\",\"text\":\"a third text that nobody else has written down, here or there\"}\n";
    let doubled = "{\"id\":\"d\",\"text\":\"a third text that nobody else has written down, here or there!\"}\n";
    room.write("new.jsonl", format!("{{\"id\":\"n\",\"text\":\"{said}.\"}}\n{more}{doubled}"));
    let against = ["new.jsonl", "--against", "old.jsonl"];
    let reports = ["--removed", "r.jsonl", "--clusters", "c.jsonl", "--pairs", "p.jsonl"];
    room.run(&[&["dedup"], &against[..], &reports, &["--decisions", "d"]].concat()).done();
    let rows = |name: &str| -> Vec<Value> {
        room.text(name).lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let removed = rows("r.jsonl");
    let of = |row: &Value| (row["kept"].clone(), row["kept_reference"].clone());
    let told: Vec<_> = removed.iter().map(of).collect();
    assert_eq!(told, [("o".into(), true.into()), ("c".into(), Value::Null)]);
    for row in rows("c.jsonl") {
        let is_old = |id: &str| if row[id] == "o" { Value::from(true) } else { Value::Null };
        assert_eq!(row["reference"], is_old("id"), "{row}");
        assert_eq!(row["representative_reference"], is_old("representative"), "{row}");
    }
    assert_eq!(rows("p.jsonl")[0]["a_reference"], true);
    room.run(&["decide", "d", "--removed", "again.jsonl"]).done();
    assert_eq!(room.text("again.jsonl"), room.text("r.jsonl"));
    let annotated = [&["dedup"], &against[..], &["--annotate", "-o"]].concat();
    room.run(&[&annotated[..], &["once.jsonl"]].concat()).done();
    assert_eq!(rows("once.jsonl")[0]["nearprint"]["representative_reference"], true);
    // A note is known by its form, and replaced.
    let again =
        ["dedup", "once.jsonl", "--against", "old.jsonl", "--annotate", "-o", "twice.jsonl"];
    room.run(&again).done();
    assert_eq!(room.text("twice.jsonl"), room.text("once.jsonl"));
    let passages = [&["passages"], &against[..], &["--length", "8", "--removed", "cut.jsonl"]];
    room.run(&passages.concat()).done();
    let cut = rows("cut.jsonl");
    assert_eq!(cut[0]["kept"]["reference"], true, "{cut:?}");
    assert_eq!(cut[1]["kept"]["reference"], Value::Null, "{cut:?}");
}

#[test]
fn notes_that_name_captures_are_replaced() {
    let room = Room::new();
    let row = |at: u32, mark: &str| {
        let id = format!("https://a.example/x 2026-01-3{at}T09:30:00Z");
        let text = format!("the quick brown fox jumps over the lazy dog at noon{mark}");
        format!("{}\n", serde_json::json!({ "id": id, "text": text }))
    };
    room.write("a.jsonl", row(0, "") + &row(1, "!"));
    room.run(&["dedup", "a.jsonl", "--annotate", "-o", "b.jsonl"]).done();
    assert!(room.text("b.jsonl").contains("\"representative_host\":\"a.example\""));
    room.run(&["dedup", "b.jsonl", "--annotate", "-o", "c.jsonl"]).done();
    assert_eq!(room.text("b.jsonl"), room.text("c.jsonl"));
}
