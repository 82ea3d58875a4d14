//! Eval sets: the forms that they come in, what none is, and items of several.

use crate::decontaminate::{PLANETS, TRAIN, corpus, evals, room};
use crate::nearprint::rows;
use crate::parquet::room as parquet_room;
use crate::room::Room;
use serde_json::{Value, json};

#[test]
fn eval_sets_come_in_many_forms() {
    let room = parquet_room("n");
    let corpus = [
        "He said: the quick brown fox jumps over the lazy dog.",
        "A page about something else altogether, as it happens.",
        "Nothing of all that.",
    ];
    room.write("in.txt", corpus.join("\n"));
    let run = |flags: &[&str]| {
        let args = ["decontaminate", "in.txt", "--lines", "--removed", "r.jsonl", "--force", "-q"];
        room.run(&[&args[..], flags].concat()).done();
        let rows = rows(&room.text("r.jsonl"));
        let of = |row: &Value| {
            (row["id"].clone(), row["item"].clone(), row["equal"].clone(), row["eval"].clone())
        };
        rows.iter().map(of).collect::<Vec<_>>()
    };
    let first = |eval: &str| (json!("in.txt:1"), json!("a"), json!(1), json!(eval));
    let second = |eval: &str| (json!("in.txt:2"), json!("b"), Value::Null, json!(eval));
    let both = |eval: &str| vec![first(eval), second(eval)];
    assert_eq!(run(&["--against", "rows.parquet"]), both("rows"));
    assert_eq!(run(&["--against", "rows.jsonl"]), both("rows"));
    room.write(
        "evals/one/test-00000-of-00002.csv",
        "id,q,A,B\na,the quick brown fox jumps over the lazy dog,x,y\nc,the quick brown fox jumps over the lazy dog,x,y\n",
    );
    room.write(
        "evals/two.tsv",
        "id\tq\nb\ta page about something else altogether, as it happens\n",
    );
    let fields = ["--item-fields", "question=q,choices=A,choices=B"];
    assert_eq!(
        run(&[&["--against", "evals"], &fields[..]].concat()),
        [first("one/test"), second("two")]
    );
    room.write(
        "deep.jsonl",
        "{\"id\":\"a\",\"doc\":{\"q\":[{\"role\":\"user\",\"content\":\"the quick brown fox jumps over the lazy dog\"}]}}\n",
    );
    let deep = run(&["--against", "deep.jsonl", "--item-fields", "question=doc.q"]);
    assert_eq!(deep, [(json!("in.txt:1"), json!("a"), Value::Null, json!("deep"))]);
    // Several rows of one item have its choices.
    room.write(
        "rows2.jsonl",
        ["one", "two"]
            .map(|choice| format!("{}\n", json!({"k": 5, "question": corpus[0], "answer": choice})))
            .concat(),
    );
    let several = run(&["--against", "rows2.jsonl", "--item-id", "k"]);
    assert_eq!(several, [(json!("in.txt:1"), json!(5), Value::Null, json!("rows2"))]);
    assert_eq!(rows(&room.text("r.jsonl"))[0]["of_answers"], json!(2));
    // Answers alone are items like others.
    room.write("answers.jsonl", format!("{}\n", json!({"question": "Why?", "answer": corpus[1]})));
    assert_eq!(run(&["--against", "answers.jsonl", "--item-fields", "answer=answer"]).len(), 1);
}

#[test]
fn items_that_repeat_an_id_of_their_set_are_told() {
    let room = Room::new();
    let item = |id: &str, word: &str| {
        let question = format!("which {word} of the seven was seen by the old keeper at the gate");
        format!("{}\n", json!({"id": id, "question": question}))
    };
    let one = [item("a", "bird"), item("b", "fish"), item("a", "stone"), item("a", "cloud")];
    room.write("evals/one.jsonl", one.concat());
    // Another set may have the same ids.
    room.write("evals/two.jsonl", item("b", "horse"));
    room.write("in.txt", "Nothing of all that.\n");
    for index in [&[][..], &["--index", "items.npi"], &["--index", "items.npi"]] {
        let args = ["decontaminate", "in.txt", "--lines", "--against", "evals", "--force"];
        let outputs = ["-o", "out.txt", "--summary", "s.json"];
        let run = room.run(&[&args[..], &outputs, index].concat()).done();
        let told = "2 items repeat an earlier id of the eval set, the first is one a: reports call these by one name";
        assert!(run.stderr.contains(told), "{}", run.stderr);
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["repeated_item_ids"], 2);
    }
    let args = ["contamination", "evals/two.jsonl", "--in", "in.txt", "--lines"];
    let run = room.run(&[&args[..], &["-o", "rows.jsonl"]].concat()).done();
    assert!(!run.stderr.contains("repeat"), "{}", run.stderr);
}

#[test]
fn flags_of_tables_hold_for_eval_sets() {
    let room = room(&[(7, &format!("{PLANETS}\n"))]);
    let quoted = format!("\"How\" {}", PLANETS.split_once(' ').unwrap().1);
    let escaped = quoted.replace('"', "\\\"");
    for (name, row, flags, said) in [
        (
            "semicolon.csv",
            format!("id;question\nplanets;{PLANETS}\n"),
            ["--delimiter", ";"],
            "the table has one column, whose name contains ';': another character separates its fields; name it with \
             --delimiter",
        ),
        (
            "bare.tsv",
            format!("id\tquestion\nplanets\t{quoted}\n"),
            ["--quote", "none"],
            "say what the quotes of the table are; pass --quote none if quotes have no meaning",
        ),
        (
            "single.csv",
            format!("id,question\nplanets,'{PLANETS}'\n"),
            ["--quote", "'"],
            "the row has 3 fields, and the header has 2",
        ),
        (
            "escaped.csv",
            format!("id,question\nplanets,\"{escaped}\"\n"),
            ["--escape", "\\"],
            "or --escape '\\' if a backslash stands before those inside quotes",
        ),
    ] {
        room.write(name, row);
        let run = |flags: &[&str]| {
            let args = ["contamination", name, "--in", "in.jsonl", "-o", "c.jsonl", "--force"];
            room.run(&[&args[..], flags].concat())
        };
        let refused = run(&[]);
        assert!(refused.code == Some(1) && refused.stderr.contains(said), "{}", refused.stderr);
        run(&flags).done();
        let items = rows(&room.text("c.jsonl"));
        let [item] = &items[..] else { panic!("{items:?}") };
        assert_eq!(
            (&item["item"], &item["verdict"], &item["documents"]),
            (&json!("planets"), &json!("contaminated"), &json!(1))
        );
        let args = ["decontaminate", "in.jsonl", "--against", name, "--items", "i.jsonl", "-q"];
        room.run(&[&args[..], &flags, &["--force"]].concat()).done();
        assert_eq!(rows(&room.text("i.jsonl")), items);
        let create = ["shard", "create", "work", "--job", "decontaminate", "in.jsonl", "--force"];
        let outputs = ["-o", "many/", "--items", "many.jsonl", "--against", name];
        room.run(&[&create[..], &outputs, &flags].concat()).done();
        room.run(&["shard", "run", "work"]).done();
        assert_eq!(rows(&room.text("many.jsonl")), items);
        std::fs::remove_dir_all(room.path("work")).unwrap();
    }
}

#[test]
fn the_character_set_that_is_named_is_that_of_eval_sets_too() {
    let question = "Quelle plan\u{e8}te du syst\u{e8}me solaire a \u{e9}t\u{e9} d\u{e9}couverte en dernier, et \u{e0} \
                    l'aide de quelles donn\u{e9}es c\u{e9}l\u{e8}bres ?";
    let latin = |text: String| -> Vec<u8> {
        text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
    };
    let room = Room::new();
    room.write("in/a.jsonl", latin(corpus(&[(7, &format!("{question}\n"))])));
    room.write("evals/quiz.csv", latin(format!("id,question\nq,\"{question}\"\n")));
    let run = |against: &str, flags: &[&str]| {
        let args = ["decontaminate", "in", "--items", "i.jsonl", "--force", "--against", against];
        room.run(&[&args[..], flags].concat())
    };
    let refuses = |against: &str, flags: &[&str], code: i32, said: &str| {
        let run = run(against, flags);
        assert!(run.code == Some(code) && run.stderr.contains(said), "{}", run.stderr);
    };
    let found = || {
        let items = rows(&room.text("i.jsonl"));
        items.iter().map(|item| item["verdict"].clone()).collect::<Vec<_>>()
    };
    refuses(
        "evals",
        &[],
        1,
        "or name its character set, such as with --encoding latin1 or utf-16le",
    );
    let flags = ["--encoding", "latin1", "--index", "items.index"];
    for said in ["written to items.index", "read from items.index"] {
        assert!(run("evals", &flags).done().stderr.contains(said));
        assert_eq!(found(), ["contaminated"]);
    }
    // The same bytes are other items in another character set.
    let said =
        "evals/quiz.csv was read in encoding windows-1252, and this run reads its usual form";
    refuses("evals", &["--index", "items.index"], 2, said);
    // A file that can be read without the flag is: the corpus and an eval set may differ.
    let row = format!("{}\n", json!({"question": question}));
    for text in [row.clone(), format!("\u{feff}{row}")] {
        room.write("utf-8.jsonl", text);
        run("utf-8.jsonl", &["--encoding", "latin1"]).done();
        assert_eq!(found(), ["contaminated"]);
    }
    room.write("in/a.jsonl", "");
    room.write("in/a.csv", format!("id;text\n1;\"{question}\"\n"));
    std::fs::remove_file(room.path("in/a.jsonl")).unwrap();
    room.write("comma.csv", format!("id,question\nq,\"{question}\"\n"));
    run("comma.csv", &["--delimiter", ";"]).done();
    assert_eq!(found(), ["contaminated"]);
    room.write("in/a.csv", format!("id,text\n1,\"{question}\"\n"));
    room.write("semicolon.csv", format!("id;question\nq;\"{question}\"\n"));
    run("semicolon.csv", &["--delimiter", ";"]).done();
    assert_eq!(found(), ["contaminated"]);
}

#[test]
fn columns_of_one_name_are_no_part_of_an_item() {
    let room = room(&[]);
    let run = |header: &str, flags: &[&str]| {
        room.write(
            "twice.csv",
            format!("{header}\n7,What is it that was seen?,A thing,Who is it?,a\n"),
        );
        room.run(
            &[&["decontaminate", "in.jsonl", "-o", "-", "--against", "twice.csv"], flags].concat(),
        )
    };
    for (header, flags, name) in [
        ("k,question,answer,question,note", &[][..], "question"),
        ("answer,question,answer,body,note", &[], "answer"),
        ("id,question,answer,body,id", &[], "id"),
        ("k,body,answer,body,note", &["--item-fields", "question=answer,context=body"], "body"),
        ("k,question,answer,body,k", &["--item-id", "k"], "k"),
    ] {
        let said = format!("twice.csv:2: two columns have the name {name:?}; rename one of them");
        let run = run(header, flags);
        assert_eq!(run.code, Some(1), "{header}");
        assert!(run.stderr.contains(&said), "{header}: {}", run.stderr);
    }
    for header in ["note,question,answer,body,note", "k,question,answer,text,text"] {
        run(header, &[]).done();
    }
}

#[test]
fn what_leads_to_no_item_is_refused() {
    let room = room(&[]);
    room.write("empty.jsonl", "");
    room.write("blank.jsonl", "{\"question\":\"\"}\n{\"question\":null}\n");
    room.write("other.jsonl", "{\"id\":1,\"body\":\"What?\"}\n");
    room.write("broken.jsonl", "{\"question\":\"What?\"\n");
    room.write("text.txt", "What?\n");
    room.write("page.html", "<p>What is it?</p>");
    room.write(
        "two.jsonl",
        "{\"k\":1,\"question\":\"What is it?\"}\n{\"k\":1,\"question\":\"Who is it?\"}\n",
    );
    for (flags, code, message) in [
        (&["--against", "empty.jsonl"][..], 1, "empty.jsonl: it has no rows; expected the items"),
        (&["--against", "blank.jsonl"], 1, "blank.jsonl: no question has a word"),
        (
            &["--against", "other.jsonl"],
            1,
            "other.jsonl:1: the row has no question: none of the fields question.stem, question, problem, query, \
             prompt, input, text; its fields are \"body\", \"id\"; name the one that has it, with --item-fields \
             question=FIELD",
        ),
        (
            &["--against", "other.jsonl", "--item-fields", "question=b"],
            1,
            "none of the fields b; its",
        ),
        (&["--against", "broken.jsonl"], 1, "broken.jsonl:1"),
        (&["--against", "text.txt"], 1, "text.txt: expected a row with fields"),
        (&["--against", "page.html"], 1, "page.html: expected a row with fields"),
        (&["--against", "none.jsonl"], 1, "none.jsonl"),
        (
            &["--against", "two.jsonl", "--item-id", "k"],
            1,
            "two.jsonl:2: the item 1 has another question in two.jsonl:1",
        ),
        (
            &["--against", "two.jsonl", "--item-id", "no"],
            1,
            "in the field \"no\", which identifies its item",
        ),
        (&["--against", "eval.jsonl", "--item-fields", "title=x"], 2, "names no field of an item"),
        (
            &["--against", "eval.jsonl", "--share", "1.5"],
            2,
            "a share of 1.5 is not above 0 and at most 1",
        ),
        (&["--against", "eval.jsonl", "--bits", "0"], 2, "0 bits are not above 0"),
        (&["--against", "eval.jsonl", "--margin", "9"], 2, "--margin"),
        (&["--against", "eval.jsonl", "--recipe", "vectors"], 1, "vectors"),
        (&["--against", "eval.jsonl", "--memory", "20M"], 1, "; allow "),
        (
            &["--against", "eval.jsonl", "--html", "main", "--action", "cut"],
            2,
            "leave --action cut out",
        ),
        (
            &["--against", "eval.jsonl", "--text-field", "text,more", "--action", "cut"],
            1,
            "name one field that holds a text, or leave --action cut out",
        ),
        (
            &[
                "--against",
                "eval.jsonl",
                "--text-field",
                "text,more",
                "--action",
                "cut",
                "--on-error",
                "skip",
            ],
            1,
            "joined from several fields",
        ),
        (&["--against", "in.jsonl", "--self-test", "5"], 2, "cannot be used with"),
    ] {
        let run = room.run(&[&["decontaminate", "in.jsonl", "-o", "out.jsonl"], flags].concat());
        assert_eq!(run.code, Some(code), "{flags:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{flags:?}: {}", run.stderr);
        assert!(!room.names().contains(&"out.jsonl".to_owned()), "{flags:?}");
    }
    for (args, code, message) in [
        (&["in.jsonl", "--against", "eval.jsonl"][..], 2, "no output; give one with -o"),
        (&["in.jsonl", "-o", "o.jsonl"], 2, "--against"),
        (
            &["in.jsonl", "--against", "eval.jsonl", "--items", "i", "--action", "annotate"],
            2,
            "name the output with -o",
        ),
        (
            &["in.jsonl", "--against", "eval.jsonl", "-o", "in.jsonl", "--force"],
            1,
            "in.jsonl is the input",
        ),
        (&["in.jsonl", "--against", "eval.jsonl", "-o", "eval.jsonl", "--force"], 1, "eval.jsonl"),
        (&["-", "--against", "-", "-o", "o.jsonl"], 1, "standard input"),
    ] {
        let run = room.run(&[&["decontaminate"], args].concat());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    assert_eq!(room.text("eval.jsonl"), evals());
}

#[test]
fn an_empty_eval_set_is_no_set_whatever_other_sets_lack() {
    let room = room(&[]);
    room.write("sets/one.jsonl", "{\"question\":\"Which planet is the largest?\"}\nno row\n");
    room.write("sets/two.jsonl", "");
    let args = ["decontaminate", "in.jsonl", "-o", "o.jsonl", "--on-error", "skip"];
    let named = [&args[..], &["--against", "sets/one.jsonl", "--against", "sets/two.jsonl"]];
    let run = room.run(&named.concat());
    let said = "sets/two.jsonl: it has no rows; expected the items of an eval set";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    // One that is found beside others is told, as other files there without rows are.
    room.write("sets/three.csv", "question,answer\n");
    let run = room.run(&[&args[..], &["--against", "sets"]].concat()).done();
    for said in [
        "1 item of 1 eval set\n",
        "passed over 2 (no rows) next to the eval sets, the first: sets/three.csv\n",
    ] {
        assert!(run.stderr.contains(said), "{said}{}", run.stderr);
    }
}

#[test]
fn a_set_of_which_nothing_can_be_read_is_listed_without_items() {
    let room = room(&[]);
    room.write("sets/one.jsonl", "{\"question\":\"Which planet is the largest?\"}\n");
    room.write("sets/packed.jsonl", b"\x04\x22\x4d\x18d and more");
    room.write("sets/cut.jsonl.gz", b"\x1f\x8b\x08\0");
    let args = ["contamination", "sets", "--in", "in.jsonl", "--on-error", "skip"];
    let args = [&args[..], &["-o", "items.jsonl", "--summary", "s.json"]].concat();
    let said = room.run(&args).done().stderr;
    for line in [
        "1 item of 3 eval sets\n",
        "sets/packed.jsonl is compressed with LZ4, not text; decompress it first\n",
        "  packed: 0 items; 0 documents\n",
        "  cut: 0 items; 0 documents\n",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let sets = summary["sets"].as_array().unwrap().iter();
    let sets: Vec<_> = sets.map(|set| (set["eval"].clone(), set["items"].clone())).collect();
    let set = |name: &str, items: u64| (json!(name), json!(items));
    assert_eq!(sets, [set("cut", 0), set("one", 1), set("packed", 0)]);
}

#[test]
fn an_eval_file_in_the_corpus_is_named_as_itself() {
    let room = room(&[(3, PLANETS)]);
    let args = [
        "decontaminate",
        "in.jsonl",
        "eval.jsonl",
        "--against",
        "eval.jsonl",
        "--text-field",
        "text",
    ];
    // Its rows have no field of the corpus.
    let run = room.run(&[&args[..], &["-o", "out/"]].concat());
    assert!(run.code == Some(1) && run.stderr.contains("eval.jsonl:1"), "{}", run.stderr);
    room.write("eval.jsonl", evals().replace("\"question\"", "\"text\""));
    let outputs =
        ["-o", "out/", "--removed", "r.jsonl", "--items", "i.jsonl", "--summary", "s.json"];
    let run = room.run(&[&args[..], &outputs].concat()).done();
    // Documents of the file itself are not counted.
    let documents: Vec<_> =
        rows(&room.text("i.jsonl")).iter().map(|row| row["documents"].clone()).collect();
    assert_eq!(documents, [1, 0, 0, 0]);
    let verdicts: Vec<_> =
        rows(&room.text("r.jsonl")).iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["contaminated", "eval-file", "eval-file", "eval-file", "eval-file"]);
    assert!(run.stderr.contains("eval.jsonl is itself a file of the eval sets"), "{}", run.stderr);
    assert!(run.stderr.contains("1 contaminated, 3 in the eval file itself"), "{}", run.stderr);
    assert!(run.stderr.contains(", for 4 of 4 items\n"), "{}", run.stderr);
    // Also the row whose item is too short to be decided elsewhere.
    assert_eq!(room.text("out/eval.jsonl"), "");
    let card = room.run(&["methods", "s.json"]).done().text().to_owned();
    assert!(card.contains("| contaminated | in the eval file | in part |"), "{card}");
    assert!(card.contains("| eval | 4 | 1 | 3 | 0 | 0 | 0 | 0 (0.0 %) |\n"), "{card}");
}

#[test]
fn equal_items_are_one_and_do_not_weaken_each_other() {
    let room = room(&[(3, PLANETS)]);
    let row = |id: u32| format!("{}\n", json!({"id": id, "question": PLANETS}));
    room.write("many.jsonl", (0..100_000).map(row).collect::<String>());
    let args = [
        "decontaminate",
        "in.jsonl",
        "--against",
        "many.jsonl",
        "--removed",
        "r.jsonl",
        "--items",
        "i.jsonl",
    ];
    let run = room.run(&args).done();
    let found = rows(&room.text("r.jsonl"));
    assert_eq!((found.len(), &found[0]["equal"]), (1, &json!(99_999)));
    let items = room.text("i.jsonl");
    assert_eq!(items.lines().count(), 100_000);
    assert!(items.lines().all(|row| row.ends_with("\"verdict\":\"contaminated\"}")));
    assert!(
        run.stderr.contains("100,000 items of 1 eval set, 99,999 equal to others"),
        "{}",
        run.stderr
    );
    // The same questions in another set, with answers of another form, halve nothing.
    let bits = |evals: &[&str]| {
        let args = ["decontaminate", "in.jsonl", "--removed", "r.jsonl", "--force", "-q"];
        room.run(&[&args[..], evals].concat()).done();
        rows(&room.text("r.jsonl"))[0]["bits"].as_f64().unwrap()
    };
    room.write(
        "other.jsonl",
        format!("{}\n", json!({"prompt": PLANETS, "target": "eight of them"})),
    );
    room.write("again/eval.jsonl", evals());
    let one = bits(&["--against", "eval.jsonl"]);
    for several in [
        &["--against", "eval.jsonl", "--against", "other.jsonl"][..],
        &["--against", "eval.jsonl", "--against", "again"],
    ] {
        assert!((bits(several) - one).abs() < 0.11, "{several:?}");
    }
}

#[test]
fn a_model_card_has_a_row_for_each_set_the_files_and_the_command() {
    let room = Room::new();
    room.write("in.jsonl", corpus(&[(3, PLANETS)]));
    room.write("evals/a|b.jsonl", format!("{{\"id\":1,\"question\":\"{PLANETS}\"}}\n"));
    room.write("evals/c_d.jsonl", format!("{{\"id\":1,\"question\":\"{TRAIN}\"}}\n"));
    let args =
        ["contamination", "evals", "--in", "in.jsonl", "-o", "i j.jsonl", "--summary", "card.json"];
    room.run(&args).done();
    let card = room.run(&["methods", "card.json"]).done().text().to_owned();
    for said in [
        "share 0.55, 30 bits, short items: report, common text: flag) we looked for 2 items of 2 eval sets in 200 \
         documents: 1 (0.5 %) contain one.",
        "| a\\|b | 1 | 1 | 0 | 0 | 0 | 0 (0.0 %) |\n",
        "| c_d | 1 | 0 | 0 | 0 | 0 | 1 (100.0 %) |\n",
        "evals/c_d.jsonl: ",
        "```sh\nnearprint contamination evals --in in.jsonl -o 'i j.jsonl' --summary card.json\n```",
    ] {
        assert!(card.contains(said), "{said}: {card}");
    }
    assert!(card.contains("@software{nearprint") && !card.contains("manku"), "{card}");
    let tex = room.run(&["methods", "card.json", "--format", "latex"]).done().text().to_owned();
    assert!(tex.contains("c\\_d & 1 & 0 & 0 & 0 & 0 & 1 (100.0 \\%) \\\\\n"), "{tex}");
    // Shards of a job have no command line of their own.
    let mut figures: Value = serde_json::from_str(&room.text("card.json")).unwrap();
    figures.as_object_mut().unwrap().remove("command").unwrap();
    room.write("other.json", figures.to_string());
    let other = room.run(&["methods", "other.json"]).done().text().to_owned();
    assert!(!other.contains("```"), "{other}");
}

#[test]
fn half_of_a_surrogate_pair_in_an_item_is_named() {
    let room = room(&[]);
    let item = |note: &str, question: &str| {
        format!("{{\"id\":1,\"note\":\"{note}\",\"question\":\"{question}\"}}\n")
    };
    let question = "Which of the planets turns around the sun in the shortest time?";
    let decontaminate =
        ["decontaminate", "in.jsonl", "--against", "halved.jsonl", "--removed", "r.jsonl", "-q"];
    room.write("halved.jsonl", item("", &format!("{question} \\ud83d")));
    let message = "halved.jsonl:1: the field \"question\" escapes half of a surrogate pair (\\ud800 to \\udfff), which \
                   is not a character; write the whole pair";
    room.refuses(&decontaminate, 1, message);
    // In a field that is no part of the item it does no harm.
    room.write("halved.jsonl", item("\\ud83d", question));
    room.run(&decontaminate).done();
}

/// As in the documents themselves: the character is replaced, and the item is found.
#[test]
fn what_is_no_character_in_an_item_is_replaced_where_rows_may_be_skipped() {
    let room = room(&[(3, &format!("{PLANETS}\n")), (5, &format!("{TRAIN}\n"))]);
    let row = |end: &[u8], question: &str| {
        [format!("{{\"id\":\"a\",\"question\":\"{question} ").as_bytes(), end, b"\"}\n"].concat()
    };
    let halved = [row(b"\\ud83d", PLANETS), row(b"", "Nothing of the kind?")].concat();
    let table =
        |end: &[u8]| [format!("id,question\na,\"{PLANETS} ").as_bytes(), end, b"\"\n"].concat();
    for (name, set) in [
        ("halved.jsonl", halved),
        ("bytes.jsonl", row(b"\xff", PLANETS)),
        ("bytes.csv", table(b"\xff")),
    ] {
        room.write(name, set);
        let flags = ["--removed", "r.jsonl", "--summary", "s.json", "--force"];
        let args = [&["decontaminate", "in.jsonl", "--against", name][..], &flags].concat();
        assert_eq!(room.run(&args).code, Some(1), "{name}");
        let skip = [&args[..], &["--on-error", "skip"]].concat();
        let said = room.run(&skip).done().stderr;
        let told = "1 row of the eval sets with invalid UTF-8, which was replaced";
        assert!(said.contains(told), "{name}: {said}");
        let ids: Vec<_> = rows(&room.text("r.jsonl")).iter().map(|row| row["id"].clone()).collect();
        assert_eq!(ids, [json!(3)], "{name}");
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        assert_eq!(summary["replaced_eval_rows"], json!(1), "{name}");
        assert_eq!(summary["skipped_eval_rows"], Value::Null, "{name}");
        // Who leaves nothing out does not take such an item from an index.
        let index = ["--index", "items.index"];
        room.run(&[&skip[..], &index].concat()).done();
        let refused = room.run(&[&args[..], &index].concat());
        assert!(refused.stderr.contains("was replaced when it was made"), "{}", refused.stderr);
        std::fs::remove_file(room.path("items.index")).unwrap();
    }
}
