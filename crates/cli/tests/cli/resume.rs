//! Runs that are killed or fail, and go on.

use crate::room::Room;
use std::fmt::Write as _;
use std::fs::DirEntry;
use std::path::Path;
use std::process::Stdio;

const ARGS: [&str; 19] = [
    "dedup",
    "in",
    "-o",
    "out/",
    "--removed",
    "removed.jsonl",
    "--pairs",
    "pairs.jsonl.gz",
    "--clusters",
    "clusters.jsonl",
    "--rejected",
    "rejected.jsonl",
    "--decisions",
    "in.decisions",
    "--report",
    "report.html",
    "--work-dir",
    "work",
    "--quiet",
];
const OUTPUTS: [&str; 9] = [
    "out/a.jsonl",
    "out/b.jsonl",
    "removed.jsonl",
    "pairs.jsonl.gz",
    "clusters.jsonl",
    "rejected.jsonl",
    "in.decisions",
    "report.html",
    "in/a.jsonl",
];

/// Two files of documents in groups of five, of which some are equal.
fn room() -> Room {
    let room = Room::new();
    for (file, from) in [("in/a.jsonl", 0), ("in/b.jsonl", 4000)] {
        let mut rows = String::new();
        for n in from..from + 4000 {
            let (group, nth) = (n / 5, n % 5);
            let word = |at: u32| if at == nth * 7 { n * 50 + at } else { group * 50 + at };
            let text: Vec<_> = (0..40).map(|at| format!("w{}", word(at))).collect();
            writeln!(rows, "{{\"id\":{n},\"text\":\"{}\"}}", text.join(" ")).unwrap();
        }
        room.write(file, rows);
    }
    std::fs::create_dir(room.path("work")).unwrap();
    room
}

fn outputs(room: &Room) -> Vec<Vec<u8>> {
    OUTPUTS.map(|name| room.read(name)).to_vec()
}

/// Bytes of all files in a folder and those in it.
fn bytes_in(folder: &Path) -> u64 {
    // Files come and go while this looks at them.
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

/// Kills a run as soon as the room holds so many bytes; false where it ended before that.
fn killed_at(room: &Room, more: &[&str], bytes: u64) -> bool {
    let mut running =
        room.command(&[&ARGS[..], more].concat()).stderr(Stdio::null()).spawn().unwrap();
    while bytes_in(&room.path("")) < bytes && running.try_wait().unwrap().is_none() {}
    running.kill().unwrap();
    !running.wait().unwrap().success()
}

/// Takes back all that a run wrote.
fn clear(room: &Room) {
    for name in ["out", "work"] {
        std::fs::remove_dir_all(room.path(name)).unwrap();
    }
    std::fs::create_dir(room.path("work")).unwrap();
    for name in &OUTPUTS[2..8] {
        std::fs::remove_file(room.path(name)).unwrap();
    }
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_end() {
    goes_on(&["--audit", "5"], 16);
}

#[test]
fn so_does_an_exact_one() {
    goes_on(&["--recall", "exact"], 8);
}

/// Kills runs with `more` flags at so many moments, and lets them go on.
fn goes_on(more: &[&str], moments: u64) {
    let whole = room();
    let before = bytes_in(&whole.path(""));
    whole.run(&[&ARGS[..], more].concat()).done();
    let (expected, names) = (outputs(&whole), whole.names());
    let written = bytes_in(&whole.path("")) - before;
    let room = room();
    for moment in 0..moments {
        let at = before + written * moment / moments;
        // A machine that looked away until the end tries again.
        let killed = (0..50).any(|_| {
            killed_at(&room, more, at) || {
                clear(&room);
                false
            }
        });
        assert!(killed, "moment {moment}");
        for name in &OUTPUTS[..8] {
            // Whatever has its final name is whole.
            assert!(!room.path(name).exists() || expected.contains(&room.read(name)), "{name}");
        }
        let force = OUTPUTS[..8].iter().any(|name| room.path(name).exists());
        let run = room.run(
            &[
                &ARGS[..ARGS.len() - 1],
                more,
                &["--resume"],
                if force { &["--force"][..] } else { &[] },
            ]
            .concat(),
        );
        run.done();
        assert!(outputs(&room) == expected, "moment {moment}");
        assert_eq!(room.names(), names, "moment {moment}");
        clear(&room);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn finished_stages_are_not_done_again_and_only_the_same_job_goes_on() {
    let room = room();
    room.write("old.jsonl", room.read("in/a.jsonl"));
    let full = |more: &[&str]| {
        let args = ["dedup", "in", "-o", "/dev/full", "--work-dir", "work", "--pairs", "p.jsonl"];
        room.run(&[&args[..], more].concat())
    };
    let run = full(&[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
    let run = full(&["--resume"]);
    assert!(run.stderr.starts_with("resuming after: documents, matches\n"), "{}", run.stderr);
    for (flags, said) in [
        (&["-k", "3", "--width", "64"][..], "--resume: the saved stages belong to another run: "),
        (
            &["--similarity", "0.9"],
            "candidates: it was \"18 bands of 5 rows, version 1\", now it is \"17 bands of 10 rows, version",
        ),
        (&["--recipe", "shingles-3"], "recipe: it was \"text ("),
        (&["--keep", "last"], "keep: it was \"central\", now it is \"last\""),
        (&["--against", "old.jsonl"], "input: it had in/a.jsonl, now it has old.jsonl; "),
    ] {
        let run = full(&[&["--resume"], flags].concat());
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(run.stderr.contains("start again without --resume"), "{}", run.stderr);
    }
    // A stage whose file was damaged is done again.
    let work = |name: &str| {
        let names = room.names();
        names.into_iter().find(|path| path.starts_with("work/") && path.ends_with(name)).unwrap()
    };
    let mut bytes = room.read(&work("/matches"));
    bytes[100] ^= 1;
    room.write(&work("/matches"), bytes);
    assert_eq!(full(&["--resume"]).code, Some(1));
    // So is what goes on to another end of the same stages.
    let manifest = room.text(&work("manifest.json"));
    assert!(manifest.contains("\"name\": \"matches\""), "{manifest}");
    let text = room.text("in/b.jsonl").replacen("w200000", "changed", 1);
    room.write("in/b.jsonl", text);
    let run = full(&["--resume"]);
    assert!(run.stderr.contains("input: in/b.jsonl changed since; start again"), "{}", run.stderr);
    let run = full(&[]);
    assert!(!run.stderr.contains("going on") && run.stderr.contains("/dev/full"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn another_setting_is_named_with_what_it_was() {
    let room = room();
    let refused = |args: &[&str], more: &[&str], said: &str| {
        let full = ["-o", "/dev/full", "--work-dir", "work"];
        let args = [args, &full].concat();
        let run = room.run(&args);
        assert!(run.code == Some(1) && run.stderr.contains("/dev/full"), "{}", run.stderr);
        let run = room.run(&[&args[..], &["--resume"], more].concat());
        let expected = format!(
            "error: --resume: the saved stages belong to another run: {said}; start again without --resume\n"
        );
        assert!(run.code == Some(1) && run.stderr.ends_with(&expected), "{}", run.stderr);
    };
    let passages = ["passages", "in", "--unit", "line"];
    for (more, said) in [
        (&["--length", "2"][..], "length: it was 1, now it is 2"),
        (&["--copies", "3"], "copies: it was 1, now it is 3"),
        (&["--whole", "sentence"], "whole: it was not set, now it is \"sentence\""),
        (&["--min-left", "9"], "min left: it was 0, now it is 9"),
        (&["--digits", "one"], "digits: it was \"keep\", now it is \"one\""),
        (&["--removed", "r.jsonl"], "reports: it was none, now it is removed"),
        (
            &["--similarity", "0.9", "--keep", "last"],
            "keep: it was \"first\", now it is \"last\"; similarity: it was not set, now it is 0.9",
        ),
    ] {
        refused(&passages, more, said);
    }
    // What was set, and is not any more.
    let within = ["dedup", "in", "-o", "/dev/full", "--work-dir", "work"];
    let run = room.run(&[&within[..], &["--within", "id"]].concat());
    assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
    let run = room.run(&[&within[..], &["--resume"]].concat());
    let said = "within: it was \"id\", now it is not set";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    room.write("eval.jsonl", "{\"question\":\"Which of the planets is nearest to the sun?\"}\n");
    let items = ["decontaminate", "in", "--against", "eval.jsonl", "--action", "cut"];
    for (more, said) in [
        (&["--margin", "7"][..], "margin: it was not set, now it is 7"),
        (&["--common", "keep"], "common: it was \"flag\", now it is \"keep\""),
    ] {
        refused(&items, more, said);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_segment_that_was_written_again_is_not_gone_on_with() {
    let room = room();
    let seen = |input: &str, force: &[&str]| {
        let made = ["dedup", input, "-o", "seen.jsonl", "--index-out", "seen.seg"];
        room.run(&[&made[..], force].concat()).done();
    };
    seen("in/a.jsonl", &[]);
    let against = |more: &[&str]| {
        let args =
            ["dedup", "in", "-o", "/dev/full", "--work-dir", "work", "--against", "seen.seg"];
        room.run(&[&args[..], more].concat())
    };
    assert_eq!(against(&[]).code, Some(1));
    let run = against(&["--resume"]);
    assert!(run.stderr.starts_with("resuming after: documents, matches\n"), "{}", run.stderr);
    seen("in/b.jsonl", &["--force"]);
    let run = against(&["--resume"]);
    assert!(run.stderr.contains("input: seen.seg changed since; start again"), "{}", run.stderr);
}

#[test]
fn what_cannot_go_on_is_said() {
    let room = room();
    let args = ["dedup", "-", "-o", "out.jsonl", "--work-dir", "work", "--resume"];
    room.refuses(&args, 2, "--resume: stdin can be read only once; give files");
    let run = room.run(&["dedup", "in", "-o", "out/", "--resume"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--work-dir"), "{}", run.stderr);
    let run = room.run(&["dedup", "in", "-o", "out/", "--resume", "--work-dir", "work"]).done();
    assert!(run.stderr.starts_with("nothing to resume in work: starting from the beginning\n"));
}
