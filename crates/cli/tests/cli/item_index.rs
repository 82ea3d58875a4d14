//! `nearprint decontaminate --index`: with a file that keeps the items a run says what it says without, and a file that
//! is not theirs is refused.

use crate::decontaminate::{PLANETS, TRAIN, corpus, evals};
use crate::room::Room;
use serde_json::{Value, json};

const RUN: [&str; 4] = ["decontaminate", "in", "--index", "items.index"];
const AGAINST: [&str; 4] = ["--against", "evals", "--on-error", "skip"];
const SKIP: [&str; 2] = ["--on-error", "skip"];

/// Items that several sets have, one of few words, one with a context, rows that share words with 300 others, and a row
/// that is none; beside them a file without rows. A file of the corpus is one of the eval sets.
fn room() -> Room {
    let room = Room::new();
    let lines = [
        (
            7,
            format!("Quiz! {}\nA. seven\nB. eight\nC. nine\nD. ten\nend\n", PLANETS.to_uppercase()),
        ),
        (9, format!("{}\n", TRAIN.replace("gets", "came"))),
        (20, "What is osmosis? (a) Water crossing membranes (b) Salt in soup\n".to_owned()),
        (30, format!("{}\n", templated(17))),
        (31, "Find x\n".to_owned()),
    ];
    let lines: Vec<(usize, &str)> = lines.iter().map(|(id, line)| (*id, line.as_str())).collect();
    room.write("in/a.jsonl", corpus(&lines));
    room.write("evals/README.md", "About these sets.\n");
    room.write("evals/quiz.jsonl", evals() + "{\"body\":\"no question\"}\n");
    let more = [
        json!({"id": "planets-again", "text": PLANETS, "choices": ["seven", "eight", "nine", "ten"], "answer": 1}),
        json!({"text": "What is osmosis?", "choices": ["Water crossing membranes", "Salt in soup"]}),
        json!({"text": "Who wrote that?", "context": "A letter of the year 1789 that nobody has read in full since."}),
    ];
    let templated = (0..300).map(|at| json!({"id": at, "text": templated(at)}));
    let more: String = more.into_iter().chain(templated).map(|row| format!("{row}\n")).collect();
    room.write("evals/more.jsonl", &more);
    room.write("in/more.jsonl", more);
    room
}

/// A question that shares most of its words with all others of these.
fn templated(at: usize) -> String {
    format!(
        "In which of these years did the treaty number{at} of the city town{at} end the war of house{at}, that is told \
         of in the old book of songs by the sea, and of which nobody who lives near the river today can say when, \
         where or why it began?"
    )
}

/// What a run with these arguments writes, figures without times and memory; and what it says.
fn answers(room: &Room, args: &[&str], flags: &[&str]) -> (Vec<String>, Value, String) {
    let outputs = ["--removed", "r.jsonl", "--items", "i.jsonl", "--summary", "s.json", "--force"];
    let run = room.run(&[args, flags, &outputs, &["-o", "out/"]].concat()).done();
    let written =
        ["out/a.jsonl", "out/more.jsonl", "r.jsonl", "i.jsonl"].map(|name| room.text(name));
    let mut figures: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    for other in ["seconds", "peak_memory", "command"] {
        figures.as_object_mut().unwrap().remove(other);
    }
    (written.into(), figures, run.stderr)
}

#[test]
fn with_an_index_a_run_says_the_same() {
    let room = room();
    for flags in [
        &[][..],
        &["--action", "cut", "--margin", "5"],
        &["--action", "annotate", "--share", "0.3", "--short", "flag"],
    ] {
        let plain = [&["decontaminate", "in"], &AGAINST[..]].concat();
        let (written, figures, said) = answers(&room, &plain, flags);
        assert!(!said.contains("index"), "{said}");
        assert_eq!(figures["skipped_eval_rows"]["total"], json!(1));
        assert_eq!(figures["passed_over"]["reasons"], json!({"no-rows": 1}));
        let both = [&RUN[..], &AGAINST].concat();
        let alone = [&RUN[..], &SKIP].concat();
        for (args, done) in [(&both, "written to"), (&both, "read from"), (&alone, "read from")] {
            let (again, figures_again, said) = answers(&room, args, flags);
            assert!(
                said.contains(&format!("their index was {done} items.index:\n  more: ")),
                "{said}"
            );
            assert_eq!((&again, &figures_again), (&written, &figures), "{args:?} {flags:?}");
        }
        let verdicts = ["contaminated", "eval-file"];
        assert!(verdicts.iter().all(|verdict| written[2].contains(verdict)), "{}", written[2]);
        std::fs::remove_file(room.path("items.index")).unwrap();
    }
}

#[test]
fn flags_of_tables_stay_where_their_index_is_read() {
    let room = Room::new();
    room.write("in/a.jsonl", corpus(&[]));
    room.write("quiz.csv", format!("id;text\n1;\"{PLANETS}\"\n"));
    let flags = ["--delimiter=;", "--summary", "s.json", "--force"];
    for against in [&["--against", "quiz.csv"][..], &[]] {
        let run = room.run(&[&RUN[..], &flags, against].concat()).done();
        assert!(run.stderr.contains("items.index"), "{}", run.stderr);
    }
}

#[test]
fn the_version_of_each_eval_file_is_told() {
    let room = Room::new();
    room.write("in/a.jsonl", corpus(&[]));
    room.write("evals/quiz.jsonl", evals());
    let args = [&RUN[..], &["--against", "evals", "--summary", "s.json", "--force"]].concat();
    let mut known = Vec::new();
    for evals in [evals(), evals().replace("Pluto", "Ceres")] {
        room.write("evals/quiz.jsonl", &evals);
        let said = room.run(&args).done().stderr;
        // Whoever may read the other outputs may read it.
        let rights = |name: &str| std::fs::metadata(room.path(name)).unwrap().permissions();
        assert_eq!(rights("items.index"), rights("s.json"));
        std::fs::remove_file(room.path("items.index")).unwrap();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let xxh3 = summary["eval_versions"][0]["xxh3"].as_str().unwrap().to_owned();
        let version =
            json!({"eval": "quiz", "file": "evals/quiz.jsonl", "bytes": evals.len(), "xxh3": xxh3});
        assert_eq!(summary["eval_versions"], json!([version]));
        assert!(said.contains(&format!(", XXH3 {xxh3}\n")), "{said}");
        known.push(xxh3);
    }
    assert!(known[0].len() == 32 && known[0] != known[1], "{known:?}");
}

#[test]
fn an_index_of_other_items_is_refused() {
    let room = room();
    let make = [&RUN[..], &AGAINST, &["--items", "i.jsonl", "-q"]].concat();
    room.run(&make).done();
    let index = room.read("items.index");
    let refuse = |args: &[&str], said: &str| {
        let run = room.run(&[args, &["--items", "again.jsonl"]].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        let advice = ". Delete the index to rebuild it, or name another file";
        for said in ["--index: items.index: ", said, advice] {
            assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
        }
        assert!(!room.path("again.jsonl").exists() && room.read("items.index") == index);
    };
    let both = [&RUN[..], &AGAINST].concat();
    let alone = [&RUN[..], &SKIP].concat();
    for args in [&both, &alone] {
        let code = [&args[..], &["--recipe", "code"]].concat();
        refuse(&code, "it was made with the recipe text (");
        let fields =
            [&args[..], &["--item-fields", "question=question", "--item-id", "id"]].concat();
        refuse(
            &fields,
            "it was made with the usual fields of items, and this run has the fields of items question=question,id=id",
        );
    }
    refuse(
        &[&RUN[..], &["--against", "evals"]].concat(),
        "1 rows of the eval sets that cannot be read were left out when it was made, and this run leaves out none",
    );
    let one = [&RUN[..], &["--against", "evals/quiz.jsonl"], &SKIP].concat();
    refuse(&one, "it was made from 2 files of eval sets, and 1 are named now");
    let swapped = ["--against", "evals/quiz.jsonl", "--against", "evals/more.jsonl"];
    refuse(
        &[&RUN[..], &swapped, &SKIP].concat(),
        "it is of evals/more.jsonl of the eval set \"more\", in the place of evals/quiz.jsonl of the eval set \"quiz\"",
    );
    room.write("evals/quiz.jsonl", room.text("evals/quiz.jsonl").replace("Pluto", "Ceres"));
    refuse(&both, "evals/quiz.jsonl has changed since it was made: then ");
    // Who names the index alone takes it as it is.
    room.run(&[&alone[..], &["--items", "again.jsonl"]].concat()).done();
    assert_eq!(room.text("again.jsonl"), room.text("i.jsonl"));
}

#[test]
fn what_is_no_index_or_damaged_is_refused() {
    let room = Room::new();
    room.write("in/a.jsonl", corpus(&[]));
    room.write("evals/quiz.jsonl", evals());
    let make = [&RUN[..], &["--against", "evals", "--items", "i.jsonl", "-q"]].concat();
    room.run(&make).done();
    let index = room.read("items.index");
    let refuse = |bytes: &[u8], said: &str| {
        room.write("items.index", bytes);
        let run = room.run(&[&RUN[..], &["--items", "again.jsonl"]].concat());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
        assert!(!room.path("again.jsonl").exists() && room.read("items.index") == bytes);
    };
    for at in (12..index.len()).step_by(index.len() / 20) {
        let mut changed = index.clone();
        changed[at] ^= 16;
        refuse(&changed, "items.index: the index of items is damaged, ");
        refuse(&index[..at], "it is cut short, at ");
    }
    refuse(&[&index[..], b"x"].concat(), "where ");
    let mut other = index.clone();
    other[8] += 1;
    refuse(&other, "an index of items of version 4, where 3 is expected: delete it");
    for other in [&b""[..], b"{\"question\":\"Who?\"}\n"] {
        refuse(other, "this is not an index of items, and only a missing file is created");
    }
}

#[test]
fn an_index_lies_beside_input_and_outputs() {
    let room = room();
    for (flags, code, said) in [
        (
            &["--index", "no.index"][..],
            2,
            "no.index: no such index of items, and no eval set is named",
        ),
        (
            &[],
            2,
            "name the eval sets with --against EVAL, or an index of their items with --index FILE",
        ),
        (
            &["--against", "evals", "--index", "-"],
            2,
            "-: an index of items is a file on this machine",
        ),
        (&["--against", "evals", "--index", "s3://bucket/items"], 2, "is a file on this machine"),
        (&["--against", "evals", "--index", "in/items"], 1, "lies inside the input folder"),
        (&["--against", "evals", "--index", "evals/items"], 1, "lies inside the input folder"),
        (&["--against", "evals", "--index", "out.jsonl"], 1, "out.jsonl"),
        (&["--against", "evals", "--index", "none/items"], 1, "none/items"),
    ] {
        let before = room.contents();
        let run = room.run(&[&["decontaminate", "in", "-o", "out.jsonl"], flags].concat());
        assert_eq!(
            (run.code, run.stderr.contains(said)),
            (Some(code), true),
            "{flags:?}: {}",
            run.stderr
        );
        assert_eq!(room.contents(), before, "{flags:?}");
    }
    // One that is there is never replaced.
    room.run(&[&RUN[..], &AGAINST, &["--items", "i.jsonl", "-q"]].concat()).done();
    let args = [&RUN[..], &SKIP, &["--items", "items.index", "--force"]].concat();
    let run = room.run(&args);
    assert!(
        run.code == Some(1) && run.stderr.contains("is the input items.index"),
        "{}",
        run.stderr
    );
}

#[test]
fn contamination_and_shards_read_an_index() {
    let room = room();
    let (written, figures, _) =
        answers(&room, &[&["decontaminate", "in"], &AGAINST[..]].concat(), &[]);
    let made = room.run(&[
        "contamination",
        "evals",
        "--in",
        "in",
        "--index",
        "items.index",
        "-o",
        "one.jsonl",
        "--on-error",
        "skip",
    ]);
    assert!(made.done().stderr.contains("their index was written to items.index"));
    room.run(&["contamination", "--in", "in", "--index", "items.index", "-o", "two.jsonl", "-q"])
        .done();
    assert_eq!(
        [room.text("one.jsonl"), room.text("two.jsonl")],
        [written[3].clone(), written[3].clone()]
    );
    let none = room.run(&["contamination", "--in", "in"]);
    none.refused(
        2,
        "contamination: name the eval sets, or an index of their items with --index FILE",
    );
    let outputs =
        ["-o", "many/", "--removed", "parts/", "--items", "many.jsonl", "--summary", "many.json"];
    let both = [&AGAINST[..], &["--index", "new.index"]].concat();
    let alone = ["--index", "items.index", "--on-error", "skip"];
    for (at, flags) in [&both[..], &alone].into_iter().enumerate() {
        let work = format!("work{at}");
        let create = ["shard", "create", &work, "--job", "decontaminate", "in", "--force"];
        room.run(&[&create[..], flags, &outputs].concat()).done();
        room.run(&["shard", "run", &work, "--tasks", "2"]).done();
        assert!(room.path("new.index").exists());
        let names = ["many/a.jsonl", "many/more.jsonl"];
        assert_eq!(names.map(|name| room.text(name)), [written[0].clone(), written[1].clone()]);
        assert_eq!(room.text("many.jsonl"), written[3]);
        let parts = ["parts/00000.jsonl", "parts/00001.jsonl"].map(|name| room.text(name));
        assert_eq!(parts.concat(), written[2]);
        let mut many: Value = serde_json::from_str(&room.text("many.json")).unwrap();
        for other in ["seconds", "peak_memory"] {
            many.as_object_mut().unwrap().remove(other);
        }
        assert_eq!(many, figures);
        std::fs::remove_dir_all(room.path("parts")).unwrap();
    }
    // Another index in its place is another job.
    room.write("evals/quiz.jsonl", evals());
    std::fs::remove_file(room.path("items.index")).unwrap();
    room.run(&[&RUN[..], &AGAINST, &["--items", "i.jsonl", "--force", "-q"]].concat()).done();
    let changed = room.run(&["shard", "write", "work1"]);
    assert!(changed.code == Some(1) && changed.stderr.contains("eval sets"), "{}", changed.stderr);
}
