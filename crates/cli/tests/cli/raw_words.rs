//! From text to raw words, with the ids beside them, and what reads both.

use crate::nearprint::rows;
use crate::room::{Room, zstd};
use std::fmt::Write as _;

/// Texts of which some are near others, one is empty and one has an odd id.
fn room() -> Room {
    let room = Room::new();
    let mut texts = String::new();
    for n in 0..60 {
        let words: Vec<_> = (0..40).map(|at| format!("word{}", n / 3 * 50 + at)).collect();
        let _written = writeln!(
            texts,
            "{{\"id\":\"page \\u00e9 {n}\",\"text\":\"{} own{n}\"}}",
            words.join(" ")
        );
    }
    texts.push_str("{\"id\":17,\"text\":\"\"}\n{\"id\":1.50,\"text\":\"nine words that no other page has in this set\"}\n");
    room.write("pages.jsonl", &texts);
    room
}

#[test]
fn raw_words_are_the_fingerprints_of_the_rows() {
    let room = room();
    for (format, width) in [("u64", "64"), ("u128", "128"), ("u256", "256")] {
        let json = room.run(&["fingerprint", "pages.jsonl", "--width", width]).done();
        let json = rows(json.text());
        let ids = format!("{format}.ids");
        let words = ["fingerprint", "pages.jsonl", "--format", format, "-o", format, "--ids", &ids];
        room.run(&words).done();
        let bytes = width.parse::<usize>().unwrap() / 8;
        let hex =
            |word: &[u8]| word.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
        let written: Vec<_> = room.read(format).chunks(bytes).map(hex).collect();
        let expected: Vec<_> =
            json.iter().map(|row| row["fingerprint"].as_str().unwrap().to_owned()).collect();
        assert_eq!(written, expected, "{format}");
        assert!(written[60].bytes().all(|digit| digit == b'0'));
        // Ids stand as the user wrote them.
        let ids = room.text(&ids);
        let lines: Vec<_> = ids.lines().collect();
        assert_eq!(lines.len(), written.len());
        assert_eq!((lines[3], lines[60], lines[61]), ("\"page \\u00e9 3\"", "17", "1.50"));
    }
    // Words go to standard output and into compressed files as rows do.
    let piped = room.run(&["fingerprint", "pages.jsonl", "--format", "u64"]).done();
    assert_eq!(piped.stdout, room.read("u64"));
    room.run(&["fingerprint", "pages.jsonl", "--format", "u64", "-o", "codes.zst"]).done();
    assert_eq!(zstd::decode_all(&*room.read("codes.zst")).unwrap(), room.read("u64"));
}

#[test]
fn ids_beside_raw_words_name_the_answers() {
    let room = room();
    // A recipe without flags, so that rows and words say the same.
    let recipe =
        room.run(&["recipe", "show", "text"]).done().text().replace("\"exact\"", "\"join\"");
    room.write("joined.toml", recipe.replace("name = \"text\"", "name = \"joined\""));
    let make = ["fingerprint", "pages.jsonl", "--recipe", "joined.toml"];
    room.run(&[&make[..], &["--width", "64", "-o", "codes.jsonl"]].concat()).done();
    room.run(&[&make[..], &["--format", "u64", "-o", "codes.bin", "--ids", "ids.jsonl"]].concat())
        .done();
    room.write("codes.bin.zst", zstd(&room.read("codes.bin")));
    let raw = ["--input-format", "u64", "--ids", "ids.jsonl"];
    for verb in ["pairs", "clusters"] {
        let expected = room.run(&[verb, "codes.jsonl", "-k", "12"]).done();
        assert!(expected.text().lines().count() > 20, "{verb}: {}", expected.text());
        for words in ["codes.bin", "codes.bin.zst"] {
            for memory in [&[][..], &["--memory", "64M"]] {
                let run = room.run(&[&[verb, words, "-k", "12"], &raw[..], memory].concat()).done();
                assert_eq!(run.text(), expected.text(), "{verb} {words} {memory:?}");
            }
        }
    }
    room.run(&[
        "index",
        "build",
        "codes.bin",
        "--input-format",
        "u64",
        "-k",
        "6",
        "-o",
        "codes.seg",
    ])
    .done();
    let query = ["index", "query", "codes.seg"];
    let expected = room.run(&[&query[..], &["codes.jsonl"]].concat()).done();
    let found = room.run(&[&query[..], &["codes.bin"], &raw].concat()).done();
    assert!(
        found.text() == expected.text() && found.text().contains("{\"query\":\"page \\u00e9 3\",")
    );
    let stream = ["index", "query", "--stream", "codes.bin", "codes.bin", "-k", "6"];
    assert_eq!(room.run(&[&stream[..], &raw].concat()).done().text(), expected.text());
}

#[test]
fn ids_that_do_not_fit_their_words_are_refused() {
    let room = room();
    let make = ["fingerprint", "pages.jsonl", "--format", "u64"];
    room.run(&[&make[..], &["-o", "codes.bin", "--ids", "ids.jsonl"]].concat()).done();
    let ids = room.text("ids.jsonl");
    room.write("more.jsonl", format!("{ids}\"one more\"\n"));
    room.write("fewer.jsonl", ids.lines().skip(1).map(|id| format!("{id}\n")).collect::<String>());
    room.write("wrong.jsonl", ids.replacen("\"page \\u00e9 1\"", "page 1", 1));
    let read = |ids: &str| {
        let args =
            ["pairs", "codes.bin", "--input-format", "u64", "-k", "3", "-o", "out", "--ids", ids];
        [&args[..], &["--memory", "64M"]]
            .concat()
            .iter()
            .map(|arg| (*arg).to_owned())
            .collect::<Vec<_>>()
    };
    let counts = |file: &str, ids: u64| {
        format!(
            "{file}: {ids} ids for 62 fingerprints: one line a fingerprint is expected; were both files \
             written together, and whole?"
        )
    };
    let wrong = "wrong.jsonl:2: an id is expected on each line, as JSON: a string in quotes or a number, \
                 and not page 1";
    for (ids, message) in [
        ("more.jsonl", counts("more.jsonl", 63)),
        ("fewer.jsonl", counts("fewer.jsonl", 61)),
        ("wrong.jsonl", wrong.to_owned()),
    ] {
        let args = read(ids);
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        room.refuses(&args, 1, &message);
        room.refuses(&args[..args.len() - 2], 1, &message);
    }
    room.refuses(
        &["pairs", "pages.jsonl", "--ids", "ids.jsonl", "-o", "out"],
        2,
        "--ids is for raw words (--input-format u64): texts and rows have ids of their own; leave --ids out",
    );
    // The ids are an input, which is never replaced.
    room.refuses(
        &[
            "pairs",
            "codes.bin",
            "--input-format",
            "u64",
            "--ids",
            "ids.jsonl",
            "-o",
            "ids.jsonl",
            "--force",
        ],
        1,
        "ids.jsonl is the input ids.jsonl; name another output",
    );
    for (flags, code, message) in [
        (
            &["--format", "u64", "--width", "128"][..],
            2,
            "--format u64: the fingerprints have 128 bits; pass --format u128, or --width 64",
        ),
        (
            &["--ids", "new.ids"],
            2,
            "--ids is for raw words (--format u64): rows of JSON have the ids in them",
        ),
        (
            &["--format", "u64", "--both"],
            2,
            "--both: raw words have one fingerprint a document; leave --format out",
        ),
        (
            &["--format", "u64", "--ids", "pages.jsonl", "--force"],
            1,
            "pages.jsonl is the input pages.jsonl; name another output",
        ),
    ] {
        room.refuses(
            &[&["fingerprint", "pages.jsonl", "-o", "out"], flags].concat(),
            code,
            message,
        );
    }
}
