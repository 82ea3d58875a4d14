//! How `nearprint passages` runs: on from where it was killed, in shards, and as an estimate.

use crate::passages::{FIRST, SECOND, THIRD, rows_of};
use crate::room::Room;
use serde_json::{Value, json};

/// Whether a stage of a run in this room was kept.
fn has_kept(room: &Room, stage: &str) -> bool {
    let folders = std::fs::read_dir(room.path("work")).into_iter().flatten().flatten();
    let manifests =
        folders.map(|folder| std::fs::read_to_string(folder.path().join("manifest.json")));
    manifests.flatten().any(|manifest| manifest.contains(&format!("\"name\": \"{stage}\"")))
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let room = Room::new();
    let words = |seed: u64| {
        (0..300).map(|at| format!("w{} ", (at * seed) % 997 + seed % 3)).collect::<String>()
    };
    let texts: Vec<String> = (0..4000).map(|seed| words(seed % 900 + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    room.write("in.jsonl", rows_of(&texts));
    std::fs::create_dir(room.path("work")).unwrap();
    let args = [
        "passages",
        "in.jsonl",
        "-o",
        "out.jsonl",
        "--removed",
        "cuts.jsonl",
        "--passages",
        "all.jsonl",
        "--report",
        "page.html",
        "--keep",
        "last",
        "--work-dir",
        "work",
        "--length",
        "20",
    ];
    let outputs =
        || ["out.jsonl", "cuts.jsonl", "all.jsonl", "page.html"].map(|file| room.read(file));
    room.run(&args).done();
    let expected = outputs();
    for stage in ["anchors", "cuts"] {
        let mut running = room.command(&[&args[..], &["--force", "-q"]].concat()).spawn().unwrap();
        while !has_kept(&room, stage) && running.try_wait().unwrap().is_none() {}
        running.kill().unwrap();
        let was_killed = !running.wait().unwrap().success();
        let run = room.run(&[&args[..], &["--force", "--resume"]].concat()).done();
        let said = format!(
            "resuming after: {}",
            if stage == "cuts" { "anchors, cuts" } else { "anchors" }
        );
        assert!(
            !was_killed || run.stderr.contains("resuming after: anchors"),
            "{said}: {}",
            run.stderr
        );
        assert!(outputs() == expected, "{stage}");
        assert!(!has_kept(&room, stage));
        assert!(!room.names().iter().any(|name| name.contains("partial")), "{:?}", room.names());
    }
}

#[test]
fn shards_write_what_one_process_does() {
    let room = Room::new();
    for (name, texts) in [("a", [FIRST, THIRD]), ("b", [THIRD, SECOND]), ("c", [SECOND, FIRST])] {
        room.write(&format!("in/{name}.jsonl"), rows_of(&texts));
    }
    let flags = ["--length", "5", "--keep", "last", "--min-left", "4"];
    let alone =
        ["passages", "in", "-o", "cut/", "--removed", "cuts.jsonl", "--passages", "all.jsonl"];
    room.run(&[&alone[..], &flags].concat()).done();
    let shards = ["in", "-o", "cut2/", "--removed", "cuts2", "--passages", "all2.jsonl"];
    let create = ["shard", "create", "--ranges", "3", "work", "--job", "passages"];
    let made = room.run(&[&create[..], &shards, &flags].concat()).done();
    assert!(made.stderr.contains("anchors: 3 units\nrepeats: 3 units"), "{}", made.stderr);
    room.run(&["shard", "anchors", "work", "--task", "2/2"]).done();
    let early = room.run(&["shard", "repeats", "work"]);
    assert!(early.code == Some(3) && early.stderr.contains("anchors"), "{}", early.stderr);
    room.run(&["shard", "sketch", "work"]).refused(
        2,
        "sketch is not a stage of this job: its stages are anchors, repeats, windows, firsts, runs, lend, cut, write",
    );
    let ran = room.run(&["shard", "run", "work", "--tasks", "2"]).done();
    assert!(ran.stderr.contains("anchors: 2 units done"), "{}", ran.stderr);
    let status = room.run(&["shard", "status", "work"]).done().text().to_owned();
    assert_eq!(
        status.lines().filter(|line| line.ends_with("3 of 3 units done")).count(),
        8,
        "{status}"
    );
    let read = |name: String| room.text(&name);
    for name in ["a", "b", "c"] {
        assert_eq!(read(format!("cut2/{name}.jsonl")), read(format!("cut/{name}.jsonl")));
    }
    let parts: String = (0..3).map(|part| read(format!("cuts2/{part:05}.jsonl"))).collect();
    assert!(parts.lines().count() > 2);
    assert_eq!(parts, read("cuts.jsonl".to_owned()));
    assert_eq!(read("all2.jsonl".to_owned()), read("all.jsonl".to_owned()));
    for (flags, said) in [
        (&["in", "-o", "new.jsonl"][..], "write one file and not a folder of files"),
        (&["in", "-o", "new/", "--unit", "line", "--similarity", "0.9"], "near-duplicate"),
        (&["in", "-o", "new/", "--length", "1"], "--length: a length of 1 tokens"),
        (&["in", "-o", "new/", "--report", "r.html"], "write a report as a page"),
        (&["in", "-o", "new/", "--no-such-flag"], "passages: unexpected argument '--no-"),
    ] {
        let args = [&["shard", "create", "other", "--job=passages"], flags].concat();
        let refused = room.run(&args);
        assert!(refused.code == Some(2) && refused.stderr.contains(said), "{}", refused.stderr);
        assert!(!refused.stderr.contains("error: error") && !refused.stderr.contains("Usage"));
        assert!(!room.path("other").exists());
    }
    let other = room.run(&["shard", "create", "other", "--job", "pairs", "in", "-o", "new/"]);
    assert!(
        other.stderr.contains("--job pairs: use dedup, passages or decontaminate"),
        "{}",
        other.stderr
    );
}

#[test]
fn an_estimate_tells_what_a_run_takes_and_writes_nothing() {
    let room = Room::new();
    let row = |at: usize| {
        let words: Vec<_> = (0..60).map(|word| format!("w{}", (at / 2) * 60 + word)).collect();
        json!({"id": at, "text": words.join(" ")}).to_string() + "\n"
    };
    room.write("in/a.jsonl", (0..200).map(row).collect::<String>());
    let before = room.contents();
    let args = ["passages", "in", "-o", "out/", "--keep", "longest", "--estimate"];
    let run = room.run(&[&args[..], &["--format", "json"]].concat()).done();
    let told: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!((&told["documents"], &told["sampled"]), (&200.into(), &200.into()));
    assert_eq!((&told["tokens"], &told["cut_share_sampled"]), (&12_000.into(), &0.5.into()));
    assert_eq!(told["output"], room.read("in/a.jsonl").len());
    assert!(
        told["seconds"].as_f64().unwrap() > 0.0 && told["disk"].as_u64() > told["output"].as_u64()
    );
    let table = room.run(&args).done();
    for line in [
        "documents       200\n",
        "\nremoved         50.0 % of the tokens\n",
        "\ntime ",
        "\nmemory ",
    ] {
        assert!(table.text().contains(line), "{}", table.text());
    }
    let little = room.run(&[&args[..], &["--memory", "30M"]].concat()).done();
    assert!(
        little.text().contains("--memory allows 30 MB: the run will be refused"),
        "{}",
        little.text()
    );
    assert_eq!(room.contents(), before);
    // A large input is told from a part of it.
    for file in 0..12 {
        let rows = (0..6000).map(|at| row(file * 6000 + at));
        room.write(&format!("large/{file}.jsonl"), rows.collect::<String>());
    }
    let args = ["passages", "large", "--estimate", "--format", "json"];
    let told: Value = serde_json::from_str(room.run(&args).done().text()).unwrap();
    let number = |name: &str| told[name].as_u64().unwrap();
    assert!(
        number("sampled") < 69_000 && (65_000..80_000).contains(&number("documents")),
        "{told}"
    );
    assert!((3_900_000..4_800_000).contains(&number("tokens")), "{told}");
    assert!((0.3..0.51).contains(&told["cut_share_sampled"].as_f64().unwrap()), "{told}");
    let table = room.run(&["passages", "large", "--estimate"]).done();
    assert!(table.text().contains(" documents that were read; of all, it may be less or more\n"));
    room.refuses(
        &["passages", "-", "--estimate"],
        2,
        "--estimate: stdin can be read only once; give files",
    );
}
