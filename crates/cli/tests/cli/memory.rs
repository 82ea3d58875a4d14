//! `--memory` of `dedup`: a cap on the whole process.

use crate::room::Room;
use serde_json::Value;
use std::fmt::Write as _;

/// Short documents in groups of three that differ in a word.
fn corpus(documents: u32) -> String {
    let mut rows = String::new();
    for n in 0..documents {
        let word = |at: u32| (n / 3 + 1).wrapping_mul(at * 2 + 1).wrapping_mul(0x9e37_79b1) >> 14;
        let words: Vec<_> = (0..32).map(|at| format!("{:x}", word(at))).collect();
        writeln!(rows, "{{\"id\":{n},\"text\":\"{} {n}\"}}", words.join(" ")).unwrap();
    }
    rows
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_keeps_to_its_memory_and_finds_the_same() {
    let room = Room::new();
    room.write("in.jsonl", corpus(120_000));
    let radius = ["-k", "10", "--verify", "jaccard=0.8", "--width", "128"];
    keeps_to_its_memory(&room, &radius);
    keeps_to_its_memory(&room, &["--similarity", "0.8"]);
}

#[cfg(target_os = "linux")]
fn keeps_to_its_memory(room: &Room, setting: &[&str]) {
    let mut answers = Vec::new();
    for (memory, cap) in [("", u64::MAX), ("40M", 40 << 20), ("64M", 64 << 20)] {
        let mut args = vec!["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--threads", "2"];
        args.extend(setting);
        args.extend(["--summary", "s.json"]);
        if !memory.is_empty() {
            args.extend(["--memory", memory]);
        }
        room.run(&args).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let peak = summary["peak_memory"].as_u64().unwrap();
        assert!(peak / 11 * 10 <= cap, "{setting:?}, {memory}: {peak}");
        assert!(summary["removed"].as_u64().unwrap() > 50_000, "{summary}");
        answers.push(room.text("out.jsonl"));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[cfg(target_os = "linux")]
#[test]
fn documents_that_take_more_are_told() {
    let room = Room::new();
    let ids = corpus(150_000).replace("{\"id\":", &format!("{{\"id\":1{}", "0".repeat(200)));
    room.write("in.jsonl", ids);
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "removed.jsonl", "-k", "3"];
    let run = room.run(&[&args[..], &["--memory", "32M", "--threads", "2"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("a corpus of 150000 documents takes more"), "{}", run.stderr);
    assert_eq!(room.names(), ["in.jsonl"]);
}
