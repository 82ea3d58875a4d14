//! The durable store from the command line.

use crate::nearprint::{Run, rows, run_with};
use crate::room::{Room, gzip};
use crate::warc::record;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const TEXTS: [(&str, &str); 4] = [
    ("a", "The city council approved the new budget on Monday after a long debate about roads."),
    ("b", "Nothing of what the others say is said in this one, which is about a garden in May."),
    ("c", "the city council approved the new budget on monday after a long debate about roads"),
    ("d", "A third matter: trains that were late, and the people who waited for them at night."),
];

fn row((id, text): (&str, &str)) -> String {
    format!("{}\n", json!({ "id": id, "text": text }))
}

/// A store `pages` and the texts in `rows.jsonl`.
fn room() -> Room {
    let room = Room::new();
    room.write("rows.jsonl", TEXTS.map(row).concat());
    room.run(&["store", "init", "pages", "-k", "3", "-q"]).done();
    room
}

fn verdicts(rows: &[Value]) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    rows.iter().map(|row| (word(&row["id"]), word(&row["verdict"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn documents_are_added_checked_found_and_deleted() {
    let room = room();
    let add = ["store", "add", "pages", "rows.jsonl"];
    let run = room.run(&[&add[..], &["--unless-duplicate", "--format", "json"]].concat()).done();
    let answers = rows(run.text());
    let expected = [("a", "new"), ("b", "new"), ("c", "duplicate"), ("d", "new")];
    assert_eq!(verdicts(&answers), pairs(&expected));
    assert_eq!(answers[2]["near"], json!({ "id": "a", "distance": 0 }));
    assert!(run.stderr.contains("3 new, 1 with a near-duplicate in the store"), "{}", run.stderr);
    // What was stored already changes nothing; all that is new is stored.
    let run = room.run(&add).done();
    assert_eq!(run.stderr, "1 new, 3 stored already; the store holds 4 documents\n");
    assert_eq!(run.text(), "");

    let run = room.run(&["store", "check", "pages", "rows.jsonl", "--format", "json"]).done();
    assert!(rows(run.text()).iter().all(|row| row["verdict"] == "duplicate"));
    let run = room.run(&["store", "query", "pages", "rows.jsonl", "-q"]).done();
    let near: Vec<_> = rows(run.text()).into_iter().filter(|row| row["query"] == "a").collect();
    assert_eq!(
        near,
        ["a", "c"].map(|id| json!({ "query": "a", "id": id, "distance": 0 })).to_vec()
    );

    let run = room.run(&["store", "delete", "pages", "a", "x"]).done();
    assert_eq!(run.stderr, "1 document deleted, 1 was not stored; the store holds 3 documents\n");
    let run = room.run(&["store", "get", "pages", "a", "b"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "error: not in the store: \"a\"\n"));
    assert_eq!(rows(run.text())[0]["id"], "b");
    room.write("gone.txt", "b\nd\n");
    let run = room.run(&["store", "delete", "pages", "--ids-from", "gone.txt"]).done();
    assert_eq!(run.stderr, "2 documents deleted; the store holds 1 document\n");
    let run = room.run(&["store", "stats", "pages", "--format", "json"]).done();
    let stats: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!((&stats["documents"], &stats["recipe"]), (&json!(1), &json!("text")));
    room.run(&["store", "compact", "pages", "-q"]).done();
    let run = room.run(&["store", "verify", "pages"]).done();
    assert!(run.stderr.starts_with("1 document in "), "{}", run.stderr);
}

#[test]
fn a_store_of_texts_answers_by_similarity() {
    for (flags, measure, verdict) in [
        (&[][..], "jaccard", "compares each exactly"),
        (&["--verify"][..], "jaccard", "compares each exactly"),
        (
            &["--estimate"][..],
            "estimated-jaccard",
            "estimates each, which calls 46.5 % of the pairs at 0.8 duplicates, and 11.4 % of those at 0.75",
        ),
    ] {
        let room = Room::new();
        room.write("rows.jsonl", TEXTS.map(row).concat());
        let run = room.run(&[&["store", "init", "pages"][..], flags].concat()).done();
        let said = "finds 99.92 % of the pairs at similarity 0.8, more above it, and ";
        let said = format!("{said}{verdict} (18 bands of 5 rows, 128 bits)");
        assert_eq!(run.stderr, format!("pages: a store of text that {said}\n"));
        let add = ["store", "add", "pages", "rows.jsonl", "--unless-duplicate", "--format", "json"];
        let answers = rows(room.run(&add).done().text());
        let expected = [("a", "new"), ("b", "new"), ("c", "duplicate"), ("d", "new")];
        assert_eq!(verdicts(&answers), pairs(&expected));
        let near = json!({ "id": "a", "distance": 0, "similarity": 1.0, "measure": measure });
        assert_eq!(answers[2]["near"], near);
        // One word of fifteen is another one.
        let edited =
            TEXTS[0].1.replace("Monday", "Friday").replace("roads", "roads and of schools");
        room.write("one.jsonl", row(("e", &edited)));
        let run = room.run(&["store", "query", "pages", "one.jsonl"]).done();
        assert!(run.stderr.contains(" of 1 document at similarity 0.8 or more"), "{}", run.stderr);
        let run = room.run(&["store", "query", "pages", "rows.jsonl", "-q"]).done();
        let found = rows(run.text());
        assert_eq!(found.len(), 4, "{found:?}");
        let expected = json!({ "query": "c", "id": "a", "distance": 0, "similarity": 1.0, "measure": measure });
        assert_eq!(found[2], expected);
        room.run(&["store", "query", "pages", "rows.jsonl", "-k", "3"])
            .refused(2, "-k 3: this store finds documents by similarity; leave -k out");
        let stats = room.run(&["store", "stats", "pages", "--format", "json"]).done();
        let stats: Value = serde_json::from_str(stats.text()).unwrap();
        assert_eq!((&stats["similarity"], &stats["bands"]), (&json!(0.8), &json!(18)));
        assert_eq!((&stats["measure"], &stats["width"]), (&json!(measure), &json!(128)));
        room.run(&["store", "compact", "pages", "-q"]).done();
        room.run(&["store", "rebuild", "pages", "-q"]).done();
        room.run(&["store", "verify", "pages", "-q"]).done();
        let table = room.run(&["store", "stats", "pages"]).done();
        let told = format!("\nrecipe        text: {said}\n");
        assert!(table.text().contains(&told), "{}", table.text());
        // What is exported are fingerprints, which such a store does not take.
        room.write("codes.jsonl", room.run(&["store", "export", "pages", "-q"]).done().text());
        room.run(&["store", "add", "pages", "codes.jsonl", "--fingerprints"]).refused(
            2,
            "--fingerprints: this store finds documents by similarity, which needs more than a \
             fingerprint; give the texts",
        );
    }
    let room = Room::new();
    let init = |flags: &[&str]| room.run(&[&["store", "init", "none"], flags].concat());
    init(&["--similarity", "0.2"]).refused(2, "--similarity 0.2: use 0.3 to 1");
    let run = init(&["--recall", "1"]);
    assert!(run.code == Some(2) && run.stderr.contains("--recall 1"), "{}", run.stderr);
    for (flags, said) in [
        (&["--estimate"][..], "--estimate: documents of recipe vectors"),
        (
            &["--similarity", "0.1"],
            "--similarity 0.1: too low a cosine for 256-bit fingerprints; use ",
        ),
        (&["-k", "25"], "use at most 16, or --width 128,"),
    ] {
        let run = init(&[&["--recipe", "vectors"][..], flags].concat());
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_pipe_is_answered_line_by_line() {
    let room = room();
    let mut command = room.command(&["store", "add", "pages", "-", "--unless-duplicate", "-q"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut asks = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |one| {
        asks.write_all(row(one).as_bytes()).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        answer["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(TEXTS.map(&mut ask), ["new", "new", "duplicate", "new"]);
    assert_eq!([ask(("a", TEXTS[1].1)), ask(("e", TEXTS[1].1))], ["refused", "duplicate"]);
    // Whatever happens now, what was answered is stored.
    child.kill().unwrap();
    child.wait().unwrap();
    let run = room.run(&["store", "verify", "pages"]).done();
    assert!(run.stderr.starts_with("3 documents in "), "{}", run.stderr);
}

#[test]
fn a_copy_and_an_export_hold_the_same() {
    let room = room();
    room.run(&["store", "add", "pages", "rows.jsonl", "-q"]).done();
    room.run(&["store", "snapshot", "pages", "copy", "-q"]).done();
    let export = |store: &str| room.run(&["store", "export", store, "-q"]).done().text().to_owned();
    assert_eq!(export("copy"), export("pages"));
    assert_eq!(rows(&export("pages")).len(), 4);
    room.write("codes.jsonl", export("pages"));
    room.run(&["store", "init", "again", "-k", "3", "-q"]).done();
    let run = room.run(&["store", "add", "again", "codes.jsonl", "--fingerprints"]).done();
    assert_eq!(run.stderr, "4 new; the store holds 4 documents\n");
    let run = room.run(&["store", "check", "again", "rows.jsonl"]).done();
    assert!(
        run.stderr.contains("4 documents: 4 with a near-duplicate in the store, 0 without"),
        "{}",
        run.stderr
    );
    let run = room.run(&["store", "export", "pages", "--prefix", "b", "-q"]).done();
    assert_eq!(rows(run.text()).len(), 1);
    room.run(&["store", "rebuild", "pages"]).done();
    room.run(&["store", "verify", "pages", "-q"]).done();
}

#[test]
fn what_is_exported_is_imported_whole_by_a_store_of_the_same_kind() {
    for (init, other, reason) in [
        (&["-k", "3"][..], &["--recipe", "words", "-k", "3"][..], "of the recipe "),
        (&["-k", "3"], &["--width", "128", "-k", "3"], "of the recipe "),
        (&[], &["--similarity", "0.9"], "the shape of the sketch is 18x5/1; that of the store is "),
        (&["--estimate"], &["-k", "3"], "of the recipe "),
        (&["--estimate"], &[], "\"keys\" is missing"),
    ] {
        let room = Room::new();
        let make = |store: &str, flags: &[&str]| {
            room.run(&[&["store", "init", store, "-q"], flags].concat()).done();
        };
        make("old", init);
        let texts = TEXTS.into_iter().chain([("short", "Yes."), ("none", "")]);
        room.write("rows.jsonl", texts.map(row).collect::<String>());
        room.run(&["store", "add", "old", "rows.jsonl", "-q"]).done();
        room.run(&["store", "export", "old", "-o", "old.jsonl.zst", "-q"]).done();
        let export =
            |store: &str| room.run(&["store", "export", store, "-q"]).done().text().to_owned();
        make("new", init);
        let import = |store: &str, file: &str| room.run(&["store", "import", store, file]);
        let run = import("new", "old.jsonl.zst").done();
        assert_eq!(run.stderr, "6 new; the store holds 6 documents\n");
        assert_eq!(export("new"), export("old"));
        assert!(rows(&export("new")).iter().any(|row| row["flags"][0] == "short"));
        let run = import("new", "old.jsonl.zst").done();
        assert_eq!(run.stderr, "0 new, 6 stored already; the store holds 6 documents\n");
        room.run(&["store", "verify", "new", "-q"]).done();
        // What another document has under an id stays, where that is asked for.
        room.write("b.jsonl", row(("a", TEXTS[1].1)));
        room.run(&["store", "add", "new", "b.jsonl", "--update", "-q"]).done();
        let run = import("new", "old.jsonl.zst");
        let said = "error: 0 documents stored before this error, 5 stored already: old.jsonl.zst:1: id \"a\" is";
        assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
        let before = export("new");
        room.run(&["store", "import", "new", "old.jsonl.zst", "--unless-stored", "-q"]).done();
        assert_eq!(export("new"), before);
        make("other", other);
        let run = import("other", "old.jsonl.zst");
        let said =
            "error: 0 documents stored before this error, 0 stored already: old.jsonl.zst:1: ";
        assert!(run.stderr.starts_with(said) && run.stderr.contains(reason), "{}", run.stderr);
        // What is before a bad row is stored.
        room.write("bad.jsonl", export("old").replacen("\"time\"", "\"tiem\"", 3));
        let bad = room.text("bad.jsonl").lines().skip(2).collect::<Vec<_>>().join("\n");
        let good = export("old").lines().take(2).collect::<Vec<_>>().join("\n");
        room.write("bad.jsonl", format!("{good}\n{bad}\n"));
        make("part", init);
        let run = import("part", "bad.jsonl");
        let said = "error: 2 documents stored before this error, 0 stored already: bad.jsonl:3: this is not a row";
        assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
    }
}

#[test]
fn documents_are_deleted_by_the_beginning_of_their_ids_and_by_their_age() {
    let room = room();
    let export = |store: &str| room.run(&["store", "export", store, "-q"]).done().text().to_owned();
    let ids = ["a/1", "a/2", "b/1", "b/2"].into_iter().zip(TEXTS);
    room.write("rows.jsonl", ids.map(|(id, (_, text))| row((id, text))).collect::<String>());
    room.run(&["store", "add", "pages", "rows.jsonl", "-q"]).done();
    let run = room.run(&["store", "delete", "pages", "--prefix", "a/"]).done();
    assert_eq!(run.stderr, "2 documents deleted; the store holds 2 documents\n");
    let run = room.run(&["store", "delete", "pages", "--prefix", ""]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = room.run(&["store", "expire", "pages", "--older-than", "1h"]).done();
    assert_eq!(run.stderr, "0 documents deleted; the store holds 2 documents\n");
    // One of the two gets a time of long ago.
    let rows: Vec<Value> = rows(&export("pages"));
    let mut old = rows[0].clone();
    old["time"] = json!(1_000_000);
    room.write("old.jsonl", format!("{old}\n{}\n", rows[1]));
    room.run(&["store", "init", "dated", "-k", "3", "-q"]).done();
    room.run(&["store", "import", "dated", "old.jsonl", "-q"]).done();
    let run = room.run(&["store", "expire", "dated", "--older-than", "90d"]).done();
    assert_eq!(run.stderr, "1 document deleted; the store holds 1 document\n");
    assert!(export("dated").contains("\"b/2\""));
    let run = room.run(&["store", "expire", "dated", "--older-than", "90"]);
    assert!(run.code == Some(2) && run.stderr.contains("such as 90d"), "{}", run.stderr);
}

#[test]
fn the_radius_of_a_store_is_changed_by_a_rebuild_alone() {
    let room = room();
    room.run(&["store", "add", "pages", "rows.jsonl", "-q"]).done();
    let settings = room.text("pages/store.toml");
    room.write("pages/store.toml", settings.replace("k = 3", "k = 7"));
    let said = "pages/store.toml: k = 7 here, but the store was made for k = 3: restore that value, or \
                rebuild the store for the other radius; `nearprint store rebuild --k K` does that";
    room.run(&["store", "check", "pages", "rows.jsonl"]).refused(1, said);
    room.run(&["store", "rebuild", "pages"]).refused(1, said);
    let run = room.run(&["store", "rebuild", "pages", "--k", "7"]).done();
    assert_eq!(run.stderr, "segments rebuilt from 4 documents, for k = 7\n");
    let run = room.run(&["store", "stats", "pages", "--format", "json"]).done();
    let stats: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!((&stats["k"], &stats["documents"]), (&json!(7), &json!(4)));
    room.run(&["store", "verify", "pages", "-q"]).done();
    let settings = room.text("pages/store.toml");
    let other =
        |line: &str| if line.starts_with("width") { "width = 256" } else { line }.to_owned();
    let edited: Vec<String> = settings.lines().map(other).collect();
    room.write("edited/store.toml", edited.join("\n"));
    let run = room.run(&["store", "stats", "edited"]);
    assert!(run.stderr.contains("a setting that decides answers was changed"), "{}", run.stderr);
    let run = room.run(&["store", "rebuild", "pages", "--k", "65"]);
    assert!(run.code == Some(2) && run.stderr.contains("--k 65: "), "{}", run.stderr);
    room.run(&["store", "init", "alike", "-q"]).done();
    let run = room.run(&["store", "rebuild", "alike", "--k", "3"]);
    assert!(run.code == Some(2) && run.stderr.contains("by similarity"), "{}", run.stderr);
    // Nothing was changed by what was refused.
    room.run(&["store", "stats", "alike"]).done();
}

#[test]
fn pages_are_for_a_store_of_their_own() {
    let room = Room::new();
    room.write("page.html", "<!DOCTYPE html><html><body><p>one two three</p></body></html>");
    room.run(&["store", "init", "texts", "-q"]).done();
    let advice = "page.html: an HTML page, and the recipe takes plain text; make a store for pages with `nearprint store \
                  init NEW --recipe web`, or pass --input-format text to treat tags as text";
    for verb in ["add", "check", "query"] {
        let run = room.run(&["store", verb, "texts", "page.html"]);
        assert!(run.code == Some(1) && run.stderr.contains(advice), "{}", run.stderr);
    }
    let skipped = room.run(&["store", "add", "texts", "page.html", "--on-error", "skip"]).done();
    assert!(skipped.stderr.contains(advice), "{}", skipped.stderr);
    // What is advised helps.
    room.run(&["store", "init", "pages", "--recipe", "web", "-q"]).done();
    room.run(&["store", "add", "pages", "page.html"]).done();
}

#[test]
fn what_does_not_belong_is_refused() {
    let room = room();
    let add = |more: &[&str]| room.run(&[&["store", "add", "pages", "rows.jsonl"], more].concat());
    let run = add(&["--recipe", "words"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains(
            "the store (here) holds fingerprints of another recipe than what it was given (there): "
        ) && run.stderr.ends_with(
            "; leave out --recipe if it is named, or make a store for these, such as with `nearprint store init NEW --recipe web`\n"
        ),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("shingle"), "{}", run.stderr);
    for (args, said) in [
        (&["store", "query", "pages", "rows.jsonl", "--top", "0"][..], "--top <N>"),
        (&["store", "lookup", "pages"], "the verbs are init, add, "),
    ] {
        let run = room.run(args);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
    }
    room.run(&["store", "init", "pages"])
        .refused(1, "pages: a store is there already; name a folder that is new or empty");
    room.run(&["store", "stats", "nowhere"])
        .refused(1, "nowhere: no store here; make one with `nearprint store init`");
    room.run(&["store", "init", "codes", "--ready-made"])
        .refused(2, "--ready-made: set the number of bits of the fingerprints with --width");
    for (flags, said) in [
        (&["--memory", "1K"][..], "a store takes at least 64M"),
        (&["--memory", "63.9MB"], "a store takes at least 64M"),
        (&["-k", "64"], "use at most 16, or --width 256, or leave -k out"),
        (&["-k", "33", "--width", "128"], "use at most 32, or --width 256, or leave -k out"),
        (&["-k", "256", "--width", "256"], "use at most 64, or leave -k out"),
        (&["-k", "17", "--width", "64", "--ready-made"], "use at most 16, or --width 128, or"),
    ] {
        let run = room.run(&[&["store", "init", "none"], flags].concat());
        assert!(run.code == Some(2) && run.stderr.contains(said), "{flags:?}: {}", run.stderr);
    }
    assert!(!room.path("none").exists());
    add(&["-q"]).done();
    room.write("rows.jsonl", [row(("a", TEXTS[1].1)), row(("e", TEXTS[3].1))].concat());
    let run = add(&["-q"]);
    assert!(
        run.stderr.contains("1 document refused, the first: id \"a\" is stored"),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(1));
    let run = add(&["-q", "--update", "--format", "json"]).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("a", "updated"), ("e", "exists")]));

    // Its own id makes no document a duplicate, another one does.
    let again = |id, text| row((id, text));
    room.write("rows.jsonl", [again("a", TEXTS[1].1), again("a", TEXTS[0].1)].concat());
    room.run(&["store", "delete", "pages", "b", "c", "-q"]).done();
    let flags = ["-q", "--unless-duplicate", "--update", "--format", "json"];
    let answers = rows(add(&flags).done().text());
    assert_eq!(verdicts(&answers), pairs(&[("a", "exists"), ("a", "updated")]));
    room.write("rows.jsonl", again("a", TEXTS[3].1));
    let answers = rows(add(&flags).done().text());
    assert_eq!(verdicts(&answers), pairs(&[("a", "duplicate")]));
    assert_eq!(answers[0]["near"], json!({ "id": "d", "distance": 0 }));

    let mut owner = room.command(&["store", "check", "pages", "-", "-q"]);
    let mut owner = owner.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut asks = owner.stdin.take().unwrap();
    asks.write_all(row(TEXTS[0]).as_bytes()).unwrap();
    let mut answer = String::new();
    BufReader::new(owner.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    let run = add(&[]);
    assert!(run.stderr.contains("another process already has this store open"), "{}", run.stderr);
    drop(asks);
    assert!(owner.wait().unwrap().success());
}

/// Runs a verb of the store with `input` as standard input.
fn piped(room: &Room, args: &[&str], input: &str) -> Run {
    run_with(room.command(&[&["store"], args].concat()), input)
}

#[test]
fn what_is_before_a_bad_line_is_stored_and_answered() {
    let good = TEXTS.map(row).concat();
    let input = format!("{}{{\"id\":\"e\"\n{}", good, row(("f", TEXTS[3].1)));
    let expected = [("a", "new"), ("b", "new"), ("c", "new"), ("d", "new")];
    let documents = |room: &Room| {
        let run = room.run(&["store", "stats", "pages", "--format", "json"]).done();
        serde_json::from_str::<Value>(run.text()).unwrap()["documents"].clone()
    };
    let piped_room = room();
    let run = piped(&piped_room, &["add", "pages", "-"], &input);
    assert_eq!(verdicts(&rows(run.text())), pairs(&expected));
    let said = "error: 4 documents were stored before this error: stdin:5";
    assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
    assert_eq!(documents(&piped_room), 4);
    let run = piped(&piped_room, &["check", "pages", "-"], &input);
    assert_eq!(rows(run.text()).len(), 4);
    assert!(run.stderr.starts_with("error: 4 documents were checked before this error: stdin:5"));
    let run = piped(&piped_room, &["query", "pages", "-", "--top", "1"], &input);
    assert_eq!(rows(run.text()).len(), 4);
    assert!(run.stderr.contains("4 documents were asked about before this error: stdin:5"));

    // Of a file the number is told too, and what was there before.
    let file_room = room();
    file_room.write("bad.jsonl", &input);
    piped(&file_room, &["add", "pages", "-", "-q"], &row(TEXTS[0])).done();
    let run = file_room.run(&["store", "add", "pages", "bad.jsonl", "-q"]);
    let said = "error: 3 documents were stored before this error (1 stored already): bad.jsonl:5";
    assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
    assert_eq!(documents(&file_room), 4);
}

/// As every other verb reads standard input.
#[test]
fn a_pipe_is_read_in_the_format_that_it_begins_with() {
    let text = TEXTS[0].1;
    let table = format!("id,text\nx,\"{text}\"\n");
    let semicolons = format!("id;text\nx;\"{text}\"\n");
    for (input, flags, id) in [
        (table.clone(), &[][..], "x"),
        (format!("id\ttext\nx\t{text}\n"), &[], "x"),
        (semicolons, &["--input-format", "csv", "--delimiter", ";"], "x"),
        (
            record("conversion", "text/plain", 7, text),
            &[],
            "http://example.org/7 2026-01-31T09:30:00Z",
        ),
        (format!("{text}\n"), &["--lines"], "stdin:1"),
        (text.to_owned(), &[], "stdin"),
    ] {
        let room = room();
        room.run(&["store", "add", "pages", "rows.jsonl", "-q"]).done();
        let run = piped(&room, &[&["check", "pages", "-"], flags].concat(), &input).done();
        let answers = rows(run.text());
        assert_eq!((answers.len(), &answers[0]["id"]), (1, &json!(id)), "{input}");
    }
    let room = room();
    let wide: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let add = || room.command(&["store", "add", "pages", "-"]);
    let run = run_with(add(), wide).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("x", "new")]));
    let run = run_with(add(), gzip(table.as_bytes())).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("x", "exists")]));
}

#[test]
fn a_skipped_line_is_answered_with_its_reason() {
    let room = room();
    let long = row(("long", &"word ".repeat(1000)));
    let input = format!("{}{{\"id\":\"x\"}}\n{long}{}", row(TEXTS[0]), row(TEXTS[1]));
    let flags = ["-", "--on-error", "skip", "--max-record", "1K"];
    for (verb, found) in [("add", "new"), ("check", "duplicate")] {
        let run = piped(&room, &[&[verb, "pages"][..], &flags].concat(), &input).done();
        let answers = rows(run.text());
        let told: Vec<_> = answers.iter().map(|row| row["verdict"].as_str().unwrap()).collect();
        assert_eq!(told, [found, "skipped", "skipped", found]);
        let reason = |at: usize| answers[at]["error"].as_str().unwrap();
        assert!(reason(1).starts_with("stdin:2: the row has no field \"text\""), "{}", reason(1));
        assert!(reason(2).starts_with("stdin:3: "), "{}", reason(2));
        assert!(run.stderr.contains("1 skipped (text-missing), the first: stdin:2: "));
    }
}

#[test]
fn a_line_of_a_pipe_is_stored_by_an_id_of_its_own_alone() {
    let room = room();
    let line = format!("{}\n", json!({ "text": TEXTS[0].1, "url": "a" }));
    let run = piped(&room, &["add", "pages", "-"], &line);
    let said = "error: no document was stored before this error: stdin:1: the document has no id: no value \
                in the field \"id\"; the row has \"text\", \"url\"; name the field of the id with --id-field; \
                only text files need no ids, as file and line identify their documents\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), said));
    // Texts have no field, and no name there; what is advised helps.
    let texts = "one two three four five\nsix seven eight nine ten\n";
    for lines in [&[][..], &["--lines"]] {
        let run = piped(&room, &[&["add", "pages", "-"], lines].concat(), texts);
        let is_said = run.stderr.contains("save it in a file and give that, with --lines if ");
        assert!(run.code == Some(1) && is_said, "{}", run.stderr);
        assert!(!run.stderr.contains("--id-field"), "{}", run.stderr);
    }
    room.write("texts.txt", texts);
    room.run(&["store", "init", "others", "-q"]).done();
    room.run(&["store", "add", "others", "texts.txt", "--lines"]).done();
    let run = piped(&room, &["add", "pages", "-", "--id-field", "url"], &line).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("a", "new")]));
    // To ask takes no id, and a line of a file has one.
    let run = piped(&room, &["check", "pages", "-"], &line).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("stdin:1", "duplicate")]));
    room.write("in.jsonl", &line);
    let run = room.run(&["store", "add", "pages", "in.jsonl", "--format", "json"]).done();
    assert_eq!(verdicts(&rows(run.text())), pairs(&[("in.jsonl:1", "new")]));
    let run = piped(&room, &["add", "pages", "-", "--input-format", "text"], TEXTS[1].1);
    assert!(
        run.stderr.contains("stdin: the document has no id: no value in the field \"id\"; save ")
    );
}

#[test]
fn metadata_of_rows_are_kept_with_their_documents() {
    let room = Room::new();
    // What no number of a program and no string of Unicode can be is kept too.
    let given = r#"{"url": "x","tweet":12345678901234567890123,"price":1.10,"big":1e400,"k\ud800":"\udc00"}"#;
    let rows = format!(
        "{{\"id\":\"a\",\"text\":\"the ferry leaves at noon\",\"metadata\":{given}}}\n\
         {{\"id\":\"b\",\"metadata\":null,\"text\":\"snow fell on the pastures\"}}\n"
    );
    room.write("in.jsonl", rows);
    room.run(&["store", "init", "pages"]).done();
    room.run(&["store", "add", "pages", "in.jsonl"]).done();
    let got = |id| room.run(&["store", "get", "pages", id]).done().text().to_owned();
    assert!(got("a").contains(&format!("\"metadata\":{given},")), "{}", got("a"));
    assert!(!got("b").contains("metadata"), "{}", got("b"));
    // Texts have objects where a format has none, and no character of what nobody reads does harm.
    room.write(
        "in.csv",
        "id,text,metadata\nd,rain comes on sunday,\"{\"\"a\"\": 1}\"\ne,no sun was seen today,\n",
    );
    room.write(
        "more.jsonl",
        "{\"id\":\"f\",\"text\":\"five trains are late\",\"metadata\":\"{\\\"b\\\":2}\"}\n\
         {\"id\":\"g\",\"text\":\"six trains were lost\",\"k\\ud800\":1,\"metadata\":{\"c\":3}}\n",
    );
    room.run(&["store", "add", "pages", "in.csv", "more.jsonl"]).done();
    for (id, object) in [("d", "{\"a\": 1}"), ("f", "{\"b\":2}"), ("g", "{\"c\":3}")] {
        assert!(got(id).contains(&format!("\"metadata\":{object},")), "{}", got(id));
    }
    assert!(!got("e").contains("metadata"), "{}", got("e"));
    room.write("bad.csv", "id,text,metadata\nc,words,{x\n");
    let bad = room.run(&["store", "add", "pages", "bad.csv"]);
    assert!(bad.stderr.contains("the field \"metadata\" must be an object"), "{}", bad.stderr);
    room.write("bad.jsonl", "{\"id\":\"c\",\"text\":\"words\",\"metadata\":\"x\"}\n");
    let bad = room.run(&["store", "add", "pages", "bad.jsonl"]);
    assert!(
        bad.stderr.contains("bad.jsonl:1: the field \"metadata\" must be an object"),
        "{}",
        bad.stderr
    );
    let skipped = room.run(&["store", "add", "pages", "bad.jsonl", "--on-error", "skip"]).done();
    assert!(skipped.stderr.contains("1 skipped (not-an-object-field)"), "{}", skipped.stderr);
}

#[test]
fn a_whole_number_is_the_id_of_its_digits_and_others_are_refused() {
    let room = Room::new();
    room.run(&["store", "init", "pages"]).done();
    room.write("in.jsonl", "{\"id\":7.0,\"text\":\"the ferry leaves at noon\"}\n");
    room.run(&["store", "add", "pages", "in.jsonl"]).done();
    room.run(&["store", "get", "pages", "7"]).done();
    for id in ["1e3", "7.5"] {
        room.write("in.jsonl", format!("{{\"id\":{id},\"text\":\"snow fell\"}}\n"));
        let run = room.run(&["store", "add", "pages", "in.jsonl"]);
        let said = "in.jsonl:1: the field \"id\" must be a string or a number, found a number that is not whole, or has \
                    an exponent";
        assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    }
    // The id of a row that is written keeps its bytes.
    let run = room.run(&["dedup", "in.jsonl", "-o", "-", "-q"]).done();
    assert!(run.text().contains("7.5"));
    let absent = room.run(&["store", "get", "pages", "https://example.org/"]);
    assert!(absent.stderr.contains("its URL, a space, and its date"), "{}", absent.stderr);
}

#[test]
fn a_snapshot_that_is_not_there_is_named() {
    let room = Room::new();
    let said = "none: no snapshot here; name the folder that `nearprint store snapshot` wrote";
    room.refuses(&["store", "restore", "none", "new"], 1, said);
}
