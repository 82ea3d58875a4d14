//! Copies that are counted beside survivors, documents that are compared within a label, and parts of a corpus.

use crate::nearprint::{rows, run_with};
use crate::parquet::room as parquet_room;
use crate::room::{Room, gzip};
use crate::warc::crawl;
use serde_json::{Value, json};

const FOX: &str = "the quick brown fox jumps over the lazy dog at noon";
const SNOW: &str = "snow fell on the upper pastures before anybody was awake";

/// Foxes of two dumps, snow of one, and rows without a dump.
fn room() -> Room {
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
fn survivors_say_how_many_documents_they_stand_for() {
    let room = room();
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--count-by", "dump"]).done();
    let found: Vec<_> = rows(&room.text("out.jsonl"))
        .into_iter()
        .map(|row| (row["id"].clone(), row["nearprint"].clone(), row["nearprint_note"].clone()))
        .collect();
    let fox = json!({"copies": 5, "sources": {"b": 2, "null": 2, "a": 1}});
    let snow = json!({"copies": 2, "sources": {"b": 2}});
    let empty = json!({"copies": 1, "sources": {"a": 1}});
    let mine = json!("mine");
    assert_eq!(
        found,
        [(json!(0), mine.clone(), fox), (json!(1), mine.clone(), snow), (json!(5), mine, empty)]
    );
    room.run(&[
        "dedup",
        "in.csv",
        "-o",
        "out.csv",
        "--count-by",
        "dump",
        "--rehydrate",
        "weight:log",
    ])
    .done();
    assert_eq!(
        room.text("out.csv"),
        format!(
            "id,dump,text,nearprint_copies,nearprint_weight,nearprint_sources,nearprint_other_sources\n\
             0,a,{FOX},5,3.3219,\"{{\"\"a\"\":1,\"\"b\"\":2,\"\"null\"\":2}}\",\n\
             1,b,{SNOW},2,2.0000,\"{{\"\"b\"\":2}}\",\n5,a,,1,1.0000,\"{{\"\"a\"\":1}}\",\n"
        )
    );
    room.run(&["dedup", "in.csv", "-o", "twice.csv", "--rehydrate", "2"]).done();
    let ids = |name: &str| {
        let text = room.text(name);
        text.lines().skip(1).map(|line| line[..1].to_owned()).collect::<Vec<_>>().concat()
    };
    assert_eq!(ids("twice.csv"), "00115");
}

#[test]
fn a_later_run_counts_anew_in_the_place_of_what_an_earlier_one_wrote() {
    let room = room();
    let parquet = parquet_room("dump");
    for file in ["coded-a.arrow", "coded-b.arrow"] {
        let bytes = std::fs::read(format!("{}/tests/cli/{file}", env!("CARGO_MANIFEST_DIR")));
        room.write(file, bytes.unwrap());
    }
    room.write("a.warc", crawl().concat());
    let counted = ["--count-by", "dump", "--rehydrate", "weight:all"];
    let by_host = ["--count-by", "host", "--rehydrate", "weight:all"];
    let weighed = ["--copies", "--rehydrate", "weight:all"];
    for (room, input, ending, more) in [
        (&room, "in.csv", "csv", &counted[..]),
        (&room, "in.jsonl", "jsonl", &counted),
        (&room, "coded-a.arrow", "arrow", &weighed),
        (&room, "coded-b.arrow", "arrow", &weighed),
        (&room, "a.warc", "warc", &by_host),
        (&parquet, "rows.parquet", "parquet", &counted),
    ] {
        let run = |from: &str, to: &str, flags: &[&str]| {
            room.run(&[&["dedup", from, "-o", to, "--force"], flags].concat()).done()
        };
        let [more_of, plain, again, expected] =
            ["more", "plain", "again", "expected"].map(|stem| format!("{stem}.{ending}"));
        run(input, &more_of, more);
        run(input, &plain, &["--copies"]);
        run(&plain, &expected, &["--copies"]);
        let said = run(&more_of, &again, &["--copies"]).stderr;
        assert!(said.contains("with the note of an earlier run: replaced"), "{input}: {said}");
        if ending == "parquet" {
            let read = |file: &str| rows(room.run(&["dedup", file, "-o", "-", "-q"]).done().text());
            assert_eq!(read(&again), read(&expected));
        } else {
            assert!(room.read(&again) == room.read(&expected), "{input}: {}", room.text(&again));
        }
    }
    // What was no note of an earlier run stays.
    room.write("own.csv", format!("id,nearprint_weight,text\n0,7,{FOX}\n"));
    room.run(&["dedup", "own.csv", "-o", "noted.csv", "--copies"]).done();
    let noted = format!("id,nearprint_weight,text,nearprint_copies\n0,7,{FOX},1\n");
    assert_eq!(room.text("noted.csv"), noted);
    room.run(&["dedup", "own.csv", "-o", "w.csv", "--rehydrate", "weight:all"]).done();
    let header = "id,nearprint_weight,text,nearprint_note_copies,nearprint_note_weight\n";
    assert!(room.text("w.csv").starts_with(header), "{}", room.text("w.csv"));
}

#[test]
fn a_row_has_its_note_by_the_first_name_that_is_free_in_it() {
    const SAID: &str = "1 row already with a field nearprint: the note is in nearprint_note";
    let room = Room::new();
    let row =
        |id: u32, text: &str, more: &str| format!("{{\"id\":{id},\"text\":\"{text}\"{more}}}\n");
    room.write(
        "in/a.jsonl",
        [row(1, FOX, ""), row(2, SNOW, ",\"nearprint_note\":{\"copies\":9}")].concat(),
    );
    room.write(
        "in/b.jsonl",
        [row(3, FOX, ""), row(4, "no fox and no snow is here", ",\"nearprint\":\"mine\"")].concat(),
    );
    for flags in [&["--copies"][..], &["--count-by", "id"]] {
        for folder in ["out", "work", "clean"] {
            let _there = std::fs::remove_dir_all(room.path(folder));
        }
        let run =
            room.run(&[&["dedup", "in", "-o", "out/", "--keep", "first"], flags].concat()).done();
        assert!(run.stderr.contains(SAID), "{}", run.stderr);
        let all: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|file| rows(&room.text(&format!("out/{file}.jsonl"))))
            .collect();
        let (last, others) = all.split_last().unwrap();
        // What was by another name was a note too.
        assert!(
            others.len() > 1 && others.iter().all(|row| row["nearprint"].is_object()),
            "{all:?}"
        );
        assert!(others.iter().all(|row| row.get("nearprint_note").is_none()), "{all:?}");
        assert_eq!(last["nearprint"], "mine");
        assert!(last["nearprint_note"].is_object(), "{last}");
        let create = ["shard", "create", "work", "in", "-o", "clean/", "--keep", "first"];
        room.run(&[&create, flags].concat()).done();
        room.run(&["shard", "run", "work"]).done();
        for file in ["a.jsonl", "b.jsonl"] {
            let [ours, expected] = ["clean", "out"].map(|of| room.text(&format!("{of}/{file}")));
            assert_eq!(ours, expected);
        }
    }
    room.write(
        "evals.jsonl",
        "{\"question\":\"Which river is the longest of all in the world?\"}\n",
    );
    for verb in [
        &["dedup", "--annotate"][..],
        &["passages", "--length", "5", "--annotate"],
        &["decontaminate", "--against", "evals.jsonl", "--action", "annotate"],
    ] {
        room.run(&[verb, &["in", "-o", "noted/", "--force"]].concat()).done();
        let all: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|file| rows(&room.text(&format!("noted/{file}.jsonl"))))
            .collect();
        for row in &all {
            let has_own = row["id"] == 4;
            assert_eq!(row["nearprint"] == "mine", has_own, "{verb:?} {row}");
            let name = if has_own { "nearprint_note" } else { "nearprint" };
            assert!(row[name].is_object(), "{verb:?} {row}");
        }
    }
}

#[test]
fn a_header_by_the_name_of_a_note_stays() {
    let room = Room::new();
    let headed = |of: &str| {
        let mut records = crawl();
        records[5] = records[5].replacen("\r\n", &format!("\r\n{of}\r\n"), 1);
        records.concat()
    };
    let args = ["dedup", "a.warc", "-o", "b.warc", "--force", "--recipe", "web", "--copies"];
    for own in ["Nearprint-Copies: many", "NEARPRINT-COPIES:\r\n 0", "nearprint-copies: {\"a\":1}"]
    {
        room.write("a.warc", headed(own));
        let run = room.run(&args).done();
        let said = "1 row already with a field nearprint: the note is in nearprint_note";
        assert!(run.stderr.contains(said), "{own}: {}", run.stderr);
        let noted = room.text("b.warc");
        assert!(noted.contains(&format!("\r\n{own}\r\n")), "{noted}");
        assert_eq!(noted.matches("\r\nNearprint-Note-Copies: ").count(), 2, "{noted}");
        room.run(&["dedup", "b.warc", "-o", "c.warc", "--force", "--recipe", "web", "--copies"])
            .done();
        assert_eq!(room.text("c.warc").matches("\r\nNearprint-Note-Copies: 1\r\n").count(), 2);
    }
    // Headers of other names are nobody's note.
    room.write("a.warc", headed("Nearprint-Kept: yes\r\nNearprint-Weight: 3"));
    room.run(&args).done();
    let noted = room.text("b.warc");
    assert!(noted.contains("\r\nNearprint-Kept: yes\r\nNearprint-Weight: 3\r\n"));
    assert_eq!(noted.matches("\r\nNearprint-Copies: ").count(), 2, "{noted}");
    // Those of a note are replaced, counted and said.
    room.write("a.warc", headed("Nearprint-Copies: 7\r\nNearprint-Weight: 3"));
    let run = room.run(&args).done();
    assert!(
        run.stderr.contains("1 row with the note of an earlier run: replaced"),
        "{}",
        run.stderr
    );
    let noted = room.text("b.warc");
    assert!(!noted.contains("Nearprint-Copies: 7") && !noted.contains("Nearprint-Weight"));
}

#[test]
fn every_format_has_a_place_for_copies() {
    let room = parquet_room("code");
    room.run(&["dedup", "rows.parquet", "-o", "out.parquet", "--copies"]).done();
    room.run(&["dedup", "out.parquet", "-o", "out.jsonl"]).done();
    let copies: Vec<_> = rows(&room.text("out.jsonl"))
        .into_iter()
        .map(|row| (row["id"].clone(), row["nearprint_copies"].clone()))
        .collect();
    assert_eq!(copies, [(json!("a"), json!(2)), (json!("b"), json!(1)), (json!("d"), json!(1))]);
    room.write("a.warc", crawl().concat());
    let flags = ["--recipe", "web", "--count-by", "WARC-Type"];
    room.run(&[&["dedup", "a.warc", "-o", "b.warc"], &flags[..]].concat()).done();
    let mut kept = crawl();
    kept.remove(3);
    let noted = |record: &str, copies: u32| {
        let head = format!(
            "\r\nNearprint-Copies: {copies}\r\nNearprint-Sources: {{\"response\":{copies}}}\r\n\r\n"
        );
        record.replacen("\r\n\r\n", &head, 1)
    };
    kept[1] = noted(&kept[1], 2);
    kept[4] = noted(&kept[4], 1);
    assert_eq!(room.text("b.warc"), kept.concat());
    room.run(&[&["dedup", "b.warc", "-o", "twice.warc"], &flags[..]].concat()).done();
    assert_eq!(room.text("twice.warc").matches("Nearprint-Copies").count(), 2);
    // What was written is read again, with its field as a label.
    let by = ["--recipe", "web", "--within", "Nearprint-Copies"];
    room.run(&[&["dedup", "b.warc", "-o", "c.warc"], &by[..]].concat()).done();
    assert_eq!(room.text("c.warc"), room.text("b.warc"));
    room.write("one.txt", "one two three");
    room.refuses(
        &["dedup", "one.txt", "-o", "texts/", "--copies"],
        2,
        "--copies: one.txt is a document, not a row, so no field can be added; name one output file, such \
         as noted.jsonl",
    );
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
fn a_split_tells_ids_that_repeat() {
    let room = Room::new();
    let row = |number: u32| {
        format!("{{\"id\":\"x\",\"text\":\"text {number} of {number} and {number}\"}}\n")
    };
    room.write("in.jsonl", (0..10).map(row).collect::<String>());
    let split = ["split", "in.jsonl", "-o", "parts/", "--parts", "a=50,b=50", "--force"];
    let said = "9 documents repeat an earlier id, the first is \"x\"";
    let line = format!("{said}: documents of one id are in one part\n");
    for balance in [&[][..], &["--balance"]] {
        let run = room.run(&[&split[..], balance].concat()).done();
        assert!(run.stderr.contains(&line), "{}", run.stderr);
        let mut parts =
            ["a", "b"].map(|part| rows(&room.text(&format!("parts/{part}.jsonl"))).len());
        parts.sort_unstable();
        assert_eq!(parts, [0, 10], "{balance:?}");
    }
}

#[test]
fn a_document_without_an_id_is_in_one_part_under_any_path() {
    let room = Room::new();
    let row =
        |number: u32| format!("{{\"text\":\"alone w{number} x{number} y{number} z{number}\"}}\n");
    let text: String = (0..60).map(row).collect();
    room.write("in.jsonl", &text);
    room.write("again/in.jsonl.gz", gzip(text.as_bytes()));
    // Others before it and in another file move nothing.
    room.write("more/0.jsonl", (60..80).map(row).collect::<String>());
    room.write("more/1.jsonl", &text);
    let absolute = room.arg("in.jsonl");
    let part = |input: &str, stdin: &str| {
        let out = "{part}.jsonl";
        let args = [
            "split",
            input,
            "-o",
            out,
            "--parts",
            "a=50,b=50",
            "--force",
            "--input-format",
            "jsonl",
        ];
        let args = if input == "-" { &args[..] } else { &args[..7] };
        run_with(room.command(args), stdin).done();
        let lines = room.text("a.jsonl");
        lines.lines().filter(|line| text.contains(*line)).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = part("in.jsonl", "");
    assert!((10..50).contains(&expected.len()), "{}", expected.len());
    for input in ["./in.jsonl", absolute.as_str(), "again/in.jsonl.gz", "more", "-"] {
        let mut found = part(input, if input == "-" { &text } else { "" });
        found.sort();
        let mut expected = expected.clone();
        expected.sort();
        assert_eq!(found, expected, "{input}");
    }
}

#[test]
fn an_empty_part_and_a_leak_that_was_not_found_are_said() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\"one two three four\"}\n{\"id\":2,\"text\":\"five six seven eight\"}\n");
    let split = [
        "split",
        "in.jsonl",
        "-o",
        "parts/",
        "--parts",
        "a=0.999,b=0.001",
        "--summary",
        "s.json",
        "--force",
    ];
    let run = room.run(&split).done();
    assert!(run.stderr.contains(
        "a: 2 documents (100.0 %, asked for 99.9 %)\nb: 0 documents (0.0 %, asked for 0.1 %)\n"
    ));
    assert!(
        run.stderr.contains("a part is empty: --balance gives parts their sizes\n"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("closest pair"), "{}", run.stderr);
    let row = |number: u32| {
        format!("{{\"id\":{number},\"text\":\"w{number} x{number} y{number} z{number}\"}}\n")
    };
    room.write("in.jsonl", (0..40).map(row).collect::<String>());
    let run = room.run(&[&split[..4], &["--balance"], &split[6..]].concat()).done();
    let said = "closest pair across parts, among those compared below 0.8: none; others may be across parts\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let told: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&told["compared_below"], &told["largest_leak"]), (&json!(0.8), &Value::Null));
    room.refuses(
        &["split", "in.jsonl", "-o", "new.jsonl"],
        2,
        "--output: new.jsonl is one file, and there are 3 parts: name a folder, or a path with {part} in it, such as \
         out/{part}.jsonl",
    );
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
        "a segment has no labels: leave it out if documents are compared within a label, or across labels",
    );
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
fn a_corpus_is_split() {
    let room = room();
    let run = room
        .run(&[
            "split",
            "in.jsonl",
            "-o",
            "parts",
            "--parts",
            "train=50,test=50",
            "--assignments",
            "a.jsonl",
        ])
        .done();
    assert!(run.stderr.contains("8 documents, 2 clusters of near-duplicates"), "{}", run.stderr);
    let part = |name: &str| rows(&room.text(&format!("parts/{name}.jsonl")));
    let all = [part("train"), part("test")];
    assert_eq!(all.iter().map(Vec::len).sum::<usize>(), 8);
    for rows in &all {
        assert!([0, 5].contains(&rows.iter().filter(|row| row["text"] == FOX).count()));
    }
    let assigned = rows(&room.text("a.jsonl"));
    assert!(assigned.iter().all(|row| {
        let part = part(row["part"].as_str().unwrap());
        part.iter().any(|other| other["id"] == row["id"])
    }));
    room.run(&["split", "in.csv", "-o", "{part}.csv", "--parts", "a=0.5,b=0.5", "--balance"])
        .done();
    assert!(
        room.text("a.csv").starts_with("id,dump,text\n")
            && room.text("b.csv").starts_with("id,dump,text\n")
    );
    room.refuses(
        &["split", "in.csv", "-o", "p", "--parts", "a=50,b=40"],
        2,
        "--parts: the shares add up to 90, not to 100 or 1",
    );
    room.refuses(&["split", "in.csv", "-o", "in.jsonl"], 2, "--output: in.jsonl is one file, and there are 3 parts: name a folder, or a path with {part} in it, such as \
         out/{part}.jsonl");
}

#[test]
fn a_split_leaves_no_folder_without_a_file() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\"one two three\"}\n{broken\n");
    let split = ["split", "in.jsonl", "-o", "new/parts", "-q", "--parts", "a=50,b=50"];
    for more in [&[][..], &["--stratify", "none", "--on-error", "skip"], &["--memory", "1M"]] {
        let before = room.contents();
        assert_eq!(room.run(&[&split[..], more].concat()).code, Some(1), "{more:?}");
        assert_eq!(room.contents(), before, "{more:?}");
    }
    // Of whole files a part may get none.
    room.write("pages/one.txt", "one two three four five six");
    room.write("pages/two.txt", "one two three four five six");
    room.run(&["split", "pages", "-o", "parts", "-q", "--parts", "a=50,b=50"]).done();
    let parts: Vec<_> = room.names().into_iter().filter(|name| name.starts_with("parts")).collect();
    assert_eq!(parts.len(), 4, "one part has both: {parts:?}");
    room.run(&[&split[..], &["--on-error", "skip"]].concat()).done();
    assert!(room.path("new/parts/a.jsonl").exists() && room.path("new/parts/b.jsonl").exists());
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
    // What a row says counts before what its path does.
    room.write("own/dump=a/x.jsonl", "{\"id\":1,\"dump\":\"b\",\"text\":\"one two three\"}\n{\"id\":2,\"text\":\"four five six\"}\n");
    room.run(&["dedup", "own", "-o", "own.jsonl", "--count-by", "dump"]).done();
    let sources: Vec<_> = rows(&room.text("own.jsonl"))
        .iter()
        .map(|row| row["nearprint"]["sources"].clone())
        .collect();
    assert_eq!(sources, [json!({"b": 1}), json!({"a": 1})]);
}

#[test]
fn copies_of_more_than_a_hundred_sources_add_up() {
    let room = Room::new();
    let row = |at: usize| format!("{at},s{},{FOX}\n", at % 130);
    room.write("in.csv", format!("id,site,text\n{}", (0..260).map(row).collect::<String>()));
    room.run(&["dedup", "in.csv", "-o", "out.csv", "--count-by", "site"]).done();
    let text = room.text("out.csv");
    assert!(
        text.starts_with(
            "id,site,text,nearprint_copies,nearprint_sources,nearprint_other_sources\n"
        ),
        "{text}"
    );
    assert!(text.lines().nth(1).unwrap().ends_with(",60"), "{text}");
    room.run(&[
        "dedup",
        "in.csv",
        "-o",
        "out.csv",
        "--count-by",
        "id",
        "--within",
        "id",
        "--force",
    ])
    .done();
    assert!(room.text("out.csv").lines().skip(1).all(|line| line.ends_with("}\",")));
}
