//! Input that is damaged, or of another form than it seems: it is told, and nothing else is lost with it.

use crate::nearprint::{rows, run_with};
use crate::room::Room;
use serde_json::{Value, json};
use std::io::Write;

/// So many rows of text, of which none is like another.
fn corpus(documents: u32) -> String {
    let row = |id: u32| {
        let word = |at: u32| (id * 31 + at + 1).wrapping_mul(0x9e37_79b1) >> 12;
        let words: Vec<_> = (0..24).map(|at| format!("{:x}", word(at))).collect();
        format!("{}\n", json!({"id": id, "text": words.join(" ")}))
    };
    (0..documents).map(row).collect()
}

/// A file of gzip that is damaged from its first byte of data on, before one that is whole.
fn damaged_at_the_start(content: &str) -> Room {
    let room = Room::new();
    room.write("in/a.jsonl.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff damaged");
    room.write("in/b.jsonl", content);
    room
}

const TOLD: &str = "1 skipped (corrupt), the first: in/a.jsonl.gz: ";

#[test]
fn a_message_of_an_unknown_form_is_told_wherever_it_stands() {
    let room = Room::new();
    let (known, other) = (json!({"role": "user", "content": "Hi there, all of you"}), "message");
    let unknown = json!({"role": "assistant", other: "Words that nobody may pass over"});
    for turns in [json!([known, unknown]), json!([unknown, known]), json!([unknown])] {
        room.write("in.jsonl", format!("{}\n{}\n", json!({"text": turns}), json!({"text": "a b"})));
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--summary", "s.json"];
        let run = room.run(&args);
        assert!(run.code == Some(1) && run.stderr.contains("in.jsonl:1: "), "{}", run.stderr);
        let run = room.run(&[&args[..], &["--on-error", "skip"]].concat()).done();
        assert!(run.stderr.contains("1 skipped (text-not-a-string)"), "{}", run.stderr);
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["documents"], 1);
    }
}

#[test]
fn damage_at_the_beginning_of_a_file_ends_no_verb_that_skips() {
    let room = damaged_at_the_start(&corpus(20));
    for args in [
        &["pairs", "in", "-o", "pairs.jsonl"][..],
        &["clusters", "in", "-o", "clusters.jsonl"],
        &["stats", "in"],
        &["index", "build", "in", "-o", "all.seg", "-k", "3"],
        &["tune", "in"],
        &["dedup", "in", "-o", "out/", "--estimate"],
        &["passages", "in", "-o", "cut/", "--estimate"],
    ] {
        let run = room.run(args);
        assert!(run.code == Some(1) && run.stderr.contains("in/a.jsonl.gz: "), "{args:?}");
        let run = room.run(&[args, &["--on-error", "skip"]].concat()).done();
        assert!(run.stderr.contains(TOLD), "{args:?}: {}", run.stderr);
    }
    room.write("labels.jsonl", "{\"a\":1,\"b\":2,\"label\":1}\n");
    let args = ["evaluate", "in", "--labels", "labels.jsonl", "--on-error", "skip"];
    room.run(&args).done();
}

#[test]
fn rows_of_fingerprints_behind_damage_are_still_fingerprints() {
    let rows = "{\"id\":1,\"fingerprint\":\"00000000000000ff\"}\n{\"id\":2,\"fingerprint\":\"00000000000000fe\"}\n";
    let room = damaged_at_the_start(rows);
    room.write("line.jsonl", ["{\"id\":0,\"finger\n", rows].concat());
    room.write("digits.jsonl", ["{\"id\":0,\"fingerprint\":\"0f\"}\n", rows].concat());
    for input in ["in", "line.jsonl", "digits.jsonl"] {
        let run = room.run(&["pairs", input, "--on-error", "skip", "-k", "3"]).done();
        assert_eq!(run.text().lines().count(), 1, "{input}: {} {}", run.text(), run.stderr);
        assert!(run.stderr.contains("1 skipped ("), "{input}: {}", run.stderr);
        assert_eq!(room.run(&["pairs", input, "-k", "3"]).code, Some(1));
    }
}

#[test]
fn what_estimates_and_surveys_pass_over_is_counted() {
    let room = Room::new();
    room.write("in.jsonl", ["{\"id\":1,\"text\":\n", &corpus(20), "no row\n"].concat());
    for args in [
        &["tune", "in.jsonl"][..],
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--estimate"],
        &["passages", "in.jsonl", "-o", "cut.jsonl", "--estimate"],
    ] {
        let run = room.run(&[args, &["--on-error", "skip"]].concat()).done();
        let told = "2 skipped (invalid-json), the first: in.jsonl:1, ";
        assert!(run.stderr.contains(told), "{args:?}: {}", run.stderr);
        let json = [args, &["--on-error", "skip", "--format", "json"]].concat();
        let answer: Value = serde_json::from_str(room.run(&json).done().text()).unwrap();
        assert_eq!(answer["skipped"]["total"], 2, "{args:?}: {answer}");
    }
}

#[test]
fn a_split_tells_what_it_skipped_and_replaced() {
    let room = Room::new();
    let replaced = b"{\"id\":\"r\",\"text\":\"caf\xe9 by the old harbour wall\"}\n";
    room.write("in.jsonl", [b"no row\n", &replaced[..], corpus(20).as_bytes()].concat());
    let args = ["split", "in.jsonl", "-o", "parts/", "--on-error", "skip", "--summary", "s.json"];
    let run = room.run(&args).done();
    assert!(
        run.stderr.contains("1 skipped (invalid-json), the first: in.jsonl:1"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("1 document with invalid UTF-8, replaced"), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!((&summary["skipped"]["total"], &summary["replaced_utf8"]), (&json!(1), &json!(1)));
}

#[test]
fn a_text_that_names_the_version_of_an_archive_is_a_text() {
    let room = Room::new();
    for text in [
        "WARC/1.0\n",
        "WARC/1.0",
        "WARC/1.0\nis the version of the format that this note is about.\n",
        "WARC/1.0\nis the version: see what follows.\nMore words: many of them.\n",
        "WARC/1.0\n\nContent-Length: it has to be there\n",
        "WARC/1.0\nWARC-files are what crawlers write",
    ] {
        room.write("note", text);
        let args = ["dedup", "-o", "out.jsonl", "--force"];
        room.run(&[&args[..], &["note"]].concat()).done();
        assert_eq!(rows(&room.text("out.jsonl"))[0]["text"], text);
        run_with(room.command(&[&args[..], &["-"]].concat()), text).done();
        assert_eq!(rows(&room.text("out.jsonl"))[0]["text"], text);
    }
    let record = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 9\r\n\r\na text of\r\n\r\n";
    run_with(room.command(&["dedup", "-", "-o", "out.warc"]), record).done();
    assert_eq!(room.text("out.warc"), record);
}

/// A text in UTF-16 or UTF-32, without a mark.
fn wide(text: &str, encoding: &str) -> Vec<u8> {
    let units = || text.encode_utf16();
    match encoding {
        "utf-16le" => units().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => units().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|it| u32::from(it).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|it| u32::from(it).to_be_bytes()).collect(),
    }
}

const CHINESE: &str =
    "今天天气很好，我们一起去公园散步。孩子们在湖边放风筝，老人们在树下下棋，一直到下午。";
const TEXTS: [&str; 5] = [
    CHINESE,
    "今日は天気がいいので、公園を散歩しました。子供たちは湖のそばで凧を揚げています。",
    "오늘은 날씨가 좋아서 우리는 공원에서 산책을 했습니다. 아이들은 연을 날렸습니다.",
    "Сегодня хорошая погода, и мы гуляем по парку у озера.",
    "आज मौसम अच्छा है, इसलिए हम झील के पास टहल रहे हैं।",
];

#[test]
fn text_of_other_scripts_in_utf_16_without_a_mark_is_known() {
    let room = Room::new();
    for (text, encoding) in TEXTS.iter().flat_map(|text| [(text, "utf-16le"), (text, "utf-16be")]) {
        let table = format!("编号,正文\n1,\"{text}\"\n");
        let row = format!("{}\n", json!({"正文": text, "编号": 1}));
        for (name, content, field) in [
            ("in.txt", format!("{text}\n"), "text"),
            ("in.dat", format!("{text}\n{text}\n"), "text"),
            ("in.csv", table.clone(), "正文"),
            ("in.jsonl", row.clone(), "正文"),
        ] {
            room.write(name, wide(&content, encoding));
            let run = room.run(&["text", name, "--text-field", field]).done();
            let lines = run.text().lines().filter(|line| !line.is_empty());
            let lines = lines.collect::<Vec<_>>();
            assert!(
                !lines.is_empty() && lines.iter().all(|line| line == text),
                "{name} {encoding} {}",
                run.stderr
            );
        }
        let run =
            run_with(room.command(&["text", "-"]), wide(&format!("{text}\n"), encoding)).done();
        assert_eq!(run.text().trim_end(), *text, "{encoding}");
    }
}

#[test]
fn utf_16_whose_bytes_are_all_of_ascii_is_known_under_each_name() {
    let room = Room::new();
    let texts = [
        "ことば2024",
        "ことば to あそび\n",
        "1. समय\n2. मन\n",
        "नमस्ते, ok\n",
        "ⴰⵣⵓⵍ ⴰⵎⴰⴹⴰⵍ\n",
        "あの大きな木の下で\n",
    ];
    for (text, encoding) in texts.iter().flat_map(|text| [(text, "utf-16le"), (text, "utf-16be")]) {
        let bytes = wide(text, encoding);
        for name in ["in.txt", "in.md", "in.unk"] {
            room.write(name, &bytes);
            let read = room.run(&["text", name]).done().text().trim_end().to_owned();
            assert_eq!(read, text.trim_end(), "{name} {encoding}");
        }
        let run = run_with(room.command(&["text", "-"]), bytes).done();
        assert_eq!(run.text().trim_end(), text.trim_end(), "{encoding}");
    }
    // Fields of one character, of which a zero ends each record, are none.
    let fields = "a,b,c\0d,e,f\0";
    room.write("in.txt", fields);
    assert_eq!(room.run(&["text", "in.txt"]).done().text().trim_end(), fields);
}

#[test]
fn wide_text_that_is_too_short_to_be_known_is_refused_with_the_flag_that_helps() {
    let room = Room::new();
    for encoding in ["utf-16le", "utf-16be"] {
        room.write("in.txt", wide("公园散步", encoding));
        let run = room.run(&["dedup", "in.txt", "-o", "out.jsonl"]);
        let flag = "--encoding latin1 or utf-16le";
        assert!(run.code == Some(1) && run.stderr.contains(flag), "{}", run.stderr);
        room.run(&["dedup", "in.txt", "-o", "o.jsonl", "--force", "--encoding", encoding]).done();
        assert_eq!(rows(&room.text("o.jsonl"))[0]["text"], "公园散步");
    }
    for encoding in ["utf-32le", "utf-32be"] {
        room.write("in.dat", wide(CHINESE, encoding));
        let run = room.run(&["dedup", "in.dat", "-o", "out.jsonl"]);
        assert!(run.code == Some(1) && run.stderr.contains("text in UTF-32"), "{}", run.stderr);
    }
}

#[test]
fn text_of_legacy_character_sets_is_not_taken_for_utf_16() {
    let room = Room::new();
    let one = [0xd6, 0xd0, 0xb9, 0xfa, 0xc8, 0xcb, 0xc3, 0xf1].repeat(40);
    let japanese = [0x82, 0xa9, 0x8a, 0xbf, 0x8e, 0x9a, 0x81, 0x42].repeat(40);
    let french = b"\xe9t\xe9 comme hiver, la for\xeat reste verte.\n".repeat(20);
    let marked = b"caf\xe9\x01Z\xfcrich\x01na\xefve\n".repeat(20);
    for legacy in [one, japanese, french, marked] {
        room.write("in.txt", &legacy);
        let run = room.run(&["dedup", "in.txt", "-o", "out.jsonl"]);
        let said = "invalid UTF-8";
        assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
        assert!(run.stderr.contains("--encoding latin1"), "{}", run.stderr);
    }
    let text = "a\u{1}b\u{1}c\nd\u{1}e\u{1}f\n".repeat(20);
    room.write("in.txt", &text);
    assert_eq!(room.run(&["text", "in.txt"]).done().text().trim_end(), text.trim_end());
}

#[test]
fn a_ragged_row_is_told_with_what_helps_there() {
    let room = Room::new();
    room.write("in.csv", "id,text\n1,one, two\n");
    let args = ["dedup", "in.csv", "-o", "out.csv"];
    let run = room.run(&args);
    assert!(run.stderr.contains("put quotes around fields"), "{}", run.stderr);
    let run = room.run(&[&args[..], &["--quote", "none"]].concat());
    assert!(run.code == Some(1) && !run.stderr.contains("put quotes"), "{}", run.stderr);
    assert!(
        run.stderr.contains("--delimiter") && run.stderr.contains("--escape"),
        "{}",
        run.stderr
    );
    // What is advised helps.
    room.write("in.csv", "id,text\n1,one\\, two\n");
    room.run(&[&args[..], &["--quote", "none", "--escape", "\\"]].concat()).done();
}

#[test]
fn a_long_record_is_not_read_beyond_memory_whatever_is_skipped() {
    let room = Room::new();
    let long = json!({"text": "words and words ".repeat(600_000)});
    room.write("in.jsonl", format!("{}{long}\n{}", corpus(3), corpus(2)));
    room.write("few.jsonl", corpus(3));
    let item = |text: &str| format!("{}\n", json!({"question": text}));
    let question = "Which of these many words is the first of all that are there?";
    let long = item(&"words and words ".repeat(600_000));
    room.write("evals.jsonl", [item(question).repeat(3), long, item(question)].concat());
    let within = ["--threads", "2", "--memory"];
    for args in [
        &["dedup", "in.jsonl", "-o", "out.jsonl"][..],
        &["pairs", "in.jsonl", "-o", "pairs.jsonl", "--similarity", "0.8"],
        &["split", "in.jsonl", "-o", "parts/"],
        &["passages", "in.jsonl", "-o", "cut.jsonl"],
        &["decontaminate", "few.jsonl", "--against", "evals.jsonl", "-o", "clean.jsonl"],
    ] {
        for on_error in ["fail", "skip"] {
            let args = [args, &["--force", "--on-error", on_error], &within[..]].concat();
            let run = room.run(&[&args[..], &["80M"]].concat());
            let said = ".jsonl:4: the record is longer than the ";
            assert!(run.code == Some(1) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
            // What is advised is enough.
            let (_, advice) = run.stderr.split_once("allow ").unwrap();
            let (enough, _) = advice.split_once(" MB or more").unwrap();
            room.run(&[&args[..], &[&format!("{enough}M")]].concat()).done();
        }
    }
    for args in [
        &["compare", "0", "1", "--in", "in.jsonl", "--memory", "80M"][..],
        &["clean", "in.jsonl", "--against", "evals.jsonl", "-o", "cleaned/", "--memory", "80M"],
        &["dedup", "in.jsonl", "--estimate", "--memory", "80M"],
    ] {
        let run = room.run(args);
        let said = ".jsonl:4: the record is longer than the ";
        assert!(run.code == Some(1) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(" MB or more"), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn the_memory_that_is_advised_for_a_page_that_is_packed_in_its_record_is_enough() {
    let room = Room::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(format!("<p>{}", "words and words ".repeat(600_000)).as_bytes()).unwrap();
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let block = [http.as_bytes(), &gzip.finish().unwrap()].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:1>\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    room.write("in.warc", [head.as_bytes(), &block, b"\r\n\r\n"].concat());
    let args = ["dedup", "in.warc", "-o", "out.warc", "--threads", "2", "--max-record", "12M"];
    let run = room.run(&[&args[..], &["--memory", "130M"]].concat());
    assert!(run.code == Some(1) && run.stderr.contains("record is longer"), "{}", run.stderr);
    let (_, advice) = run.stderr.split_once("allow ").unwrap();
    let (enough, _) = advice.split_once(" MB or more").unwrap();
    room.run(&[&args[..], &["--memory", &format!("{enough}M")]].concat()).done();
}

#[test]
fn the_memory_that_is_advised_for_items_is_enough_for_all() {
    let room = Room::new();
    room.write("in.jsonl", corpus(20));
    let item = |id: u32| {
        let words: Vec<_> =
            (0..40).map(|at| format!("w{:x}", (id * 97 + at).wrapping_mul(0x9e37_79b1))).collect();
        format!("{}\n", json!({"id": id, "question": words.join(" ")}))
    };
    room.write("evals.jsonl", (0..30_000).map(item).collect::<String>());
    let args = [
        "decontaminate",
        "in.jsonl",
        "--against",
        "evals.jsonl",
        "-o",
        "out.jsonl",
        "--threads",
        "2",
    ];
    let run = room.run(&[&args[..], &["--memory", "66M"]].concat());
    let (_, advice) = run.stderr.split_once("allow ").unwrap();
    let (enough, _) = advice.split_once(" MB or more").unwrap();
    room.run(&[&args[..], &["--memory", &format!("{enough}M")]].concat()).done();
}

#[test]
fn a_check_of_parts_asks_no_part_for_a_field_that_others_have() {
    let room = Room::new();
    let row = |id: u32| {
        let text =
            format!("{id} walks along the {} harbour wall and counts {} boats", id * 7, id * 13);
        let field = if id == 1 { "body" } else { "title" };
        format!("{}\n", json!({"id": id, field: text}))
    };
    room.write("in.jsonl", (0..40).map(row).collect::<String>());
    for [first, second] in [["90", "10"], ["10", "90"]] {
        let parts = format!("a={first},b={second}");
        let args =
            ["split", "in.jsonl", "-o", "parts/", "--parts", &parts, "--text-field", "title,body"];
        room.run(&[&args[..], &["--force", "--check", "leaks.jsonl"]].concat()).done();
    }
}

#[test]
fn an_item_whose_id_is_empty_is_told_as_such() {
    let room = Room::new();
    room.write("in.jsonl", corpus(20));
    let items = "{\"id\":\"\",\"question\":\"Which enzyme unwinds the double helix?\"}\n";
    room.write("evals.jsonl", [items, &items.replace("Which", "What")].concat());
    let args = ["decontaminate", "in.jsonl", "--against", "evals.jsonl", "-o", "out.jsonl"];
    let run = room.run(&args).done();
    assert!(run.stderr.contains("the first is evals \"\": "), "{}", run.stderr);
}

#[test]
fn what_was_skipped_is_named_where_too_little_is_left() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\n{\"id\":2,\n");
    for (args, code) in
        [(&["tune", "in.jsonl"][..], 1), (&["compare", "1", "2", "--in", "in.jsonl"], 2)]
    {
        let run = room.run(&[args, &["--on-error", "skip"]].concat());
        let said = "; 2 records were skipped, such as in.jsonl:1";
        assert!(run.code == Some(code) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
    }
}
