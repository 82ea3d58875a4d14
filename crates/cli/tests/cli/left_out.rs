//! What no verb takes as a document: it is counted by reason and said, with files that gave few documents or none.

use crate::nearprint::run_with;
use crate::room::{Room, gzip};
use serde_json::{Value, json};

/// A row of text.
fn row(id: u32, text: &str) -> String {
    format!("{{\"id\":{id},\"text\":\"{text}\"}}\n")
}

/// A record of WARC.
fn record(kind: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// A response.
fn response(status: u32, content_type: &str, body: &str) -> String {
    record(
        "response",
        &format!("HTTP/1.1 {status} x\r\nContent-Type: {content_type}\r\n\r\n{body}"),
    )
}

/// A folder of files: two that gave few documents, two that gave none, one all of whose documents go.
fn room() -> Room {
    let room = Room::new();
    let request = record("request", "GET / HTTP/1.1\r\n\r\n");
    let page = "the ferry leaves the harbour at noon and comes back in the evening";
    let crawl = [
        request.clone(),
        response(200, "text/plain", page),
        request,
        response(404, "text/html", "gone"),
        response(200, "image/png", "1"),
        response(200, "image/png", "2"),
    ];
    room.write("in/a.warc", crawl.concat());
    room.write("in/b.jsonl", "");
    room.write("in/c.csv", "id,text\n");
    let snow = "snow fell on the upper pastures long before the herds came down";
    room.write("in/d.jsonl", row(1, snow));
    room.write("in/e.jsonl", [row(2, snow), row(3, snow)].concat());
    room
}

/// A mark such as Spark leaves beside what it wrote has nothing to read: it decides no format.
#[test]
fn an_empty_file_without_a_format_is_no_input() {
    let room = Room::new();
    let snow = "snow fell on the upper pastures long before the herds came down";
    room.write("in/part-0.csv", format!("id,text\n1,{snow}\n2,other words than these\n"));
    room.write("in/_SUCCESS", "");
    let run = room.run(&["dedup", "in", "-o", "out.csv", "--summary", "s.json"]).done();
    assert!(run.stderr.contains("passed over 1 (empty), the first: in/_SUCCESS"), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&summary["documents"], &summary["passed_over"]["total"]), (&json!(2), &json!(1)));
    room.run(&["dedup", "in", "-o", "out/"]).done();
    assert!(room.path("out/part-0.csv").exists() && !room.path("out/_SUCCESS").exists());
    // By its name it is asked for.
    room.run(&["dedup", "in/_SUCCESS", "-o", "none.jsonl"]).done();
    room.run(&["dedup", "in/_S*", "-o", "other.jsonl"])
        .refused(1, "no file matches the pattern in/_S*");
}

#[test]
fn what_is_passed_over_is_said_with_its_reason_and_its_place() {
    let room = room();
    let run = room.run(&["dedup", "in", "-o", "out/", "--summary", "s.json"]).done();
    let at = room.text("in/a.warc").find("HTTP/1.1 404").unwrap();
    let at = room.text("in/a.warc")[..at].rfind("WARC/1.0").unwrap();
    for line in [
        "5 other archive records (written as they are)".to_owned(),
        "2 records passed over but kept (image/png), the first: in/a.warc, record at byte "
            .to_owned(),
        format!(
            "1 record passed over but kept (status 404), the first: in/a.warc, record at byte {at}\n"
        ),
        "2 files held no document: in/b.jsonl, in/c.csv\n".to_owned(),
        "1 file gave documents of less than half of the records: in/a.warc (1 of 4)\n".to_owned(),
        "1 file lost all documents: in/e.jsonl (2 documents)\n".to_owned(),
    ] {
        assert!(run.stderr.contains(&line), "{line}\n{}", run.stderr);
    }
    // What lists are made of loses nothing.
    for verb in ["pairs", "clusters"] {
        let said = room.run(&[verb, "in", "-o", "rows.jsonl", "--force"]).done().stderr;
        assert!(said.contains("5 other archive records\n"), "{verb}: {said}");
        assert!(!said.contains("file lost all documents"), "{verb}: {said}");
    }
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let reasons = json!({"image/png": 2, "request": 2, "status 404": 1});
    assert_eq!(summary["other_records"]["reasons"], reasons);
    let first = &summary["other_records"]["examples"]["status 404"];
    assert_eq!(first, &json!(format!("in/a.warc, record at byte {at}")));
    let file = |file, records, documents| json!({"file": file, "records": records, "documents": documents});
    let without = json!({"total": 2, "first": [file("in/b.jsonl", 0, 0), file("in/c.csv", 0, 0)]});
    assert_eq!(summary["without_documents"], without);
    let mostly = json!({"total": 1, "first": [file("in/a.warc", 4, 1)]});
    assert_eq!(summary["mostly_passed_over"], mostly);
    let removed = json!({"total": 1, "first": [file("in/e.jsonl", 2, 2)]});
    assert_eq!(summary["all_removed"], removed);

    // A job in shards says the same.
    let create = ["shard", "create", "work", "--", "in", "-o", "shards/", "--summary", "t.json"];
    room.run(&create).done();
    room.run(&["shard", "run", "work"]).done();
    let shards: Value = serde_json::from_str(&room.text("t.json")).unwrap();
    for key in ["other_records", "without_documents", "mostly_passed_over", "all_removed"] {
        assert_eq!(shards[key], summary[key], "{key}");
    }

    // Where all is well nothing is said.
    let run = room.run(&["dedup", "in/d.jsonl", "-o", "d.jsonl", "--summary", "d.json"]).done();
    assert!(!run.stderr.contains("file") && !run.stderr.contains("passed"), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("d.json")).unwrap();
    assert!(summary.get("other_records").is_none() && summary.get("all_removed").is_none());
}

#[test]
fn lists_alone_write_no_records() {
    let room = room();
    room.run(&["dedup", "in", "-o", "out/", "--decisions", "d"]).done();
    let said = room.run(&["decide", "d", "--removed", "removed.jsonl"]).done().stderr;
    assert!(said.contains("5 other archive records\n"), "{said}");
    assert!(said.contains("1 record passed over (status 404)"), "{said}");
    let said = room.run(&["decide", "d", "--in", "in", "-o", "again/"]).done().stderr;
    assert!(said.contains("5 other archive records (written as they are)\n"), "{said}");
    assert!(said.contains("1 record passed over but kept (status 404)"), "{said}");
}

#[test]
fn every_verb_that_reads_a_corpus_says_it() {
    let room = room();
    room.write("labels.jsonl", "{\"a\":\"2\",\"b\":\"3\"}\n");
    room.run(&["store", "init", "store"]).done();
    for verb in [
        &["pairs", "in"][..],
        &["pairs", "in", "-k", "3"],
        &["clusters", "in"],
        &["text", "in"],
        &["fingerprint", "in"],
        &["stats", "in"],
        &["index", "build", "in", "-o", "x.seg", "--force"],
        &["idf", "build", "in", "-o", "x.idf", "--force"],
        &["evaluate", "in", "--labels", "labels.jsonl", "--id-field", "id"],
        &["store", "add", "store", "in"],
        &["store", "check", "store", "in"],
    ] {
        let run = room.run(verb).done();
        for line in [
            "2 records passed over (image/png), the first: in/a.warc, record at byte",
            "2 files held no document: in/b.jsonl, in/c.csv\n",
            "1 file gave documents of less than half of the records: in/a.warc (1 of 4)\n",
        ] {
            assert!(run.stderr.contains(line), "{verb:?}: {line}\n{}", run.stderr);
        }
        let refused = room.run(&[verb, &["--fail-on-empty"]].concat());
        let said = "in/a.warc: only 1 of its 4 records are documents; the first other one: image/png, in/a.warc";
        assert!(refused.stderr.contains(said), "{verb:?}\n{}", refused.stderr);
        assert_eq!(refused.code, Some(1), "{verb:?}");
    }
}

#[test]
fn a_table_without_rows_and_without_the_text_is_an_error() {
    let room = Room::new();
    room.write("a.csv", "id,body\n");
    room.write("labels.jsonl", "{\"a\":\"2\",\"b\":\"3\"}\n");
    room.write(
        "evals/e.jsonl",
        "{\"question\":\"what is the ferry that leaves the harbour at noon today\"}\n",
    );
    room.run(&["store", "init", "store"]).done();
    let missing =
        "a.csv: the table has no row and no column \"text\"; its columns are \"id\", \"body\"";
    let stream = room.command(&["text", "-", "--input-format", "csv"]);
    let said = missing.replace("a.csv", "stdin") + "; name the field of the text with --text-field";
    run_with(stream, "id,body\n").refused(1, &said);
    for verb in [
        &["dedup", "a.csv", "-o", "out.csv"][..],
        &["dedup", "a.csv", "-o", "out.csv", "--equal", "bytes"],
        &["passages", "a.csv", "-o", "out.csv"],
        &["decontaminate", "a.csv", "--against", "evals", "-o", "out.csv"],
        &["pairs", "a.csv"],
        &["pairs", "a.csv", "-k", "3"],
        &["clusters", "a.csv"],
        &["text", "a.csv"],
        &["fingerprint", "a.csv"],
        &["explain", "a.csv"],
        &["stats", "a.csv"],
        &["index", "build", "a.csv", "-o", "x.seg"],
        &["idf", "build", "a.csv", "-o", "x.idf"],
        &["evaluate", "a.csv", "--labels", "labels.jsonl", "--id-field", "id"],
        &["store", "add", "store", "a.csv"],
        &["store", "check", "store", "a.csv"],
    ] {
        let run = room.run(verb);
        let is_said = run.stderr.contains(missing);
        assert!(run.code == Some(1) && is_said, "{verb:?}\n{}", run.stderr);
    }
    assert!(!room.path("out.csv").exists());
    // It is left out and said where records are, and one with such a column holds nothing.
    let skipped = ["fingerprint", "a.csv", "--on-error", "skip"];
    let run = room.run(&skipped).done();
    for line in
        ["1 skipped (column-missing), the first: a.csv: ", "1 file held no document: a.csv\n"]
    {
        assert!(run.stderr.contains(line), "{line}\n{}", run.stderr);
    }
    let run = room.run(&[&skipped[..], &["--fail-on-empty"]].concat());
    let said = "--fail-on-empty: a.csv: nothing of it could be read: a.csv: ";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    for input in [&["a.csv", "--text-field", "body"][..], &["b.csv", "-k", "3"]] {
        room.write("b.csv", "id,fingerprint\n");
        let run = room.run(&[&["pairs"], input].concat()).done();
        assert!(run.stderr.contains("1 file held no document: "), "{}", run.stderr);
    }
}

#[test]
fn a_file_that_gives_few_documents_is_an_error_where_that_is_asked_for() {
    let room = room();
    let few = "--fail-on-empty: in/b.jsonl: it has no records; documents are expected";
    let dedup = ["dedup", "in/d.jsonl", "in/b.jsonl", "-o", "out/", "--fail-on-empty"];
    room.refuses(&dedup, 1, few);
    let skipped = [&row(1, "a b c"), "{\"id\":2}\n", "{\"id\":3}\n"].concat();
    room.write("bad.jsonl", &skipped);
    let dedup = ["dedup", "bad.jsonl", "-o", "out.jsonl", "--on-error", "skip"];
    let few = "--fail-on-empty: bad.jsonl: only 1 of its 3 records are documents; the first other one: bad.jsonl:2: \
               no field \"text\" in the row; its fields are \"id\"";
    let run = room.run(&[&dedup[..], &["--fail-on-empty"]].concat());
    assert_eq!((run.code, room.path("out.jsonl").exists()), (Some(1), false));
    assert!(run.stderr.contains(few.split("; the").next().unwrap()), "{}", run.stderr);
    assert!(run.stderr.contains("bad.jsonl:2"), "{}", run.stderr);
    // Half is enough.
    room.write("half.jsonl", skipped.lines().take(2).collect::<Vec<_>>().join("\n"));
    let half =
        ["dedup", "half.jsonl", "-o", "half-out.jsonl", "--on-error", "skip", "--fail-on-empty"];
    room.run(&half).done();
    // What cannot be read at all gives no document.
    room.write("cut.jsonl.gz", &gzip(skipped.as_bytes())[..20]);
    let cut = ["fingerprint", "cut.jsonl.gz", "--on-error", "skip"];
    let run = room.run(&cut).done();
    assert!(run.stderr.contains("1 file held no document: cut.jsonl.gz\n"), "{}", run.stderr);
    assert_eq!(room.run(&[&cut[..], &["--fail-on-empty"]].concat()).code, Some(1));
    // What is wrong with a file is told of it, wherever it stands.
    room.write("lz4.jsonl", b"\x04\x22\x4d\x18d and more");
    room.write("labels.jsonl", "{\"a\":\"1\",\"b\":\"2\"}\n");
    let snow = "snow fell on the upper pastures long before the herds came down";
    room.write(
        "two.jsonl",
        [row(4, snow), row(5, "the ferry leaves the harbour at noon")].concat(),
    );
    let said = "lz4.jsonl: nothing of it could be read: lz4.jsonl is compressed with LZ4, not text; decompress it first";
    let asked = ["half.jsonl", "lz4.jsonl", "--on-error", "skip", "--fail-on-empty"];
    for verb in [
        &["dedup", "-o", "lz4/"][..],
        &["fingerprint", "-o", "lz4.prints.jsonl"],
        &["passages", "--removed", "lz4.removed.jsonl"],
        &["idf", "build", "-o", "lz4.idf"],
        &["evaluate", "--labels", "labels.jsonl"],
        &["text"],
        &["explain"],
        &["tune", "two.jsonl"],
    ] {
        let run = room.run(&[verb, &asked].concat());
        assert!(run.code == Some(1) && run.stderr.contains(said), "{verb:?}: {}", run.stderr);
    }
    // Where one document is named, nothing is asked of others.
    room.run(&[&["explain", "--id", "1"], &asked[..]].concat()).done();
    room.write("none.jsonl", "{\"id\":2}\n{\"id\":3}\n");
    let said = "--fail-on-empty: none.jsonl: none of its 2 records is a document";
    let run = room.run(&[&["tune", "two.jsonl", "none.jsonl"], &asked[2..]].concat());
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn what_is_passed_over_of_the_reference_is_told_apart() {
    let room = room();
    room.write("in/f.png", b"\x89PNG\r\n\x1a\n");
    for name in ["one.png", "two.png"] {
        room.write(&format!("old/{name}"), b"\x89PNG\r\n\x1a\n");
    }
    let gone = response(410, "text/html", "gone");
    room.write("old/a.warc", [response(200, "text/plain", "one two three"), gone].concat());
    room.write("old/b.jsonl", "");
    room.write("old/c.jsonl", row(9, "the herds came down from the pastures") + "{broken\n");
    let verbs = [
        &["dedup", "in", "-o", "out/"][..],
        &["passages", "in", "--removed", "r.jsonl"],
        &["passages", "in", "--removed", "r2.jsonl", "--unit", "line", "--similarity", "0.8"],
    ];
    let more = ["--against", "old", "--on-error", "skip", "--summary", "s.json", "--force"];
    for verb in verbs {
        let run = room.run(&[verb, &more, &["--recipe", "text"]].concat()).done();
        for line in [
            "passed over 1 (no text), the first: in/f.png\n",
            "passed over 2 of the reference (no text), the first: old/",
            "1 record of the reference passed over (status 410), the first: old/a.warc, ",
            "1 of the reference skipped (invalid-json), the first: old/c.jsonl:2",
            "1 file of the reference held no document: old/b.jsonl\n",
            "2 files held no document: in/b.jsonl, in/c.csv\n",
        ] {
            assert!(run.stderr.contains(line), "{verb:?}: {line}\n{}", run.stderr);
        }
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let of_reference = &summary["of_reference"];
        assert_eq!(summary["passed_over"]["reasons"], json!({"binary": 3}), "{verb:?}");
        assert_eq!(summary["passed_over_of_reference"]["reasons"], json!({"binary": 2}));
        assert_eq!(summary["without_documents"]["total"], 2);
        assert_eq!(of_reference["without_documents"]["total"], 1);
        assert_eq!(of_reference["other_records"]["reasons"], json!({"status 410": 1}));
        assert_eq!(
            (&summary["skipped"]["total"], &of_reference["skipped"]["total"]),
            (&json!(0), &json!(1))
        );
    }
    // A job in shards says the same.
    std::fs::remove_file(room.path("s.json")).unwrap();
    for (job, outputs) in [("dedup", ["-o", "shards/"]), ("passages", ["--removed", "rows"])] {
        let work = format!("work-{job}");
        let create = ["shard", "create", &work, "--job", job, "in", "--recipe", "text"];
        room.run(&[&create[..], &outputs, &more[..6]].concat()).done();
        room.run(&["shard", "run", &work]).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["passed_over_of_reference"]["reasons"], json!({"binary": 2}), "{job}");
        assert_eq!(summary["without_documents"]["total"], 2, "{job}");
        assert_eq!(summary["of_reference"]["without_documents"]["total"], 1, "{job}");
        std::fs::remove_file(room.path("s.json")).unwrap();
    }
    // Of eval sets it is told with the items, and the same where an index has them.
    room.write("evals/quiz.jsonl", "{\"question\":\"Which herds came down from the pastures?\"}\n");
    room.write("evals/README.md", "About the quiz.\n");
    let evals = [
        "decontaminate",
        "in",
        "-o",
        "clean/",
        "--summary",
        "s.json",
        "--force",
        "--recipe",
        "text",
    ];
    let index = ["--index", "quiz.index"];
    for asked in
        [&["--against", "evals"][..], &[&["--against", "evals"], &index[..]].concat(), &index]
    {
        let run = room.run(&[&evals[..], asked].concat()).done();
        let said = "passed over 1 (no rows) next to the eval sets, the first: evals/README.md\n";
        assert!(run.stderr.contains(said), "{asked:?}\n{}", run.stderr);
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["passed_over"]["reasons"], json!({"binary": 1, "no-rows": 1}));
        assert_eq!(summary["passed_over_of_reference"]["reasons"], json!({"no-rows": 1}));
    }
}
