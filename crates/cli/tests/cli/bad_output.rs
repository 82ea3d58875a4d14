//! Outputs that may not or cannot be written: the exit code, the whole message, the inputs and
//! earlier results untouched, and nothing left behind.

use crate::nearprint::{BINARY, Run, command, repository, run_with};
use crate::room::Room;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const ROWS: &str = "{\"id\":1,\"text\":\"the ferry leaves at noon\"}\n\
                    {\"id\":2,\"text\":\"the ferry leaves at noon\"}\n";

#[test]
fn an_output_that_exists_is_replaced_only_by_force() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    room.write("old", "earlier result");
    let message = "old exists; pass --force to replace it";
    for verb in ["fingerprint", "pairs", "clusters", "dedup"] {
        room.refuses(&[verb, "in.jsonl", "-o", "old"], 1, message);
    }
    for report in ["--removed", "--pairs", "--clusters", "--summary"] {
        room.refuses(&["dedup", "in.jsonl", "-o", "out.jsonl", report, "old"], 1, message);
    }
    room.run(&["dedup", "in.jsonl", "-o", "old", "--force"]).done();
    assert_eq!(room.text("old"), ROWS.split_inclusive('\n').next().unwrap());
    assert_eq!(room.names(), ["in.jsonl", "old"]);
}

#[test]
fn an_output_is_never_the_input() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    fs::hard_link(room.path("in.jsonl"), room.path("hard.jsonl")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.jsonl", room.path("soft.jsonl")).unwrap();
    for output in ["in.jsonl", "./in.jsonl", "hard.jsonl", "soft.jsonl"] {
        let message = format!("{output} is the input in.jsonl; name another output");
        for verb in ["fingerprint", "pairs", "clusters", "dedup"] {
            room.refuses(&[verb, "in.jsonl", "-o", output, "--force"], 1, &message);
            room.refuses(&[verb, "in.jsonl", "-o", output], 1, &message);
        }
        let report = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "--summary", output];
        room.refuses(&report, 1, &message);
    }
    room.refuses(
        &["dedup", "in.jsonl", "-o", "./", "--force"],
        1,
        "./in.jsonl is the input in.jsonl; name another output",
    );
}

#[test]
fn an_output_inside_the_input_is_refused() {
    let room = Room::new();
    room.write("in/a.txt", "one");
    for verb in ["dedup", "passages"] {
        for (output, report) in [
            ("in", "r"),
            ("in/out/", "r"),
            ("in/out.jsonl", "r"),
            ("in/../in/out.jsonl", "r"),
            ("out/", "in/r.jsonl"),
        ] {
            let args = [verb, "in", "-o", output, "--removed", report, "--force"];
            let run = room.run(&args);
            assert_eq!(run.code, Some(1), "{args:?}");
            let inside = if report == "r" { output } else { report };
            let start = format!("error: the output {inside} lies inside the input folder ");
            assert!(run.stderr.starts_with(&start), "{args:?}: {}", run.stderr);
            assert_eq!(room.names(), ["in", "in/a.txt"]);
        }
    }
}

#[test]
fn two_outputs_never_share_a_path() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    room.write("old", "earlier result");
    for (one, two) in [("out", "out"), ("out", "./out"), ("old", "old"), ("-", "-")] {
        let args = ["dedup", "in.jsonl", "-o", one, "--pairs", two, "--force"];
        // The reports are made first, so it is the survivors that come second.
        room.refuses(
            &args,
            1,
            &format!("two outputs would be written to {one}; give each its own"),
        );
        let args = ["dedup", "in.jsonl", "-o", "x", "--removed", one, "--clusters", two, "--force"];
        room.refuses(
            &args,
            1,
            &format!("two outputs would be written to {two}; give each its own"),
        );
    }
}

#[test]
fn an_output_without_a_place_is_refused() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    fs::create_dir(room.path("folder")).unwrap();
    for verb in ["fingerprint", "pairs", "clusters", "dedup"] {
        room.refuses(
            &[verb, "in.jsonl", "-o", "nowhere/out.jsonl"],
            1,
            "cannot write nowhere/out.jsonl: its folder does not exist; create it first",
        );
    }
    room.refuses(&["pairs", "in.jsonl", "-o", "folder"], 1, "folder is a folder; name a file");
    room.refuses(
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--summary", "folder"],
        1,
        "folder is a folder; name a file",
    );
    for args in [
        &["text", "in.jsonl", "-o", "new/"][..],
        &["dedup", "in.jsonl", "-o", "a.jsonl", "--removed", "new/"],
    ] {
        room.refuses(args, 1, "new/ is a folder; name a file");
    }
}

/// A run with another standard output than a pipe that is read.
fn into(mut command: Command, stdout: impl Into<Stdio>) -> Run {
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
    Run::of(command.spawn().unwrap().wait_with_output().unwrap())
}

/// Every verb with output on standard output.
const PRINTERS: [&[&str]; 9] = [
    &["dedup", "samples/news.jsonl", "-o", "-", "--quiet"],
    &["dedup", "samples/news.jsonl", "-o", "/dev/null", "--removed", "-", "--quiet"],
    &["fingerprint", "samples/news.jsonl", "--quiet"],
    &["pairs", "samples/news.jsonl", "--quiet"],
    &["clusters", "samples/news.jsonl", "--quiet"],
    &["compare", "samples/text/town/allotments.txt", "samples/text/town/lost-property.txt"],
    &["recipe", "list"],
    &["completions", "bash"],
    &["man"],
];

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_an_error() {
    for args in PRINTERS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = into(command(&repository(), args), full);
        run.refused(1, "cannot write standard output: No space left on device (os error 28)");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_made_is_called_by_its_own_name() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let why = "No such file or directory (os error 2)";
    let message = format!("cannot write /proc/out.jsonl: {why}");
    room.refuses(&["dedup", "in.jsonl", "-o", "/proc/out.jsonl"], 1, &message);
    room.refuses(&["store", "init", "/proc/pages"], 1, &format!("/proc/pages: {why}"));
}

#[test]
#[cfg(target_os = "linux")]
fn reports_do_not_appear_where_the_survivors_could_not_be_written() {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let reports = ["--removed", "r", "--pairs", "p", "--clusters", "c", "--summary", "s"];
    let run = into(room.command(&[&["dedup", "in.jsonl", "-o", "-"][..], &reports].concat()), full);
    run.refused(1, "cannot write standard output: No space left on device (os error 28)");
    assert_eq!(room.names(), ["in.jsonl"]);
}

#[test]
#[cfg(unix)]
fn a_file_that_cannot_grow_is_an_error_and_leaves_nothing() {
    let room = Room::new();
    let text = |n: u64| format!("{} {} {} {}", n * 7919, n * n, n * 3, n + 5);
    let rows = (0..2000).map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", text(n)));
    room.write("in.jsonl", rows.collect::<String>());
    let before = room.contents();
    for (args, output) in [
        ("dedup in.jsonl -o out.jsonl -k 0 --summary summary.json", "out.jsonl"),
        ("dedup in.jsonl -o out/ -k 0 --clusters clusters.jsonl", "out/in.jsonl"),
        ("fingerprint in.jsonl -o out.jsonl", "out.jsonl"),
        ("pairs in.jsonl -o out.jsonl --width 128 -k 40", "out.jsonl"),
        ("clusters in.jsonl -o out.jsonl --width 128 -k 40", "out.jsonl"),
    ] {
        let script = format!("trap '' XFSZ; ulimit -f 8; exec {BINARY} {args}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(room.path("")).env("TMPDIR", room.path(""));
        let remedy = "raise the limit for files (ulimit -f) or write to another file system";
        let said = format!("cannot write {output}: File too large (os error 27); {remedy}");
        run_with(shell, "").refused(1, &said);
        assert_eq!(room.contents(), before, "{args}");
    }
    // Standard input is copied to be read twice.
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f 8; exec {BINARY} pairs -")]);
    let run = run_with(shell, &room.read("in.jsonl")[..40_000]);
    let remedy = "(os error 27); raise the limit for files (ulimit -f) or name another folder with --work-dir\n";
    assert!(run.stderr.ends_with(remedy), "{}", run.stderr);
}

#[test]
fn a_reader_that_goes_away_ends_every_verb_quietly() {
    for args in PRINTERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = into(command(&repository(), args), writer);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_reader_that_takes_one_line_gets_it() {
    let room = Room::new();
    let rows = (0..20_000).map(|n| format!("{{\"id\":{n},\"text\":\"number {n} of many\"}}\n"));
    room.write("in.jsonl", rows.collect::<String>());
    for args in [&["fingerprint", "in.jsonl"][..], &["dedup", "in.jsonl", "-o", "-"]] {
        let mut command = room.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("{\"id\":0,"), "{line}");
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    assert_eq!(room.names(), ["in.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn closed_standard_output_is_an_error() {
    let room = Room::new();
    room.write("in.jsonl", "{\"id\":1,\"text\":\"a few words of one document\"}\n");
    let closed = |args: &str| {
        let script = format!("exec \"$0\" {args} >&-");
        let mut shell = std::process::Command::new("sh");
        shell.current_dir(room.path("")).args(["-c", &script, crate::nearprint::BINARY]);
        crate::nearprint::Run::of(shell.output().unwrap())
    };
    for args in ["dedup in.jsonl -o -", "fingerprint in.jsonl", "recipe list"] {
        let run = closed(args);
        assert_eq!(run.code, Some(1), "{args}: {}", run.stderr);
        assert!(run.stderr.contains("Bad file descriptor"), "{args}: {}", run.stderr);
    }
    // What writes nothing there does not mind.
    assert_eq!(closed("dedup in.jsonl -o out.jsonl").code, Some(0));
    assert!(room.path("out.jsonl").exists());
}

#[test]
fn a_name_that_says_another_format_is_refused() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"one two three four\"}\n");
    let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl"];
    for (args, flag, held) in [
        (
            &["pairs", "in.jsonl", "-o", "p.csv"][..],
            "--output <FILE>",
            "JSON lines, and its name says CSV",
        ),
        (
            &["clusters", "in.jsonl", "-o", "p.parquet"],
            "--output <FILE>",
            "JSON lines, and its name says Parquet",
        ),
        (
            &[&dedup[..], &["--removed", "r.csv"]].concat(),
            "--removed <FILE>",
            "JSON lines, and its name says CSV",
        ),
        (
            &[&dedup[..], &["--clusters", "c.tsv.gz"]].concat(),
            "--clusters <FILE>",
            "JSON lines, and its name says TSV",
        ),
        (
            &[&dedup[..], &["--summary", "s.csv"]].concat(),
            "--summary <FILE>",
            "JSON, and its name says CSV",
        ),
        (
            &[&dedup[..], &["--report", "r.pdf"]].concat(),
            "--report <FILE.html>",
            "HTML, and its name says PDF",
        ),
        (
            &["tune", "in.jsonl", "--page", "p.pdf"],
            "--page <FILE.html>",
            "HTML, and its name says PDF",
        ),
    ] {
        let run = room.run(args);
        let said = format!("for '{flag}': the file holds {held}: let the name end in ");
        assert!(run.code == Some(2) && run.stderr.contains(&said), "{}", run.stderr);
    }
    // The flag of the format decides.
    for (output, told) in [("t.csv", "CSV"), ("t.jsonl", "JSONL")] {
        let message = format!(
            "--output: the file holds plain text, and its name says {told}: let the name end in .txt, or in .jsonl with \
             --format json"
        );
        room.run(&["text", "in.jsonl", "-o", output]).refused(2, &message);
    }
    let message =
        "--output: the file holds JSON lines, and its name says HTML: let the name end in .jsonl";
    room.run(&["text", "in.jsonl", "-o", "t.html", "--format", "json"]).refused(2, message);
    assert_eq!(room.names(), ["in.jsonl"]);
    for args in [&["-o", "t.txt"][..], &["-o", "t.jsonl", "--format", "json"]] {
        room.run(&[&["text", "in.jsonl"], args].concat()).done();
    }
}

#[test]
fn tables_with_other_separators_go_to_no_one_file() {
    let room = Room::new();
    room.write("a.csv", "sep=;\nid;text\n1;alpha beta, gamma\n");
    room.write("b.csv", "id,text\n2,other words here\n");
    let why = "one file holds one table; name a folder, such as kept/";
    let [a, b] = [("a.csv", ';'), ("b.csv", ',')]
        .map(|(file, mark)| format!("{file} has \"id\", \"text\", parted by {mark:?}"));
    for (inputs, second, first) in [(["a.csv", "b.csv"], &b, &a), (["b.csv", "a.csv"], &a, &b)] {
        let second = second.replacen("has", "has the columns", 1);
        let message = format!("{second}, and {first}: {why}");
        room.refuses(&["dedup", inputs[0], inputs[1], "-o", "o.csv"], 1, &message);
    }
}

#[test]
fn a_file_where_a_folder_is_expected_is_named_and_the_reverse() {
    let room = Room::new();
    room.write("in/a.jsonl", "{\"text\":\"one two three\"}\n");
    room.write("file", "");
    let expected = "file is a file, and a folder is expected\n";
    for args in [
        &["dedup", "in/", "-o", "file/"][..],
        &["dedup", "in/", "-o", "file/in/"],
        &["dedup", "in/a.jsonl", "-o", "file/x.jsonl"],
        &["split", "in/", "-o", "file/", "--parts", "a=50,b=50"],
    ] {
        let run = room.run(args);
        assert!(run.code == Some(1) && run.stderr.ends_with(expected), "{}", run.stderr);
    }
    for store in ["file", "file/store"] {
        let message = "file: a file is there; name a folder that is new or empty";
        room.refuses(&["store", "init", store], 1, message);
    }
    let message = "in: a folder, and no file of decisions; `dedup --decisions` writes one";
    room.refuses(&["decide", "in"], 1, message);
    room.refuses(&["decide", "nowhere"], 1, "no such file or folder: nowhere");
    room.refuses(&["index", "stats", "in"], 1, "in: a folder, and a file is expected");
}
