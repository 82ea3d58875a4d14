//! Ctrl-C while a join runs: it ends at once, by the exit code of every verb, and leaves no output.

use crate::nearprint::{Run, command};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// So many codes of 256 bits are compared with each other for half a minute at least.
const CODES: u64 = 400_000;

/// Raw words, none near another.
fn codes(path: &Path) {
    let word = |i: u64| {
        let word = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
    };
    fs::write(path, (1..=4 * CODES).flat_map(|i| word(i).to_le_bytes()).collect::<Vec<_>>())
        .unwrap();
}

/// Runs the verb, interrupts it, and looks at how it ended.
fn interrupted(folder: &Path, verb: &str, more: &[&str]) {
    let args = [verb, "codes.bin", "--input-format", "u256", "-k", "60", "-o", "out.jsonl"];
    let args: Vec<_> = args.iter().chain(more).copied().collect();
    let mut command = command(folder, &args);
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // By then it has read its input and joins.
    thread::sleep(Duration::from_secs(1));
    let id = running.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let asked = Instant::now();
    let run = Run::of(running.wait_with_output().unwrap());
    assert!(asked.elapsed() < Duration::from_secs(5), "{verb} {more:?}: {:?}", asked.elapsed());
    run.refused(130, "interrupted: no output file was written");
    let left: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["codes.bin"]);
}

#[test]
fn a_join_ends_at_the_first_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    codes(&folder.path().join("codes.bin"));
    for verb in ["pairs", "clusters"] {
        interrupted(folder.path(), verb, &[]);
        interrupted(folder.path(), verb, &["--memory", "64M"]);
        interrupted(folder.path(), verb, &["--memory", "8M"]);
    }
}
