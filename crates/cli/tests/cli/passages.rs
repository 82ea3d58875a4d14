//! `nearprint passages`: what repeats inside documents is cut out, in every format that texts come in.

use crate::nearprint::rows;
use crate::parquet::room as parquet_room;
use crate::room::Room;
use serde_json::{Value, json};

pub(crate) const FIRST: &str = "The quick brown fox jumps over the lazy dog at noon.";
pub(crate) const SECOND: &str =
    "It was said: the QUICK brown\nfox jumps, over the lazy dog at *noon*. Nobody knew why.";
pub(crate) const THIRD: &str = "Nothing of it is said in here, \u{e9}t\u{e9} and all.";
/// The second without what the first has.
const CUT: &str = "It was said: \n*. Nobody knew why.";

/// Rows of the three.
pub(crate) fn rows_of(texts: &[&str]) -> String {
    let row = |(id, text): (usize, &&str)| {
        format!("{{ \"id\":{id}, \"text\":{}, \"n\":1.50 }}\n", json!(text))
    };
    texts.iter().enumerate().map(row).collect()
}

pub(crate) fn room() -> Room {
    let room = Room::new();
    room.write("in.jsonl", rows_of(&[FIRST, SECOND, THIRD]));
    room
}

const EIGHT: [&str; 2] = ["--length", "8"];

#[test]
fn a_later_copy_goes_and_every_other_byte_stays() {
    let room = room();
    let flags = [
        "passages",
        "in.jsonl",
        "-o",
        "out.jsonl",
        "--removed",
        "cuts.jsonl",
        "--passages",
        "all.jsonl",
    ];
    let run = room.run(&[&flags[..], &EIGHT].concat()).done();
    assert_eq!(room.text("out.jsonl"), rows_of(&[FIRST, CUT, THIRD]));
    let cuts = rows(&room.text("cuts.jsonl"));
    assert_eq!(
        cuts,
        [json!({
            "id": 1, "start": 13, "end": 66, "tokens": 11,
            "kept": {"id": 0, "start": 0, "end": 51}, "copies": 2, "documents": 2
        })]
    );
    let place = |row: &Value, key: &str| usize::try_from(row[key].as_u64().unwrap()).unwrap();
    assert_eq!(
        &SECOND[place(&cuts[0], "start")..place(&cuts[0], "end")],
        "the QUICK brown\nfox jumps, over the lazy dog at *noon"
    );
    let passage = json!({
        "text": FIRST.trim_end_matches('.'), "tokens": 11, "copies": 2, "documents": 2, "sources": 1,
        "first": {"id": 0, "start": 0, "end": 51}
    });
    assert_eq!(rows(&room.text("all.jsonl")), [passage]);
    assert!(
        run.stderr.contains("3 documents, 38 tokens: 11 cut (28.9 %), in 1 place of 1 document"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("8 tokens are about 38 characters here"), "{}", run.stderr);
    let listed =
        room.run(&[&["passages", "in.jsonl", "--removed", "more.jsonl"], &EIGHT[..]].concat());
    let said = "3 documents, 38 tokens: 11 to cut (28.9 %), in 1 place of 1 document";
    assert!(listed.stderr.contains(said), "{}", listed.stderr);
}

#[test]
fn a_source_is_any_value_that_documents_are_counted_by() {
    let room = Room::new();
    let flags = ["--source-field", "src", "--passages", "all.jsonl", "-q", "--force"];
    let run = |values: &[&str]| {
        let row = |value: &&str| format!("{{\"text\":{},\"src\":{value}}}\n", json!(FIRST));
        room.write("in.jsonl", values.iter().map(row).collect::<String>());
        room.run(&[&["passages", "in.jsonl"], &flags[..], &EIGHT].concat())
    };
    for (values, sources) in [
        (&["1", "2", "\"x\"", "true"][..], 4),
        (&["1", "1.0", "\"1\"", "2"], 2),
        (&["true", "false", "null", "null"], 3),
    ] {
        run(values).done();
        assert_eq!(rows(&room.text("all.jsonl"))[0]["sources"], sources, "{values:?}");
    }
    let list = run(&["1", "[1]"]);
    assert_eq!(list.code, Some(1));
    assert!(
        list.stderr.contains("in.jsonl:2: the field \"src\" must be a text"),
        "{}",
        list.stderr
    );
}

#[test]
fn nothing_is_cut_where_it_is_noted() {
    let room = room();
    room.run(
        &[&["passages", "in.jsonl", "-o", "out.jsonl", "--annotate", "-q"], &EIGHT[..]].concat(),
    )
    .done();
    let text = room.text("out.jsonl");
    assert!(text.contains(", \"n\":1.50 ,\"nearprint\":{\"passages\":[[13,66,2]]}}\n"), "{text}");
    assert!(text.contains(", \"n\":1.50 ,\"nearprint\":{\"passages\":[]}}\n"), "{text}");
    // A note of this run takes the place of an earlier one, and that of `dedup` stays.
    room.run(&["dedup", "out.jsonl", "-o", "both.jsonl", "--annotate", "-q"]).done();
    room.run(
        &[
            &[
                "passages",
                "both.jsonl",
                "-o",
                "again.jsonl",
                "--annotate",
                "-q",
                "--offsets",
                "bytes",
            ],
            &EIGHT[..],
        ]
        .concat(),
    )
    .done();
    let again = rows(&room.text("again.jsonl"));
    assert_eq!(again[1]["nearprint"], json!({"passages": [[13, 66, 2]]}));
    assert_eq!(again[1]["nearprint_note"]["kept"], json!(true));
    room.write(
        "in.csv",
        format!("id,text\r\n1,{FIRST}\r\n2,\"{}\"\r\n", SECOND.replace('"', "\"\"")),
    );
    room.run(&[&["passages", "in.csv", "-o", "out.csv", "--annotate", "-q"], &EIGHT[..]].concat())
        .done();
    assert!(
        room.text("out.csv").ends_with("why.\",\"[[13,66,2]]\"\r\n"),
        "{}",
        room.text("out.csv")
    );
}

#[test]
fn tables_and_texts_leave_as_they_came_but_for_what_is_cut() {
    let room = Room::new();
    let row = |text: &str| format!("{}\t\"{text}\"\t7\r\n", text.len());
    let table = |texts: [&str; 3]| format!("n\ttext\tm\r\n{}", texts.map(row).concat());
    room.write("in.tsv", table([FIRST, SECOND, THIRD]));
    room.run(&[&["passages", "in.tsv", "-o", "out.tsv", "-q"], &EIGHT[..]].concat()).done();
    let mut expected = table([FIRST, CUT, THIRD]);
    expected =
        expected.replace(&format!("{}\t\"{CUT}", CUT.len()), &format!("{}\t\"{CUT}", SECOND.len()));
    assert_eq!(room.text("out.tsv"), expected);
    for (name, text) in
        [("in/a.txt", FIRST), ("in/b/b.md", &format!("\u{feff}{SECOND}\n")), ("in/c.txt", THIRD)]
    {
        room.write(name, text);
    }
    room.run(&[&["passages", "in", "-o", "out/", "-q"], &EIGHT[..]].concat()).done();
    assert_eq!(room.text("out/a.txt"), FIRST);
    assert_eq!(room.text("out/b/b.md"), format!("\u{feff}{CUT}\n"));
    room.run(&[&["passages", "in", "-o", "out.jsonl", "-q"], &EIGHT[..]].concat()).done();
    assert_eq!(rows(&room.text("out.jsonl"))[1]["text"], format!("{CUT}\n"));
    room.write("lines.txt", format!("{FIRST}\nx: {FIRST}\r\n"));
    room.run(&[&["passages", "lines.txt", "--lines", "-o", "out.txt", "-q"], &EIGHT[..]].concat())
        .done();
    assert_eq!(room.text("out.txt"), format!("{FIRST}\nx: .\r\n"));
}

#[test]
fn columns_keep_their_types_and_their_other_cells() {
    let room = parquet_room("n");
    let flags = ["passages", "rows.parquet", "--length", "5", "-q", "-o"];
    room.run(&[&flags[..], &["out.parquet"]].concat()).done();
    room.run(&[&flags[..], &["out.jsonl"]].concat()).done();
    room.run(&[&flags[..], &["out/"]].concat()).done();
    for file in ["out.parquet", "out.jsonl", "out/rows.parquet"] {
        let again = room.run(&["passages", file, "-o", "-", "-q", "--length", "5"]).done();
        let found = rows(again.text());
        assert_eq!(
            found[2],
            json!({"id": "c", "n": 0x7fff_0000_ffff_0001_u64, "text": ""}),
            "{file}"
        );
        assert_eq!(
            found[3]["text"], "no more than these few words are in the last of them",
            "{file}"
        );
    }
}

#[test]
fn what_stays_is_chosen() {
    let room = Room::new();
    let long = format!("{SECOND} And more of it.");
    room.write("in.jsonl", rows_of(&[FIRST, &long]));
    let kept = |flags: &[&str]| -> Vec<String> {
        let run = room
            .run(&[&["passages", "in.jsonl", "-o", "-", "-q"], &EIGHT[..], flags].concat())
            .done();
        rows(run.text()).iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
    };
    let cut = format!("{CUT} And more of it.");
    assert_eq!(kept(&[]), [FIRST.to_owned(), cut.clone()]);
    assert_eq!(kept(&["--keep", "longest"]), [String::new(), long.clone()]);
    assert_eq!(kept(&["--keep", "last"]), [String::new(), long.clone()]);
    assert_eq!(kept(&["--keep", "none"]), [String::new(), cut.clone()]);
    assert_eq!(kept(&["--keep-by", "id:max"]), [String::new(), long.clone()]);
    assert_eq!(kept(&["--copies", "3"]), [FIRST.to_owned(), long.clone()]);
    assert_eq!(kept(&["--joint", "[...]"])[1], cut.replace('\n', "[...]"));
    // A sentence ends with its line.
    let whole = "It was said: the QUICK brown\n Nobody knew why. And more of it.".to_owned();
    assert_eq!(kept(&["--whole", "sentence"]), [FIRST.to_owned(), whole]);
    assert_eq!(kept(&["--whole", "paragraph"]), [String::from(FIRST), long.clone()]);
    assert_eq!(kept(&["--min-left", "10"])[1], cut);
    assert_eq!(kept(&["--min-left", "11"]), [FIRST.to_owned()]);
    room.write("old.jsonl", rows_of(&[FIRST]));
    assert_eq!(kept(&["--against", "old.jsonl"]), [String::new(), cut]);
    room.write("in.jsonl", rows_of(&[&[FIRST, FIRST].join("\n")]));
    assert_eq!(kept(&[]), [FIRST]);
    assert_eq!(kept(&["--inside", "keep"]), [[FIRST, FIRST].join("\n")]);
}

#[test]
fn documents_left_without_a_word_are_counted_and_told() {
    let room = Room::new();
    let words = |letter: &str, numbers: std::ops::Range<usize>| {
        numbers.map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(" ")
    };
    let (one, two) = (words("a", 0..8), words("b", 0..8));
    let texts = [
        one.clone(),
        two.clone(),
        // Has a passage of the fourth, in words that are cut because of the first and the second.
        format!("{one}\n* {two}!"),
        format!("{} b0 and more words", words("a", 1..8)),
        format!("{one}\n***"),
        // Without a word from the beginning.
        String::new(),
    ];
    room.write("in.jsonl", rows_of(&texts.each_ref().map(String::as_str)));
    let run = |flags: &[&str]| {
        let args = ["passages", "in.jsonl", "-o", "out.jsonl", "--summary", "s.json", "--force"];
        let run = room.run(&[&args[..], &EIGHT, flags].concat()).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let told = ["empty", "emptied", "emptied_and_named"].map(|key| summary[key].clone());
        (run.stderr, told, rows(&room.text("out.jsonl")).len())
    };
    let (said, told, left) = run(&[]);
    assert!(
        said.contains("2 documents have no words left; --min-left 1 removes 1 of them\n"),
        "{said}"
    );
    assert_eq!((told, left), ([json!(1), json!(2), json!(1)], 6));
    let (said, told, left) = run(&["--min-left", "1"]);
    let of_one = "1 document has no words left; other cuts refer to it, so --min-left keeps it\n";
    assert!(said.contains(of_one), "{said}");
    assert_eq!((told, left), ([json!(1), json!(1), json!(1)], 5));
    let (said, told, _) = run(&["--annotate"]);
    assert!(!said.contains("words left"), "{said}");
    assert_eq!(told[1], json!(2));
    room.write("in.jsonl", rows_of(&[FIRST, FIRST, THIRD]));
    let (said, told, _) = run(&[]);
    assert!(said.contains("1 document has no words left; --min-left 1 removes it\n"), "{said}");
    assert_eq!(told, [json!(0), json!(1), Value::Null]);
}

#[test]
fn a_line_stays_one_line_whatever_breaks_it_has() {
    let room = Room::new();
    let part = |word: &str| format!("{word} {FIRST}\u{2028}{FIRST} {word}");
    room.write("in.txt", format!("{}\n{}\n", part("one"), part("two")));
    let args = ["passages", "in.txt", "--lines", "-o", "out.txt", "-q", "--force"];
    room.run(&[&args[..], &EIGHT].concat()).done();
    let out = room.text("out.txt");
    assert_eq!(out.lines().count(), 2, "{out:?}");
    assert!(out.ends_with("two \u{2028}. two\n"), "{out:?}");
    let run = room.run(&[&args[..], &EIGHT, &["--joint", "a\nb"]].concat());
    let said = "in.txt:1: this text cannot be replaced: it contains a line end, and each line is a document";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn lines_and_sentences_are_compared_by_their_tokens() {
    let room = Room::new();
    let page = |text: &str| format!("MENU: Home | About\n{text}\n(c) 2024\n");
    room.write(
        "in.jsonl",
        rows_of(&[&page("one"), &page("two").replace("2024", "2025"), "menu home about"]),
    );
    let texts = |flags: &[&str]| -> Vec<Value> {
        let run = room.run(&[&["passages", "in.jsonl", "-o", "-", "-q"], flags].concat()).done();
        rows(run.text()).iter().map(|row| row["text"].clone()).collect()
    };
    let (first, rest) = (page("one"), "two\n(c) 2025\n");
    assert_eq!(texts(&["--unit", "line"]), [first.as_str(), rest, ""]);
    assert_eq!(texts(&["--unit", "line", "--digits", "one"]), [first.as_str(), "two\n", ""]);
    assert_eq!(texts(&["--unit", "line", "--copies", "3"]), [first.as_str(), rest, ""]);
    assert_eq!(texts(&["--unit", "line", "--length", "2"])[1], page("two").replace("2024", "2025"));
    assert_eq!(texts(&["--unit", "paragraph"])[2], "menu home about");
    assert_eq!(texts(&["--unit", "sentence", "--length", "1"])[2], "");
}

#[test]
fn repeated_ids_are_told_apart_by_row() {
    let room = Room::new();
    let row = |text: &str| format!("{{\"id\":\"x\",\"text\":{}}}\n", json!(text));
    room.write("a.jsonl", row(FIRST));
    room.write("b.jsonl", [row(THIRD), row(SECOND)].concat());
    let run = room
        .run(&[&["passages", "a.jsonl", "b.jsonl", "--removed", "cuts.jsonl"], &EIGHT[..]].concat())
        .done();
    let cut = &rows(&room.text("cuts.jsonl"))[0];
    assert_eq!((&cut["file"], &cut["row"]), (&json!("b.jsonl"), &json!(2)));
    assert_eq!((&cut["kept"]["file"], &cut["kept"]["row"]), (&json!("a.jsonl"), &json!(1)));
    assert!(run.stderr.contains("2 documents repeat an earlier id"), "{}", run.stderr);
}

#[test]
fn threads_and_memory_change_nothing() {
    let room = Room::new();
    let words = |seed: u64| {
        (0..400).map(|at| format!("w{} ", (at * seed) % 97 + seed % 3)).collect::<String>()
    };
    let texts: Vec<String> = (0..200).map(|seed| words(seed % 30 + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    room.write("in.jsonl", rows_of(&texts));
    let run = |flags: &[&str]| {
        let outputs = [
            "-o",
            "out.jsonl",
            "--removed",
            "cuts.jsonl",
            "--passages",
            "all.jsonl",
            "--force",
            "-q",
        ];
        room.run(&[&["passages", "in.jsonl", "--length", "20"], &outputs[..], flags].concat())
            .done();
        ["out.jsonl", "cuts.jsonl", "all.jsonl"].map(|file| room.text(file))
    };
    let free = run(&[]);
    assert!(free.iter().all(|file| file.lines().count() > 20));
    for flags in [
        &["--threads", "1"][..],
        &["--threads", "3", "--memory", "90M"],
        &["--threads", "1", "--memory", "50M"],
    ] {
        assert!(run(flags) == free, "{flags:?}");
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let room = room();
    room.write("page.html", "<p>One two three.</p>");
    room.write("folder/a.jsonl", rows_of(&[FIRST]));
    room.write("chat.jsonl", "{\"text\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n");
    let run =
        |flags: &[&str]| room.run(&[&["passages", "in.jsonl", "-o", "out.jsonl"], flags].concat());
    for (flags, code, message) in [
        (&["--length", "1"][..], 2, "--length: a length of 1 tokens is not between 2 and 10000"),
        (
            &["--length", "10001", "--unit", "line"],
            2,
            "--length: a length of 10001 lines is not between 1 and 10000",
        ),
        (&["--keep", "central"], 2, "use first, last, longest, shortest or none"),
        (&["--recipe", "vectors"], 1, "vectors"),
        (&["--recipe", "python-128"], 1, "python-128"),
        (&["--html", "main"], 2, "Extract the text with `nearprint text` first"),
        (&["--text-field", "text,more"], 1, "in.jsonl:1: nothing can be cut out of this text"),
        (
            &["--text-field", "text,more", "--on-error", "skip"],
            1,
            "name one field that holds a text, or give --annotate; the reports need no -o",
        ),
        (&["--keep-by", "none:max"], 1, "no row has a value in the field \"none\""),
        (
            &["--source-field", "none", "--passages", "p.jsonl"],
            1,
            "no row has a value in the field \"none\"",
        ),
        (&["--memory", "1M"], 1, "; allow "),
        (&["--unit", "word"], 2, "use token, line, sentence or paragraph"),
    ] {
        let found = run(flags);
        assert_eq!(found.code, Some(code), "{flags:?}: {}", found.stderr);
        assert!(found.stderr.contains(message), "{flags:?}: {}", found.stderr);
        assert!(!room.names().contains(&"out.jsonl".to_owned()), "{flags:?}");
    }
    for (args, code, message) in [
        (&["in.jsonl"][..], 2, "no output; give one with -o"),
        (
            &["page.html", "-o", "out/", "--html", "full"],
            2,
            "Extract the text with `nearprint text` first",
        ),
        (&["chat.jsonl", "-o", "out.jsonl"], 1, "chat.jsonl:1: nothing can be cut"),
        (
            &["in.jsonl", "chat.jsonl", "-o", "out.jsonl", "--on-error", "skip"],
            1,
            "chat.jsonl:1: nothing can be cut",
        ),
        (&["in.jsonl", "-o", "in.jsonl", "--force"], 1, "in.jsonl is the input in.jsonl"),
        (&["folder", "-o", "folder/sub/"], 1, "folder/sub/"),
        (&["none.jsonl", "-o", "out.jsonl"], 1, "none.jsonl"),
    ] {
        let found = room.run(&[&["passages"], args].concat());
        assert_eq!(found.code, Some(code), "{args:?}: {}", found.stderr);
        assert!(found.stderr.contains(message), "{args:?}: {}", found.stderr);
    }
    // The reports need no way back.
    room.run(&["passages", "page.html", "--html", "full", "--removed", "r.jsonl", "-q"]).done();
    room.run(&["passages", "chat.jsonl", "--summary", "s.json", "-q"]).done();
}

#[test]
fn what_is_only_compared_with_needs_no_way_back() {
    let room = Room::new();
    let words = FIRST.trim_end_matches('.');
    room.write("chat.jsonl", format!("{}\n", json!({"text": [{"content": "Hi"}, words]})));
    room.write("page.html", format!("<p>{words}</p>"));
    room.write("in.jsonl", rows_of(&[FIRST, THIRD]));
    room.write("in/a.txt", FIRST);
    for (flags, out) in [
        (&["in.jsonl", "-o", "out.jsonl", "--against", "chat.jsonl"][..], "out.jsonl"),
        (&["in", "-o", "out/", "--against", "page.html", "--html", "full"], "out/a.txt"),
    ] {
        room.run(&[&["passages", "-q"], flags, &EIGHT].concat()).done();
        assert!(!room.text(out).contains("lazy"), "{flags:?}: {}", room.text(out));
    }
}

#[test]
fn documents_without_a_text_stay() {
    let room = Room::new();
    let rows = "{\"text\":null}\n{\"text\":\"\"}\n{\"text\":\"a b\"}\n{\"text\":\"a b\"}\n";
    room.write("in.jsonl", rows);
    room.run(&["passages", "in.jsonl", "-o", "out.jsonl", "-q"]).done();
    assert_eq!(room.text("out.jsonl"), rows);
    let bad = [rows.as_bytes(), b"{\"text\":\"\xff a b c d e f\"}\n{\n"].concat();
    room.write("in.jsonl", bad);
    let run = room
        .run(&[
            "passages",
            "in.jsonl",
            "-o",
            "out.jsonl",
            "--force",
            "--on-error",
            "skip",
            "--length",
            "2",
        ])
        .done();
    assert!(run.stderr.contains("1 skipped (invalid-json)"), "{}", run.stderr);
    assert!(
        room.read("out.jsonl").starts_with(
            b"{\"text\":null}\n{\"text\":\"\"}\n{\"text\":\"a b\"}\n{\"text\":\"\"}\n"
        )
    );
}

#[test]
fn a_page_shows_what_repeats_and_what_is_left() {
    let room = room();
    let flags = ["passages", "in.jsonl", "--report", "page.html", "-q"];
    room.run(&[&flags[..], &EIGHT].concat()).done();
    let page = room.text("page.html");
    for shown in [
        "11 tokens cut",
        "28.9 %",
        "<del>the QUICK brown",
        "in.jsonl",
        "11 tokens, in 2 documents of 1 source",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("://"), "{page}");
}
