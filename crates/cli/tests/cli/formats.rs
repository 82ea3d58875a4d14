//! The same in as out: survivors leave in the format and the compression in which they came.

use crate::nearprint::{rows, run_with};
use crate::room::{Room, gzip};

/// Rows of which the second is a near-duplicate of the first.
const ROWS: &str = "{\"id\": 1, \"text\": \"The quick brown fox jumps over the lazy dog at noon.\"}\n\
     {\"id\": 2, \"text\": \"The quick brown fox jumps over the lazy dog at noon!\"}\n\
     {\"id\": 3, \"text\": \"Nothing of what the others say is said in this third one.\"}\n";

#[test]
fn every_compression_is_read_and_written() {
    let room = Room::new();
    room.write("rows.jsonl", ROWS);
    let kept: String = ROWS.split_inclusive('\n').step_by(2).collect();
    for (ending, magic) in [
        ("gz", &b"\x1f\x8b"[..]),
        ("gzip", b"\x1f\x8b"),
        ("BGZ", b"\x1f\x8b"),
        ("zstd", b"\x28\xb5\x2f\xfd"),
        ("zst", b"\x28\xb5\x2f\xfd"),
        ("bz2", b"BZh"),
        ("xz", b"\xfd7zXZ"),
    ] {
        let (packed, mirrored) =
            (format!("rows.jsonl.{ending}"), format!("out/rows.jsonl.{ending}"));
        room.run(&["dedup", "rows.jsonl", "-o", &packed, "--similarity", "1"]).done();
        room.run(&["dedup", &packed, "-o", "out/"]).done();
        assert!(room.read(&packed).starts_with(magic) && room.read(&mirrored).starts_with(magic));
        let run = room.run(&["dedup", &mirrored, "-o", "-", "-q"]).done();
        assert_eq!(run.text(), kept, "{ending}");
        let whole = room.read(&packed);
        room.write(&packed, &whole[..whole.len() - 3]);
        let run = room.run(&["dedup", &packed, "-o", "cut.jsonl"]);
        assert!(run.code == Some(1) && run.stderr.contains("ends early"), "{}", run.stderr);
        assert!(!room.path("cut.jsonl").exists());
    }
}

/// A table of which the second row is a near-duplicate of the first.
const TABLE: &str = "id,text,note\r\n\
     a,\"The quick brown fox jumps\nover the lazy dog at noon.\",\"x, y\"\r\n\
     b,The quick brown fox jumps over the lazy dog at noon!,\r\n\
     c,\"Nothing of what the \"\"others\"\" say is said in this third one.\",z\r\n";

#[test]
fn rows_of_a_table_leave_as_they_came() {
    let room = Room::new();
    room.write("in/one.csv", TABLE);
    room.write(
        "in/two.csv.gz",
        gzip(b"id,text,note\nd,\"the QUICK brown fox jumps over the lazy dog, at noon\",\n"),
    );
    room.run(&["dedup", "in", "-o", "out/", "--removed", "removed.jsonl"]).done();
    let (first, rest) = TABLE.split_once("b,The").unwrap();
    let third = rest.split_once("\r\n").unwrap().1;
    assert_eq!(room.text("out/one.csv"), [first, third].concat());
    let removed: Vec<String> =
        rows(&room.text("removed.jsonl")).iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(removed, ["\"b\"", "\"d\""]);
    room.run(&["dedup", "out/two.csv.gz", "-o", "two.csv"]).done();
    assert_eq!(room.text("two.csv"), "id,text,note\n");
    let run = room.run(&["dedup", "in", "-o", "-", "-q"]).done();
    assert_eq!(run.text(), [first, third].concat());
    let run = room.run(&["fingerprint", "in/one.csv", "--id-field", "note", "--text-field", "id"]);
    let ids: Vec<String> =
        rows(run.done().text()).iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(ids, ["\"x, y\"", "\"in/one.csv:4\"", "\"z\""]);
}

#[test]
fn lines_that_end_in_a_return_alone_leave_as_they_came() {
    let room = Room::new();
    let rows = [
        "id,text\r",
        "a,The quick brown fox jumps over the lazy dog at noon.\r",
        "b,The quick brown fox jumps over the lazy dog at noon!\r",
        "c,Nothing of what the others say is said in this third one.\r",
    ];
    room.write("in.csv", rows.concat());
    room.write("cut.csv", rows.concat().trim_end());
    room.write("more.csv", format!("{}d,one more row with words of its own and no end\r", rows[0]));
    let kept = [rows[0], rows[1], rows[3]].concat();
    room.run(&["dedup", "in.csv", "-o", "out.csv"]).done();
    assert_eq!(room.text("out.csv"), kept);
    room.run(&["dedup", "cut.csv", "more.csv", "-o", "both.csv"]).done();
    let last = "d,one more row with words of its own and no end\r";
    assert_eq!(room.text("both.csv"), [&kept, last].concat());
    room.run(&["dedup", "in.csv", "-o", "part.csv", "--shard-size", "60"]).done();
    assert_eq!(room.text("part-00002.csv"), [rows[0], rows[3]].concat());
}

#[test]
fn a_broken_row_of_a_table_is_named_or_counted() {
    let room = Room::new();
    room.write("in.csv", format!("{TABLE}d,too,many,fields\r\ne,\"open,x\r\n"));
    let run = room.run(&["dedup", "in.csv", "-o", "out.csv"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("in.csv:6: the row has 4 fields, and the header has 3"),
        "{}",
        run.stderr
    );
    assert!(!room.path("out.csv").exists());
    let run = room.run(&["dedup", "in.csv", "-o", "out.csv", "--on-error", "skip"]).done();
    assert!(run.stderr.contains("1 skipped (ragged-row)"), "{}", run.stderr);
    assert!(run.stderr.contains("1 skipped (open-quote), the first: in.csv:7: "), "{}", run.stderr);
    assert_eq!(room.text("out.csv").matches("\r\n").count(), 3);
    room.write("other.csv", "id,body\n1,a\n");
    let run = room.run(&["dedup", "other.csv", "-o", "x.csv"]);
    assert!(
        run.stderr.contains("other.csv:2: the row has no field \"text\"; it has \"id\", \"body\"")
    );
    let run = room.run(&["dedup", "other.csv", "in.csv", "-o", "x.csv"]);
    assert!(
        run.code == Some(1) && run.stderr.contains("one file holds one table"),
        "{}",
        run.stderr
    );
    let run = room.run(&["dedup", "in.csv", "-o", "x.jsonl"]);
    assert!(
        run.code == Some(1) && run.stderr.contains("name a file that ends in .csv"),
        "{}",
        run.stderr
    );
}

#[test]
fn lines_of_a_text_are_documents_where_they_are_asked_for() {
    let room = Room::new();
    let lines = "The quick brown fox jumps over the lazy dog at noon.\n\n\
         The quick brown fox jumps over the lazy dog at noon!\nAnother line of other words, and a last.";
    room.write("in.txt", lines);
    room.run(&["dedup", "in.txt", "--lines", "-o", "out.txt", "--removed", "removed.jsonl"]).done();
    let kept: Vec<&str> = lines.lines().collect();
    assert_eq!(room.text("out.txt"), [kept[0], "\n\n", kept[3]].concat());
    assert_eq!(rows(&room.text("removed.jsonl"))[0]["id"], "in.txt:3");
    let run = run_with(room.command(&["dedup", "-", "--lines", "-o", "-", "-q"]), lines).done();
    assert_eq!(run.text(), room.text("out.txt"));
    let message = "--annotate: the documents of in.txt have no fields; give rows, or see --clusters and --removed";
    room.refuses(&["dedup", "in.txt", "--lines", "-o", "x.jsonl", "--annotate"], 2, message);
    let message = "--lines is for texts: leave --input-format out, or make it text";
    room.refuses(&["fingerprint", "in.txt", "--lines", "--input-format", "csv"], 2, message);
}

#[test]
fn survivors_fill_one_shard_after_the_other() {
    let room = Room::new();
    room.write("rows.jsonl", ROWS);
    let kept: Vec<&str> = ROWS.split_inclusive('\n').step_by(2).collect();
    let args = ["dedup", "rows.jsonl", "-o", "part.jsonl", "--shard-size"];
    let with = |more: &[&str]| room.run(&[&args[..], more].concat());
    let told = with(&["1K"]).done().stderr;
    assert!(told.contains(", written to part-00001.jsonl and on\n"), "{told}");
    assert_eq!(room.text("part-00001.jsonl"), kept.concat());
    assert!(!room.path("part.jsonl").exists());
    with(&["64"]).refused(1, "part-00001.jsonl exists; pass --force to replace it");
    with(&["64", "--force"]).done();
    assert_eq!(["part-00001.jsonl", "part-00002.jsonl"].map(|file| room.text(file)), kept[..]);
    with(&["1K", "--force"]).done();
    assert!(!room.path("part-00002.jsonl").exists());
    room.run(&["dedup", "rows.jsonl", "-o", "out/", "--shard-size", "1K"]).refused(
        2,
        "--shard-size: out/ is a folder with one output file per input file; name one file, such as \
         out/part.jsonl",
    );
    room.run(&["dedup", "rows.jsonl", "-o", "-", "--shard-size", "1K"])
        .refused(1, "- is a stream, which cannot be split; name a file");
}

/// Verbs that read texts, and the name of one in place of FILE.
const VERBS_OF_TEXTS: [&str; 11] = [
    "dedup FILE -o kept/ --force",
    "pairs FILE",
    "clusters FILE",
    "split FILE -o parts/ --force",
    "stats FILE",
    "fingerprint FILE",
    "passages FILE --summary s.json --force",
    "decontaminate FILE --against quiz.jsonl --summary s.json --force",
    "idf build FILE --recipe words -o x.idf --force",
    "index build FILE -o x.seg --force",
    "clean FILE -o cleaned/ --force",
];

#[test]
fn a_text_of_lines_or_rows_is_told() {
    let room = Room::new();
    room.write("lines.txt", "One line of words.\n\nAnother line of words.\n");
    room.write("rows.txt", "{\"id\":1,\"text\":\"a b\"}\n{\"id\":2,\"text\":\"c d\"}\n");
    room.write("one.txt", "One line of words.\n");
    room.write("both/a.txt", "One line of words.\nAnother.\n");
    room.write("both/b.txt", "The third of all lines.\nThe last one.\n");
    room.write("quiz.jsonl", "{\"question\":\"Who was in the garden at noon?\"}\n");
    room.write("wiki.xml", "<mediawiki>\n<page>One line of words.</page>\n</mediawiki>\n");
    let records = "wiki.xml is read as one document with its mark-up: write each of its records as a row of JSON\n";
    let lines = "lines.txt is read as one document: with --lines each of its lines is one\n";
    let rows = "rows.txt is read as one document, and looks like JSONL: --input-format jsonl reads its rows\n";
    let said = |args: &str, file: &str, more: &str| {
        let args = args.replace("FILE", file) + more;
        room.run(&args.split_whitespace().collect::<Vec<_>>()).done().stderr
    };
    for verb in VERBS_OF_TEXTS {
        assert!(said(verb, "lines.txt", "").contains(lines), "{verb}");
        assert!(said(verb, "rows.txt", "").contains(rows), "{verb}");
        assert!(said(verb, "wiki.xml", "").contains(records), "{verb}");
        for (file, more) in [
            ("lines.txt", " --quiet"),
            ("lines.txt", " --lines"),
            ("lines.txt", " --input-format text"),
            ("one.txt", ""),
        ] {
            let told = said(verb, file, more);
            assert!(!told.contains("is read as one document"), "{verb} {more}: {told}");
        }
    }
    // `clean` reads files alone.
    for verb in VERBS_OF_TEXTS.iter().filter(|verb| !verb.starts_with("clean")) {
        let args = verb.replace("FILE", "-");
        let args: Vec<&str> = args.split_whitespace().collect();
        let told = run_with(room.command(&args), room.read("lines.txt")).done().stderr;
        let lines = lines.replace("lines.txt", "stdin");
        assert_eq!(told.matches(&lines).count(), 1, "{verb}: {told}");
    }
    // Of several texts each may well be one.
    assert!(!said("pairs FILE", "both", "").contains("is read as"));
    assert!(said("pairs FILE", "both rows.txt", "").contains(rows));
    for verb in ["text FILE", "explain FILE"] {
        assert!(said(verb, "rows.txt", "").contains(rows), "{verb}");
        assert_eq!(said(verb, "lines.txt", ""), "", "{verb}");
    }
    room.run(&["store", "init", "seen"]).done();
    for verb in ["store check seen FILE", "store query seen FILE", "store add seen FILE"] {
        assert!(said(verb, "lines.txt", "").contains(lines), "{verb}");
    }
    let few = room.run(&["tune", "lines.txt"]);
    let error = "error: 1 document to compare, and a pair needs two: give more\n";
    assert_eq!((few.code, few.stderr), (Some(1), [lines, error].concat()));
    room.refuses(
        &["dedup", "lines.txt", "-o", "out.txt"],
        1,
        "out.txt: its name says text, and what is kept of lines.txt is written as JSONL; name a file that ends in \
         .jsonl, or pass --lines if each line of the input is a document",
    );
}

#[test]
fn a_stream_of_columns_without_a_mark_at_its_end_is_told() {
    let room = Room::new();
    let mark = b"\xff\xff\xff\xff\0\0\0\0";
    // A file with a footer is a stream behind its first bytes, and in front of the footer.
    let stream = &include_bytes!("coded-a.arrow")[8..];
    let end = stream.windows(mark.len()).position(|bytes| bytes == mark).unwrap();
    room.write("whole.arrows", &stream[..end + mark.len()]);
    room.write("cut.arrows", &stream[..end]);
    let said = |name: &str| room.run(&["stats", name]).done().stderr;
    let told = "cut.arrows has no mark at its end, and may be cut off; if rows are missing, download or copy it again\n";
    assert!(said("cut.arrows").contains(told), "{}", said("cut.arrows"));
    assert!(!said("whole.arrows").contains("mark"), "{}", said("whole.arrows"));
}

#[test]
fn one_character_of_a_table_has_one_role() {
    let room = Room::new();
    room.write("in.csv", "id;text\n1;\"a; b\"\n");
    let run = |flags: &[&str]| room.run(&[&["text", "in.csv", "--format", "json"], flags].concat());
    let told = |mark: char, role: &str, flag: &str| {
        format!(
            "the character {mark:?} would both part the fields of a table and {role}; name different ones with \
             --delimiter and {flag}"
        )
    };
    let (quotes, escapes) = ("quote them", "stand before what is escaped in them");
    for (flags, told) in [
        (&["--delimiter", ";", "--quote", ";"][..], told(';', quotes, "--quote")),
        (&["--delimiter", "\""], told('"', quotes, "--quote")),
        (&["--quote", ","], told(',', quotes, "--quote")),
        (&["--delimiter", ";", "--escape", ";"], told(';', escapes, "--escape")),
        (
            &["--delimiter", "tab", "--quote", "none", "--escape", "tab"],
            told('\t', escapes, "--escape"),
        ),
    ] {
        let run = run(flags);
        assert!(run.code == Some(2) && run.stderr.contains(&told), "{flags:?}: {}", run.stderr);
    }
    // Before a quote a quote doubles it.
    let read = run(&["--delimiter", ";", "--escape", "\""]).done();
    assert!(read.text().contains("\"text\":\"a; b\""), "{}", read.text());
}

#[test]
fn a_delimiter_is_that_of_the_tables_whose_header_has_it() {
    let room = Room::new();
    room.write("comma.csv", "id,text\n1,\"abc; def\"\n");
    room.write("semicolon.csv", "id;text\n2;\"ghi, jkl\"\n");
    room.write("tab.tsv", "id\ttext\n3\tmno; pqr\n");
    let run = room.run(&["text", "comma.csv", "semicolon.csv", "tab.tsv", "--delimiter", ";"]);
    assert_eq!(run.done().text(), "abc; def\n\nghi, jkl\n\nmno; pqr\n");
}

#[test]
fn standard_input_is_a_table_where_its_fields_are_told() {
    let room = Room::new();
    for (flags, rows) in [
        (&["--delimiter", "^"][..], "id^text\n1^abc def\n2^ghi jkl\n"),
        (&["--delimiter", "\u{1}"], "id\u{1}text\n1\u{1}abc def\n2\u{1}ghi jkl\n"),
        (&["--quote", "'"], "'id','text'\n'1','abc def'\n'2','ghi jkl'\n"),
        (&[], "id,text\r1,abc def\r2,ghi jkl\r"),
    ] {
        for verb in [&["dedup", "-", "-o", "-"][..], &["text", "-"]] {
            let run = run_with(room.command(&[verb, flags].concat()), rows).done();
            let has_both = run.text().contains("abc def") && run.text().contains("ghi jkl");
            assert!(
                has_both && !run.stderr.contains("1 kept"),
                "{verb:?} {flags:?}: {}",
                run.stderr
            );
        }
    }
    let run = run_with(room.command(&["dedup", "-", "-o", "-"]), "ID,Text\n1,abc def\n");
    assert!(run.code == Some(1) && run.stderr.contains("has \"ID\", \"Text\""), "{}", run.stderr);
}

#[test]
fn rows_of_another_format_than_the_name_says_are_told() {
    let room = Room::new();
    let json = "{\"text\":\"one two three\"}\n{\"text\":\"four five six\"}\n";
    room.write("rows.csv", json);
    room.write("one.csv", "{\"text\":\"one two three\"}\n");
    room.write("table.jsonl", "id,text\n1,one two three\n");
    room.write("printed.jsonl", "{'id': 1, 'text': 'one two three'}\n");
    for (file, said) in [
        ("rows.csv", "the first line looks like JSON: --input-format jsonl reads such rows\n"),
        ("one.csv", "the first line looks like JSON: --input-format jsonl reads such rows\n"),
        ("table.jsonl", "if the file holds other rows, --input-format csv and others say which\n"),
        ("printed.jsonl", "rows as Python prints them are no JSON: json.dumps writes them\n"),
    ] {
        let run = room.run(&["dedup", file, "-o", "-"]);
        assert!(run.code == Some(1) && run.stderr.ends_with(said), "{file}: {}", run.stderr);
    }
    room.run(&["dedup", "rows.csv", "--input-format", "jsonl", "-o", "out.csv.jsonl"]).done();
}
