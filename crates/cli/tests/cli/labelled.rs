//! Quality on the labelled sets beside the repository, as scored by the script that lies with them.
//! The bounds are what the default setting reached when they were frozen, less a hair: 64 bits, k = 3.
//! A change that falls below one is a change of quality, to be meant and stated.

use crate::corpus::{labelled, skipped};
use crate::nearprint::repository;
use crate::room::Room;
use serde_json::Value;
use std::process::Command;

/// How far below the frozen figures a score may fall.
const HAIR: f64 = 0.01;

fn scores(set: &str, precision: f64, recall: f64) {
    let Some(folder) = labelled(set) else { return };
    let room = Room::new();
    let input = folder.join("docs.jsonl.gz");
    room.run(&["pairs", input.to_str().unwrap(), "-o", "pairs.jsonl"]).done();
    let script = repository().join("../shared/score.py");
    let scored =
        Command::new("python3").arg(script).arg(folder).arg(room.path("pairs.jsonl")).output();
    let Ok(scored) = scored else {
        skipped("the scores are counted by a Python script, and there is no python3");
        return;
    };
    assert!(scored.status.success(), "{}", String::from_utf8_lossy(&scored.stderr));
    let score: Value = serde_json::from_slice(&scored.stdout).unwrap();
    assert!(score["precision"].as_f64().unwrap() >= precision - HAIR, "{score}");
    assert!(score["recall"].as_f64().unwrap() >= recall - HAIR, "{score}");
}

#[test]
fn licences() {
    scores("licences", 1.0, 0.2162);
}

#[test]
fn installation_guide() {
    scores("debguide", 1.0, 0.7616);
}

#[test]
fn bibliography() {
    scores("biblio", 1.0, 0.2426);
}
