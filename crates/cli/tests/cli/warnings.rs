//! How much of each source stays, and what should make a person look before a corpus is used.

use crate::nearprint::Run;
use crate::room::Room;
use serde_json::{Value, json};
use std::fmt::Write;

const ERROR: &str = "404 Not Found: the page you asked for is not here";

/// Words that no other number has.
fn own(n: usize, words: usize) -> String {
    (0..words).map(|at| format!("w{n}x{at}")).collect::<Vec<_>>().join(" ")
}

/// Rows of so many error pages, and then of texts of their own.
fn rows(first: usize, errors: usize, others: usize, more: &str) -> String {
    let mut rows = String::new();
    for n in first..first + errors + others {
        let text = if n < first + errors { ERROR.to_owned() } else { own(n, 40) };
        writeln!(rows, "{{\"id\":{n},\"text\":\"{text}\"{more}}}").unwrap();
    }
    rows
}

fn summary(room: &Room) -> Value {
    serde_json::from_str(&room.text("s.json")).unwrap()
}

fn warned(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter_map(|line| line.split_once("warning: ").map(|(_, it)| it)).collect()
}

#[test]
fn a_source_that_loses_much_and_an_error_page_are_said() {
    let room = Room::new();
    room.write("in/a.jsonl", rows(0, 45, 55, ""));
    room.write("in/b.jsonl", rows(100, 0, 40, ""));
    let args =
        ["dedup", "in", "-o", "out/", "--force", "--summary", "s.json", "--report", "r.html"];
    let run = room.run(&args).done();
    let shown = format!("\"{ERROR}\"");
    let expected = [
        format!("44 of 100 documents of in/a.jsonl removed (44.0 %), the first: 1 {shown}"),
        format!("45 of 140 documents (32.1 %) look like one error page, the first: 0 {shown}"),
        format!(
            "44 of 44 documents removed (100.0 %) have fewer than 20 features, the first: 1 {shown}"
        ),
    ];
    assert_eq!(warned(&run), expected);
    let told = summary(&room);
    let example = |id| json!({"id": id, "text": ERROR});
    assert_eq!(
        told["warnings"],
        json!([
            {"warning": "source", "source": "in/a.jsonl", "removed": 44, "documents": 100, "example": example(1)},
            {"warning": "cluster", "size": 45, "documents": 140, "error_page": true, "example": example(0)},
            {"warning": "short-documents", "short": 44, "removed": 44, "example": example(1)},
        ])
    );
    let bytes = |path: &str| room.read(path).len();
    let source = |name: &str, documents: usize, kept: usize| {
        let [read, written] = ["in", "out"].map(|folder| bytes(&format!("{folder}/{name}")));
        json!({
            "source": format!("in/{name}"), "documents": documents, "kept": kept, "bytes": read, "kept_bytes": written,
        })
    };
    let by_source =
        json!({"by": "file", "sources": [source("a.jsonl", 100, 56), source("b.jsonl", 40, 40)]});
    assert_eq!(told["by_source"], by_source);
    let page = room.text("r.html");
    assert!(page.contains("44 of 100 documents of in/a.jsonl removed (44.0 %)"));

    // Decided again, with the corpus and without it.
    let kept = ["dedup", "in", "--decisions", "d.bin", "--summary", "s.json", "--force"];
    assert_eq!(warned(&room.run(&kept).done()), expected);
    let told = summary(&room);
    assert_eq!(told["by_source"]["sources"][0]["bytes"], Value::Null);
    let decide =
        ["decide", "d.bin", "--in", "in", "-o", "again/", "--summary", "s.json", "--force"];
    assert_eq!(warned(&room.run(&decide).done()), expected);
    assert_eq!(summary(&room)["by_source"], by_source);
    let run = room.run(&["decide", "d.bin", "--kept", "k.jsonl"]).done();
    let without = expected.map(|line| line.replace(&format!(" {shown}"), ""));
    let without = without
        .map(|line| line.replace("look like one error page", "are one group of near-duplicates"));
    assert_eq!(warned(&run), without);
}

#[test]
fn a_loss_is_said_from_a_third_of_a_source_and_a_hundredth_of_all_on() {
    let room = Room::new();
    let run = |errors, others| {
        room.write("in.jsonl", rows(0, errors, others, ""));
        let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--force"]).done();
        warned(&run).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let says = |warnings: &[String], what: &str| warnings.iter().any(|line| line.contains(what));
    assert!(!says(&run(21, 39), "documents of in.jsonl removed"));
    assert!(says(&run(22, 38), "21 of 60 documents of in.jsonl removed"));
    // An error page is said however large the corpus is, but not of a few documents.
    assert!(says(&run(20, 2000), "20 of 2,020 documents (1.0 %) look like one error page"));
    assert!(run(18, 1).is_empty());
    let mild = |text: &str| text.replace(ERROR, &own(0, 30));
    let run = |errors, others| {
        room.write("in.jsonl", mild(&rows(0, errors, others, "")));
        let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--force"]).done();
        warned(&run).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(run(20, 1980), Vec::<String>::new());
    let warnings = run(20, 1979);
    assert!(says(&warnings, "20 of 1,999 documents (1.0 %) are one group of near-duplicates"));
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_passage_that_most_of_the_removed_share_is_said() {
    let room = Room::new();
    let menu = "Home News -- Sports Weather Contact us About this site";
    let rows = |with: usize, row: &dyn Fn(String) -> Value| -> String {
        let menu = |n: usize| if n / 2 < with { menu } else { "" };
        let text = |n: usize| format!("{} {}", own(n / 2, 40), menu(n));
        (0..50).map(|n| format!("{}\n", row(text(n)))).collect()
    };
    let warned = |rows: String, flags: &[&str]| {
        room.write("in.jsonl", rows);
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--summary", "s.json", "--force"];
        let run = room.run(&[&args[..], flags].concat()).done();
        let said: Vec<_> = warned(&run).into_iter().map(str::to_owned).collect();
        said.into_iter().filter(|line| line.contains("passage")).collect::<Vec<_>>()
    };
    let of_text = |text: String| json!({"text": text});
    let said = "13 of 25 removed documents, each from a different cluster, share a passage: \"Home News -- Sports Weather \
                Contact us About ...\"";
    let advice = "; nearprint passages --length 9 cuts out such passages";
    assert_eq!(warned(rows(13, &of_text), &[]), [format!("{said}{advice}")]);
    let told = summary(&room)["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&told["warning"], &told["length"]), (&json!("passage"), &json!(9)));
    let cut = ["passages", "out.jsonl", "-o", "cut.jsonl", "--length", "9"];
    let run = room.run(&cut).done();
    assert!(run.stderr.contains("in 12 places of 12 documents"), "{}", run.stderr);
    assert!(warned(rows(12, &of_text), &[]).is_empty());

    // Out of a conversation nothing can be cut, nor out of a page.
    let chat = |text: String| json!({"messages": [{"role": "user", "content": text}]});
    assert_eq!(warned(rows(13, &chat), &["--text-field", "messages"]), [said]);
    let page = |text: String| json!({"html": format!("<p>{text}</p>")});
    assert_eq!(warned(rows(13, &page), &["--recipe", "web"]), [said]);
}

#[test]
fn a_field_names_the_sources() {
    let room = Room::new();
    let of = |dump: &str| format!(",\"dump\":\"{dump}\"");
    let all = [rows(0, 30, 10, &of("a")), rows(40, 0, 30, &of("b")), rows(70, 1, 2, "")].concat();
    room.write("in.jsonl", all + "{\"id\":9,\"text\":\"\",\"dump\":\"b\"}\n");
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--group-by", "dump"];
    let reports = ["--summary", "s.json", "--report", "r.html", "--decisions", "d.bin"];
    let run = room.run(&[&args[..], &reports].concat()).done();
    for line in [
        "11 of 40 documents with dump \"a\" kept (27.5 %), ",
        "30 of 30 documents with dump \"b\" kept (100.0 %), ",
        "2 of 3 documents without dump kept (66.7 %), ",
        "warning: 29 of 40 documents with dump \"a\" removed (72.5 %), the first: 1 ",
    ] {
        assert!(run.stderr.contains(line), "{line}\n{}", run.stderr);
    }
    let told = summary(&room)["by_source"].clone();
    assert_eq!(told["by"], "dump");
    let names: Vec<_> =
        told["sources"].as_array().unwrap().iter().map(|it| &it["source"]).collect();
    assert_eq!(names, [&json!("a"), &json!("b"), &Value::Null]);
    let page = room.text("r.html");
    assert!(page.contains("By dump") && page.contains("without dump"), "{page}");
    let decide = ["decide", "d.bin", "--group-by", "dump", "--summary", "s.json", "--force"];
    let again = room.run(&decide).done();
    assert!(again.stderr.contains("11 of 40 documents with dump \"a\" kept (27.5 %)\n"));
}

#[test]
fn what_is_not_told_for_length_is_counted() {
    let room = Room::new();
    let copies = |of: usize, copies: usize| {
        (0..copies)
            .map(|n| format!("{{\"id\":\"{of}-{n}\",\"text\":\"{}\"}}\n", own(of, 30)))
            .collect::<String>()
    };
    for file in 0..13 {
        room.write(
            &format!("in/{file:02}.jsonl"),
            copies(file, 30) + &rows(1000 * (file + 1), 0, 10, ""),
        );
    }
    let args = ["dedup", "in", "-o", "out/", "--force", "--summary", "s.json"];
    let run = room.run(&args).done();
    let said = "not told above: 3 other sources of which more than a third is removed; 10 other clusters of more than 1 % \
                of all documents";
    let warned = warned(&run);
    assert_eq!((warned.len(), warned.last()), (14, Some(&said)), "{warned:#?}");
    let told = summary(&room)["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(told, json!({"warning": "more", "sources": 3, "clusters": 10, "error_pages": 0}));
}

#[test]
fn an_error_page_is_said_beside_any_number_of_larger_clusters() {
    let room = Room::new();
    let mut text = rows(0, 35, 0, "");
    for of in 1..41 {
        for n in 0..40 {
            writeln!(text, "{{\"id\":\"{of}-{n}\",\"text\":\"{}\"}}", own(of, 30)).unwrap();
        }
    }
    room.write("in.jsonl", text + &rows(1000, 0, 4000, ""));
    let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl"]).done();
    let said = "35 of 5,635 documents (0.6 %) look like one error page, the first: 0 ";
    assert!(warned(&run).iter().any(|line| line.starts_with(said)), "{}", run.stderr);
}

#[test]
fn a_job_in_shards_warns_of_what_figures_tell() {
    let room = Room::new();
    room.write("in/a.jsonl", rows(0, 45, 55, ""));
    room.write("in/b.jsonl", rows(100, 0, 40, ""));
    room.run(&["shard", "create", "work/", "in", "-o", "out/", "--summary", "s.json"]).done();
    room.run(&["shard", "run", "work/"]).done();
    let example = json!({"id": null, "text": null});
    let expected = json!([
        {"warning": "source", "source": "in/a.jsonl", "removed": 44, "documents": 100, "example": example},
        {"warning": "cluster", "size": 45, "documents": 140, "error_page": false, "example": example},
    ]);
    assert_eq!(summary(&room)["warnings"], expected);
}
