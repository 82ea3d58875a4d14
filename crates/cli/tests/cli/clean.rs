//! `nearprint clean`: the same bytes as the verbs one by one, with what each of them is worth.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};

const QUESTION: &str =
    "Which of the eight planets turns around the sun in the shortest time of all?";

/// Words of a text that no other number has.
fn words(number: usize, count: usize) -> String {
    let words: Vec<String> =
        (0..count).map(|at| format!("w{}", (number * 7919 + at * 104_729) % 99_991)).collect();
    words.join(" ")
}

fn row(id: &str, text: &str) -> String {
    format!("{}\n", json!({"id": id, "text": text}))
}

/// Two files in folders: a near-duplicate, a passage that repeats, an item of an eval set.
fn room() -> Room {
    let room = Room::new();
    let (long, passage) = (words(1, 300), words(2, 80));
    let first = [
        row("long", &long),
        row("again", &format!("{long} end")),
        row("passage", &format!("{}\n{passage}", words(3, 40))),
        row("other", &words(6, 50)),
    ];
    let second = [
        row("copy", &format!("{}\n{passage}\n{}", words(4, 40), words(5, 40))),
        row("leak", &format!("{} {QUESTION}", words(7, 60))),
    ];
    room.write("in/a/1.jsonl", first.concat());
    room.write("in/2.jsonl", second.concat());
    room.write("evals/quiz.jsonl", format!("{}\n", json!({"id": "q1", "question": QUESTION})));
    room
}

const CLEAN: [&str; 6] = ["clean", "in", "-o", "clean/", "--evals", "evals"];

#[test]
fn it_writes_what_the_verbs_write_one_by_one_and_says_what_each_is_worth() {
    let room = room();
    let reports = ["--lists", "lists", "--summary", "clean.json", "--report", "clean.html"];
    let run = room.run(&[&CLEAN[..], &reports].concat()).done();
    for args in [
        &["dedup", "in", "-o", "1/", "--removed", "removed.jsonl"][..],
        &["passages", "1", "-o", "2/", "--removed", "cuts.jsonl"],
        &[
            "decontaminate",
            "2",
            "--against",
            "evals",
            "-o",
            "3/",
            "--removed",
            "leaks.jsonl",
            "--items",
            "items.jsonl",
        ],
    ] {
        room.run(args).done();
    }
    for file in ["a/1.jsonl", "2.jsonl"] {
        assert_eq!(room.text(&format!("clean/{file}")), room.text(&format!("3/{file}")));
    }
    for list in ["removed.jsonl", "cuts.jsonl", "leaks.jsonl", "items.jsonl"] {
        let listed = room.text(&format!("lists/{list}"));
        assert_eq!((&listed, listed.is_empty()), (&room.text(list), false), "{list}");
    }
    let figures: Value = serde_json::from_str(&room.text("clean.json")).unwrap();
    let steps: Vec<_> = figures["steps"].as_array().unwrap().iter().collect();
    let of = |name: &str| steps.iter().map(|step| step[name].clone()).collect::<Vec<_>>();
    assert_eq!(
        of("after"),
        [Value::Null, json!("dedup"), json!("passages"), json!("decontaminate")]
    );
    assert_eq!(of("documents"), [6, 5, 5, 4].map(|it| json!(it)));
    let tokens = |step: usize| steps[step]["tokens"].as_u64().unwrap();
    let left = [tokens(0) - tokens(1), tokens(1) - tokens(2)];
    assert!((300..=301).contains(&left[0]) && left[1] == 80, "{left:?}");
    assert_eq!(steps[2]["summary"]["cut_tokens"], json!(80));
    assert_eq!(steps[3]["summary"]["contaminated"], json!(1));
    assert!(
        run.stderr.contains("decontaminate") && run.stderr.contains("tokens kept"),
        "{}",
        run.stderr
    );
    let page = room.text("clean.html");
    assert!(
        page.contains("nearprint passages") && !page.contains("http:") && !page.contains("https:"),
        "{page}"
    );
}

#[test]
fn texts_are_called_by_their_files_in_every_list() {
    let room = Room::new();
    let passage = words(2, 80);
    room.write("in/a/1.txt", format!("{} {passage}", words(1, 60)));
    room.write("in/b/2.txt", format!("{} {passage} {QUESTION}", words(3, 60)));
    room.write("evals/quiz.jsonl", format!("{}\n", json!({"id": "q1", "question": QUESTION})));
    room.run(&[&CLEAN[..], &["--lists", "lists"]].concat()).done();
    let row = |list: &str| -> Value { serde_json::from_str(&room.text(list)).unwrap() };
    let (cut, leak) = (row("lists/cuts.jsonl"), row("lists/leaks.jsonl"));
    assert_eq!((&cut["id"], &cut["kept"]["id"]), (&json!("in/b/2.txt"), &json!("in/a/1.txt")));
    assert_eq!(
        (&leak["id"], &row("lists/items.jsonl")["best_id"]),
        (&json!("in/b/2.txt"), &json!("in/b/2.txt"))
    );
    assert!(room.path("clean/a/1.txt").exists() && !room.path("clean/b/2.txt").exists());
}

#[test]
fn lists_call_files_between_the_steps_the_same_in_every_run() {
    let room = Room::new();
    let passage = words(2, 80);
    let text = |number| format!("{} {passage}", words(number, 60));
    room.write("in/a/1.jsonl", row("one", &text(1)) + &row("one", &text(3)));
    room.write("in/2.jsonl", format!("{}\n", json!({"text": text(4)})));
    room.run(&["clean", "in", "-o", "clean/", "--lists", "lists"]).done();
    let cuts = rows(&room.text("lists/cuts.jsonl"));
    let told: Vec<_> = cuts.iter().map(|row| (&row["id"], &row["file"], &row["row"])).collect();
    let (first, second) = (json!("1-deduped/2.jsonl"), json!("1-deduped/a/1.jsonl"));
    assert_eq!(told, [(&json!("one"), &second, &json!(1)), (&json!("one"), &second, &json!(2))]);
    for row in &cuts {
        assert_eq!(
            (&row["kept"]["id"], &row["kept"]["file"]),
            (&json!("1-deduped/2.jsonl:1"), &first)
        );
    }
}

#[test]
fn flags_of_a_step_and_of_the_input_reach_it() {
    let room = Room::new();
    let row = |page: usize, body: &str| format!("{}\n", json!({"page": page, "body": body}));
    let passage = words(2, 20);
    room.write(
        "in.jsonl",
        [row(1, &format!("{} {passage}", words(1, 30))), row(2, &passage)].concat(),
    );
    let args = ["clean", "in.jsonl", "-o", "out.jsonl", "--text-field", "body", "--id-field=page"];
    let run = |more: &[&str]| room.run(&[&args[..], more, &["--force"]].concat());
    run(&[]).done();
    assert_eq!(room.text("out.jsonl"), room.text("in.jsonl"));
    let said = run(&["--passages=--length 20"]).done().stderr;
    let emptied = "passages: 1 document has no words left; --min-left 1 in --passages removes it\n";
    assert!(said.contains(emptied), "{said}");
    let cut: Value = serde_json::from_str(room.text("out.jsonl").lines().last().unwrap()).unwrap();
    assert_eq!(cut, json!({"page": 2, "body": ""}));
    run(&["--passages=--length 20 --min-left 1"]).done();
    assert_eq!(room.text("out.jsonl").lines().count(), 1);
    let twice = run(&["--dedup", "--similarity 0.9 other.jsonl"]);
    assert_eq!(
        (twice.code, twice.stderr.contains("other.jsonl")),
        (Some(2), true),
        "{}",
        twice.stderr
    );
    for (flags, said) in [
        (&["--passages=--length 1"][..], "--length"),
        (&["--dedup=--nonsense"], "--nonsense"),
        (&["--decontaminate=--bits 20"], "--evals"),
        (&["--passages=-o x"], "--output"),
        (
            &["--dedup=--similarty 0.9"],
            "'--similarity'\n\nFor more information, try 'nearprint dedup --help'.",
        ),
    ] {
        let wrong = run(flags);
        assert_eq!((wrong.code, wrong.stderr.contains(said)), (Some(2), true), "{}", wrong.stderr);
    }
}

#[test]
fn a_character_set_is_that_of_the_input_and_of_eval_sets_in_every_step() {
    let room = Room::new();
    let latin = |text: String| -> Vec<u8> {
        text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
    };
    let accents = "caf\u{e9} cr\u{e8}me \u{e0} No\u{eb}l";
    let question = format!("{QUESTION} {accents}");
    let row = |number: usize, more: &str| format!("{number},\"{} {more}\"\n", words(number, 60));
    let kept = format!("id,text\n{}{}", row(1, accents), row(2, accents));
    room.write("in.csv", latin(format!("{kept}{}", row(3, &question))));
    room.write("quiz.csv", latin(format!("id,question\nq,\"{question}\"\n")));
    let args = ["clean", "in.csv", "-o", "out.csv", "--evals", "quiz.csv", "--encoding", "latin1"];
    room.run(&[&args[..], &["--report", "clean.html"]].concat()).done();
    assert_eq!(room.text("out.csv"), kept);
    // The first step alone reads that character set.
    assert_eq!(room.text("clean.html").matches("--encoding").count(), 1);
    // That of one step is that of its eval sets.
    room.write("wide.csv", format!("{kept}{}", row(3, &question)));
    let args = ["clean", "wide.csv", "-o", "left.csv", "--evals", "quiz.csv"];
    room.run(&[&args[..], &["--decontaminate", "--encoding latin1"]].concat()).done();
    assert_eq!(room.text("left.csv"), kept);
}

#[test]
fn what_a_later_step_would_refuse_is_refused_before_the_first() {
    let room = room();
    room.write("page/a.html", "<p>One two three</p>");
    room.write("empty/none.jsonl", "");
    room.write("clean/2.jsonl", "mine");
    for (args, code, said) in [
        (&["clean", "page", "-o", "x/", "--recipe", "web"][..], 2, "with `nearprint text` first\n"),
        (&["clean", "in", "-o", "x/", "--evals", "empty"], 1, "empty holds no file with rows"),
        (&CLEAN[..], 1, "exists"),
        (&["clean", "in", "-o", "in/x/"], 1, "lies inside the input folder"),
        (
            &["clean", "in", "-o", "x/", "--text-field", "text,id", "--on-error", "skip"],
            1,
            "nothing can be cut out of this text",
        ),
        (&["clean", "-", "-o", "x/"], 2, "files"),
        (&["clean", "in", "in", "-o", "x/"], 2, "one folder or file"),
    ] {
        let run = room.run(args);
        assert_eq!(
            (run.code, run.stderr.contains(said)),
            (Some(code), true),
            "{args:?}: {}",
            run.stderr
        );
        assert!(!run.stderr.contains("step 1"), "{}", run.stderr);
        assert!(!room.path("x").exists());
    }
    assert_eq!(room.text("clean/2.jsonl"), "mine");
}

#[test]
fn a_run_goes_on_from_the_step_that_ended() {
    let room = room();
    let evals = ["clean", "in", "--evals", "evals", "-o"];
    room.run(&[&evals[..], &["whole.jsonl"]].concat()).done();
    assert!(
        room.names().iter().all(|name| !name.contains("nearprint-clean")),
        "{:?}",
        room.names()
    );
    let args = [&evals[..], &["out.jsonl", "--work-dir", "work"]].concat();
    let resumed = [&args[..], &["--resume"]].concat();
    // The last step has no space for what it writes.
    std::os::unix::fs::symlink("/dev/full", room.path("out.jsonl")).unwrap();
    let failed = room.run(&args);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("step 3 of 3"), "{}", failed.stderr);
    std::fs::remove_file(room.path("out.jsonl")).unwrap();
    let other = room.run(&[&resumed[..], &["--passages=--copies 2"]].concat());
    assert_eq!(
        (other.code, other.stderr.contains("another command")),
        (Some(1), true),
        "{}",
        other.stderr
    );
    let second = room.text("in/2.jsonl");
    room.write("in/2.jsonl", format!("{second}{second}"));
    let changed = room.run(&resumed);
    assert_eq!(
        (changed.code, changed.stderr.contains("has changed")),
        (Some(1), true),
        "{}",
        changed.stderr
    );
    // Anew, to the same end.
    room.write("in/2.jsonl", second);
    std::os::unix::fs::symlink("/dev/full", room.path("out.jsonl")).unwrap();
    assert_eq!(room.run(&args).code, Some(1));
    std::fs::remove_file(room.path("out.jsonl")).unwrap();
    let done = room.run(&resumed).done();
    assert!(
        !done.stderr.contains("step 1 of 3") && done.stderr.contains("step 3 of 3"),
        "{}",
        done.stderr
    );
    assert_eq!(room.text("out.jsonl"), room.text("whole.jsonl"));
    assert!(!room.path("work/nearprint-clean").exists());
    // A folder of that name with other things is nobody's to remove.
    room.write("work/nearprint-clean/mine", "mine");
    let foreign = room.run(&[&args[..], &["--force"]].concat());
    assert_eq!(
        (foreign.code, foreign.stderr.contains("no steps")),
        (Some(1), true),
        "{}",
        foreign.stderr
    );
    assert_eq!(room.text("work/nearprint-clean/mine"), "mine");
}

#[test]
fn what_a_step_leaves_nothing_of_is_no_empty_file_of_the_input() {
    let room = Room::new();
    let rows: Vec<String> = (0..9).map(|at| row(&at.to_string(), &words(at, 40))).collect();
    room.write("in/a.jsonl", rows.concat());
    room.write("in/b.jsonl", rows[..4].concat());
    let clean = ["clean", "in", "-o", "out/", "--fail-on-empty", "--summary", "s.json"];
    let run = room.run(&clean).done();
    // The folder between the steps is gone: nothing is told of its files.
    assert!(!room.text("s.json").contains("without_documents"), "{}", room.text("s.json"));
    let expected = [rows.concat(), String::new()];
    assert_eq!(["a", "b"].map(|name| room.text(&format!("out/{name}.jsonl"))), expected);
    assert!(run.stderr.contains("1 file lost all documents: in/b.jsonl"), "{}", run.stderr);
    room.write("in/c.jsonl", "");
    let said = "--fail-on-empty: in/c.jsonl: it has no records";
    let run = room.run(&[&clean[..], &["--force"]].concat());
    assert_eq!((run.code, run.stderr.contains(said)), (Some(1), true), "{}", run.stderr);
}

#[test]
fn what_is_left_out_of_the_input_is_told_once() {
    let room = Room::new();
    let bad = "{\"id\":\"bad\",\"text\":7}\n".repeat(6);
    let null = "{\"id\":\"null\",\"text\":null}\n";
    let rows: Vec<String> = (0..9).map(|at| row(&at.to_string(), &words(at, 40))).collect();
    room.write("in.jsonl", [rows.concat(), bad, null.repeat(2)].concat());
    let flags = ["--on-error", "skip", "--null-text", "skip", "--report", "clean.html"];
    let run = room.run(&[&["clean", "in.jsonl", "-o", "out.jsonl"], &flags[..]].concat()).done();
    let page = room.text("clean.html");
    for said in ["6 skipped (", "2 skipped ("] {
        assert_eq!(run.stderr.matches(said).count(), 1, "{}", run.stderr);
        assert_eq!(page.matches(said).count(), 1, "{page}");
    }
    // Of documents without text each step would say the same.
    room.write("empty.jsonl", [rows.concat(), row("", ""), row("", "")].concat());
    let run = room.run(&["clean", "empty.jsonl", "-o", "out2.jsonl"]).done();
    assert_eq!(run.stderr.matches("2 documents with nothing to compare (kept)").count(), 1);
    assert_eq!(room.text("out.jsonl"), rows.concat());
}
