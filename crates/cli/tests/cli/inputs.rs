//! Which files a run reads, which of their fields, and what it says of what it does not read.

use crate::nearprint::{Run, rows, run_with};
use crate::room::{Room, gzip};
use crate::warc::{crawl, record};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

const ROWS: &str = "{\"id\":0,\"text\":\"the ferry leaves at noon\"}\n\
                    {\"id\":1,\"text\":\"snow fell on the upper pastures\"}\n";

#[test]
fn what_is_no_text_in_a_folder_is_passed_over_and_counted() {
    let room = Room::new();
    room.write("in/a.txt", "the ferry leaves at noon");
    room.write("in/logo.png", b"\x89PNG\r\n\x1a\n\0");
    room.write("in/paper.pdf", b"%PDF-1.4\n");
    let run = room.run(&["dedup", "in", "-o", "out/", "--summary", "summary.json"]).done();
    let summary: Value = serde_json::from_str(&room.text("summary.json")).unwrap();
    let counted = json!({
        "total": 2, "reasons": {"binary": 2}, "examples": {"binary": "in/logo.png"}
    });
    assert_eq!(summary["passed_over"], counted);
    let said = "passed over 2 (no text), the first: in/logo.png\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(room.text("out/a.txt"), "the ferry leaves at noon");
    room.refuses(&["fingerprint", "in/paper.pdf"], 1, "in/paper.pdf is a PDF document, not text");
    let run = room.run(&["fingerprint", "in", "--exclude", "*.p*", "-q"]).done();
    assert_eq!((rows(run.text()).len(), &*run.stderr), (1, ""));
    let run = room.run(&["fingerprint", "in", "--include", "*.txt", "-q"]).done();
    assert_eq!((rows(run.text()).len(), &*run.stderr), (1, ""));
    let said = "--exclude is for folders and patterns, and neither is named; quote the pattern, such as '*.jsonl', so that \
                nearprint finds the files";
    room.refuses(&["fingerprint", "in/a.txt", "--exclude", "*.p*"], 2, said);
    room.refuses(&["fingerprint", "-", "--exclude", "*.p*"], 2, said);
    room.refuses(&["fingerprint", "http://127.0.0.1:1/a.txt", "--exclude", "*.p*"], 2, said);
    // Patterns are named where they leave nothing.
    for (inputs, nothing) in [
        ("in", "the folder in holds no file to read (hidden and binary files are left out)"),
        ("in/*.txt", "no file matches the pattern in/*.txt"),
    ] {
        let said = format!("{nothing}; --include and --exclude leave files out too");
        room.refuses(&["fingerprint", inputs, "--include", "*.foo"], 1, &said);
    }
    // Fields and marks that no file has are refused too.
    let names =
        ["--text-field=body", "--id-field=url", "--delimiter=;", "--quote=none", "--escape=^"];
    let kinds = ["rows", "rows and archives", "tables", "tables", "tables"];
    for (flag, what) in names.into_iter().zip(kinds) {
        let said = idle(flag.split('=').next().unwrap_or_default(), what);
        room.refuses(&["fingerprint", "in/a.txt", flag], 2, &said);
    }
    room.refuses(
        &["dedup", "in/a.txt", "-o", "b.txt", "--quote=none"],
        2,
        &idle("--quote", "tables"),
    );
    let said = idle("--delimiter", "tables");
    for verb in [
        &["clean", "in/a.txt", "-o", "b.txt"][..],
        &["shard", "create", "work", "in/a.txt", "-o", "kept/"],
        &["compare", "in/a.txt", "in/a.txt", "--in", "in/a.txt"],
    ] {
        let run = room.run(&[verb, &["--delimiter=;"]].concat());
        assert!(run.code == Some(2) && run.stderr.contains(&said), "{verb:?}\n{}", run.stderr);
    }
    room.write("rows.jsonl", ROWS);
    // Labels may be the table.
    room.write("labels.csv", "a;b;same\n0;1;1\n");
    room.run(&["evaluate", "rows.jsonl", "--labels", "labels.csv", "--delimiter=;"]).done();
    let body = ["dedup", "in/a.txt", "-o", "body.jsonl", "--text-field", "body"];
    room.run(&body).done();
    assert!(room.text("body.jsonl").contains("\"body\":\"the ferry"));
    // Names of folders to compare with go by them too.
    room.write("new.txt", "snow fell on the upper pastures");
    let beside = ["new.txt", "--against", "in", "--exclude", "*.p*"];
    room.run(&[&["dedup", "-o", "new.jsonl"][..], &beside].concat()).done();
    room.run(&[&["passages", "--removed", "cuts.jsonl"][..], &beside].concat()).done();
    let zeros = run_with(room.command(&["dedup", "-", "-o", "x.jsonl"]), [0; 10]);
    let said = "stdin is binary data, not text; if it is text, name its character set, such as with --encoding utf-16le";
    zeros.refused(1, said);
    let named = room.command(&["dedup", "-", "-o", "x.jsonl", "--encoding", "utf-16le"]);
    run_with(named, [0; 10])
        .refused(1, "stdin is binary data also in that character set, not text");
    let wide: Vec<u8> = ROWS.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let run = run_with(room.command(&["dedup", "-", "-o", "wide.jsonl", "-q"]), wide).done();
    assert_eq!((room.text("wide.jsonl"), &*run.stderr), (ROWS.to_owned(), ""));
    let wacz = run_with(room.command(&["fingerprint", "-"]), b"PK\x03\x04\x14\0\0\0");
    let said =
        "stdin is a ZIP archive, not text; unpack it first, or give it as a file if it is WACZ";
    wacz.refused(1, said);
    for (name, remedy) in [
        ("a.docx", "save its text as HTML or plain text first"),
        ("a.XLSX", "save its table as CSV first"),
        ("a.zip", "unpack it first, or give it as a file if it is WACZ"),
    ] {
        room.write(name, b"PK\x03\x04\x14\0\0\0");
        let message = format!("{name} is a ZIP archive, not text; {remedy}");
        room.refuses(&["fingerprint", name], 1, &message);
    }
}

/// What is said of a flag that no file has a use for.
fn idle(flag: &str, what: &str) -> String {
    format!(
        "{flag} is for {what}, and no input has any; leave it out, or name the format with --input-format"
    )
}

#[test]
fn flags_without_effect_are_refused() {
    let room = Room::new();
    room.write("in/a.txt", "the ferry leaves at noon");
    room.write("rows.jsonl", ROWS);
    let kept = ["dedup", "rows.jsonl", "-o", "kept.jsonl"];
    let shards = ["shard", "create", "work", "rows.jsonl", "-o", "kept/"];
    room.write("crawl.warc", crawl().concat());
    let encoded = "texts, JSONL, tables and HTML files";
    for (verb, flag, what) in [
        (&["text", "in/a.txt"][..], "--null-text=skip", "rows"),
        (&["split", "in/a.txt", "-o", "parts/"], "--null-text=fail", "rows"),
        (&["fingerprint", "crawl.warc"], "--encoding=latin1", encoded),
        (&kept, "--keep-requests", "web archives"),
        (&shards, "--keep-requests", "web archives"),
        (&["compare", "in/a.txt", "in/a.txt"], "--delimiter=;", "tables"),
        (&["compare", "in/a.txt", "in/a.txt"], "--text-field=body", "rows"),
    ] {
        let said = idle(flag.split('=').next().unwrap_or_default(), what);
        let run = room.run(&[verb, &[flag]].concat());
        assert!(run.code == Some(2) && run.stderr.contains(&said), "{verb:?}\n{}", run.stderr);
    }
    let said = "--features-field is for recipes of weights = \"given\", and text makes features of texts; leave it out, or \
                take a recipe such as vectors";
    room.refuses(&[&kept[..], &["--features-field", "vector"]].concat(), 2, said);
    let said = "--delimiter is for tables, and fingerprints are given; leave it out, or name files";
    room.refuses(&["compare", "0b1010", "0b1011", "--delimiter=;"], 2, said);
    let said = "--width 64: with --equal bytes nothing is fingerprinted; leave it out";
    room.refuses(&[&kept[..], &["--equal", "bytes", "--width", "64"]].concat(), 2, said);
    let run = room.run(&[&kept[..], &["--fold-equal"]].concat());
    assert!(run.code == Some(2) && run.stderr.contains("--pairs"), "{}", run.stderr);
}

#[test]
fn a_part_of_the_data_that_is_of_another_kind_is_not_passed_over() {
    let room = Room::new();
    room.write("in/a.jsonl", ROWS);
    room.write("in/b.jsonl", b"\x04\x22\x4d\x18d@\xa7 \0\0\x80{}\n");
    room.write("corpus.jsonl", ROWS);
    let told = |file: &str| format!("{file} is compressed with LZ4, not text; decompress it first");
    for args in [
        &["dedup", "in", "-o", "out/"][..],
        &["text", "in/*.jsonl"],
        &["contamination", "in", "--in", "corpus.jsonl"],
    ] {
        let run = room.run(args);
        assert!(run.code == Some(1) && run.stderr.contains(&told("in/b.jsonl")), "{}", run.stderr);
    }
    let skip = ["dedup", "in", "-o", "skipped/", "--on-error", "skip"];
    let run = room.run(&skip).done();
    for said in ["1 skipped (binary), the first: ", "1 file held no document: in/b.jsonl\n"] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let all = ["dedup", "in", "-o", "all/", "--on-error", "skip", "--fail-on-empty"];
    assert_eq!(room.run(&all).code, Some(1));
    let stdin = room.command(&["text", "-", "--input-format", "jsonl"]);
    let run = run_with(stdin, b"\x04\x22\x4d\x18d@\xa7 \0\0\x80{}\n");
    assert!(run.code == Some(1) && run.stderr.contains(&told("stdin")), "{}", run.stderr);
}

/// A record of an image has bytes that no text has.
#[test]
fn archives_are_known_by_their_first_bytes_whatever_is_in_them() {
    let room = Room::new();
    let image = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\u{89}PNG\r\n\0\0\0";
    let warc = record("response", "application/http", 1, image)
        + &record("conversion", "text/plain", 2, "the ferry leaves at noon");
    let arc = "http://a.example/1 192.0.2.7 20040102030410 image/png 4\n\0\0\0\0\n\
               http://a.example/2 192.0.2.7 20040102030411 text/plain 24\nthe ferry leaves at noon\n";
    for (name, bytes) in [
        ("crawl", warc.clone().into_bytes()),
        ("crawl.bin", warc.clone().into_bytes()),
        ("crawl.warc.gz.open", gzip(warc.as_bytes())),
        ("old.1", arc.as_bytes().to_vec()),
        ("old.1.gz", gzip(arc.as_bytes())),
    ] {
        room.write(&format!("in/{name}"), &bytes);
        let named = room.run(&["fingerprint", &format!("in/{name}"), "-q"]).done();
        let piped = run_with(room.command(&["fingerprint", "-", "-q"]), bytes).done();
        for run in [named, piped] {
            assert_eq!((rows(run.text()).len(), &*run.stderr), (1, ""), "{name}");
        }
    }
    let run = room.run(&["dedup", "in", "-o", "out/", "--summary", "s.json"]).done();
    assert!(!run.stderr.contains("passed over 1"), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&summary["documents"], &summary["kept"]), (&json!(5), &json!(1)));
}

#[test]
fn rows_in_a_file_that_is_named_a_text_are_said() {
    let room = Room::new();
    let table = "\u{feff}id\ttext\r\n1\tthe ferry leaves at noon\r\n";
    let wide: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("excel.txt", wide),
        ("rows.md", ROWS.into()),
        ("crawl.txt", crawl().concat().into_bytes()),
    ] {
        room.write(name, bytes);
        let run = room.run(&["fingerprint", name]).done();
        assert_eq!(rows(run.text()).len(), 1);
        let said = format!("{name} is read as one document, and looks like ");
        assert!(run.stderr.contains(&said), "{name}: {}", run.stderr);
    }
    let run = room.run(&["fingerprint", "excel.txt", "rows.md", "crawl.txt"]).done();
    let said = "3 text files with rows or an archive in them, as one document each: --input-format reads the records";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let run = room.run(&["fingerprint", "excel.txt", "--input-format", "tsv"]).done();
    assert_eq!((rows(run.text()).len(), run.stderr.contains("is read as")), (1, false));
    room.write("prose.txt", "{ words in braces }\nid of a text\n");
    let run = room.run(&["fingerprint", "prose.txt"]).done();
    assert!(!run.stderr.contains("looks like"), "{}", run.stderr);
}

#[test]
fn a_header_alone_is_a_table_on_standard_input_too() {
    let room = Room::new();
    for header in ["id,text\n", "id\ttext\r\n"] {
        let run = run_with(room.command(&["fingerprint", "-"]), header).done();
        assert_eq!(run.text(), "");
        assert!(run.stderr.contains("1 file held no document: stdin"), "{}", run.stderr);
    }
}

#[test]
fn what_is_not_what_its_name_or_its_first_line_says_is_told() {
    let room = Room::new();
    room.write("rows.parquet", "{\"text\":\"a row\"}\n");
    let message = "rows.parquet is not in Parquet format; name it by what it is";
    room.refuses(&["fingerprint", "rows.parquet"], 1, message);
    room.write("bare.csv", "1,the first row\n2,the second row\n");
    let message = "bare.csv:2: the row has no field \"text\"; it has \"1\", \"the first row\", as its first line names \
                   them; name the field of the text with --text-field";
    room.refuses(&["fingerprint", "bare.csv"], 1, message);
}

#[test]
fn standard_input_may_come_a_byte_at_a_time() {
    let room = Room::new();
    let rows: String =
        (0..40).map(|at| format!("{{\"id\":{at},\"text\":\"row {at} of all\"}}\n")).collect();
    room.write("rows", gzip(rows.as_bytes()));
    room.write("plain", &rows);
    room.write("table", gzip(format!("id,text\n{}", "1,the ferry leaves\n".repeat(9)).as_bytes()));
    room.write("crawl", gzip(crawl().concat().as_bytes()));
    room.write("page", gzip(b"<!doctype html><p>the ferry leaves at noon"));
    for (verb, input) in [
        (&["fingerprint"][..], "rows"),
        (&["fingerprint"], "plain"),
        (&["text"], "rows"),
        (&["text"], "table"),
        (&["text"], "crawl"),
        (&["text", "--recipe", "web"], "page"),
        (&["tune"], "rows"),
        (&["idf", "build", "-o", "all.idf", "--force"], "rows"),
    ] {
        let run = |input| {
            let mut command = room.command(verb);
            command.args(["-q", input]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let of_file = Run::of(run(input).output().unwrap()).done();
        let written = room.path("all.idf").exists().then(|| room.read("all.idf"));
        let mut child = run("-").spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        for (at, byte) in room.read(input).into_iter().enumerate() {
            pipe.write_all(&[byte]).unwrap();
            // The first reads find few bytes.
            sleep(Duration::from_millis(if at < 30 { 10 } else { 0 }));
        }
        drop(pipe);
        let of_pipe = Run::of(child.wait_with_output().unwrap()).done();
        let named = of_file.text().replace(&format!("\"{input}"), "\"stdin");
        let named = named.replace(&format!(" dedup {input} "), " dedup - ");
        assert_eq!(of_pipe.text(), named, "{verb:?} {input}");
        assert_eq!(room.path("all.idf").exists().then(|| room.read("all.idf")), written);
    }
}

#[test]
fn a_json_array_is_no_text() {
    let room = Room::new();
    for array in ["[{\"id\":1,\"text\":\"a\"},\n{\"id\":2,\"text\":\"b\"}]\n", "[\n  {\"id\":1}]"] {
        room.write("export", array);
        for (input, name) in [("export", "export"), ("-", "stdin")] {
            let run = run_with(room.command(&["fingerprint", input]), array);
            let said = "expected a JSON object on every line, found an array; one object a line is expected: convert the file \
                        with jq -c '.[]'";
            run.refused(1, &format!("{name}:1: {said}"));
        }
    }
}

#[test]
fn a_part_of_the_text_that_no_row_has_is_named() {
    let room = Room::new();
    room.write(
        "a.jsonl",
        "{\"id\":1,\"title\":\"the ferry\"}\n{\"id\":2,\"title\":\"snow\",\"body\":\"fell on the pastures\"}\n",
    );
    room.write("a.csv", "id,title,body\n1,the ferry,\n2,snow,fell on the pastures\n");
    for input in ["a.jsonl", "a.csv"] {
        let asked = ["text", input, "--text-field", "title,body", "--format", "json"];
        let texts = room.run(&asked).done();
        let texts: Vec<_> = rows(texts.text()).iter().map(|row| row["text"].clone()).collect();
        assert_eq!(texts, ["the ferry", "snow\nfell on the pastures"], "{input}");
        room.run(&["fingerprint", input, "--text-field", "title,body"]).done();
        for verb in [
            &["fingerprint"][..],
            &["dedup", "-o", "out"],
            &["passages", "--removed", "gone.jsonl"],
        ] {
            let run = room.run(&[verb, &[input, "--text-field", "title,bodyy"]].concat());
            let said =
                "error: no row has a value in the field \"bodyy\"; the fields of the first are \"";
            assert!(run.code == Some(1) && run.stderr.contains(said), "{verb:?}\n{}", run.stderr);
        }
        // Single documents too; one row that has it is enough.
        let header = u32::from(input == "a.csv");
        let [first, second] = [1, 2].map(|row| format!("{input}:{}", header + row));
        for verb in [
            &["compare", &first, &second][..],
            &["explain", &first],
            &["explain", input, "--id", "2"],
            &["text", input],
            &["text", &first],
        ] {
            let said = "no row has a value in the field \"bodyy\"; the fields of the first are \"";
            let run = room.run(&[verb, &["--text-field", "title,bodyy"]].concat());
            assert!(run.code == Some(1) && run.stderr.contains(said), "{verb:?}\n{}", run.stderr);
            room.run(&[verb, &["--text-field", "title,body"]].concat()).done();
        }
    }
}

#[test]
fn rows_under_an_unknown_extension_are_rows() {
    let room = Room::new();
    for name in ["a.jl", "a.jsonl.001", "part-0.c000"] {
        room.write(name, ROWS);
        let run = room.run(&["fingerprint", name]).done();
        assert_eq!(rows(run.text()).len(), 2, "{name}");
    }
}

#[test]
fn a_field_that_no_row_has_is_an_error() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let fields = "; the fields of the first are \"id\", \"text\"";
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl"];
    let message = format!("no row has a value in the field \"scoer\"{fields}");
    room.refuses(&[&dedup[..], &["--keep-by", "scoer:max"]].concat(), 1, &message);
    let message = format!("no row has a value in the field \"nosuch\"{fields}");
    room.refuses(&[&dedup[..], &["--id-field", "nosuch"]].concat(), 1, &message);
    let run = room.run(&["pairs", "in.jsonl", "--id-field", "nosuch"]);
    assert_eq!(run.stderr, format!("error: {message}\n"));
    // One row that has it is enough.
    room.write("in.jsonl", [ROWS, "{\"url\":\"u\",\"text\":\"a b c\"}\n"].concat());
    room.run(&["pairs", "in.jsonl", "--id-field", "url"]).done();
}

#[test]
fn lines_of_rows_are_refused() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let message = "--lines is for texts, and in.jsonl is jsonl: leave --lines out, or pass \
                   --input-format text";
    room.refuses(&["fingerprint", "in.jsonl", "--lines"], 2, message);
}

#[test]
fn standard_input_has_one_reader() {
    let room = Room::new();
    let run = run_with(room.command(&["dedup", "-", "-o", "x.jsonl", "--against", "-"]), ROWS);
    run.refused(1, "standard input (-) can be read only once: name it once");
}

#[test]
fn reports_name_file_and_row_where_ids_repeat() {
    let room = Room::new();
    room.write("a.jsonl", ROWS);
    room.write("b.jsonl", "{\"id\":0,\"text\":\"snow fell on the upper pastures\"}\n");
    let dedup = |input: &[&str]| {
        let reports = ["--removed", "r", "--clusters", "c", "--pairs", "p", "--force", "-q"];
        room.run(&[&["dedup"], input, &["-o", "out.jsonl"], &reports[..]].concat()).done();
        ["r", "c", "p"].map(|name| room.text(name))
    };
    let [removed, clusters, pairs] = dedup(&["a.jsonl", "b.jsonl"]);
    assert_eq!(
        removed,
        "{\"id\":0,\"file\":\"b.jsonl\",\"row\":1,\"kept\":1,\"kept_file\":\"a.jsonl\",\
         \"kept_row\":2,\"distance\":0,\"similarity\":1.0000,\"measure\":\"jaccard\",\"cluster\":0}\n"
    );
    assert_eq!(
        clusters.lines().next().unwrap(),
        "{\"id\":1,\"file\":\"a.jsonl\",\"row\":2,\"cluster\":0,\"representative\":1,\
         \"representative_file\":\"a.jsonl\",\"representative_row\":2}"
    );
    assert!(pairs.starts_with(
        "{\"a\":1,\"a_file\":\"a.jsonl\",\"a_row\":2,\"b\":0,\"b_file\":\"b.jsonl\",\"b_row\":1,"
    ));
    room.write("b.jsonl", "{\"id\":7,\"text\":\"snow fell on the upper pastures\"}\n");
    let [removed, ..] = dedup(&["a.jsonl", "b.jsonl"]);
    assert!(removed.starts_with("{\"id\":7,\"kept\":1,\"distance\":0,"), "{removed}");
}

#[test]
fn pairs_and_clusters_by_radius_name_file_and_row_where_ids_repeat() {
    let room = Room::new();
    for (name, id) in [("a.jsonl", 0), ("b.jsonl", 0), ("c.jsonl", 1)] {
        room.write(name, format!("{{\"id\":{id},\"fingerprint\":\"00000000000000f{id}\"}}\n"));
        let text = format!("{{\"id\":{id},\"text\":\"snow fell on the upper pastures\"}}\n");
        room.write(&format!("text-{name}"), text);
    }
    for (prefix, memory) in [("", &[][..]), ("", &["--memory", "64M"]), ("text-", &[])] {
        let files = ["a.jsonl", "b.jsonl"].map(|name| format!("{prefix}{name}"));
        let [a, b] = files.each_ref().map(String::as_str);
        let run = |verb, second| {
            let run = room.run(&[&[verb, a, second, "-k", "3", "-q"], memory].concat()).done();
            String::from_utf8(run.stdout).unwrap()
        };
        assert_eq!(
            run("pairs", b),
            format!(
                "{{\"a\":0,\"a_file\":\"{a}\",\"a_row\":1,\"b\":0,\"b_file\":\"{b}\",\"b_row\":1,\"distance\":0}}\n"
            )
        );
        let clusters = run("clusters", b);
        let last = format!(
            "{{\"id\":0,\"file\":\"{b}\",\"row\":1,\"cluster\":0,\"representative\":0,\
             \"representative_file\":\"{a}\",\"representative_row\":1}}"
        );
        assert_eq!(clusters.lines().last(), Some(&*last));
        // Ids that tell documents apart are enough.
        let other = format!("{prefix}c.jsonl");
        assert!(run("pairs", &other).starts_with("{\"a\":0,\"b\":1,\"distance\":"));
    }
}

#[test]
fn a_row_whose_text_is_null_is_kept_skipped_or_refused() {
    let room = Room::new();
    let null = "{\"id\":2,\"text\":null}\n";
    room.write("in.jsonl", [ROWS, null].concat());
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--null-text"];
    room.run(&dedup[..5]).done();
    assert_eq!(room.text("out.jsonl"), [ROWS, null].concat());
    let run = room.run(&[&dedup[..], &["skip"]].concat()).done();
    assert!(run.stderr.contains("1 skipped (text-null)"), "{}", run.stderr);
    assert_eq!(room.text("out.jsonl"), ROWS);
    let message = "in.jsonl:3: the field \"text\" is null";
    room.refuses(&[&dedup[..], &["fail"]].concat(), 1, message);
}

#[test]
fn a_text_inside_of_null_is_null_in_every_verb() {
    let room = Room::new();
    let text = "the ferry leaves the harbour at noon and comes back in the evening";
    room.write(
        "in.jsonl",
        format!(
            "{{\"id\":1,\"a\":{{\"b\":{{\"c\":\"{text}\"}}}}}}\n\
             {{\"id\":2,\"a\":null}}\n{{\"id\":3,\"a\":{{\"b\":null}}}}\n{{\"id\":4,\"a\":{{\"b\":{{\"c\":null}}}}}}\n"
        ),
    );
    room.write(
        "evals.jsonl",
        "{\"question\":\"Which snow fell on the upper pastures long ago?\"}\n",
    );
    room.write("labels.jsonl", "{\"a\":\"1\",\"b\":\"2\"}\n");
    room.run(&["store", "init", "store"]).done();
    room.write("copy.jsonl", room.text("in.jsonl"));
    let field = ["--text-field", "a.b.c", "in.jsonl"];
    for (verb, said) in [
        (&["dedup", "-o", "out.jsonl"][..], "3 documents with nothing to compare"),
        (&["dedup", "-o", "out.jsonl", "--memory", "64M"], "3 documents with nothing to compare"),
        (
            &["dedup", "-o", "out.jsonl", "--against", "copy.jsonl"],
            "3 documents with nothing to compare",
        ),
        (&["passages", "-o", "out.jsonl"], "3 documents with nothing to compare"),
        (
            &["decontaminate", "-o", "out.jsonl", "--against", "evals.jsonl"],
            "3 documents with nothing to compare",
        ),
        (&["pairs"], "3 documents with nothing to compare"),
        (&["clusters"], "3 documents with nothing to compare"),
        (&["fingerprint"], "3 documents with nothing to compare"),
        (&["text"], ""),
        (&["split", "-o", "{part}.jsonl", "--parts", "a=50,b=50"], ""),
        (&["evaluate", "--labels", "labels.jsonl"], ""),
        (&["store", "add", "store"], ""),
    ] {
        let force: &[&str] = if verb.contains(&"-o") { &["--force"] } else { &[] };
        let run = room.run(&[verb, &field, force].concat()).done();
        assert!(run.stderr.contains(said), "{verb:?}\n{}", run.stderr);
    }
    let run = room.run(&["compare", "in.jsonl:2", "in.jsonl:4", "--text-field", "a.b.c"]).done();
    assert!(run.text().contains("0 in A, 0 in B"), "{}", run.text());
    let dedup = ["dedup", "-o", "out.jsonl", "--force", "--null-text"];
    let run = room.run(&[&dedup[..], &["skip"], &field].concat()).done();
    assert!(run.stderr.contains("3 skipped (text-null)"), "{}", run.stderr);
    let message = "in.jsonl:2: the field \"a.b.c\" is null";
    room.refuses(&[&dedup[..], &["fail"], &field].concat(), 1, message);
    // Of several fields a part that is inside of null is one that is null.
    let several = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--text-field", "a.b.c,id"];
    assert!(room.run(&several).stderr.contains("the field \"id\""));
    // What is not there at all stays an error.
    room.write("in.jsonl", "{\"id\":2,\"a\":{}}\n");
    let run = room.run(&[&["dedup", "-o", "out.jsonl", "--force"][..], &field].concat());
    assert!(
        run.code == Some(1) && run.stderr.contains("the row has no field \"a.b.c\""),
        "{}",
        run.stderr
    );
}

#[test]
fn an_empty_file_is_no_compressed_one() {
    let room = Room::new();
    for (name, compression) in
        [("a.jsonl.gz", "gzip"), ("a.jsonl.zst", "zstd"), ("a.parquet", "Parquet")]
    {
        room.write(name, "");
        let message = format!(
            "{name} is empty, not {compression} data; did its copy or download fail? otherwise \
             remove it"
        );
        room.refuses(&["fingerprint", name], 1, &message);
    }
}

#[test]
fn the_text_that_a_recipe_sees_is_printed() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let run = room.run(&["text", "in.jsonl"]).done();
    assert_eq!(run.text(), "the ferry leaves at noon\n\nsnow fell on the upper pastures\n");
    let run = room.run(&["text", "in.jsonl", "--format", "json"]).done();
    assert_eq!(run.text(), ROWS);
    room.write("page.html", "<title>no</title><nav>Home</nav><p>Gone &amp; fishing");
    let run = room.run(&["text", "page.html", "--recipe", "web"]).done();
    assert_eq!(run.text(), "Home\nGone & fishing\n");
    assert_eq!(run.stderr, "1 page with little or no main text: all text was used\n");
    let run = room.run(&["text", "page.html", "--html", "full", "--format", "json"]).done();
    assert_eq!(run.text(), "{\"id\":\"page.html\",\"text\":\"Home\\nGone & fishing\"}\n");
    let message = "text prints texts: raw fingerprints have none";
    room.refuses(&["text", "in.jsonl", "--input-format", "u64"], 2, message);
}

#[cfg(unix)]
#[test]
fn an_argument_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let room = Room::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(room.path("").join(name), "the ferry leaves at noon").unwrap();
    let mut command = room.command(&["fingerprint"]);
    command.arg(name);
    assert_eq!(rows(run_with(command, "").done().text()).len(), 1);
    let mut command = room.command(&["compare"]);
    command.arg(name).arg(name);
    assert!(run_with(command, "").done().text().contains("distance     0 of"));
    let [file, first, second] = [&b"caf\xe9.jsonl"[..], b"caf\xe9.jsonl:1", b"caf\xe9.jsonl:2"]
        .map(std::ffi::OsStr::from_bytes);
    std::fs::write(room.path("").join(file), "{\"text\":\"a b c\"}\n{\"text\":\"d e f\"}\n")
        .unwrap();
    let mut command = room.command(&["compare"]);
    command.arg(first).arg(second);
    assert!(run_with(command, "").done().text().contains("Jaccard      0.0000"));
    for (flags, said) in
        [(&["--in", "."][..], "the id is not UTF-8"), (&["--text"], "the text is not UTF-8")]
    {
        let mut command = room.command(&["compare"]);
        command.arg(name).arg("b").args(flags);
        let run = run_with(command, "");
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
}
