//! The durable store from the command line.

use crate::nearprint::rows;
use crate::room::Room;
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
    assert!(run.stderr.contains("3 new, 1 near-duplicates"), "{}", run.stderr);
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

    room.run(&["store", "delete", "pages", "a", "x"]).done();
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
        (&[][..], "estimated", "by estimate"),
        (&["--verify"][..], "exact", "exact, by all features"),
    ] {
        let room = Room::new();
        room.write("rows.jsonl", TEXTS.map(row).concat());
        let run = room.run(&[&["store", "init", "pages"][..], flags].concat()).done();
        let said = "pages: a store of text, 128 bits, 18 bands of 5 rows: finds 99.9 % of the pairs at \
                    similarity 0.8; verdict ";
        assert_eq!(run.stderr, format!("{said}{verdict}\n"));
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
        assert!(table.text().contains("recipe        text, 128 bits, 18 bands of 5 rows: finds"));
        // What is exported are fingerprints, which such a store does not take.
        room.write("codes.jsonl", room.run(&["store", "export", "pages", "-q"]).done().text());
        room.run(&["store", "add", "pages", "codes.jsonl", "--fingerprints"]).refused(
            2,
            "--fingerprints: this store finds documents by similarity, which a fingerprint alone does not \
             tell; give the texts",
        );
    }
    let room = Room::new();
    let init = |flags: &[&str]| room.run(&[&["store", "init", "none"], flags].concat());
    init(&["--similarity", "0.2"])
        .refused(2, "--similarity 0.2: use 0.3 to 1; for less alike documents, a radius with -k");
    let run = init(&["--recall", "1"]);
    assert!(run.code == Some(2) && run.stderr.contains("--recall 1"), "{}", run.stderr);
    let run = init(&["--recipe", "vectors", "--similarity", "0.8"]);
    assert!(run.code == Some(2) && run.stderr.contains("real numbers"), "{}", run.stderr);
    let run = init(&["--recipe", "vectors"]).done();
    assert_eq!(run.stderr, "none: a store of vectors, 64 bits, k = 3\n");
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
    assert!(run.stderr.contains("4 have a near-duplicate"), "{}", run.stderr);
    let run = room.run(&["store", "export", "pages", "--prefix", "b", "-q"]).done();
    assert_eq!(rows(run.text()).len(), 1);
    room.run(&["store", "rebuild", "pages"]).done();
    room.run(&["store", "verify", "pages", "-q"]).done();
}

#[test]
fn what_does_not_belong_is_refused() {
    let room = room();
    let add = |more: &[&str]| room.run(&[&["store", "add", "pages", "rows.jsonl"], more].concat());
    let run = add(&["--recipe", "words"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("the store holds fingerprints of another recipe: "),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("shingle"), "{}", run.stderr);
    room.run(&["store", "init", "pages"])
        .refused(1, "pages: there is something here already; name a folder that is new or empty");
    room.run(&["store", "stats", "nowhere"])
        .refused(1, "nowhere: no store here; make one with `nearprint store init`");
    room.run(&["store", "init", "codes", "--ready-made"])
        .refused(2, "--ready-made: say of how many bits fingerprints are, by --width");
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

    let mut owner = room.command(&["store", "check", "pages", "-", "-q"]);
    let mut owner = owner.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut asks = owner.stdin.take().unwrap();
    asks.write_all(row(TEXTS[0]).as_bytes()).unwrap();
    let mut answer = String::new();
    BufReader::new(owner.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    let run = add(&[]);
    assert!(run.stderr.contains("another process has this store open"), "{}", run.stderr);
    drop(asks);
    assert!(owner.wait().unwrap().success());
}
