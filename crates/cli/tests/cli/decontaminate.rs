//! `nearprint decontaminate`: items of eval sets are found in documents in every form, and nothing else is.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(crate) const PLANETS: &str = "How many planets turn around the sun in our solar system, if Pluto is not counted among them any more?";
pub(crate) const TRAIN: &str = "A train leaves the station at 3 pm and travels 60 miles per hour for 4 hours; how far does it get before it stops?";
pub(crate) const CAPITAL: &str = "What is the capital of France?";
const LCM: &str = "Find x";

/// Two hundred documents of words of their own, some of which have more lines.
pub(crate) fn corpus(more: &[(usize, &str)]) -> String {
    let mut rows = String::new();
    for id in 0..200 {
        let mut text = String::new();
        for line in 0..6 {
            for word in 0..12 {
                let _ = write!(text, "word{} ", (id * 31 + line * 17 + word * 7) % 997);
            }
            text.push('\n');
        }
        for (_, lines) in more.iter().filter(|(of, _)| *of == id) {
            text.push_str(lines);
        }
        let _ = writeln!(rows, "{{ \"id\":{id}, \"text\":{}, \"n\":1.50 }}", json!(text));
    }
    rows
}

pub(crate) fn evals() -> String {
    let row = |id: &str, question: &str, choices: &[&str]| {
        format!("{}\n", json!({"id": id, "question": question, "choices": choices, "answer": 1}))
    };
    [
        row("planets", PLANETS, &["seven", "eight", "nine", "ten"]),
        row("train", TRAIN, &["240 miles", "60 miles", "180 miles", "64 miles"]),
        row("capital", CAPITAL, &["Paris", "Rome", "Berlin", "Madrid"]),
        row("lcm", LCM, &[]),
    ]
    .concat()
}

pub(crate) fn room(more: &[(usize, &str)]) -> Room {
    let room = Room::new();
    room.write("in.jsonl", corpus(more));
    room.write("eval.jsonl", evals());
    room
}

const BASIC: [&str; 4] = ["decontaminate", "in.jsonl", "--against", "eval.jsonl"];

/// Ids of documents, items and verdicts of a run with these flags.
fn found(room: &Room, flags: &[&str]) -> Vec<(u64, String, String)> {
    room.run(&[&BASIC[..], &["--removed", "r.jsonl", "--force", "-q"], flags].concat()).done();
    let of = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = rows(&room.text("r.jsonl"));
    rows.iter()
        .map(|row| (row["id"].as_u64().unwrap(), of(row, "item"), of(row, "verdict")))
        .collect()
}

fn said(id: u64, item: &str, verdict: &str) -> (u64, String, String) {
    (id, item.to_owned(), verdict.to_owned())
}

#[test]
fn documents_with_an_item_go_and_the_evidence_is_told() {
    let shout =
        format!("Quiz! {}\nA. seven\nB. eight\nC. nine\nD. ten\nend\n", PLANETS.to_uppercase());
    let edited = TRAIN.replace("gets", "came").replace("the station", "**the** small station");
    let capital = format!("{CAPITAL} Paris / Rome / Berlin / Madrid\n");
    let room = room(&[(7, &shout), (9, &edited), (11, &capital)]);
    let outputs =
        ["-o", "out.jsonl", "--removed", "r.jsonl", "--items", "i.jsonl", "--summary", "s.json"];
    let run = room.run(&[&BASIC[..], &outputs].concat()).done();
    let all = corpus(&[]);
    let kept = all.lines().enumerate().filter(|(id, _)| ![7, 9, 11].contains(id));
    let kept: Vec<String> = kept.map(|(_, row)| format!("{row}\n")).collect();
    assert_eq!(room.text("out.jsonl"), kept.concat());
    let removed = rows(&room.text("r.jsonl"));
    let first = &removed[0];
    assert_eq!(
        (&first["id"], &first["item"], &first["eval"]),
        (&json!(7), &json!("planets"), &json!("eval"))
    );
    assert_eq!(
        (&first["share"], &first["answers"], &first["of_answers"]),
        (&json!(1.0), &json!(4), &json!(4))
    );
    assert_eq!((&first["verdict"], &first["removed"]), (&json!("contaminated"), &json!(true)));
    let document: Value =
        serde_json::from_str(corpus(&[(7, &shout)]).lines().nth(7).unwrap()).unwrap();
    let place = |key: &str| usize::try_from(first[key].as_u64().unwrap()).unwrap();
    let text = &document["text"].as_str().unwrap()[place("start")..place("end")];
    assert_eq!(first["text"], json!(text));
    assert!(text.starts_with("HOW MANY PLANETS") && text.ends_with("D. ten"), "{text}");
    assert_eq!((&removed[1]["id"], &removed[1]["item"]), (&json!(9), &json!("train")));
    assert_eq!((&removed[2]["id"], &removed[2]["answers"]), (&json!(11), &json!(4)));
    let items = rows(&room.text("i.jsonl"));
    let verdicts: Vec<_> = items.iter().map(|row| row["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["contaminated", "contaminated", "contaminated", "undecidable"]);
    assert_eq!((&items[0]["documents"], &items[0]["best_id"]), (&json!(1), &json!(7)));
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(
        summary["sets"][0],
        json!({
            "eval": "eval", "items": 4, "contaminated": 3, "common": 0, "partial": 0, "context": 0, "undecidable": 1,
            "eval_file": 0, "clean": 0, "documents": 3
        })
    );
    for line in [
        "4 items of 1 eval set",
        "1 item is too short or common to be proof; documents with one are listed, not removed (--short):\n  eval lcm: \
         Find x\n",
        "200 documents: 3 removed (1.5 %), for 3 of 4 items\n  eval: 4 items: 3 contaminated, 1 undecidable; 3 documents\n",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
}

#[test]
fn lines_with_an_item_are_cut_and_every_other_byte_stays() {
    let lines = format!(
        "Before.\r\n* {PLANETS} It\r\nseven, eight,\r\nnine or ten\r\nbehind\r\n{CAPITAL} 1 Paris 2 Rome 3 Berlin 4 Madrid"
    );
    // Two items at the end leave what one leaves: a text that ends with no break.
    let two = format!("Before.\n{PLANETS}\n{TRAIN}");
    let room = room(&[(7, &lines), (9, &two)]);
    room.run(&[&BASIC[..], &["-o", "out.jsonl", "--action", "cut", "-q"]].concat()).done();
    assert_eq!(room.text("out.jsonl"), corpus(&[(7, "Before.\r\nbehind"), (9, "Before.")]));
    room.run(
        &[&BASIC[..], &["-o", "wide.jsonl", "--action", "cut", "--margin", "10", "-q"]].concat(),
    )
    .done();
    let last = rows(&room.text("wide.jsonl"))[7]["text"].as_str().unwrap().to_owned();
    assert!(last.ends_with("\nbehind") || !last.contains("behind"), "{last}");
    assert!(!last.contains("Before"), "{last}");
    room.write(
        "in.csv",
        format!("id,text,n\r\n1,\"a \"\"b\"\"\n{PLANETS}\nc\",2\r\n2,other,3\r\n"),
    );
    let table = [
        "decontaminate",
        "in.csv",
        "--against",
        "eval.jsonl",
        "-q",
        "--action",
        "cut",
        "-o",
        "out.csv",
    ];
    room.run(&table).done();
    assert_eq!(room.text("out.csv"), "id,text,n\r\n1,\"a \"\"b\"\"\nc\",2\r\n2,other,3\r\n");
}

#[test]
fn only_answers_that_follow_an_item_go_with_it() {
    let room = Room::new();
    let question = "Is the moon landing site of Apollo 17 located near the Taurus Littrow valley?";
    let item = json!({"id": "q", "question": question, "choices": ["yes", "no"], "answer": 1});
    room.write("eval.jsonl", format!("{item}\n"));
    let changed = question.replace("located", "situated");
    let below =
        "The harbour was quiet.\nMy uncle said there was no reason to hurry.\nWe walked home.\n";
    let choices = "A. yes\nB. no\n";
    for (lines, left) in [
        (format!("{question}\n{below}"), below.to_owned()),
        (format!("{question}\n{choices}{below}"), below.to_owned()),
        (format!("Question:\n{question}\nChoices:\n{choices}Answer: B\n{below}"), below.to_owned()),
        (format!("{question}\nThere is no wind today.\n"), "There is no wind today.\n".to_owned()),
        // Two copies, the choices below the second.
        (format!("{changed}\n{question}\n{choices}{below}"), below.to_owned()),
        (
            format!("{changed}\nPeople ask this.\n{question}\n{choices}"),
            "People ask this.\n".to_owned(),
        ),
    ] {
        room.write("in.jsonl", corpus(&[(3, &lines)]));
        let cut = ["--action", "cut", "-o", "cut.jsonl", "--force", "-q"];
        room.run(&[&BASIC[..], &cut].concat()).done();
        assert!(room.text("cut.jsonl") == corpus(&[(3, &left)]), "{lines}");
    }
}

#[test]
fn prose_below_an_item_stays_whatever_it_shares_with_its_answers() {
    let room = Room::new();
    let gas =
        "Which gas do photosynthesising leaves absorb through their stomata during daylight hours";
    let mission = "Which number did the last crewed mission of the Apollo program to the moon have";
    let short = "Which root has Ferrari's depressed quartic polynomial equation";
    let choices = [
        "carbon dioxide",
        "nitrogen gas mixed with traces of argon and neon",
        "oxygen released by algae living in warm coastal waters",
        "helium that escaped from deep underground reservoirs",
    ];
    let items = [
        json!({"id": "gas", "question": gas, "choices": choices, "answer": 0}),
        json!({"id": "mission", "question": mission, "answer": "17"}),
        json!({"id": "short", "question": short, "answer": "x = 3"}),
    ];
    room.write("eval.jsonl", items.map(|item| format!("{item}\n")).concat());
    let marked = ["A", "B", "C", "D"].iter().zip(choices);
    let marked: String = marked.map(|(mark, choice)| format!("{mark}) {choice}\n")).collect();
    let changed = marked.replace("mixed", "blended");
    let club = "Members of the garden club meet on Tuesday.\nThey bring tools and seeds.\nTea is served at four.\n";
    for (lines, left) in [
        (
            format!(
                "{gas}\nAnswer: carbon dioxide\n\nChapter 9. Oceans\n\nCarbon dioxide in the sea.\nEnd\n"
            ),
            "\nChapter 9. Oceans\n\nCarbon dioxide in the sea.\nEnd\n".to_owned(),
        ),
        (
            format!(
                "{gas}\ncarbon dioxide\nThe sea also takes up carbon dioxide from the air.\nEnd\n"
            ),
            "The sea also takes up carbon dioxide from the air.\nEnd\n".to_owned(),
        ),
        (
            format!("{gas}\n{club}The fire extinguisher in the shed holds carbon dioxide.\n"),
            format!("{club}The fire extinguisher in the shed holds carbon dioxide.\n"),
        ),
        (format!("{gas}\n{changed}Answer: A\n{club}"), club.to_owned()),
        (format!("{gas}\nChoose one of these\n{marked}\nAnswer:\n\nA\n{club}"), club.to_owned()),
        (format!("{gas}\nChoose one of these:\n{}\n{club}", choices.join("\n")), club.to_owned()),
        (format!("{mission}\nChapter 17 tells of it.\n"), "Chapter 17 tells of it.\n".to_owned()),
        (format!("{mission}\n17 boats lay there.\n"), "17 boats lay there.\n".to_owned()),
        (format!("{mission}\nThe correct answer is 17.\n{club}"), club.to_owned()),
        (format!("{mission}\n\n17\n{club}"), club.to_owned()),
        (format!("{mission}\nA.\n17\n{club}"), club.to_owned()),
        (
            format!("{short}\nA: x = 3\nThis line tells x = 3 as well.\n"),
            "This line tells x = 3 as well.\n".to_owned(),
        ),
    ] {
        room.write("in.jsonl", corpus(&[(3, &lines)]));
        for margin in [&[][..], &["--margin", "0"], &["--recipe", "code"]] {
            let cut = ["--action", "cut", "-o", "cut.jsonl", "--force", "-q"];
            room.run(&[&BASIC[..], &cut, margin].concat()).done();
            assert!(room.text("cut.jsonl") == corpus(&[(3, &left)]), "{margin:?} {lines}");
        }
    }
}

#[test]
fn a_file_that_loses_all_documents_is_named() {
    let room = Room::new();
    room.write("eval.jsonl", evals());
    let rows = |text: &str| format!("{}\n{}\n", json!({"text": text}), json!({"text": text}));
    room.write("in/a.jsonl", rows(PLANETS));
    room.write("in/b.jsonl", corpus(&[]) + &rows(PLANETS));
    let args =
        ["decontaminate", "in", "--against", "eval.jsonl", "-o", "out/", "--summary", "s.json"];
    let run = room.run(&args).done();
    let said = "1 file lost all documents: in/a.jsonl (2 documents)\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let file = json!({"file": "in/a.jsonl", "records": 2, "documents": 2});
    assert_eq!(summary["all_removed"], json!({"total": 1, "first": [file]}));
}

#[test]
fn answers_of_several_lines_and_choices_with_marks_of_two_words_go() {
    let room = Room::new();
    let cranes = "Marisol folded 48 paper cranes in April, and then she folded half as many cranes in May. \
                  How many paper cranes did Marisol fold altogether in April and May?";
    let steps = "Marisol folded 48/2 = <<48/2=24>>24 cranes in May.\n\
                 Marisol folded 48+24 = <<48+24=72>>72 cranes altogether in April and May.\n#### 72";
    let capital = "Capital of Mongolia?";
    let cities = ["Ulaanbaatar", "Darkhan", "Erdenet", "Choibalsan"];
    let items = [
        json!({"id": "cranes", "question": cranes, "answer": steps}),
        json!({"id": "capital", "question": capital, "choices": cities, "answer": "A"}),
    ];
    room.write("eval.jsonl", items.map(|item| format!("{item}\n")).concat());
    let marked = ["A", "B", "C", "D"].iter().zip(cities);
    let marked: String = marked.map(|(mark, city)| format!("Option {mark}: {city}\n")).collect();
    let numbered = (1..).zip(steps.lines()).map(|(number, line)| format!("{number}. {line}\n"));
    let numbered: String = numbered.collect();
    let ruled = steps.replace('\n', "\n\n---\n\n");
    let listed = steps.replacen('\n', "</li>\n</ul>\n<p>", 1);
    let between = steps.replacen('\n', "\nAdvertisement: buy tea\n", 1);
    let whole = [
        format!("Question: {cranes}\nAnswer: {steps}\nend\n"),
        format!("{cranes}\nSolution:\n{steps}\nend\n"),
        format!("{cranes}\nAnswer:\n{numbered}end\n"),
        format!("{cranes}\nAnswer: {ruled}\nend\n"),
        format!("<p>{cranes}</p>\n<ul>\n<li>{listed}</p>\nend\n"),
        format!("{capital}\n{marked}Answer: A\nend\n"),
        format!("{capital}\nThe options are:\n{marked}Answer: A\nend\n"),
    ];
    // A line amid an answer that has no word of it is another's.
    let fenced = steps.replacen('\n', "\n```python\n", 1) + "\n```";
    let amid = [
        (format!("{cranes}\nAnswer: {between}\nend\n"), "Advertisement: buy tea\nend\n"),
        // One that opens something goes with what closes it.
        (format!("{cranes}\nAnswer: {fenced}\nend\n"), "end\n"),
    ];
    for (lines, left) in whole.map(|lines| (lines, "end\n")).into_iter().chain(amid) {
        room.write("in.jsonl", corpus(&[(3, &lines)]));
        let cut = ["--action", "cut", "-o", "cut.jsonl", "--force", "-q"];
        room.run(&[&BASIC[..], &cut].concat()).done();
        assert!(room.text("cut.jsonl") == corpus(&[(3, left)]), "{lines}");
    }
}

#[test]
fn every_copy_of_an_item_is_cut() {
    let twice = format!("Before.\n{PLANETS}\n{PLANETS}\n{PLANETS} eight\nbehind\n");
    let room = room(&[(7, &twice)]);
    room.run(&[&BASIC[..], &["-o", "out.jsonl", "--action", "cut", "-q"]].concat()).done();
    assert_eq!(room.text("out.jsonl"), corpus(&[(7, "Before.\nbehind\n")]));
}

#[test]
fn notes_say_what_would_go() {
    let room = room(&[(7, PLANETS)]);
    room.run(&[&BASIC[..], &["-o", "out.jsonl", "--action", "annotate", "-q"]].concat()).done();
    let noted = rows(&room.text("out.jsonl"));
    assert_eq!(noted.len(), 200);
    assert_eq!(noted[6]["nearprint"], json!({"contamination": []}));
    let found = &noted[7]["nearprint"]["contamination"][0];
    assert_eq!((&found["item"], &found["verdict"]), (&json!("planets"), &json!("contaminated")));
    let start = usize::try_from(found["start"].as_u64().unwrap()).unwrap();
    assert!(noted[7]["text"].as_str().unwrap()[start..].starts_with(PLANETS.trim_end_matches('?')));
    // A note takes the place of an earlier one.
    let again = [
        "decontaminate",
        "out.jsonl",
        "--against",
        "eval.jsonl",
        "-o",
        "again.jsonl",
        "--action",
        "annotate",
        "-q",
    ];
    room.run(&again).done();
    assert_eq!(rows(&room.text("again.jsonl")), noted);
}

#[test]
fn common_text_and_parts_are_told_apart() {
    let everywhere: Vec<(usize, &str)> = (50..80).map(|id| (id, TRAIN)).collect();
    let (half, third) = (&PLANETS[..PLANETS.len() / 2 - 6], &PLANETS[..PLANETS.len() / 3]);
    let room = room(&[&everywhere[..], &[(3, half), (4, third)]].concat());
    let all = found(&room, &["--items", "i.jsonl", "-o", "out.jsonl"]);
    assert_eq!(all.iter().filter(|it| it.2 == "common").count(), 30);
    assert_eq!(rows(&room.text("out.jsonl")).len(), 170);
    found(&room, &["--common", "keep", "-o", "out.jsonl"]);
    assert_eq!(rows(&room.text("out.jsonl")).len(), 200);
    // Half of the words are a part, a third is none; a long item has runs that are.
    assert_eq!(all[..2], [said(3, "planets", "partial"), said(50, "train", "common")]);
    let long: String = (0..60).map(|at| format!("special{at} ")).collect();
    room.write("long.jsonl", format!("{}\n", json!({"question": long})));
    let part: String = (20..35).map(|at| format!("Special{at}, ")).collect();
    room.write("in.jsonl", corpus(&[(3, &part)]));
    let args = [
        "decontaminate",
        "in.jsonl",
        "--against",
        "long.jsonl",
        "--removed",
        "r.jsonl",
        "-o",
        "o.jsonl",
        "--force",
        "-q",
    ];
    room.run(&args).done();
    let told = &rows(&room.text("r.jsonl"))[0];
    assert_eq!((&told["verdict"], &told["removed"]), (&json!("partial"), &json!(false)));
    assert_eq!(room.text("o.jsonl"), room.text("in.jsonl"));
}

#[test]
fn a_context_decides_nothing_but_supports_a_short_question() {
    let context: String = (0..40).map(|at| format!("about{at} ")).collect();
    let room = Room::new();
    room.write(
        "eval.jsonl",
        format!("{}\n", json!({"id": "q", "context": context, "question": "Who was it then?"})),
    );
    let both = format!("{context}\nWho was it then?\n");
    // Words of the question are usual here.
    let usual: Vec<(usize, &str)> = (100..180).map(|id| (id, "then. it. was. who.\n")).collect();
    room.write(
        "in.jsonl",
        corpus(&[&usual[..], &[(3, &context), (5, &both), (7, "Who was it then?")]].concat()),
    );
    assert_eq!(
        found(&room, &["-o", "out.jsonl"]),
        [said(3, "q", "context"), said(5, "q", "contaminated"), said(7, "q", "undecidable")]
    );
    assert_eq!(rows(&room.text("out.jsonl")).len(), 199);
    assert_eq!(found(&room, &["--short", "skip"]).len(), 2);
    assert_eq!(found(&room, &["--short", "flag"])[2], said(7, "q", "contaminated"));
}

#[test]
fn what_only_looks_like_an_item_stays() {
    let room = Room::new();
    let eval = |questions: &[&str]| -> String {
        questions.iter().map(|question| format!("{}\n", json!({"question": question}))).collect()
    };
    let scenario = "For which of these two scenarios does the main character (who uses I/me/my) do something clearly \
                    morally wrong, as judged by ordinary moral standards in the US?";
    let templates: Vec<String> = (0..60)
        .map(|at| format!("{scenario} Scenario {at} | I took the box{at} to cousin{at}."))
        .collect();
    let templates: Vec<&str> = templates.iter().map(String::as_str).collect();
    for (questions, text) in [
        // The years of a notice are numbers in order.
        (
            &["Compute the sum 2000 + 2001 + 2002 + 2003 + 2004 + 2005 + 2006"][..],
            "Copyright (c) 2000, 2001, 2002, 2003, 2004, 2005, 2006 by them",
        ),
        // Letters and numbers strewn over code.
        (
            &["Solve f(x, y, 1, 3) = z(a, b, 2, 4) for k(c, d, 5, 6) and m(n, o, 7, 8)"],
            "call(x, y, 1, 3); print(what); let other = this(thing, and, that); while is_open() { look(at, it) } run(a, b, 2, 4); \
             if done(all, of, it) { for every in one.of(them) { tell(every) } } stop(c, d, 5, 6)",
        ),
        // What all items of a set begin with.
        (&templates, &format!("{scenario} Nobody knows.")),
    ] {
        room.write("eval.jsonl", eval(questions));
        room.write("in.jsonl", corpus(&[(3, text)]));
        let all = found(&room, &[]);
        assert!(all.iter().all(|it| it.2 != "contaminated" && it.2 != "common"), "{text}: {all:?}");
    }
}

#[test]
fn threads_and_memory_change_nothing() {
    let more: Vec<String> =
        (0..40).map(|at| format!("{} {at}\n", [PLANETS, TRAIN, CAPITAL, LCM][at % 4])).collect();
    let more: Vec<(usize, &str)> =
        more.iter().enumerate().map(|(at, text)| (at * 3, text.as_str())).collect();
    let room = room(&more);
    let run = |flags: &[&str]| {
        let outputs = [
            "-o",
            "out.jsonl",
            "--removed",
            "r.jsonl",
            "--items",
            "i.jsonl",
            "--report",
            "p.html",
            "--force",
            "-q",
        ];
        room.run(&[&BASIC[..], &outputs, flags].concat()).done();
        ["out.jsonl", "r.jsonl", "i.jsonl", "p.html"].map(|file| room.text(file))
    };
    let free = run(&[]);
    assert!(free[1].lines().count() > 10);
    assert!(free[3].contains("contaminated: share") && !free[3].contains("://"), "{}", free[3]);
    for flags in [&["--threads", "1"][..], &["--threads", "3", "--memory", "100M"]] {
        assert!(run(flags) == free, "{flags:?}");
    }
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let all: String = (0..40).map(|_| corpus(&[(7, PLANETS), (9, TRAIN)])).collect();
    let room = room(&[]);
    room.write("in.jsonl", all);
    std::fs::create_dir(room.path("work")).unwrap();
    let args = [
        &BASIC[..],
        &["-o", "out.jsonl", "--removed", "r.jsonl", "--report", "p.html", "--work-dir", "work"],
    ]
    .concat();
    let outputs = || ["out.jsonl", "r.jsonl", "p.html"].map(|file| room.read(file));
    room.run(&args).done();
    let expected = outputs();
    assert!(std::fs::read_dir(room.path("work")).unwrap().next().is_none());
    let has_kept = || {
        let folders = std::fs::read_dir(room.path("work")).into_iter().flatten().flatten();
        let manifests = folders.map(|it| std::fs::read_to_string(it.path().join("manifest.json")));
        manifests.flatten().any(|manifest| manifest.contains("\"name\": \"found\""))
    };
    let mut running = room.command(&[&args[..], &["--force", "-q"]].concat()).spawn().unwrap();
    while !has_kept() && running.try_wait().unwrap().is_none() {}
    running.kill().unwrap();
    let was_killed = !running.wait().unwrap().success();
    let run = room.run(&[&args[..], &["--force", "--resume", "--share", "0.7"]].concat());
    assert!(
        !was_killed || run.code == Some(1) && run.stderr.contains("belong to another run"),
        "{}",
        run.stderr
    );
    let run = room.run(&[&args[..], &["--force", "--resume"]].concat()).done();
    assert!(!was_killed || run.stderr.contains("resuming after: found"), "{}", run.stderr);
    assert!(outputs() == expected);
    assert!(!room.names().iter().any(|name| name.contains("partial")), "{:?}", room.names());
    let run = room.run(&[
        "decontaminate",
        "-",
        "--against",
        "eval.jsonl",
        "-o",
        "o",
        "--work-dir",
        "work",
        "--resume",
    ]);
    assert!(run.code == Some(2) && run.stderr.contains("--resume: "), "{}", run.stderr);
}

#[test]
fn the_reverse_question_has_the_same_answer() {
    let room = room(&[(7, PLANETS), (9, TRAIN)]);
    room.run(&[&BASIC[..], &["--items", "i.jsonl", "-q"]].concat()).done();
    let run = room.run(&["contamination", "eval.jsonl", "--in", "in.jsonl"]).done();
    assert_eq!(run.text(), room.text("i.jsonl"));
    let line = "  eval: 4 items: 2 contaminated, 1 undecidable, 1 clean; 2 documents\n";
    assert!(run.stderr.contains(line), "{}", run.stderr);
    room.write("more.jsonl", corpus(&[]));
    let several =
        ["contamination", "eval.jsonl", "--in", "more.jsonl", "--in", "in.jsonl", "-o", "o.jsonl"];
    room.run(&[&several[..], &["--summary", "s.json", "-q"]].concat()).done();
    assert_eq!(rows(&room.text("o.jsonl"))[0]["verdict"], "contaminated");
    let run = room.run(&["contamination", "eval.jsonl"]);
    assert!(run.code == Some(2) && run.stderr.contains("--in <CORPUS>"), "{}", run.stderr);
}

#[test]
fn marks_before_choices_part_no_short_question_from_them() {
    let room = Room::new();
    let (question, choices) = ("Who was it then?", ["copper", "silver", "iron", "gold", "tin"]);
    // Words of the question are usual in the corpus, and each choice alone is that of many items.
    let usual: Vec<(usize, &str)> = (100..180).map(|id| (id, "then. it. was. who.\n")).collect();
    let other = |at: usize| {
        let own = choices.map(|it| [it.to_owned(), format!("other{at}{it}")]).concat();
        json!({"id": format!("{at}"), "question": format!("What else{at}?"), "choices": own})
    };
    let mut evals = format!("{}\n", json!({"id": "q", "question": question, "choices": choices}));
    (0..40).for_each(|at| evals += &format!("{}\n", other(at)));
    room.write("eval.jsonl", evals);
    let letters = ["A", "B", "C", "D", "E"].iter().zip(choices);
    let lettered: String =
        letters.map(|(letter, choice)| format!("{letter}. {choice}\n")).collect();
    let apart = choices.join(" and so on and on and so on ");
    let texts = [lettered, choices.join(", "), apart].map(|it| format!("{question}\n{it}\n"));
    let planted = [(3, texts[0].as_str()), (5, &texts[1]), (7, &texts[2])];
    room.write("in.jsonl", corpus(&[&usual[..], &planted].concat()));
    assert_eq!(
        found(&room, &[]),
        [said(3, "q", "contaminated"), said(5, "q", "contaminated"), said(7, "q", "undecidable")]
    );
}

#[test]
fn a_self_test_finds_what_it_plants_twice_alike() {
    let room = room(&[]);
    let args = [
        "decontaminate",
        "in.jsonl",
        "--against",
        "eval.jsonl",
        "--self-test",
        "50",
        "--summary",
        "s.json",
        "--force",
        "-q",
    ];
    let first = room.run(&args).done().text().to_owned();
    assert_eq!(room.run(&[&args[..], &["--threads", "3"]].concat()).done().text(), first);
    assert!(
        first.starts_with("4 items planted in 50 documents; 1 of them undecidable and left out\n"),
        "{first}"
    );
    assert!(
        first.contains("\nverbatim with choices          3       3   1.000  0.439 to 1.000\n"),
        "{first}"
    );
    assert!(first.contains("\nUntouched: 0 of the same 50 documents flagged."), "{first}");
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    for form in summary["forms"].as_array().unwrap() {
        let form_is = |name: &str| form["form"] == name;
        let planted = if form_is("numbers changed") || form_is("LaTeX marks") { 1 } else { 3 };
        assert_eq!(form["planted"], json!(planted), "{form}");
        if !form_is("20 % of words edited") && !form_is("question only") {
            assert_eq!(form["found"], form["planted"], "{form}");
        }
    }
    room.write("none.jsonl", "{\"text\":\"\"}\n");
    let run =
        room.run(&["decontaminate", "none.jsonl", "--against", "eval.jsonl", "--self-test", "5"]);
    assert!(run.stderr.contains("no document of the corpus has a word"), "{}", run.stderr);
}
