//! `--memory` of `dedup`: a cap on the whole process.

use crate::room::Room;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;

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
    // A program that checks itself is larger by some megabytes.
    let small = if cfg!(debug_assertions) { ("44MiB", 44 << 20) } else { ("40MiB", 40 << 20) };
    for (memory, cap) in [("", u64::MAX), small, ("64M", 64_000_000)] {
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
fn sketches_of_short_documents_keep_to_memory_at_a_low_similarity() {
    let room = Room::new();
    let word = |at: u32| at.wrapping_mul(0x9e37_79b1) >> 20;
    let text = |n: u32| (0..5).map(|at| format!("{:x} ", word(n * 5 + at))).collect::<String>();
    let row = |n| format!("{{\"text\":\"{}\"}}\n", text(n));
    room.write("in.jsonl", (0..30_000).map(row).collect::<String>());
    let args =
        ["dedup", "in.jsonl", "-o", "out.jsonl", "--similarity", "0.3", "--summary", "s.json"];
    room.run(&[&args[..], &["--threads", "4", "--memory", "60M"]].concat()).done();
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let peak = summary["peak_memory"].as_u64().unwrap();
    assert!(peak / 11 * 10 <= 60_000_000, "{peak}");
}

/// Documents of very different lengths, much of which repeats.
#[cfg(target_os = "linux")]
fn long_documents() -> String {
    let mut state = 1_u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut paragraph =
        |words| (0..words).map(|_| format!("word{} ", next(3000))).collect::<String>();
    let pool: Vec<String> = (0..300).map(|_| paragraph(120)).collect();
    let mut rows = String::new();
    for id in 0..120_usize {
        let paragraphs = [5, 20, 200, 900][id % 4];
        let text = (0..paragraphs).map(|at| match (at + id) % 5 {
            0 | 1 => pool[(at * 7 + id * 13) % 300].clone(),
            _ => paragraph(100),
        });
        let text = text.collect::<Vec<_>>().join("\\n");
        rows += &format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
    }
    rows
}

#[cfg(target_os = "linux")]
#[test]
fn passages_keep_to_their_memory_and_are_the_same() {
    let room = Room::new();
    room.write("in.jsonl", long_documents());
    let mut answers = Vec::new();
    for memory in ["1G", "80M"] {
        let args = ["passages", "in.jsonl", "-o", "out.jsonl", "--force", "--threads", "2"];
        let limits = ["--summary", "s.json", "--memory", memory];
        room.run(&[&args[..], &limits].concat()).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let peak = summary["peak_memory"].as_u64().unwrap();
        assert!(memory != "80M" || peak <= 80_000_000, "{peak}");
        assert!(summary["cut_documents"].as_u64().unwrap() > 50, "{summary}");
        answers.push(room.text("out.jsonl"));
    }
    assert!(answers[0] == answers[1]);
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

#[test]
fn what_takes_more_whatever_the_documents_are_is_refused_first() {
    let room = Room::new();
    room.write("in.jsonl", corpus(10));
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(corpus(10).as_bytes()).unwrap();
    room.write("long.jsonl.zst", encoder.finish().unwrap());
    let within = ["--memory", "64M", "--threads", "2"];
    let refused = |input: &str, output: &str, what: &str, needed: &str| {
        let message = format!(
            "a run on 2 threads, with {what} takes more memory than the 64 MB allowed; allow {needed} or more"
        );
        let reports = ["--removed", "r.jsonl"];
        room.refuses(
            &[&["dedup", input, "-o", output], &reports[..], &within].concat(),
            1,
            &message,
        );
    };
    refused("in.jsonl", "out.jsonl.xz", "outputs that take it to pack (99 MB)", "131 MB");
    refused("long.jsonl.zst", "out.jsonl", "input that takes it to unpack (135 MB)", "167 MB");
    let args =
        ["dedup", "long.jsonl.zst", "-o", "out.jsonl", "--threads", "2", "--memory", "167MB"];
    room.run(&args).done();
    let estimate =
        room.run(&[&["dedup", "in.jsonl", "--estimate"], &["--memory", "33M"][..]].concat());
    let told = estimate.done();
    assert!(told.text().contains("more than the 33 MB of --memory"), "{}", told.text());
}

#[test]
fn what_a_run_takes_is_in_the_range_of_its_estimate() {
    let room = Room::new();
    for documents in [10, 20_000] {
        room.write("in.jsonl", corpus(documents));
        for setting in [&[][..], &["--recall", "exact"], &["-k", "3"], &["--memory", "200M"]] {
            let args = [&["dedup", "in.jsonl", "-o", "out.jsonl", "--force"], setting].concat();
            let estimate = room.run(&[&args[..], &["--estimate", "--format", "json"]].concat());
            let told: Value = serde_json::from_str(estimate.done().text()).unwrap();
            room.run(&[&args[..], &["--summary", "s.json"]].concat()).done();
            let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
            let Some(peak) = summary["peak_memory"].as_u64() else { continue };
            let [least, most] = [0, 1].map(|at| told["memory_range"][at].as_u64().unwrap());
            assert!((least..=most).contains(&peak), "{setting:?}: {peak}, {told}");
        }
    }
}

#[test]
fn a_record_for_which_there_is_no_room_is_refused() {
    let room = Room::new();
    let long = format!("{{\"text\":\"{}\"}}\n", "words and words ".repeat(400_000));
    room.write("in.jsonl", corpus(2) + &long);
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--threads", "2"];
    let message = "in.jsonl:3: the record is longer than the 5.33 MB that a run within 64 MB of memory reads; \
                   allow 70.5 MB or more";
    room.refuses(&[&args[..], &["--memory", "64M"]].concat(), 1, message);
    room.run(&[&args[..], &["--memory", "96M"]].concat()).done();
    // A search within texts takes more, and memory does not decide what --on-error leaves out.
    room.write("evals.jsonl", "{\"question\":\"Which of the words is the first word of all?\"}\n");
    let within = ["in.jsonl", "--threads", "2", "--memory", "80M", "-o", "cut.jsonl"];
    let more = "the 2 MB that a run within 80 MB of memory reads; allow ";
    let whole = ["in.jsonl", "--threads", "2", "-o", "whole.jsonl", "--force", "--memory"];
    for verb in [&["passages"][..], &["decontaminate", "--against=evals.jsonl"]] {
        for on_error in ["fail", "skip"] {
            let run = room.run(&[verb, &within[..], &["--on-error", on_error]].concat());
            let (told, advice) = run.stderr.split_once(more).unwrap();
            let said = "error: in.jsonl:3: the record is longer than ";
            assert!(run.code == Some(1) && told.ends_with(said), "{}", run.stderr);
            assert!(!room.path("cut.jsonl").exists());
            // What is advised is enough.
            let (enough, _) = advice.split_once(" MB or more").unwrap();
            room.run(&[verb, &whole[..], &[&format!("{enough}M")]].concat()).done();
        }
        let shorter = ["--on-error", "skip", "--max-record", "1M"];
        room.run(&[verb, &within[..], &shorter].concat()).done();
        assert_eq!(room.text("cut.jsonl").lines().count(), 2, "{verb:?}");
        std::fs::remove_file(room.path("cut.jsonl")).unwrap();
    }
    // An estimate obeys the same limit.
    for on_error in ["fail", "skip"] {
        let estimate = ["passages", "in.jsonl", "--estimate", "--threads", "2", "--memory", "80M"];
        let run = room.run(&[&estimate[..], &["--on-error", on_error]].concat());
        assert!(run.code == Some(1) && run.stderr.contains(more), "{}", run.stderr);
    }
    // What is advised is enough.
    let args = ["passages", "in.jsonl", "-o", "cut.jsonl", "--threads", "2", "--memory", "30M"];
    let run = room.run(&args);
    assert!(run.stderr.contains("allow 64 MB or more"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn more_files_than_there_is_room_for_are_refused_while_they_are_found() {
    let room = Room::new();
    for number in 0..3000 {
        room.write(&format!("in/{number}.jsonl"), "");
    }
    let args = ["dedup", "in", "-o", "out/", "--threads", "1", "--memory"];
    let run = room.run(&[&args[..], &["29M"]].concat());
    let said = "error: 3000 files take 2.75 MB of memory to list, and there is room for 2 MB; read fewer of \
                them; allow more with --memory\n";
    assert_eq!((run.code, &*run.stderr), (Some(1), said));
    assert!(!room.path("out").exists());
}
