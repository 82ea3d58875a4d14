//! `--work-dir`: the folder of temporary files, in every verb that has the flag.

use crate::room::Room;
use serde_json::json;

/// Verbs with the flag, and what each reads here.
const VERBS: [&[&str]; 15] = [
    &["dedup", "in.jsonl", "-o", "out.jsonl"],
    &["dedup", "in.jsonl", "--decisions", "out.decisions"],
    &["passages", "in.jsonl", "-o", "out.jsonl"],
    &["decontaminate", "in.jsonl", "--against", "evals.jsonl", "-o", "out.jsonl"],
    &["decontaminate", "in.jsonl", "--against", "evals.jsonl", "--removed", "out.jsonl"],
    &["contamination", "evals.jsonl", "--in", "in.jsonl", "-o", "out.jsonl"],
    &["clean", "in.jsonl", "-o", "out.jsonl"],
    &["split", "in.jsonl", "-o", "parts/"],
    &["decide", "in.decisions", "--in", "in.jsonl", "--similarity", "0.9", "-o", "out.jsonl"],
    &["clusters", "in.jsonl", "-o", "out.jsonl"],
    &["pairs", "in.jsonl", "-o", "out.jsonl"],
    &["evaluate", "in.jsonl", "--labels", "labels.jsonl"],
    &["tune", "in.jsonl"],
    &["stats", "in.jsonl"],
    &["index", "build", "in.jsonl", "-o", "out.seg"],
];

fn room() -> Room {
    let room = Room::new();
    let text = |number: usize| (0..60).map(|at| format!("word{number}x{at} ")).collect::<String>();
    let row = |id: usize| format!("{}\n", json!({ "id": id, "text": text(id / 2) }));
    room.write("in.jsonl", (0..20).map(row).collect::<String>());
    room.write("evals.jsonl", format!("{}\n", json!({ "question": text(90) })));
    room.write("labels.jsonl", "{\"a\":0,\"b\":1}\n{\"a\":0,\"b\":2,\"same\":false}\n");
    room.run(&["dedup", "in.jsonl", "--decisions", "in.decisions", "-q"]).done();
    room
}

#[test]
fn the_folder_is_made_where_it_is_not_there() {
    let room = room();
    for args in VERBS {
        room.run(&[args, &["--work-dir", "new/work", "--force", "-q"]].concat()).done();
        assert!(room.path("new/work").is_dir(), "{args:?}");
        std::fs::remove_dir_all(room.path("new")).unwrap();
    }
}

#[test]
fn what_writes_nothing_makes_no_folder() {
    let room = room();
    let before = room.contents();
    for verb in ["dedup", "passages"] {
        room.run(&[verb, "in.jsonl", "--estimate", "--work-dir", "new/work", "-q"]).done();
        assert_eq!(room.contents(), before, "{verb}");
        assert!(!room.path("new").exists(), "{verb}");
    }
    let args = ["evaluate", "in.jsonl", "--labels", "none.jsonl", "--work-dir", "new/work", "-q"];
    assert_eq!(room.run(&args).code, Some(1));
    assert!(!room.path("new").exists());
}

#[test]
fn what_is_no_folder_is_refused_in_the_same_words_before_anything_is_written() {
    let room = room();
    for args in VERBS {
        for folder in ["labels.jsonl", "labels.jsonl/work"] {
            let said = "no folder for temporary files: labels.jsonl is a file; name another folder with --work-dir";
            let args = [args, &["--work-dir", folder, "-q"]].concat();
            room.refuses(&args, 1, &format!("{folder}: {said}"));
        }
    }
}
