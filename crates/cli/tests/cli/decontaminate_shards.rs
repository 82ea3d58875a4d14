//! `nearprint shard create --job decontaminate`: tasks write what one process does.

use crate::decontaminate::{CAPITAL, PLANETS, TRAIN, corpus, evals};
use crate::nearprint::rows;
use crate::room::Room;
use serde_json::Value;

const FILES: [&str; 4] = ["a", "b", "c", "d"];

/// Four files of rows, some ids of which repeat; one of them is an eval set itself.
fn room() -> Room {
    let shout =
        format!("Quiz! {}\nA. seven\nB. eight\nC. nine\nD. ten\nend\n", PLANETS.to_uppercase());
    let edited = TRAIN.replace("gets", "came").replace("the station", "**the** small station");
    let capital = format!("{CAPITAL} Paris / Rome / Berlin / Madrid\n");
    let half = format!("{}\n", PLANETS.get(..45).unwrap());
    let all = corpus(&[(7, &half), (61, &shout), (64, &edited), (150, &shout), (199, &capital)]);
    let lines: Vec<&str> = all.lines().collect();
    let room = Room::new();
    for (name, part) in FILES.iter().zip([0..60, 60..150, 150..200, 140..160]) {
        room.write(&format!("in/{name}.jsonl"), lines[part].join("\n") + "\n");
    }
    room.write("evals/own.jsonl", evals());
    room
}

fn summary(room: &Room, path: &str) -> Value {
    let mut figures: Value = serde_json::from_slice(&room.read(path)).unwrap();
    let figures_of = figures.as_object_mut().unwrap();
    for other in ["seconds", "peak_memory", "command"] {
        figures_of.remove(other);
    }
    figures
}

#[test]
fn shards_write_what_one_process_does() {
    let room = room();
    for (at, flags) in [
        &[][..],
        &["--action", "cut", "--margin", "3"],
        &["--action", "annotate"],
        &["--share", "0.3", "--common", "keep", "--short", "flag"],
    ]
    .into_iter()
    .enumerate()
    {
        let outputs = |kind: &str| {
            ["-o", "--removed", "--items", "--summary"].map(|flag| {
                let ending = match flag {
                    "-o" => "/",
                    "--removed" if kind == "many" => "/",
                    _ => ".jsonl",
                };
                format!("{flag}={kind}{at}{}{ending}", flag.trim_start_matches('-'))
            })
        };
        let input = ["in", "--against", "evals", "--against", "in/a.jsonl"];
        let fields = ["--item-fields", "question=question,question=text"];
        let input = [&input[..], &fields, flags].concat();
        let alone = outputs("one");
        let alone: Vec<&str> = alone.iter().map(String::as_str).collect();
        room.run(&[&["decontaminate"], &input[..], &alone].concat()).done();
        let many = outputs("many");
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let work = format!("work{at}");
        let create = ["shard", "create", &work, "--job", "decontaminate"];
        let made = room.run(&[&create[..], &input, &many].concat()).done();
        let units = "sample: 1 unit\nlook: 4 units\nsum: 1 unit\nwrite: 4 units\n";
        assert!(made.stderr.ends_with(units), "{}", made.stderr);
        let step = |stage: &str, task: &str| room.run(&["shard", stage, &work, "--task", task]);
        assert_eq!(step("look", "1/1").code, Some(3));
        step("sample", "1/1").done();
        for task in ["3/3", "1/3", "3/3"] {
            step("look", task).done();
        }
        let early = step("sum", "1/1");
        assert!(early.code == Some(3) && early.stderr.contains("look"), "{}", early.stderr);
        step("look", "2/3").done();
        // The same unit makes the same file.
        let units = room.contents();
        std::fs::remove_file(room.path(&format!("{work}/look/00002.parquet"))).unwrap();
        step("look", "1/1").done();
        assert_eq!(room.contents(), units);
        step("sum", "1/1").done();
        for task in ["2/2", "1/2", "2/2"] {
            step("write", task).done();
        }
        let status = room.run(&["shard", "status", &work]).done().text().to_owned();
        assert_eq!(status.matches("4 of 4 units done").count(), 2, "{status}");
        for name in FILES {
            let read = |kind: &str| room.text(&format!("{kind}{at}o/{name}.jsonl"));
            assert_eq!(read("many"), read("one"), "{name} {flags:?}");
        }
        let part = |part: usize| room.text(&format!("many{at}removed/{part:05}.jsonl"));
        let removed: String = (0..FILES.len()).map(part).collect();
        assert_eq!(removed, room.text(&format!("one{at}removed.jsonl")), "{flags:?}");
        let verdicts = rows(&removed);
        for verdict in ["contaminated", "eval-file"] {
            assert!(verdicts.iter().any(|row| row["verdict"] == verdict), "{verdict}");
        }
        let read = |kind: &str| room.text(&format!("{kind}{at}items.jsonl"));
        assert_eq!(read("many"), read("one"), "{flags:?}");
        let figures = |kind: &str| summary(&room, &format!("{kind}{at}summary.jsonl"));
        let (one, many) = (figures("one"), figures("many"));
        assert!(one["repeated_ids"] == 20 && one["aligned"].as_u64() > Some(4), "{one}");
        assert_eq!(many, one, "{flags:?}");
    }
}

#[test]
fn reports_need_no_corpus_and_run_does_all_stages() {
    let room = room();
    let input = ["in", "--against", "evals", "--items", "items.jsonl"];
    let create = ["shard", "create", "work", "--job=decontaminate"];
    room.run(&[&create[..], &input].concat()).done();
    room.run(&["shard", "run", "work", "--tasks", "3"]).done();
    room.run(&["decontaminate", "in", "--against", "evals", "--items", "one.jsonl"]).done();
    assert_eq!(room.text("items.jsonl"), room.text("one.jsonl"));
    let sketch = room.run(&["shard", "sketch", "work"]);
    sketch.refused(2, "sketch is not a stage of this job: its stages are sample, look, sum, write");
    // An eval set that changed is another job.
    room.write("evals/own.jsonl", evals().replace("Pluto", "Charon"));
    let changed = room.run(&["shard", "write", "work"]);
    assert!(changed.code == Some(1) && changed.stderr.contains("eval sets"), "{}", changed.stderr);
}

#[test]
fn what_shards_cannot_do_is_refused() {
    let room = room();
    for (flags, said) in [
        (&["in", "-o", "new/"][..], "no eval set is named"),
        (&["in", "--against", "evals"], "no output; give one with -o"),
        (&["in", "--against", "evals", "-o", "new.jsonl"], "one file and not a folder of files"),
        (
            &["in", "--against", "evals", "-o", "new/", "--report", "r.html"],
            "write a report as a page",
        ),
        (&["in", "--against", "evals", "--self-test", "5"], "neither --self-test nor --resume"),
        (&["in", "--against", "evals", "-o", "new/", "--share", "2"], "a share of 2"),
        (&["in", "--against", "evals", "-o", "in/new/"], "input"),
        (&["in", "--against", "evals", "-o", "new/", "--no-such-flag"], "--no-such-flag"),
    ] {
        let args = [&["shard", "create", "other", "--job=decontaminate"], flags].concat();
        let refused = room.run(&args);
        assert!(refused.code != Some(0) && refused.stderr.contains(said), "{}", refused.stderr);
        assert!(!room.path("other").exists() && !room.path("new").exists());
    }
}
