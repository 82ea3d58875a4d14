//! Input that is damaged, or of another form than it seems: it is told, and nothing else is lost with it.

use crate::room::Room;
use serde_json::{Value, json};

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
