//! Input and flags that cannot be used: the exit code, the whole message, and nothing left behind.

use crate::nearprint::{Run, run_with};
use crate::room::{Room, gzip, zstd};
use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};

const GOOD: [&str; 2] = [
    "{\"id\":\"a\",\"text\":\"the harbour office opens at nine on every working day\"}\n",
    "{\"id\":\"b\",\"text\":\"snow fell on the upper pastures during the night\"}\n",
];

/// The good rows around a bad one.
fn around(bad: &[u8]) -> Vec<u8> {
    [GOOD[0].as_bytes(), bad, b"\n", GOOD[1].as_bytes()].concat()
}

/// Each verb that reads documents, with an output where it takes one.
const READERS: [&[&str]; 4] = [
    &["dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "removed.jsonl", "--summary", "s.json"],
    &["fingerprint", "in.jsonl", "-o", "out.jsonl"],
    &["pairs", "in.jsonl", "-o", "out.jsonl"],
    &["clusters", "in.jsonl", "-o", "out.jsonl"],
];

/// Rows that are no documents, with what is said of them.
const BAD_ROWS: [(&[u8], &str, &str); 9] = [
    (
        b"{\"id\":1,\"text\":\"cut off",
        "invalid-json",
        "in.jsonl:2, column 23: broken JSON: EOF while parsing a string; one object a line is \
         expected: convert the file with jq -c .",
    ),
    (
        b"{\"text\": no}",
        "invalid-json",
        "in.jsonl:2, column 11: broken JSON: expected ident; fix or remove the line",
    ),
    (
        b"[{\"text\":\"a\"}]",
        "not-an-object",
        "in.jsonl:2: expected a JSON object on every line, found an array; one object a line is \
         expected: convert the file with jq -c '.[]'",
    ),
    (
        b"\"text\"",
        "not-an-object",
        "in.jsonl:2: expected a JSON object on every line, found a string",
    ),
    (
        b"{\"id\":1,\"body\":\"a\"}",
        "text-missing",
        "in.jsonl:2: the row has no field \"text\"; it has \"body\", \"id\"; name the field of the \
         text with --text-field",
    ),
    (
        b"{\"text\":17}",
        "text-not-a-string",
        "in.jsonl:2: the field \"text\" must be a string, found a number; name the field of the \
         text with --text-field",
    ),
    (
        b"{\"id\":{},\"text\":\"a\"}",
        "id-not-a-string-or-number",
        "in.jsonl:2: the field \"id\" must be a string or a number, found an object; name the field \
         of the id with --id-field",
    ),
    (
        b"{\"text\":\"caf\xe9\"}",
        "invalid-utf8",
        "in.jsonl:2: invalid UTF-8 at byte 12 of the record (from 0); convert the file to UTF-8; \
         or name its character set, such as with --encoding latin1 or utf-16le",
    ),
    (
        b"{\"text\":\"\\ud83d alone\"}",
        "lone-surrogate",
        "in.jsonl:2: the field \"text\" escapes half of a surrogate pair (\\ud800 to \\udfff), \
         which is not a character; write the whole pair",
    ),
];

#[test]
fn a_bad_row_ends_every_verb_and_is_named() {
    let room = Room::new();
    for (bad, _, message) in BAD_ROWS {
        room.write("in.jsonl", around(bad));
        READERS.iter().for_each(|args| room.refuses(args, 1, message));
    }
}

#[test]
fn a_bad_row_is_skipped_counted_and_reported_on_request() {
    let room = Room::new();
    for (bad, reason, message) in BAD_ROWS {
        let replaced = matches!(reason, "invalid-utf8" | "lone-surrogate");
        let input = around(bad);
        room.write("in.jsonl", &input);
        for args in READERS {
            let run = room.run(&[args, &["--on-error", "skip", "--force"]].concat()).done();
            let said = format!("(REASON), the first: {message}\n").replace("REASON", reason);
            assert_eq!(run.stderr.contains(&said), !replaced, "{}", run.stderr);
            let said = "1 document with invalid UTF-8";
            assert_eq!(run.stderr.contains(said), replaced, "{}", run.stderr);
            if args[0] != "dedup" {
                continue;
            }
            let summary: serde_json::Value = serde_json::from_str(&room.text("s.json")).unwrap();
            let (documents, skipped) = if replaced { (3, 0) } else { (2, 1) };
            assert_eq!(summary["documents"], documents, "{summary}");
            assert_eq!(summary["replaced_utf8"], 1 - skipped);
            assert_eq!(summary["skipped"]["total"], skipped);
            if replaced {
                assert_eq!(room.read("out.jsonl"), input, "the bytes of the row changed");
            } else {
                assert_eq!(summary["skipped"]["reasons"], serde_json::json!({ reason: 1 }));
                // The summary is the library's, which knows no flags.
                let fact = message.split("; name the field of").next().unwrap();
                assert_eq!(summary["skipped"]["examples"][reason], fact);
                assert_eq!(room.read("out.jsonl"), GOOD.concat().into_bytes());
            }
        }
    }
}

#[test]
fn a_damaged_compressed_file_is_named_with_the_byte() {
    let input: String = (0..4000)
        .map(|n| format!("{{\"id\":{n},\"text\":\"row {n} {} {}\"}}\n", n * 7919, n * n))
        .collect();
    let whole = |packed: Vec<u8>| packed[..packed.len() / 2].to_vec();
    for (name, packed) in [
        ("in.jsonl.gz", whole(gzip(input.as_bytes()))),
        ("in.jsonl.zst", whole(zstd(input.as_bytes()))),
    ] {
        let room = Room::new();
        room.write(name, packed);
        let before = room.contents();
        let run = room.run(&["dedup", name, "-o", "out.jsonl", "--pairs", "pairs.jsonl"]);
        let kind = if name.ends_with("gz") { "gzip" } else { "zstd" };
        let start = format!("error: {name}: the {kind} data ends early, after ");
        let bytes = run.stderr.strip_prefix(&start).unwrap_or_else(|| panic!("{}", run.stderr));
        let (bytes, rest) = bytes.split_once(' ').unwrap();
        assert!(bytes.parse::<usize>().unwrap() < input.len());
        assert_eq!(
            rest,
            "decompressed bytes; is the file still being written? otherwise download or copy it \
             again\n"
        );
        assert_eq!((run.code, room.contents() == before), (Some(1), true));

        let run = room.run(&["fingerprint", name, "--on-error", "skip"]).done();
        let rows: usize = run.text().lines().count();
        assert!(run.stderr.starts_with(&format!("1 skipped (truncated), the first: {name}: ")));
        let decoded: usize = bytes.parse().unwrap();
        assert_eq!(rows, input[..decoded].matches('\n').count(), "whole rows before the damage");
    }
    let room = Room::new();
    let mut packed = gzip(input.as_bytes());
    let middle = packed.len() / 2;
    packed[middle..middle + 64].fill(0xff);
    room.write("in.jsonl.gz", packed);
    let run = room.run(&["pairs", "in.jsonl.gz"]);
    assert_eq!((run.code, run.text()), (Some(1), ""));
    assert!(run.stderr.starts_with("error: in.jsonl.gz: the gzip data is damaged after "));
    assert!(run.stderr.ends_with("; download or copy the file again\n"), "{}", run.stderr);
}

#[test]
fn input_that_is_not_there() {
    let room = Room::new();
    fs::create_dir(room.path("hollow")).unwrap();
    room.write("a.jsonl", "{\"text\":\"a b c\"}\n");
    for verb in ["fingerprint", "pairs", "clusters", "dedup"] {
        for (given, message) in [
            ("nowhere.jsonl", "no such file or folder: nowhere.jsonl"),
            (
                "hollow",
                "the folder hollow holds no file to read (hidden and binary files are left out)",
            ),
            ("*.parquet", "no file matches the pattern *.parquet"),
        ] {
            room.refuses(&[verb, given, "-o", "out.jsonl"], 1, message);
        }
        room.refuses(
            &[verb, "a.jsonl", "./a.jsonl", "-o", "out.jsonl"],
            1,
            "./a.jsonl is the same file as a.jsonl, and would be read twice; name it once",
        );
        room.refuses(
            &[verb, "-", "-", "-o", "out.jsonl"],
            1,
            "standard input (-) can be read only once: name it once",
        );
    }
    room.write("a.txt", "one document");
    room.refuses(
        &["compare", "a.txt", "nowhere"],
        1,
        "nowhere: no such file; use --text to compare the words themselves, or --in CORPUS for ids of its documents",
    );
    room.write("latin1.txt", b"caf\xe9");
    room.refuses(
        &["compare", "a.txt", "latin1.txt"],
        1,
        "latin1.txt: invalid UTF-8 at byte 3 of the record (from 0); convert the file to UTF-8; \
         or name its character set, such as with --encoding latin1 or utf-16le",
    );
}

#[test]
fn empty_input_is_no_error() {
    let room = Room::new();
    room.write("in.jsonl", "");
    for args in READERS {
        room.run(&[args, &["--force"]].concat()).done();
        assert_eq!(room.text("out.jsonl"), "");
    }
    let run = room.run(&["pairs", "in.jsonl", "--fingerprints"]).done();
    let said = "1 file held no document: in.jsonl\n0 pairs within 3 bits among 0 documents\n";
    assert_eq!(run.stderr, said);
    room.write("codes.bin", "");
    let run = room.run(&["clusters", "codes.bin", "--input-format", "u128"]).done();
    assert_eq!(run.stderr, "0 connected clusters of 0 documents among 0, within 6 bits\n");
}

#[test]
fn flags_that_mean_nothing_are_wrong_usage() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n");
    let names = "text, words, chars-5, python-128, shingles-3, web, zh, zh-keywords, \
                 zh-keywords-mix, zh-keywords-go, zh-textrank, ja, code, vectors";
    let unknown = format!("--recipe nonsense: neither a built-in recipe ({names}) nor a file");
    for args in READERS {
        let flag = |flags: &[&'static str]| [args, flags].concat();
        room.refuses(&flag(&["--recipe", "nonsense"]), 2, &unknown);
        for threads in ["0", "1025", "100000"] {
            let message = match threads {
                "0" => "--threads 0: use at least one thread".to_owned(),
                _ => format!("--threads {threads}: use 1 to 1024"),
            };
            room.refuses(&[args, &["--threads", threads]].concat(), 2, &message);
        }
        room.refuses(
            &flag(&["--width", "65"]),
            2,
            "invalid value '65' for '--width <BITS>': width 65 is not supported: use 64, 128 \
             or 256\n\nFor more information, try '--help'.",
        );
        room.refuses(
            &flag(&["--max-record", "1.5X"]),
            2,
            "invalid value '1.5X' for '--max-record <SIZE>': use a number of bytes such as 64MB, \
             64MiB or 1.5G\n\nFor more information, try '--help'.",
        );
        if args[0] == "fingerprint" {
            continue;
        }
        room.refuses(
            &flag(&["-k", "65", "--width", "64"]),
            2,
            "-k 65 is more than the 64 bits of a fingerprint; use 0 to 64, or of texts --width 256",
        );
        room.refuses(
            &flag(&["-k", "200", "--width", "128"]),
            2,
            "-k 200 is more than the 128 bits of a fingerprint; use 0 to 128",
        );
    }
    room.refuses(&["recipe", "show", "nonsense"], 2, &unknown);
    // A similarity is told alike, whoever takes it.
    for value in ["-0.2", "0,8", "1.5"] {
        for verb in [
            &["store", "init", "zz"][..],
            &["index", "build", "a.txt", "-o", "out.seg"],
            &["passages", "a.txt", "-o", "out"],
        ] {
            room.refuses(
                &[verb, &["--similarity", value]].concat(),
                2,
                &format!(
                    "invalid value '{value}' for '--similarity <S>': use a number from 0 to 1, such as 0.8\n\nFor more \
                     information, try '--help'."
                ),
            );
        }
    }
    let build = ["index", "build", "in.jsonl", "-o", "out.seg", "--similarity", "0"];
    let said = "--similarity 0: all documents are that similar; use a number above 0, up to 1";
    room.refuses(&build, 2, said);
    for (flags, message) in [
        (&["--similarity", "0.1"][..], "--similarity 0.1: use 0.3 to 1, or --recall exact"),
        (&["--similarity", "0"], "--similarity 0: all documents are that similar; use 0.3 to 1"),
        (
            &["--audit", "20000", "--summary", "s.json"],
            "invalid value '20000' for '--audit <N>'\n\n  tip: use a whole number from 1 to 10000\n\nFor more \
             information, try '--help'.",
        ),
        (
            &["--similarity", "0.1", "--recipe", "vectors", "--width", "128"],
            "--similarity 0.1: too low a cosine for 128-bit fingerprints; use 0.42 or more, or more bits with \
             --width, or --recall exact",
        ),
        (
            &["--similarity", "0.1", "--recipe", "vectors"],
            "--similarity 0.1: too low a cosine for 256-bit fingerprints; use 0.31 or more, or --recall exact",
        ),
        (
            &["--recall", "1"],
            "invalid value '1' for '--recall <R>': use a number above 0 and below 1, such as 0.999, or \
             exact\n\nFor more information, try '--help'.",
        ),
        (
            &["--recall", "0.9", "--verify", "containment=0.9"],
            "--recall: a recall needs a Jaccard similarity or a cosine: a radius, a containment and a weighted \
             Jaccard similarity find every pair; leave it out with -k and with --verify \
             none, containment or weighted-jaccard",
        ),
        (
            &["--recall", "exact", "--verify", "none"],
            "--recall: a recall needs a Jaccard similarity or a cosine: a radius, a containment and a weighted \
             Jaccard similarity find every pair; leave it out with -k and with --verify \
             none, containment or weighted-jaccard",
        ),
        (
            &["--recall", "exact", "--similarity", "0"],
            "--similarity 0: a share of features is above 0 and at most 1",
        ),
        (
            &["--verify", "containment=0"],
            "--verify containment=0: a share of features is above 0 and at most 1",
        ),
        (
            &["--keep", "central", "--cluster-rule", "connected"],
            "--keep central needs --cluster-rule star: in connected groups nearprint does not \
             compare every pair; use first, last, longest or shortest",
        ),
        (
            &["--similarity", "8"],
            "invalid value '8' for '--similarity <S>': use a number from 0 to 1, such as 0.8\n\nFor \
             more information, try '--help'.",
        ),
        (
            &["--verify", "cosinus=0.8"],
            "invalid value 'cosinus=0.8' for '--verify <RULE>': use none, jaccard=X, containment=X, \
             cosine=X or weighted-jaccard=X with X from 0 to 1\n\nFor more information, try '--help'.",
        ),
    ] {
        room.refuses(&[&["dedup", "in.jsonl", "-o", "out.jsonl"][..], flags].concat(), 2, message);
    }
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--memory", "100K", "--threads", "2"],
        1,
        "a run on 2 threads takes more memory than the 100 kB allowed; allow 32 MB or more",
    );
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--keep", "newest"],
        2,
        "invalid value 'newest' for '--keep <RULE>': use central, first, last, longest, shortest or none; \
         by a field with --keep-by date:max\n\nFor more information, try '--help'.",
    );
    room.refuses(
        &["passages", "in.jsonl", "-o", "out.jsonl", "--keep", "newest"],
        2,
        "invalid value 'newest' for '--keep <RULE>': use first, last, longest, shortest or none; \
         by a field with --keep-by date:max\n\nFor more information, try '--help'.",
    );
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--input-format", "u64"],
        2,
        "dedup writes documents back: raw fingerprints have none (see pairs, clusters)",
    );
    room.refuses(
        &["fingerprint", "in.jsonl", "--input-format", "u64"],
        2,
        "fingerprint makes fingerprints of text: this input already has fingerprints",
    );
    let run = room.run(&["dedup", "in.jsonl"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--output <OUT>"), "{}", run.stderr);
}

#[test]
fn a_recipe_file_is_checked() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n");
    let good = room.run(&["recipe", "show", "text"]).done();
    let fails = |toml: String, said: &[&str]| {
        room.write("mine.toml", toml);
        let before = room.contents();
        let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--recipe", "mine.toml"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.starts_with("error: --recipe mine.toml: "), "{}", run.stderr);
        said.iter().for_each(|said| assert!(run.stderr.contains(said), "{said}: {}", run.stderr));
        assert_eq!(room.contents(), before);
    };
    fails(
        format!("shingel = 3\n{}", good.text()),
        &["line 1, column 1", "unknown field `shingel`, expected one of `name`"],
    );
    let line = |start: &str| good.text().lines().find(|line| line.starts_with(start)).unwrap();
    fails(good.text().replace(line("# width"), "width = 65"), &["use 64, 128 or 256"]);
    fails(good.text().replace(line("shingle"), "shingle = 0"), &["shingle = 0: use a length of 1"]);
    fails(
        good.text().replace(line("version"), "version = 99"),
        &["version 99; this release knows"],
    );
    fails("not toml".to_owned(), &["line 1"]);
}

#[test]
fn documents_with_one_id_are_told_apart_by_position() {
    let room = Room::new();
    let row = |text: &str| format!("{{\"id\":\"same\",\"text\":\"{text}\"}}\n");
    let (one, two) = (row("the ferry leaves at noon"), row("snow fell on the upper pastures"));
    room.write("in.jsonl", [&*one, &two, &one].concat());
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--summary", "s.json", "--removed", "r"];
    let run = room.run(&args).done();
    assert_eq!(room.text("out.jsonl"), one + &two);
    let said = "2 documents repeat an earlier id: see `row` next to the id in reports\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(room.text("s.json").contains("\"repeated_ids\": 2,"));
    assert_eq!(room.text("r").lines().count(), 1);
    let run = room.run(&["pairs", "in.jsonl"]).done();
    assert_eq!(
        run.text(),
        "{\"a\":\"same\",\"a_file\":\"in.jsonl\",\"a_row\":1,\"b\":\"same\",\
         \"b_file\":\"in.jsonl\",\"b_row\":3,\"distance\":0,\"similarity\":1.0000,\
         \"measure\":\"jaccard\"}\n"
    );
    assert!(run.stderr.contains("2 documents repeat an earlier id"));
}

/// Runs `dedup` and calls `meddle` when its first reading is over and its second has not begun: the
/// pairs go to a named pipe that cannot hold them, so that the run waits for its reader in between.
fn meddled(room: &Room, meddle: impl FnOnce()) -> Run {
    let row = |n| format!("{{\"text\":\"{n} every row of this file says just the same thing\"}}\n");
    room.write("in.jsonl", (0..300).map(row).collect::<String>());
    assert!(Command::new("mkfifo").arg(room.path("pairs")).status().unwrap().success());
    let child = room
        .command(&["dedup", "in.jsonl", "-o", "out.jsonl", "--pairs", "pairs", "--removed", "r"])
        .args(["-k", "64", "--width", "64", "--verify", "jaccard=0.5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pairs = File::open(room.path("pairs")).unwrap();
    pairs.read_exact(&mut [0]).unwrap();
    meddle();
    let mut rest = String::new();
    pairs.read_to_string(&mut rest).unwrap();
    // More than a pipe holds, which is 64 KiB and at most 1 MiB.
    assert!(rest.lines().count() == 300 * 299 / 2 && rest.len() > 2 << 20);
    Run::of(child.wait_with_output().unwrap())
}

#[test]
fn input_that_changes_between_the_readings_gives_nothing() {
    let message = "the input changed while the job ran: its second reading differs from the first. \
                   Nothing was written; run again when no other program writes to the input";
    let row = "{\"text\":\"one more\"}\n";
    for change in ["append", "replace", "cut"] {
        let room = Room::new();
        let run = meddled(&room, || {
            let mut text = room.text("in.jsonl");
            match change {
                "append" => text.push_str(row),
                "replace" => text = text.replacen("same", "sane", 1),
                _ => text.truncate(text.len() / 2),
            }
            room.write("in.jsonl", text);
        });
        run.refused(1, message);
        assert_eq!(room.names(), ["in.jsonl", "pairs"], "{change}");
    }
    let room = Room::new();
    meddled(&room, || ()).done();
    assert_eq!(room.names(), ["in.jsonl", "out.jsonl", "pairs", "r"]);
}

#[test]
fn standard_input_that_is_no_text_is_named_as_such() {
    let room = Room::new();
    let run = run_with(room.command(&["dedup", "-", "-o", "out.jsonl"]), "{\"text\":1}\n");
    run.refused(
        1,
        "stdin:1: the field \"text\" must be a string, found a number; name the field of the text \
         with --text-field",
    );
    assert_eq!(room.names(), [""; 0]);
}

#[test]
fn a_record_that_damage_broke_is_told_as_damage() {
    use std::io::Write;
    let room = Room::new();
    let rows: String =
        (0..2000).map(|n| format!("{{\"id\":{n},\"text\":\"row {n} of some rows\"}}\n")).collect();
    let packed = |rows: &str| {
        // Stored as it is, so that one byte of a row can change.
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        encoder.write_all(rows.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let mut bytes = packed(&rows);
    let row = b"{\"id\":77,";
    let at = bytes.windows(row.len()).position(|bytes| bytes == row).unwrap();
    bytes[at] ^= 1;
    room.write("damaged.jsonl.gz", &bytes);
    // What was written so is no damage.
    room.write("wrong.jsonl.gz", packed(&rows.replace("{\"id\":77,", "z\"id\":77,")));
    for verb in [&["dedup", "-o", "out.jsonl"][..], &["fingerprint"]] {
        let run = room.run(&[verb, &["damaged.jsonl.gz"]].concat());
        let said = "error: damaged.jsonl.gz: the gzip data is damaged after";
        assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
        let run = room.run(&[verb, &["wrong.jsonl.gz"]].concat());
        let said = "error: wrong.jsonl.gz:78, column 1: broken JSON";
        assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_refused_at_its_first_record() {
    let room = Room::new();
    let zeros = ["dedup", "/dev/zero", "-o", "out.jsonl", "--input-format", "jsonl"];
    let run = room.run(&[&zeros[..], &["--max-record", "1M"]].concat());
    run.refused(
        1,
        "/dev/zero:1: the record is longer than 1 MB; raise the limit with --max-record",
    );
}
