//! `decide`: another similarity, rule or document to keep from the pairs that `dedup` kept, without the corpus.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};

/// 40 texts of 60 words, each with a copy that differs in none to seven words, and one that equals the first.
fn room() -> Room {
    let room = Room::new();
    let mut lines = String::new();
    for number in 0..40_usize {
        let text = |changed: usize| {
            let word = |at: usize| match at % 8 == 4 && at / 8 < changed {
                true => format!("other{number}x{at} "),
                false => format!("word{number}x{at} "),
            };
            (0..60).map(word).collect::<String>()
        };
        for (copy, changed) in [("a", 0), ("b", number % 8), ("c", 0)] {
            let row = json!({
                "id": format!("{number}{copy}"),
                "text": text(changed),
                "year": 2000 + number % 7 + 3 * changed,
                "dump": if copy == "c" { "new" } else { "old" },
            });
            lines += &format!("{row}\n");
        }
    }
    room.write("in.jsonl", lines);
    let file = ["--decisions", "in.decisions", "--keep-by", "year:max", "--count-by", "dump"];
    room.run(&[&["dedup", "in.jsonl", "--similarity", "0.4", "-q"], &file[..]].concat()).done();
    room
}

#[test]
fn a_decision_writes_what_dedup_writes() {
    let room = room();
    for more in [
        &["--similarity", "0.9", "--keep", "central"][..],
        &["--similarity", "0.55", "--keep", "longest", "--copies"],
        &["--similarity", "0.7", "--keep-by", "year:min", "--within", "dump"],
        &[
            "--similarity",
            "0.6",
            "--cluster-rule",
            "connected",
            "--keep",
            "first",
            "--count-by",
            "dump",
        ],
        &["--similarity", "0.8", "--keep", "none"],
    ] {
        let files =
            |name: &str| [".jsonl", ".removed", ".clusters"].map(|end| format!("{name}{end}"));
        let outputs = |name: &str| {
            let [out, removed, clusters] = files(name);
            ["-o", &out, "--removed", &removed, "--clusters", &clusters, "--force", "-q"]
                .map(str::to_owned)
        };
        let run = |args: &[&str], name: &str| {
            let outputs = outputs(name);
            let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
            room.run(&[args, &outputs, more].concat()).done();
        };
        run(&["dedup", "in.jsonl", "--recall", "exact"], "job");
        run(&["decide", "in.decisions", "--in", "in.jsonl"], "decision");
        for (one, other) in files("job").iter().zip(&files("decision")) {
            assert_eq!(room.text(one), room.text(other), "{more:?} {one}");
        }
        assert!(room.text("job.removed").lines().count() >= 20, "{more:?}");
    }
}

#[test]
fn what_is_not_named_is_as_in_the_run() {
    let room = room();
    let flags =
        ["--across", "dump", "--cluster-rule", "connected", "--keep-by", "year:max", "--force"];
    let dedup = ["dedup", "in.jsonl", "--recall", "exact", "--similarity", "0.6", "-q"];
    let outputs = ["--removed", "job", "--decisions", "in.decisions"];
    room.run(&[&dedup[..], &flags, &outputs].concat()).done();
    let decide = ["decide", "in.decisions", "--in", "in.jsonl", "--removed", "decision"];
    let run = room.run(&decide).done();
    assert_eq!(room.text("job"), room.text("decision"));
    let told = "as in the run of dedup: cluster rule connected, keep year:max, across dump\n";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    let named = ["--cluster-rule", "star", "--keep", "first", "--across", "dump", "--force"];
    let run = room.run(&[&decide[..], &named].concat()).done();
    assert!(!run.stderr.contains("as in the run"), "{}", run.stderr);
    assert_ne!(room.text("job"), room.text("decision"));
}

#[test]
fn a_file_of_decisions_is_no_corpus() {
    let room = room();
    let said = "in.decisions is a file of decisions, not text; name the corpus that it was made of";
    room.refuses(&["compare", "0a", "0b", "--in", "in.decisions"], 1, said);
    room.refuses(&["dedup", "in.decisions", "-o", "x.jsonl"], 1, said);
}

#[test]
fn the_corpus_is_not_needed_but_for_survivors() {
    let room = room();
    std::fs::remove_file(room.path("in.jsonl")).unwrap();
    let args = [
        "decide",
        "in.decisions",
        "--similarity",
        "0.85",
        "--kept",
        "kept",
        "--removed",
        "removed",
    ];
    let run = room.run(&[&args[..], &["--summary", "summary"]].concat()).done();
    let ids = |name: &str| -> Vec<Value> {
        rows(&room.text(name)).into_iter().map(|row| row["id"].clone()).collect()
    };
    let (kept, removed) = (ids("kept"), ids("removed"));
    assert_eq!(
        (kept.len() + removed.len(), kept.iter().any(|id| removed.contains(id))),
        (120, false)
    );
    let first = format!("{} kept (", kept.len());
    assert!(run.stderr.contains(&first) && run.stderr.contains("decided by jaccard=0.85 from "));
    assert!(run.stderr.contains(" of different content in "), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&room.text("summary")).unwrap();
    assert_eq!((&summary["kept"], &summary["exact"]), (&json!(kept.len()), &json!(45)));
    let refused = room.run(&["decide", "in.decisions", "-o", "out.jsonl"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--in <IN>"), "{}", refused.stderr);
}

#[test]
fn a_sweep_is_a_table_json_and_a_picture() {
    let room = room();
    let sweep = ["decide", "in.decisions", "--sweep", "0.5:1:0.1"];
    let table =
        room.run(&[&sweep[..], &["--plot", "sweep.svg", "--plot", "sweep.csv"]].concat()).done();
    let kept = |line: &str| line.split_whitespace().nth(2).unwrap().parse::<u64>().unwrap();
    let told: Vec<u64> = table.text().lines().skip(1).map(kept).collect();
    assert_eq!(told.len(), 6);
    assert!(told.is_sorted() && told[0] < 60 && told[5] == 75, "{}", table.text());
    let json = room.run(&[&sweep[..], &["--format", "json"]].concat()).done();
    let swept: Vec<Value> = serde_json::from_str(json.text()).unwrap();
    let similarities: Vec<_> =
        swept.iter().map(|one| one["similarity"].as_f64().unwrap()).collect();
    assert_eq!(similarities, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
    let of_json: Vec<u64> = swept.iter().map(|one| one["kept"].as_u64().unwrap()).collect();
    assert_eq!(of_json, told);
    let svg = room.text("sweep.svg");
    assert!(
        svg.starts_with("<svg") && svg.contains("of the documents") && svg.contains("similarity")
    );
    // Two lines of as many points as the table has rows.
    let csv = room.text("sweep.csv");
    assert_eq!(csv.lines().count(), 1 + 2 * 6, "{csv}");
    room.run(&[&sweep[..], &["--plot", "sweep.gif"]].concat())
        .refused(2, "--plot sweep.gif: name a file that ends in .svg, .pdf, .png or .csv");
    for more in [&[][..], &["--similarity", "0.85"], &["--target", "50%"]] {
        room.run(&[&["decide", "in.decisions", "--plot", "alone.svg"], more].concat()).refused(
            2,
            "--plot alone.svg: the chart is that of --sweep, such as --sweep 0.6:1.0:0.02; add it, or leave --plot out",
        );
    }
    room.run(&["decide", "in.decisions", "--sweep", "0.3:1:0.1"]).refused(
        2,
        "in.decisions: the file has pairs from 0.4 on, not from 0.3: use 0.4 or more, or create the file again at a \
         lower similarity",
    );
}

#[test]
fn a_target_is_met_or_the_nearest_is_taken_and_said() {
    let room = room();
    let target = |size: &str| {
        let args = ["decide", "in.decisions", "--target", size, "--kept", "kept", "--force"];
        let run = room.run(&args).done();
        (room.text("kept").lines().count(), run.stderr.lines().nth(3).unwrap().to_owned())
    };
    let (kept, said) = target("60-documents");
    assert!((50..=60).contains(&kept), "{kept}");
    assert!(said.ends_with(": the highest that leaves at most 60 documents"), "{said}");
    let (kept, said) = target("50%");
    assert!((50..=60).contains(&kept) && said.ends_with("at most 50 % of the documents"), "{said}");
    let (_, said) = target("1K-documents");
    assert_eq!(
        said,
        "similarity 1, which removes only equal documents, leaves less than 1,000 documents"
    );
    let args = ["decide", "in.decisions", "--target", "2K"];
    room.refuses(
        &[&args[..], &["--kept", "other", "-q"]].concat(),
        1,
        &format!(
            "2 kB of text cannot be reached: in.decisions starts at the similarity 0.4, which leaves {} of text; nothing \
             was written. Create the file again at a lower similarity",
            left_at_least(&room)
        ),
    );
    let nearest = room.run(&args);
    let said = "similarity 0.4, the lowest of the file, leaves more than 2 kB of text: the file cannot get closer\n";
    assert!(nearest.code == Some(1) && nearest.stderr.contains(said), "{}", nearest.stderr);
    // Programs that call it have no line to read: it is an error, as it is one here.
    let (file, progress) = (room.arg("in.decisions"), std::sync::Arc::default());
    let asked =
        |target: &str| nearprint_cli::decide([file.as_str(), "--target", target], &progress);
    assert_eq!(asked("2K").unwrap_err().to_string(), said.trim_end());
    let told = |target: &str| json!(asked(target).unwrap())["target_met"].clone();
    assert_eq!([told("50%"), told("1K-documents")], ["yes", "less-is-left"]);
    let bare = room.run(&["decide", "in.decisions", "--target", "30"]);
    assert!(
        bare.code == Some(2) && bare.stderr.contains("30 has no unit: use 30%"),
        "{}",
        bare.stderr
    );
}

/// The text that the least similarity of the file leaves, as it is told.
fn left_at_least(room: &Room) -> String {
    let sweep = room.run(&["decide", "in.decisions", "--sweep", "0.4:0.4:1"]).done();
    let words: Vec<&str> = sweep.text().lines().nth(1).unwrap().split_whitespace().collect();
    words[words.len() - 2..].join(" ")
}

#[test]
fn the_methods_of_a_decision_say_what_was_decided() {
    let room = room();
    let methods = |more: &[&str]| {
        let summary = ["--summary", "summary.json", "--force", "-q"];
        room.run(&[&["decide", "in.decisions"], more, &summary[..]].concat()).done();
        room.run(&["methods", "summary.json"]).done().text().to_owned()
    };
    let said = methods(&["--similarity", "0.85"]);
    assert!(said.contains("Jaccard similarity of their features is at least 0.85; "), "{said}");
    assert!(said.contains("of the pairs at exactly 0.85 are found"), "{said}");
    let told: Value = serde_json::from_str(&room.text("summary.json")).unwrap();
    assert_eq!(told["method"]["similarity"], json!(0.85));
    let said = methods(&["--target", "80%", "--within", "dump"]);
    assert!(said.contains("the highest that leaves at most 80 % of the documents."), "{said}");
    assert!(said.contains("Only documents with the same value of dump were compared."), "{said}");
    let other = room.run(&["methods", "in.jsonl"]);
    let said = "error: in.jsonl: not the summary of a run; ";
    assert!(other.code == Some(1) && other.stderr.starts_with(said), "{}", other.stderr);
    room.run(&["methods", "none.json"]).refused(1, "no such file or folder: none.json");
    room.run(&["decide", "none.decisions"]).refused(1, "no such file or folder: none.decisions");
}

#[test]
fn what_is_no_such_file_or_tells_too_little_is_refused() {
    let room = room();
    let decide = |more: &[&str]| room.run(&[&["decide", "in.decisions"], more].concat());
    decide(&["--within", "site"]).refused(
        2,
        "in.decisions: has no values of the field \"site\": run `nearprint dedup --group-by site --decisions FILE` again",
    );
    decide(&["--keep-by", "size:max"]).refused(
        2,
        "in.decisions: was made with values of year, and size:max was asked for: run `nearprint dedup --keep-by size:max --decisions FILE` again",
    );
    let within = ["--within", "dump", "--group-by", "year", "--decisions", "w.decisions"];
    room.run(&[&["dedup", "in.jsonl", "-q"], &within[..]].concat()).done();
    room.run(&["decide", "w.decisions", "--within", "year"]).refused(
        2,
        "w.decisions: was made with `--within dump`, so that it has no pair of documents with different dump, and `--within year` was asked for: run `nearprint dedup --within year --decisions FILE` again",
    );
    std::fs::remove_file(room.path("w.decisions")).unwrap();
    decide(&["-q"]).refused(
        2,
        "decide: with --quiet, name what to write: -o, --removed, --kept, --clusters or --summary",
    );
    room.run(&["decide", "in.jsonl"]).refused(
        1,
        "in.jsonl: not a file of decisions, which begins with \"nearprint decisions\"; `dedup --decisions` writes \
         one",
    );
    let bytes = room.read("in.decisions");
    room.write("cut.decisions", &bytes[..bytes.len() - 9]);
    room.run(&["decide", "cut.decisions"]).refused(
        1,
        "cut.decisions: damaged: cut short, or followed by extra bytes; create it again with the run of `dedup` \
         that wrote it",
    );
    room.write("other.jsonl", room.text("in.jsonl").replace("word3x", "word4x"));
    // A stream has nothing of it either.
    for output in ["out.jsonl", "-"] {
        let run = room.run(&["decide", "in.decisions", "--in", "other.jsonl", "-o", output]);
        run.refused(
            1,
            "in.decisions: its pairs come from another corpus than the one named, from another state of it, or from one that was read in another order or with other flags",
        );
    }
    room.run(&["dedup", "in.jsonl", "-k", "3", "--decisions", "k.decisions"]).refused(
        2,
        "--decisions: decisions are made again by the similarity of pairs, and this job compares fingerprints alone: add a \
         check, such as jaccard=0.8",
    );
    let left = room.names();
    let expected = ["cut.decisions", "in.decisions", "in.jsonl", "other.jsonl"];
    assert_eq!(left, expected);
}

/// Rows of documents that are connected one by one: the ends of the chain are no near-duplicates.
fn chain(row: impl Fn(usize, Vec<String>) -> Value) -> String {
    let words = |at: usize| (at * 4..at * 4 + 40).map(|word| format!("w{word}")).collect();
    (0..5).map(|at| format!("{}\n", row(at, words(at)))).collect()
}

#[test]
fn a_corpus_is_read_again_by_the_fields_of_the_run() {
    let room = Room::new();
    let features = |words: Vec<String>| -> Value {
        words.into_iter().map(|word| (word, json!(1.5))).collect::<serde_json::Map<_, _>>().into()
    };
    room.write("v.jsonl", chain(|at, words| json!({ "key": at, "vec": features(words) })));
    room.write(
        "t.jsonl",
        chain(|at, words| json!({ "id": at, "body": words.join(" "), "text": "of no use", "lang": "en" })),
    );
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("auto.toml", words.text().to_owned() + "language = \"auto\"\nstop-words = true\n");
    let runs: [&[&str]; 3] = [
        &["v.jsonl", "--recipe", "vectors", "--features-field", "vec", "--id-field", "key"],
        &["t.jsonl", "--text-field", "body"],
        &["t.jsonl", "--recipe", "auto.toml", "--text-field", "body", "--language-field", "lang"],
    ];
    let connected = ["--cluster-rule", "connected", "--removed", "-"];
    for flags in runs {
        let by = ["--similarity", "0.6", "--recall", "exact", "--decisions", "d", "--force"];
        let told = room.run(&[&["dedup"], flags, &by, &connected[..]].concat()).done();
        assert_eq!(rows(told.text()).len(), 4);
        let again = ["decide", "d", "--in", flags[0]];
        let decided = room.run(&[&again[..], &connected].concat()).done();
        assert_eq!(decided.text(), told.text(), "{flags:?}");
        assert!(decided.text().contains("\"similarity\":0."), "{}", decided.text());
        // The same flags may be said again, others not.
        let fields: Vec<&str> =
            flags.iter().copied().skip_while(|flag| !flag.ends_with("-field")).collect();
        room.run(&[&again[..], &fields, &connected].concat()).done();
        let other = room.run(&[&again[..], &["--text-field", "nope"], &connected].concat());
        assert_eq!(other.code, Some(2), "{}", other.stderr);
        assert!(
            other.stderr.contains("and \"nope\" was asked for: leave it out"),
            "{}",
            other.stderr
        );
    }
}

#[test]
fn what_a_sweep_does_not_look_at_is_refused() {
    let room = room();
    for flag in [
        &["--fail-if-removed", "10%"][..],
        &["--copies"],
        &["--count-by", "dump"],
        &["--group-by", "dump"],
        &["--rehydrate", "all"],
        &["--annotate"],
        &["--shard-size", "1M"],
    ] {
        let run = room.run(&[&["decide", "in.decisions", "--sweep", "0.8:1:0.1"], flag].concat());
        assert!(
            run.code == Some(2) && run.stderr.contains("cannot be used with"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn rows_that_were_skipped_are_told_again() {
    let room = Room::new();
    let bad = "{\"id\":1,\"text\":\"one two three\"}\n{broken\n{\"id\":2,\"text\":\"\"}\n";
    room.write("in.jsonl", bad);
    room.run(&["dedup", "in.jsonl", "--on-error", "skip", "--decisions", "d"]).done();
    let run = room.run(&["decide", "d", "--in", "in.jsonl", "-o", "out.jsonl"]).done();
    for said in
        ["1 skipped (invalid-json), the first: in.jsonl:2", "1 document with nothing to compare"]
    {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
}
