//! Disks that fill: a small file system of its own.

use crate::room::Room;
use nearprint_testing::SmallDisk;
use std::process::Stdio;

/// Twenty thousand documents, of which every other is near the one before it.
fn rows() -> String {
    let text = |n: u32| (0..30).map(|at| format!("w{} ", n / 2 * 31 + at)).collect::<String>();
    (0..20_000).map(|n| format!("{{\"id\":{n},\"text\":\"{}{n}\"}}\n", text(n))).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_is_an_error_and_nothing_is_half_written() {
    let room = Room::new();
    room.write("in.jsonl", rows());
    let input = room.read("in.jsonl");
    let Some(small) = SmallDisk::mount(room.path("small"), 300_000) else { return };
    let full = "No space left on device";
    for output in [&["-o", "small/out.jsonl"][..], &["-o", "small/out/"]] {
        let run = room.run(&[&["dedup", "in.jsonl"], output].concat());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(full) && run.stderr.contains("small/"), "{}", run.stderr);
        assert!(small.is_empty());
    }
    let reports = ["--removed", "small/removed.jsonl", "--pairs", "small/pairs.jsonl"];
    let run = room.run(&[&["dedup", "in.jsonl", "-o", "out.jsonl"], &reports[..]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(full) && small.is_empty(), "{}", run.stderr);
    // Temporary files: the stages of a run, then what memory has no room for.
    let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--work-dir", "small"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(full) && run.stderr.contains("small"), "{}", run.stderr);
    let mut spilled =
        room.command(&["pairs", "in.jsonl", "-k3", "--memory", "3M", "--work-dir", "small"]);
    let run = spilled.stdout(Stdio::null()).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains(full) && said.contains("name another directory"), "{said}");
    assert!(!room.path("out.jsonl").exists());
    assert!(room.read("in.jsonl") == input);
    // The sketches of more documents than memory holds.
    room.write("many.jsonl", (0..3).map(|_| rows()).collect::<String>());
    let mut sketches = room.command(&["dedup", "many.jsonl", "-o", "out.jsonl"]);
    let run = sketches.env("TMPDIR", room.path("small")).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains(full) && said.contains("name another directory"), "{said}");
    assert!(!room.path("out.jsonl").exists());
    // With room again, the same command ends well.
    drop(small);
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--work-dir", "small"]).done();
}
