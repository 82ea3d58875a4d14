//! Input that is damaged, or of another form than it seems: it is told, and nothing else is lost with it.

use crate::room::Room;
use serde_json::{Value, json};

/// A file of gzip that is damaged from its first byte of data on, before one that is whole.
fn damaged_at_the_start(content: &str) -> Room {
    let room = Room::new();
    room.write("in/a.jsonl.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff damaged");
    room.write("in/b.jsonl", content);
    room
}

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
