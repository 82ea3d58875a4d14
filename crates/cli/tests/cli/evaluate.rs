//! `evaluate`: what labels say beside what is found. That the figures are right is tested in its own crate.

use crate::nearprint::{repository, rows, run};
use crate::room::Room;
use serde_json::{Value, json};

/// Five documents: two pairs of near-duplicates, one of which no setting finds.
fn room() -> Room {
    let room = Room::new();
    let words = |from: usize, to: usize| {
        (from..to).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
    };
    let texts = [
        ("a", words(0, 60)),
        ("b", words(1, 61)),
        ("c", words(100, 160)),
        ("d", words(140, 200)),
        ("e", format!("<b>{}</b>", words(300, 360))),
        ("f", format!("<b>{}</b>", words(300, 362))),
    ];
    let row =
        |(id, text): &(&str, String)| json!({ "id": id, "text": text, "topic": id }).to_string();
    room.write("in.jsonl", texts.iter().map(row).collect::<Vec<_>>().join("\n"));
    room.write(
        "labels.jsonl",
        "{\"a\":\"a\",\"b\":\"b\"}\n{\"a\":\"c\",\"b\":\"d\",\"same\":true}\n{\"a\":\"q\",\"b\":\"a\"}\n",
    );
    room
}

const LABELS: [&str; 4] = ["evaluate", "in.jsonl", "--labels", "labels.jsonl"];

#[test]
fn the_samples_are_judged_side_by_side() {
    let args = "evaluate samples/news.jsonl --labels samples/news.labels.jsonl --unlisted different --recipe text \
                --recipe words --width 64 --width 128";
    let run = run(&repository(), &args.split_whitespace().collect::<Vec<_>>()).done();
    assert_eq!(
        run.stderr,
        "text: 3 documents empty, too short or one phrase for the most part (by radius, duplicates only of identical ones)\n\
         words: 1 document empty, too short or one phrase for the most part (by radius, duplicates only of identical ones)\n"
    );
    let table = run.text();
    assert!(table.starts_with("66 documents, 26 pairs labelled as the same in "), "{table}");
    for part in [
        "text, 64 bits",
        "words, 128 bits",
        "by radius",
        "by similarity",
        "side by side",
        "best F1",
    ] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
}

#[test]
fn what_is_missed_and_what_is_wrong_is_written_with_its_reason() {
    let room = room();
    let outputs = "--format json --missed missed.jsonl --wrong wrong.jsonl --plot it.svg --plot it.csv --page it.html";
    let args: Vec<_> = LABELS.into_iter().chain(outputs.split_whitespace()).collect();
    let run = room.run(&args).done();
    assert_eq!(run.stderr, "1 id in labels that no document has: \"q\"\n");
    let found: Value = serde_json::from_str(run.text()).unwrap();
    let labels = json!({
        "same": 2, "different": 0, "groups": 2, "unlisted": "different", "unknown_ids": ["q"],
    });
    assert_eq!((&found["documents"], &found["labels"]), (&json!(6), &labels));
    let dedup = &found["evaluations"][0]["dedup"];
    let pairs = &dedup["pairs"];
    assert_eq!(
        [&pairs["right"], &pairs["wrong"], &pairs["missed"]],
        [1, 1, 1].map(|n| json!(n)).each_ref()
    );
    assert_eq!(pairs["precision"]["value"], json!(0.5));
    assert_eq!((&dedup["kept"], &dedup["removed"]), (&json!(4), &json!(2)));
    let by_similarity = found["evaluations"][0]["by_similarity"]["points"].as_array().unwrap();
    assert_eq!((by_similarity.len(), &by_similarity[20]["similarity"]), (51, &json!(0.8)));
    let missed = rows(&room.text("missed.jsonl"));
    assert_eq!((missed.len(), &missed[0]["a"], &missed[0]["b"]), (1, &json!("c"), &json!("d")));
    assert!(missed[0]["reason"].as_str().unwrap().ends_with("is below 0.8"), "{missed:?}");
    assert_eq!((&missed[0]["recipe"], &missed[0]["width"]), (&json!("text"), &json!(128)));
    let wrong = rows(&room.text("wrong.jsonl"));
    assert_eq!((wrong.len(), &wrong[0]["a"], &wrong[0]["b"]), (1, &json!("e"), &json!("f")));
    assert_eq!(wrong[0]["differ"].as_array().unwrap().len(), 4);
    let page = room.text("it.html");
    assert!(page.contains("<title>") && page.contains("<svg") && !page.contains("<b>"), "{page}");
    assert!(page.contains("is below 0.8") && !page.contains("<script"));
    assert!(room.text("it.svg").contains("Precision by similarity"));
    // Five figures of each point of both curves, and the best F1 of each.
    let csv = room.text("it.csv");
    let points = ["by_radius", "by_similarity"]
        .map(|curve| found["evaluations"][0][curve]["points"].as_array().unwrap().len());
    assert_eq!(csv.lines().count(), 1 + 5 * (points[0] + points[1]) + 2, "{csv}");
    let point = &by_similarity[20]["pairs"]["precision"];
    let [value, low, high] = ["value", "low", "high"].map(|one| point[one].as_f64().unwrap());
    let row = format!("Precision by similarity,0.8,,{value},{low},{high}");
    assert!(csv.lines().any(|line| line.ends_with(&row)), "{row}: {csv}");
    room.refuses(&args, 1, "missed.jsonl exists; pass --force to replace it");
}

#[test]
fn fingerprints_are_judged_by_radius() {
    let room = room();
    // What is empty or short stays a document, which labels are about.
    let more = "{\"id\":\"g\",\"text\":\"\"}\n{\"id\":\"h\",\"text\":\"no\"}\n{\"id\":\"i\",\"text\":\"No!\"}\n";
    room.write("in.jsonl", format!("{}\n{more}", room.text("in.jsonl")));
    let labels = "{\"a\":\"h\",\"b\":\"i\"}\n{\"a\":\"g\",\"b\":\"i\"}\n";
    room.write("labels.jsonl", format!("{}{labels}", room.text("labels.jsonl")));
    room.run(&["fingerprint", "in.jsonl", "--width", "128", "-o", "codes.jsonl"]).done();
    let by_radius = ["--only", "radius", "--width", "128", "--format", "json"];
    let of_texts = room.run(&[&LABELS[..], &by_radius].concat()).done();
    let args = ["evaluate", "codes.jsonl", "--labels", "labels.jsonl", "--format", "json"];
    let of_codes = room.run(&args).done();
    assert_eq!(of_codes.stderr, of_texts.stderr.replace("text: ", "fingerprints: "));
    let [texts, codes] =
        [of_texts, of_codes].map(|run| serde_json::from_str::<Value>(run.text()).unwrap());
    assert_eq!(texts["evaluations"][0]["by_radius"], codes["evaluations"][0]["by_radius"]);
    assert_eq!(codes["evaluations"][0]["recipe"], "fingerprints");
    for (flags, message) in [
        (
            "--recipe words",
            "--recipe: the input holds fingerprints, which stay as they are; leave --recipe out, or give the texts",
        ),
        (
            "--width 64",
            "--width 64: the input holds fingerprints of 128 bits, which stay as they are; leave --width out",
        ),
        (
            "--only dedup",
            "--only dedup: the input holds fingerprints, which can only be judged by radius; leave --only out, or give the texts",
        ),
        ("-k 3", "-k: fingerprints are judged at every radius, up to --max-k; leave -k out"),
        (
            "--wrong it.jsonl",
            "--wrong: the input holds fingerprints, and dedup compares texts; leave --wrong out, or give the texts",
        ),
    ] {
        let args: Vec<_> = args.into_iter().chain(flags.split_whitespace()).collect();
        room.refuses(&args, 2, message);
    }
}

#[test]
fn a_recipe_of_html_judges_the_part_that_it_names() {
    let room = room();
    // Pages of one text, whose marks have nothing in common.
    let words = |name: &str| (0..60).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join(" ");
    let page = |id: &str, text: &str| {
        let page = format!("<p class=\"{}\">{}</p>", words(id), words(text));
        format!("{}\n", json!({ "id": id, "text": page }))
    };
    room.write("in.jsonl", [page("a", "x"), page("b", "x"), page("c", "z")].concat());
    room.write("labels.jsonl", "{\"a\":\"a\",\"b\":\"b\"}\n");
    let args = [&LABELS[..], &["--recipe", "web", "--format", "json"]].concat();
    let found: Value = serde_json::from_str(room.run(&args).done().text()).unwrap();
    let found = &found["evaluations"][0];
    let nearest = &found["by_radius"]["points"][0];
    assert_eq!((&nearest["k"], &nearest["pairs"]["right"]), (&json!(0), &json!(1)), "{nearest}");
    assert_eq!(found["dedup"]["pairs"]["right"], 1);
}

#[test]
fn the_check_tells_the_measure_of_the_curve() {
    let room = room();
    let args = "--verify cosine=0.9 --similarity 0.9 --format json -q --missed missed.jsonl --page it.html";
    let args: Vec<_> = LABELS.into_iter().chain(args.split_whitespace()).collect();
    let found: Value = serde_json::from_str(room.run(&args).done().text()).unwrap();
    let [by_radius, by_similarity] =
        ["by_radius", "by_similarity"].map(|curve| &found["evaluations"][0][curve]);
    assert_eq!(
        (&by_similarity["measure"], &by_radius["measure"]),
        (&json!("cosine"), &Value::Null)
    );
    let missed = rows(&room.text("missed.jsonl"));
    let reason = missed[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("cosine 0.3") && reason.ends_with("is below 0.9"), "{reason}");
    assert!(room.text("it.html").contains("By cosine"));
}

#[test]
fn texts_that_are_too_short_are_told() {
    let room = room();
    room.write("labels.jsonl", "{\"a\":\"a\",\"b\":\"b\"}\n");
    let row = |id, text| format!("{}\n", json!({ "id": id, "text": text }));
    let words = "one two three four five six seven";
    room.write(
        "in.jsonl",
        [row("a", words), row("b", words), row("c", ""), row("d", "no")].concat(),
    );
    let run = room.run(&LABELS).done();
    assert_eq!(
        run.stderr,
        "text: 2 documents empty, too short or one phrase for the most part (by radius, duplicates only of identical ones)\n"
    );
    room.write("in.jsonl", [row("a", ""), row("b", "")].concat());
    room.refuses(
        &LABELS,
        1,
        "none of the 2 documents has enough text for the recipe text, so no two can be compared; name the field of \
         the texts with --text-field",
    );
}

#[test]
fn flags_that_ask_for_nothing_are_refused() {
    let room = room();
    let refuses = |flags: &str, message: &str| {
        let args: Vec<_> = LABELS.into_iter().chain(flags.split_whitespace()).collect();
        room.refuses(&args, 2, message);
    };
    refuses(
        "--only radius --missed it.jsonl",
        "--missed: the pairs are those that dedup misses or gets wrong; leave --only out",
    );
    refuses("--max-k 129", "--max-k 129: fingerprints have 128 bits; use at most 128");
    refuses(
        "--min-similarity 0",
        "--min-similarity: above 0, as documents that share nothing are not compared",
    );
    refuses("--plot it.gif", "--plot it.gif: name a file that ends in .svg, .pdf, .png or .csv");
    refuses("--force --missed labels.jsonl", "labels.jsonl: an output would replace the labels");
}

#[test]
fn clusters_may_stand_in_the_rows() {
    let room = room();
    room.write(
        "topics.jsonl",
        "{\"text\":\"one two three four five\",\"topic\":1}\n{\"text\":\"One, two, three, four, five!\",\"topic\":1}\n\
         {\"text\":\"six seven eight nine ten\",\"topic\":\"x\"}\n",
    );
    let args = ["evaluate", "topics.jsonl", "--cluster-field", "topic", "--format", "json"];
    let found: Value = serde_json::from_str(room.run(&args).done().text()).unwrap();
    assert_eq!(found["labels"]["same"], 1);
    assert_eq!(found["evaluations"][0]["dedup"]["clusters"]["adjusted_rand"]["value"], json!(1.0));
    let args = ["evaluate", "topics.jsonl", "--cluster-field", "theme"];
    room.refuses(&args, 2, "--cluster-field theme: no row has a string or a number in that field");
}

#[test]
fn measures_of_clusters_count_open_pairs_as_different_and_say_so() {
    let room = room();
    let remark = "Rand and B-cubed count pairs of different groups as different, doubtful and unlabelled ones too";
    for (more, is_open) in [("", false), ("{\"a\":\"c\",\"b\":\"d\",\"same\":null}\n", true)] {
        room.write("labels.jsonl", format!("{{\"a\":\"a\",\"b\":\"b\"}}\n{more}"));
        let run = room.run(&[&LABELS[..], &["--page", "it.html", "--force"]].concat()).done();
        assert_eq!(run.text().ends_with(&format!("{remark}\n")), is_open, "{}", run.text());
        assert_eq!(room.text("it.html").contains(remark), is_open);
    }
}

#[test]
fn documents_without_a_label_that_take_no_part_are_told() {
    let room = Room::new();
    // The one in the middle is near both others, which are not near each other.
    let text = |own: &[usize]| {
        let word = |at| if own.contains(&at) { format!("x{at}") } else { format!("w{at}") };
        (0..60).map(word).collect::<Vec<_>>().join(" ")
    };
    let texts = [
        ("a", text(&[20])),
        ("c", text(&[])),
        ("b", text(&[40])),
        ("x", "one two three four".into()),
    ];
    let row = |(id, text): &(&str, String)| format!("{}\n", json!({"id": id, "text": text}));
    room.write("in.jsonl", texts.iter().map(row).collect::<String>());
    let same = "{\"a\":\"a\",\"b\":\"b\",\"same\":true}\n";
    room.write("labels.jsonl", format!("{same}{{\"a\":\"a\",\"b\":\"x\",\"same\":false}}\n"));
    let remark = "Clusters, and what dedup keeps, are of labelled documents alone: 1 document without a label, which may \
                  connect them, took no part";
    let similar = ["--similarity", "0.85", "--page", "it.html", "--force"];
    for (more, removed, is_alone) in
        [(&[] as &[&str], 0, true), (&["--unlisted", "different"], 2, false)]
    {
        let args = [&LABELS[..], &similar, more].concat();
        let run = room.run(&args).done();
        assert!(run.text().contains(&format!(" {removed} removed")), "{}", run.text());
        assert_eq!(run.text().contains(remark), is_alone, "{}", run.text());
        assert_eq!(room.text("it.html").contains(remark), is_alone);
        let json = room.run(&[&args[..], &["--format", "json"]].concat()).done();
        let found: Value = serde_json::from_str(json.text()).unwrap();
        assert_eq!(found["unlabelled"], u32::from(is_alone));
    }
}

#[test]
fn rows_of_other_verbs_are_labels() {
    let room = room();
    let outputs =
        ["--pairs", "pairs.jsonl", "--removed", "removed.jsonl", "--clusters", "all.jsonl"];
    room.run(&[&["dedup", "in.jsonl", "-o", "kept.jsonl"], &outputs[..]].concat()).done();
    for labels in ["pairs.jsonl", "all.jsonl"] {
        let run = room.run(&["evaluate", "in.jsonl", "--labels", labels]).done();
        assert!(run.text().starts_with("6 documents, 2 pairs labelled as the same"), "{labels}");
    }
    // Two documents, each of another cluster.
    let removed = ["evaluate", "in.jsonl", "--labels", "removed.jsonl"];
    let message = "no two documents are labelled as the same, so there is nothing to find: recall has no meaning";
    room.refuses(&removed, 1, message);
    room.write("verdicts.csv", "a,b,is_duplicate\na,b,1\nc,d,0\n");
    let message = "verdicts.csv:2: the row has \"is_duplicate\" and neither \"same\" nor \"label\"; give the verdict one \
                   of these names, or leave other fields out";
    room.refuses(&["evaluate", "in.jsonl", "--labels", "verdicts.csv"], 1, message);
}

#[test]
fn labels_that_tell_nothing_are_refused() {
    let room = room();
    let refuses = |rows: &str, code: i32, message: &str| {
        room.write("labels.jsonl", rows);
        room.refuses(&LABELS, code, message);
    };
    refuses(
        "",
        1,
        "labels.jsonl: no label; one row a pair {\"a\",\"b\",\"same\"} or one row a document {\"id\",\"cluster\"} is \
         needed",
    );
    refuses(
        "{\"a\":\"a\",\"b\":\"b\"}\n{\"a\":\"a\",\"b\":\"c\",\"duplicate\":false}\n",
        1,
        "labels.jsonl:2: the row has \"duplicate\" and neither \"same\" nor \"label\"; give the verdict one of these names, \
         or leave other fields out",
    );
    refuses(
        "{\"a\":\"x\",\"b\":\"y\"}\n",
        1,
        "none of the 1 labels is about documents that were read: no document has an id such as \"x\"; name the field \
         of the ids with --id-field",
    );
    refuses(
        "{\"a\":\"a\",\"b\":\"b\",\"same\":false}\n",
        1,
        "no two documents are labelled as the same, so there is nothing to find: recall has no meaning",
    );
    refuses(
        "{\"a\":\"a\",\"b\":\"b\"}\n{\"a\":\"b\",\"b\":\"a\",\"same\":null}\n",
        1,
        "labels.jsonl:2: \"a\" and \"b\" can be said either way (null) in this row and are the same at \
         labels.jsonl:1; keep one of the two rows",
    );
    room.write("labels.jsonl", "{\"a\":\"a\",\"b\":\"b\"}\n");
    let ignored = [&LABELS[..], &["--unlisted", "ignored"]].concat();
    room.refuses(
        &ignored,
        1,
        "all labelled pairs are the same and others are ignored, so nothing can be wrong: precision has no meaning; \
         label pairs that are not the same (\"same\":false), or count all others as such (--unlisted different)",
    );
    room.write("in.jsonl", "{\"id\":\"y\",\"text\":\"one\"}\n{\"id\":\"z\",\"text\":\"two\"}\n");
    room.refuses(
        &LABELS,
        1,
        "none of the 1 labels is about documents that were read: no document has an id such as \"a\"; name the field of \
         the ids with --id-field",
    );
    room.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one\"}\n");
    room.refuses(&LABELS, 1, "1 document to compare, and a pair needs two: give more");
    room.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one\"}\n".repeat(2));
    room.refuses(
        &LABELS,
        1,
        "1 document has an id that an earlier one has, the first: \"a\"; labels name documents by their ids, so \
         each needs its own (--id-field names the field)",
    );
    room.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one\"}\n".repeat(3));
    room.refuses(
        &LABELS,
        1,
        "2 documents have an id that an earlier one has, the first: \"a\"; labels name documents by their ids, so \
         each needs its own (--id-field names the field)",
    );
    room.refuses(
        &[&LABELS[..], &["--memory", "10"]].concat(),
        1,
        "the texts to compare take more than 10 bytes of memory; allow more with --memory, or label pairs that are \
         not the same too (\"same\":false): then only the labelled documents are held",
    );
}

#[test]
fn each_table_has_its_own_delimiter() {
    let room = Room::new();
    let (a, b) = ("one two three four five six", "one two three four five six seven");
    room.write("in.csv", format!("id;text\n1;{a}\n2;{b}\n"));
    room.write("labels.csv", "a;b;label\n1;2;dup\n");
    // Commas and quotes, as usual.
    room.write("usual.csv", "a,b,label\n\"1\",\"2\",dup\n");
    for (labels, quote) in
        [("labels.csv", "--quote=\""), ("usual.csv", "--quote=\""), ("usual.csv", "--quote=none")]
    {
        let args = ["evaluate", "in.csv", "--delimiter=;", "--format=json", "--labels"];
        let run = room.run(&[&args[..], &[labels, quote]].concat()).done();
        let found: Value = serde_json::from_str(run.text()).unwrap();
        assert_eq!(found["labels"]["same"], 1, "{labels} {quote}");
    }
    let said = "the table has one column, whose name contains ';': another character separates its fields; name it with \
                --delimiter";
    let args = ["evaluate", "in.csv", "--labels"];
    for labels in ["labels.csv", "usual.csv"] {
        room.refuses(&[&args[..], &[labels]].concat(), 1, &format!("in.csv:2: {said}"));
    }
    // Labels say by their header what parts them; a flag is for the input whose header has it.
    room.write("comma.csv", format!("id,text\n1,{a}\n2,{b}\n"));
    room.write("tab.tsv", format!("id\ttext\n1\t{a}\n2\t{b}\n"));
    room.write("bar.csv", "a|b|label\n1|2|dup\n");
    room.write("groups.csv", "id;cluster\n1;x\n2;x\n");
    for (input, flag) in [
        ("comma.csv", None),
        ("comma.csv", Some("--delimiter=;")),
        ("tab.tsv", None),
        ("tab.tsv", Some("--delimiter=;")),
        ("in.csv", Some("--delimiter=;")),
    ] {
        for labels in ["labels.csv", "usual.csv", "bar.csv", "groups.csv"] {
            let args = ["evaluate", input, "--labels", labels, "--format=json"].into_iter();
            let run = room.run(&args.chain(flag).collect::<Vec<_>>()).done();
            let found: Value = serde_json::from_str(run.text()).unwrap();
            assert_eq!(found["labels"]["same"], 1, "{input} {flag:?} {labels}");
        }
    }
    room.write("other.csv", "one;two\n1;2\n");
    room.refuses(
        &["evaluate", "comma.csv", "--labels", "other.csv"],
        1,
        "other.csv:2: a label is {\"a\",\"b\",\"same\"} or {\"id\",\"cluster\"}; this row has the fields one;two",
    );
}

#[test]
fn a_chart_without_a_curve_is_refused() {
    let args = [&LABELS[..], &["--only", "dedup", "--plot", "it.png"]].concat();
    room().refuses(
        &args,
        2,
        "--plot it.png: the chart shows the curves by radius and by similarity; leave --only dedup out",
    );
}
