//! `nearprint decontaminate`: items that are hard to find, as they are short or stand in many rows, are found or said to
//! be undecidable; none is called clean where it stands.

use crate::decontaminate::corpus;
use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A room with these items and a corpus with these lines in documents.
fn room(items: &[Value], more: &[(usize, &str)]) -> Room {
    let room = Room::new();
    let rows = items.iter().enumerate().map(|(at, item)| {
        let mut item = item.clone();
        item["id"] = json!(at);
        format!("{item}\n")
    });
    room.write("eval.jsonl", rows.collect::<String>());
    room.write("in.jsonl", corpus(more));
    room
}

/// What a run with these flags says: item, verdict of each document that has it; and the verdict of each item.
fn verdicts(room: &Room, flags: &[&str]) -> (Vec<(u64, u64, String)>, Vec<String>, String) {
    let args = ["decontaminate", "in.jsonl", "--against", "eval.jsonl", "--force"];
    let outputs = ["--removed", "r.jsonl", "--items", "i.jsonl", "-o", "out.jsonl"];
    let run = room.run(&[&args[..], &outputs, flags].concat()).done();
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
    let verdict = |row: &Value| row["verdict"].as_str().unwrap().to_owned();
    let found = rows(&room.text("r.jsonl"));
    let found = found.iter().map(|row| (number(row, "id"), number(row, "item"), verdict(row)));
    let items = rows(&room.text("i.jsonl"));
    (found.collect(), items.iter().map(verdict).collect(), run.stderr)
}

/// The number of each verdict.
fn counts(verdicts: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    verdicts.iter().for_each(|verdict| *counts.entry(verdict.as_str()).or_default() += 1);
    counts
}

#[test]
fn questions_of_few_words_are_found_by_their_choices_whatever_marks_stand_before_these() {
    let items = [
        json!({"question": "What is osmosis?", "choices": [
            "Water crossing membranes", "Cells that divide", "Plants eating light", "Salt in soup"
        ]}),
        json!({"question": "Abate", "choices": ["reduce", "hover", "sing", "enlarge"]}),
        json!({"question": "Largest planet?", "answer": "jupiter by far"}),
        json!({"question": "Capital of Tuvalu", "choices": ["Funafuti", "Apia", "Suva"]}),
    ];
    let lettered = |mark: &dyn Fn(usize) -> String, item: &Value| {
        let choices = item["choices"].as_array().unwrap().iter().enumerate();
        let choices =
            choices.map(|(at, choice)| format!("{}{}\n", mark(at), choice.as_str().unwrap()));
        format!("{}\n{}", item["question"].as_str().unwrap(), choices.collect::<String>())
    };
    let letter = |at: usize| char::from(b'A' + u8::try_from(at).unwrap());
    let marks: [&dyn Fn(usize) -> String; 6] = [
        &|at| format!("{}. ", letter(at)),
        &|at| format!("({}) ", letter(at).to_lowercase()),
        &|at| format!("{}) ", at + 1),
        &|_| "- ".to_owned(),
        &|at| format!("**{}:** ", letter(at)),
        &|at| ["i. ", "ii. ", "iii. ", "iv. "][at].to_owned(),
    ];
    let mut texts = Vec::new();
    for item in [0, 1, 3] {
        texts.extend(marks.iter().map(|mark| (item, lettered(mark, &items[item]))));
    }
    texts.push((2, "Q: Largest planet?\nAnswer: Jupiter, by far\n".to_owned()));
    let more: Vec<(usize, &str)> =
        texts.iter().enumerate().map(|(at, (_, text))| (at, text.as_str())).collect();
    let room = room(&items, &more);
    let (found, verdicts, stderr) = verdicts(&room, &[]);
    let expected: Vec<(u64, u64, String)> = texts
        .iter()
        .enumerate()
        .map(|(at, (item, _))| (at as u64, *item as u64, "contaminated".to_owned()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(counts(&verdicts), BTreeMap::from([("contaminated", 4)]));
    assert!(!stderr.contains("to decide"), "{stderr}");
    assert_eq!(rows(&room.text("out.jsonl")).len(), 200 - texts.len());
    let test = ["decontaminate", "in.jsonl", "--against", "eval.jsonl", "--self-test", "9"];
    let told = room.run(&test).done().text().to_owned();
    assert!(told.starts_with("4 items planted in 9 documents; 0 of them undecidable"), "{told}");
    assert!(told.contains("\nverbatim with choices          4       4   1.000"), "{told}");
}

#[test]
fn items_of_one_to_three_words_are_told_or_flagged_where_they_stand() {
    let items = [
        json!({"question": "Osmosis"}),
        json!({"question": "Solve it"}),
        json!({"question": "Name three rivers."}),
        json!({"question": "Never anywhere"}),
    ];
    let lines = [
        (3, "An essay on osmosis, and osmosis again.\nMore of OSMOSIS\n"),
        (5, "Solve it!\nNever, anywhere.\n"),
        (7, "name **three** rivers\n"),
    ];
    let room = room(&items[..3], &lines);
    let undecidable = |(id, item)| (id, item, "undecidable".to_owned());
    let (found, all, stderr) = verdicts(&room, &[]);
    assert_eq!(found, [(3, 0), (5, 1), (7, 2)].map(undecidable));
    assert_eq!(counts(&all), BTreeMap::from([("undecidable", 3)]));
    assert!(stderr.contains("3 items are too short or common to be proof; documents with one are listed, not removed (--short)"), "{stderr}");
    assert_eq!(room.text("out.jsonl"), room.text("in.jsonl"));
    let told = &rows(&room.text("r.jsonl"))[0];
    assert_eq!((&told["text"], &told["share"]), (&json!("osmosis"), &json!(1.0)));
    let (found, all, stderr) = verdicts(&room, &["--short", "flag"]);
    let contaminated = |(id, item)| (id, item, "contaminated".to_owned());
    assert_eq!(found, [(3, 0), (5, 1), (7, 2)].map(contaminated));
    assert_eq!(counts(&all), BTreeMap::from([("contaminated", 3)]));
    assert!(
        stderr.contains("to be proof; documents with one are removed (--short flag)"),
        "{stderr}"
    );
    assert_eq!(rows(&room.text("out.jsonl")).len(), 197);
    let (found, all, stderr) = verdicts(&room, &["--short", "skip"]);
    assert_eq!((found.len(), counts(&all)), (0, BTreeMap::from([("undecidable", 3)])));
    assert!(stderr.contains("to be proof, and not searched for (--short skip)"), "{stderr}");
    // Of all places each goes.
    let (_, _, _) = verdicts(&room, &["--short", "flag", "--action", "cut"]);
    assert_eq!(room.text("out.jsonl"), corpus(&[(5, "Never, anywhere.\n")]));
    // What is found nowhere is clean where it would go.
    let room = self::room(&items, &lines[..1]);
    let (_, all, _) = verdicts(&room, &["--short", "flag"]);
    assert_eq!(all, ["contaminated", "clean", "clean", "clean"]);
}

#[test]
fn an_item_that_is_one_usual_word_is_a_row_a_document() {
    let text = "the ".repeat(100_000);
    let room = room(&[json!({"question": "The"})], &[(3, &text), (4, "the\n")]);
    let (found, ..) = verdicts(&room, &[]);
    assert_eq!(found.len(), 2);
}

#[test]
fn several_rows_of_one_question_do_not_weaken_it() {
    let question = "Which enzyme unwinds the double helix before replication begins?";
    let short = "Which enzyme unwinds?";
    let choices = ["helicase", "ligase", "primase", "lipase"];
    let rotated = |at: usize| {
        let mut choices = choices.map(str::to_owned);
        choices.rotate_left(at % 4);
        if at / 4 % 2 == 1 {
            choices.swap(0, 1);
        }
        if at / 8 % 2 == 1 {
            choices.swap(2, 3);
        }
        choices
    };
    for question in [question, short] {
        let ways: [(&str, &dyn Fn(usize) -> Value); 4] = [
            ("permuted choices", &|at| json!({"question": question, "choices": rotated(at)})),
            (
                "a row for each choice",
                &|at| json!({"question": question, "answer": choices[at % 4]}),
            ),
            (
                "another answer",
                &|at| json!({"question": question, "choices": choices, "answer": format!("the answer {at}")}),
            ),
            ("a choice more", &|at| {
                let more = format!("number{at}");
                let all: Vec<&str> = choices.into_iter().chain([more.as_str()]).collect();
                json!({"question": question, "choices": all})
            }),
        ];
        for (way, row) in ways {
            let items: Vec<Value> = (0..16).map(row).collect();
            let leak = format!("{question}\nA. helicase\nB. ligase\nC. primase\nD. lipase\n");
            let room = room(&items, &[(3, &leak)]);
            let (found, all, _) = verdicts(&room, &[]);
            assert!(found.iter().any(|it| it.0 == 3 && it.2 == "contaminated"), "{way}: {found:?}");
            assert!(!all.contains(&"clean".to_owned()), "{way}: {all:?}");
            assert_eq!(rows(&room.text("out.jsonl")).len(), 199, "{way}");
            if question != short {
                assert_eq!(counts(&all), BTreeMap::from([("contaminated", all.len())]), "{way}");
            }
        }
    }
}

#[test]
fn an_instruction_that_is_all_of_many_questions_decides_nothing_and_is_not_called_clean() {
    for length in [
        "Choose the statement that is right.",
        "Read the text above with care and then choose the one statement that follows from it.",
    ] {
        let choices = |at: usize| ["one", "two", "three"].map(|it| format!("own{at}{it} is {it}"));
        let items: Vec<Value> =
            (0..60).map(|at| json!({"question": length, "choices": choices(at)})).collect();
        let leak =
            format!("{length}\nA. {}\nB. {}\nC. {}\n", choices(7)[0], choices(7)[1], choices(7)[2]);
        let alone = format!("{length} Or not.\n");
        let room = room(&items, &[(3, &alone), (5, &leak)]);
        let (found, all, _) = verdicts(&room, &[]);
        let contaminated: Vec<_> = found.iter().filter(|it| it.2 == "contaminated").collect();
        assert_eq!(contaminated, [&(5, 7, "contaminated".to_owned())], "{length}");
        assert_eq!(counts(&all), BTreeMap::from([("contaminated", 1), ("undecidable", 59)]));
        // Premises apart, the question is the same.
        let items: Vec<Value> = (0..60)
            .map(|at| json!({"question": length, "context": format!("premise{at} of it"), "choices": ["yes", "no"]}))
            .collect();
        let room = self::room(&items, &[(3, &alone)]);
        let (found, all, _) = verdicts(&room, &[]);
        assert!(found.iter().all(|it| it.2 == "undecidable"), "{found:?}");
        assert_eq!(counts(&all), BTreeMap::from([("undecidable", 60)]));
    }
}

#[test]
fn a_text_that_repeats_one_run_is_found_in_its_like() {
    let (long, short) = ("ha ".repeat(1500), "la la la ".repeat(20));
    let items = [json!({"question": long}), json!({"question": short})];
    let room = room(&items, &[(3, &long), (5, &short), (7, "ha ha ha la la la la\n")]);
    let (found, all, _) = verdicts(&room, &[]);
    let ids: Vec<u64> = found.iter().filter(|it| it.2 == "contaminated").map(|it| it.0).collect();
    assert_eq!(ids, [3, 5], "{found:?}");
    assert_eq!(all, ["contaminated", "contaminated"]);
}

#[test]
fn what_no_run_leads_to_is_undecidable() {
    // Every run of a question is that of very many others, and what is behind it alone tells which one it is.
    let parts = [
        "Red boats sail north",
        "Green cars drive on",
        "Blue birds fly home",
        "Grey cats hunt mice",
    ];
    let items: Vec<Value> = (0..256)
        .map(|at: usize| {
            let question = [at, at / 4, at / 16, at / 64].map(|at| parts[at % 4]).join(" ");
            json!({"question": question, "answer": format!("own{at}a own{at}b own{at}c")})
        })
        .collect();
    let text = |at: usize| {
        [&items[at]["question"], &items[at]["answer"]]
            .map(|it| it.as_str().unwrap().to_owned())
            .join("\n")
    };
    let room = room(&items, &[(3, &text(7)), (5, &text(100))]);
    let (_, all, stderr) = verdicts(&room, &["--short", "flag"]);
    assert_eq!(counts(&all), BTreeMap::from([("undecidable", 256)]));
    assert!(stderr.contains("256 of these cannot be found even whole"), "{stderr}");
}

#[test]
fn a_margin_is_cut_in_place_of_lines_and_an_answer_goes_along() {
    let question = "Which enzyme unwinds the double helix before replication begins?";
    let items = [json!({"question": question, "choices": ["helicase", "ligase"]})];
    let one_line =
        format!("Some words before. {question} A. helicase B. ligase Many words behind.\n");
    let lines = format!("before\n{question}\nA. helicase\nB. ligase\n\nAnswer: A\nbehind\n");
    let room = room(&items, &[(3, &one_line), (5, &lines)]);
    let left = |flags: &[&str], id: usize| {
        verdicts(&room, &[&["--action", "cut"], flags].concat());
        let text = rows(&room.text("out.jsonl"))[id]["text"].as_str().unwrap().to_owned();
        let own = rows(&corpus(&[]))[id]["text"].as_str().unwrap().to_owned();
        text.strip_prefix(&own).map(str::to_owned).unwrap_or(text)
    };
    assert_eq!(left(&[], 3), "");
    assert_eq!(left(&[], 5), "before\nbehind\n");
    assert_eq!(left(&["--margin", "0"], 3), "Some words before.  Many words behind.\n");
    assert_eq!(left(&["--margin", "0"], 5), "before\nbehind\n");
    assert_eq!(left(&["--margin", "8"], 3), "Some words  behind.\n");
    // Nothing is left of a document that is the item.
    room.write("in.jsonl", format!("{{\"id\":0,\"text\":{}}}\n", json!(question)));
    verdicts(&room, &["--action", "cut"]);
    assert_eq!(room.text("out.jsonl"), "{\"id\":0,\"text\":\"\"}\n");
}

/// Verdicts of items in a file of such a name, where these lines occur in documents.
fn of_file(name: &str, content: &str, more: &[(usize, &str)], flags: &[&str]) -> Vec<String> {
    let room = room(&[], more);
    room.write(name, content);
    let args = ["decontaminate", "in.jsonl", "--against", name, "--items", "i.jsonl", "-q"];
    room.run(&[&args[..], flags].concat()).done();
    let items = rows(&room.text("i.jsonl"));
    items.iter().map(|row| row["verdict"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_instruction_before_all_questions_is_no_part_of_them() {
    let header =
        "Answer the following multiple choice question. Think step by step before you choose.\n\n";
    let long = format!("{header}{}", "Here is an example of that, with its answer. ".repeat(200));
    let questions: Vec<String> =
        (0..6).map(|at| format!("Who found{at} comet{at} first?")).collect();
    for header in [header, &long] {
        let items: Vec<Value> = questions
            .iter()
            .map(|question| json!({"question": format!("{header}{question}"), "choices": ["her", "him"]}))
            .collect();
        let with = format!("{header}{}\n", questions[1]);
        let more = [(3, questions[0].as_str()), (5, &with), (7, header)];
        let room = room(&items, &more);
        let (found, all, _) = verdicts(&room, &[]);
        let contaminated = |(id, item)| (id, item, "contaminated".to_owned());
        assert_eq!(found, [(3, 0), (5, 1)].map(contaminated));
        assert_eq!(counts(&all), BTreeMap::from([("contaminated", 2), ("clean", 4)]));
    }
}

#[test]
fn questions_and_choices_are_found_in_the_rows_of_many_sets() {
    let leak = "Which enzyme unwinds the helix?\nA. helicase it is\nB. ligase it is\n";
    let more = [(3, leak)];
    let arc = json!({"question": {"stem": "Which enzyme unwinds the helix?", "choices": [
        {"text": "helicase it is", "label": "A"}, {"text": "ligase it is", "label": "B"}
    ]}, "answerKey": "A"});
    let generic =
        |at: &str| json!({"prompt": "Solve the following problem with care.", "problem": at});
    for (name, content) in [
        ("arc.jsonl", format!("{arc}\n")),
        (
            "generic.jsonl",
            format!("{}\n{}\n", generic("Which enzyme unwinds the helix?"), generic("Which enzyme unwinds the helix?")),
        ),
        (
            "pandas.csv",
            "question,choices\nWhich enzyme unwinds?,\"['helicase it is' 'ligase it is']\"\n".to_owned(),
        ),
        (
            "pandas2.csv",
            "question,choices\nWhich enzyme unwinds the helix?,\"['helicase it is', \"\"ligase it is\"\"]\"\n".to_owned(),
        ),
    ] {
        let found = of_file(name, &content, &more, &[]);
        if name == "pandas.csv" {
            // Two words between question and choices are no mark.
            assert_ne!(found, ["clean"]);
        } else {
            assert!(found.iter().all(|verdict| verdict == "contaminated"), "{name}: {found:?}");
        }
    }
}

#[test]
fn fields_that_no_row_has_are_refused_and_those_that_some_sets_lack_are_told() {
    let room = room(&[json!({"question": "Which enzyme unwinds the helix?"})], &[]);
    room.write("other.jsonl", "{\"question\":\"Who was it then?\",\"endings\":[\"he\"]}\n");
    let args = ["decontaminate", "in.jsonl", "--against", "eval.jsonl", "--against", "other.jsonl"];
    let run =
        |flags: &[&str]| room.run(&[&args[..], &["--items", "i.jsonl", "--force"], flags].concat());
    let typo = run(&["--item-fields", "choices=typo"]);
    assert_eq!(typo.code, Some(1), "{}", typo.stderr);
    let message = "eval.jsonl, other.jsonl: no row has the field \"typo\" that is named as choices=typo; existing fields: \
                   \"endings\", \"id\", \"question\"";
    assert!(typo.stderr.contains(message), "{}", typo.stderr);
    let some = run(&["--item-fields", "choices=endings"]).done();
    assert!(
        some.stderr.contains("no row of eval has the field \"endings\" (--item-fields)"),
        "{}",
        some.stderr
    );
}

#[test]
fn rows_that_cannot_be_read_and_files_without_rows_are_told() {
    let room = room(&[], &[(3, "Which enzyme unwinds the helix?\n")]);
    let good = json!({"question": "Which enzyme unwinds the helix?"});
    room.write("evals/a.jsonl", format!("{good}\n{{\"question\":\n{{\"other\":1}}\n"));
    room.write("evals/README.md", "# What is in here");
    room.write("evals/LICENSE", "Do what you want.");
    room.write("evals/.gitattributes", "*.jsonl lfs");
    let args =
        ["decontaminate", "in.jsonl", "--against", "evals", "--force", "--summary", "s.json"];
    let run = |flags: &[&str]| room.run(&[&args[..], flags].concat());
    let failed = run(&["-o", "out.jsonl"]);
    assert!(failed.code == Some(1) && failed.stderr.contains("a.jsonl:2"), "{}", failed.stderr);
    let skipped = run(&["-o", "out.jsonl", "--on-error", "skip"]).done();
    for line in [
        "1 item of 1 eval set",
        "passed over 2 (no rows) next to the eval sets, the first: evals",
        "rows of the eval sets: 1 skipped (no-item), the first: evals",
    ] {
        assert!(skipped.stderr.contains(line), "{line}: {}", skipped.stderr);
    }
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(summary["skipped_eval_rows"]["total"], 2);
    assert_eq!(rows(&room.text("out.jsonl")).len(), 199);
    // What would be read as an eval set, or as the corpus, by the next run.
    for flags in [
        ["-o", "evals/out.jsonl"],
        ["-o", "evals/out/"],
        ["--removed", "evals/r.jsonl"],
        ["--items", "evals/../evals/i.jsonl"],
    ] {
        let run = run(&flags);
        assert!(
            run.code == Some(1) && run.stderr.contains("lies inside the input folder"),
            "{}",
            run.stderr
        );
    }
    room.write("corpus/in.jsonl", corpus(&[]));
    let run = room.run(&[
        "decontaminate",
        "corpus",
        "--against",
        "evals/a.jsonl",
        "-o",
        "corpus/out.jsonl",
    ]);
    assert!(
        run.code == Some(1) && run.stderr.contains("lies inside the input folder"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_form_in_which_nothing_was_planted_has_no_recall() {
    let room = room(&[json!({"question": "Which enzyme unwinds the double helix?"})], &[]);
    let test = ["decontaminate", "in.jsonl", "--against", "eval.jsonl", "--self-test", "5"];
    let told = room.run(&[&test[..], &["--summary", "s.json"]].concat()).done().text().to_owned();
    let line = told.lines().find(|line| line.starts_with("numbers changed")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>()[2..], ["0", "0", "-", "-"]);
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    assert_eq!(summary["forms"][8]["recall"], Value::Null);
}
