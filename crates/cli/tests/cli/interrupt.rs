//! Signals that ask a run to end: it does so at once, by the exit code of that signal, and leaves no output.

use crate::nearprint::{BINARY, Run, command};
use crate::room::Room;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
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

/// The signals that are heeded, with the status and the start of the message of a run that they end.
const SIGNALS: [(&str, i32, &str); 3] = [
    ("-INT", 130, "interrupted"),
    ("-TERM", 143, "ended by SIGTERM"),
    ("-HUP", 129, "ended by SIGHUP"),
];

fn send(signal: &str, to: &Child) {
    assert!(Command::new("kill").args([signal, &to.id().to_string()]).status().unwrap().success());
}

/// Names of all files in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until a run has begun its outputs.
fn outputs_begun(folder: &Path) {
    let start = Instant::now();
    while !names(folder).iter().any(|name| name.ends_with(".partial")) {
        assert!(start.elapsed() < Duration::from_secs(30), "no output was begun");
        thread::sleep(Duration::from_millis(5));
    }
    // The signal is heeded before outputs are begun, the input is read after.
    thread::sleep(Duration::from_millis(50));
}

/// Runs the verb, interrupts it, and looks at how it ended.
fn interrupted(folder: &Path, verb: &str, more: &[&str], (signal, code, said): (&str, i32, &str)) {
    let args = [verb, "codes.bin", "--input-format", "u256", "-k", "60", "-o", "out.jsonl"];
    let args: Vec<_> = args.iter().chain(more).copied().collect();
    let mut command = command(folder, &args);
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // By then it has read its input and joins.
    thread::sleep(Duration::from_secs(1));
    send(signal, &running);
    let asked = Instant::now();
    let run = Run::of(running.wait_with_output().unwrap());
    assert!(asked.elapsed() < Duration::from_secs(30), "{verb} {more:?}: {:?}", asked.elapsed());
    run.refused(code, &format!("{said}: no output file was written"));
    assert_eq!(names(folder), ["codes.bin"]);
}

#[test]
fn a_join_ends_at_the_first_signal() {
    let folder = tempfile::tempdir().unwrap();
    codes(&folder.path().join("codes.bin"));
    for verb in ["pairs", "clusters"] {
        let [ctrl_c, terminated, hung_up] = SIGNALS;
        interrupted(folder.path(), verb, &[], ctrl_c);
        interrupted(folder.path(), verb, &["--memory", "64M"], terminated);
        interrupted(folder.path(), verb, &["--memory", "8M"], hung_up);
    }
}

const REPORTS: [&str; 6] = ["--removed", "r.jsonl", "--pairs", "p.jsonl", "--summary", "s.json"];

#[test]
fn a_reading_of_dedup_ends_at_the_first_signal() {
    let room = Room::new();
    let rows =
        (0..200_000).map(|n| format!("{{\"text\":\"{n} of all the words {n} that there are\"}}\n"));
    room.write("in.jsonl", rows.collect::<String>());
    for (signal, code, said) in SIGNALS {
        let args = [&["dedup", "in.jsonl", "-o", "out.jsonl"], &REPORTS[..]].concat();
        let mut command = room.command(&args);
        let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        outputs_begun(&room.path(""));
        send(signal, &running);
        let run = Run::of(running.wait_with_output().unwrap());
        run.refused(code, &format!("{said}: no output file was written"));
        assert_eq!(names(&room.path("")), ["in.jsonl"]);
    }
}

#[test]
fn dedup_ends_while_it_waits_for_standard_input() {
    let room = Room::new();
    for (signal, code, said) in SIGNALS {
        let args = [&["dedup", "-", "-o", "out.jsonl"], &REPORTS[..]].concat();
        let mut command = room.command(&args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        let mut stdin = running.stdin.take().unwrap();
        stdin.write_all(b"{\"text\":\"one\"}\n").unwrap();
        outputs_begun(&room.path(""));
        send(signal, &running);
        let run = Run::of(running.wait_with_output().unwrap());
        run.refused(code, &format!("{said}: no output file was written"));
        assert_eq!(names(&room.path("")), [""; 0]);
        drop(stdin);
    }
}

#[test]
fn a_run_under_nohup_lives_on() {
    let room = Room::new();
    let script = "trap '' HUP; exec \"$0\" dedup - -o out.jsonl --removed r.jsonl";
    let mut command = Command::new("sh");
    command.args(["-c", script, BINARY]).current_dir(room.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let mut stdin = running.stdin.take().unwrap();
    outputs_begun(&room.path(""));
    send("-HUP", &running);
    thread::sleep(Duration::from_millis(300));
    stdin.write_all(b"{\"text\":\"one\"}\n").unwrap();
    drop(stdin);
    Run::of(running.wait_with_output().unwrap()).done();
    assert_eq!(names(&room.path("")), ["out.jsonl", "r.jsonl"]);
}
