//! Why not: candidates that were refused, and two documents of a corpus side by side.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};

/// A text of 50 words, five copies with one to five changed words, one that equals it, two copies that differ from it in
/// different places, another text, and one word.
fn room() -> Room {
    let room = Room::new();
    let text_of = |changed: std::ops::Range<usize>| {
        let word = |at: usize| match at % 10 == 5 && changed.contains(&(at / 10)) {
            true => format!("other{}from{}x{at} ", changed.end, changed.start),
            false => format!("word{at} "),
        };
        (0..50).map(word).collect::<String>()
    };
    let text = |changed: usize| text_of(0..changed);
    let mut all: Vec<(String, String)> =
        (0..6).map(|changed| (format!("c{changed}"), text(changed))).collect();
    all.push(("again".to_owned(), text(0)));
    all.push(("left".to_owned(), text_of(1..3)));
    all.push(("right".to_owned(), text_of(3..5)));
    all.push(("far".to_owned(), (0..50).map(|at| format!("far{at} ")).collect()));
    all.push(("short".to_owned(), "word1".to_owned()));
    let rows = all
        .iter()
        .enumerate()
        .map(|(at, (id, text))| format!("{}\n", json!({"id": id, "text": text, "dump": at % 2})));
    room.write("in.jsonl", rows.collect::<String>());
    room
}

#[test]
fn pairs_and_refused_candidates_are_all_that_were_compared() {
    let room = room();
    let list = |similarity: &str| {
        let files = ["--pairs", "pairs", "--rejected", "rejected", "--force", "-q"];
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--similarity", similarity];
        room.run(&[&args[..], &files].concat()).done();
        ["pairs", "rejected"].map(|name| rows(&room.text(name)))
    };
    let names = |row: &Value| [row["a"].clone(), row["b"].clone()];
    let [all, refused] = list("0.5");
    assert!(refused.iter().all(|row| row["similarity"].as_f64().unwrap() < 0.5), "{refused:?}");
    let [some, refused] = list("0.8");
    assert!(
        !refused.is_empty() && refused.iter().all(|row| row["similarity"].as_f64().unwrap() < 0.8)
    );
    // A refused candidate is the pair that it is at a lower similarity.
    let alike: Vec<&Value> =
        refused.iter().filter(|row| row["similarity"].as_f64().unwrap() >= 0.5).collect();
    assert!(alike.len() > 1 && alike.iter().all(|row| all.contains(row)), "{alike:?}");
    assert!(refused.iter().all(|row| !some.iter().any(|pair| names(pair) == names(row))));
    // Of equal documents the first one stands for both.
    assert!(some.iter().any(|row| row["b"] == "again"));
    assert!(refused.iter().all(|row| row["a"] != "again" && row["b"] != "again"));
    room.run(&["dedup", "in.jsonl", "-o", "k.jsonl", "-k", "3", "--rejected", "r"]).refused(
        2,
        "--rejected: candidates are refused by the similarity of pairs, and this job compares fingerprints alone: add a \
         check, such as jaccard=0.8",
    );
    let contained =
        ["dedup", "in.jsonl", "-o", "c.jsonl", "--verify", "containment=0.8", "--rejected", "r"];
    room.run(&contained).refused(
        2,
        "--rejected: candidates are refused by the similarity of pairs, and this job decides by containment: check another \
         measure, such as jaccard=0.8",
    );
}

#[test]
fn two_documents_of_a_corpus_are_told_apart_or_brought_together() {
    let room = room();
    let compare = |a: &str, b: &str, more: &[&str]| {
        let run = room.run(&[&["compare", a, b, "--in", "in.jsonl"], more].concat()).done();
        let verdict = run.text().lines().next().unwrap().trim_start_matches("verdict").trim();
        (verdict.to_owned(), run.text().to_owned())
    };
    let (verdict, text) = compare("c0", "again", &[]);
    assert_eq!(verdict, "in one group: their content is equal");
    assert!(
        text.contains("content      equal\nsimilarity   1.0000, jaccard: at least 0.8"),
        "{text}"
    );
    let (verdict, text) = compare("c0", "c1", &["--keep", "first"]);
    assert_eq!(verdict, "in one group: they are near-duplicates");
    assert!(
        text.contains("A            \"c0\" is kept, the representative of cluster 0 of "),
        "{text}"
    );
    assert!(
        text.contains("B            \"c1\" is removed, represented by \"c0\", similarity 0.88"),
        "{text}"
    );
    let (verdict, text) = compare("c0", "far", &[]);
    assert_eq!(verdict, "not near-duplicates: similarity 0.0000 is below 0.8");
    assert!(
        text.contains("similarity   0.0000")
            && text.contains("compared     no\n")
            && text.contains("\"far\" is kept, alone"),
        "{text}"
    );
    let (verdict, _) = compare("c1", "again", &["--within", "dump"]);
    assert_eq!(
        verdict,
        "not in one group: their dump is \"1\" and \"0\", and only documents with equal dump are compared"
    );
    let (verdict, _) =
        compare("left", "right", &["--similarity", "0.7", "--cluster-rule", "connected"]);
    assert!(
        verdict.starts_with("in one group: not similar enough themselves, but connected"),
        "{verdict}"
    );
    let (verdict, _) = compare("c0", "short", &[]);
    assert!(verdict.starts_with("not "), "{verdict}");
    // What is too short is compared with nothing, however similar.
    room.write(
        "few.jsonl",
        "{\"id\":\"a\",\"text\":\"ok\"}\n{\"id\":\"b\",\"text\":\"ok then\"}\n",
    );
    let few = room.run(&["compare", "a", "b", "--in", "few.jsonl"]).done();
    assert!(few.text().contains("is too short to compare"), "{}", few.text());
    assert!(few.text().contains("compared     no\n"), "{}", few.text());
    let json = room.run(&["compare", "c0", "c4", "--in", "in.jsonl", "--format", "json"]).done();
    let answer: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&answer["passes"], &answer["documents"][1]["id"]), (&json!(false), &json!("c4")));
    assert!(answer["probability"].as_f64().unwrap() < 0.9);
    room.run(&["compare", "c0", "nobody", "--in", "in.jsonl"])
        .refused(2, "--in: no document has the id nobody; the id of the first is \"c0\"");
    room.run(&["compare", "a", "b", "--within", "dump"])
        .refused(2, "--within: it is about documents of a corpus: name that with --in");
    // The answer of a corpus lists no features.
    let run = room.run(&["compare", "c0", "c1", "--in", "in.jsonl", "--top", "5"]);
    assert!(run.code == Some(2) && run.stderr.contains("'--in <IN>'"), "{}", run.stderr);
    // Two files have no cluster.
    for flags in [["--keep", "first"], ["--keep-by", "dump:max"], ["--cluster-rule", "connected"]] {
        let run = room.run(&[&["compare", "in.jsonl:1", "in.jsonl:2"], &flags[..]].concat());
        assert!(run.code == Some(2) && run.stderr.contains("--in <IN>"), "{}", run.stderr);
    }
}

#[test]
fn of_near_duplicates_one_may_be_kept_alone() {
    let room = Room::new();
    // Each is near the next one: the second is kept for the first and the third.
    let text =
        |from: usize| (from..from + 20).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
    let row = |id: usize| json!({"id": id, "text": text(4 * id)}).to_string() + "\n";
    room.write("in.jsonl", (1..5).map(row).collect::<String>());
    let run = room.run(&["compare", "3", "4", "--in", "in.jsonl", "--similarity", "0.5"]).done();
    let said = "not in one group: they are near-duplicates, but one is not near the kept document of the other";
    assert!(run.text().contains(said) && run.text().contains("4 is kept, alone"), "{}", run.text());
}

#[test]
fn a_containment_is_told_where_it_decides() {
    let room = Room::new();
    let words = |words: std::ops::Range<u32>| words.map(|at| format!("w{at} ")).collect::<String>();
    // Of 48 triples of words 18 are in the excerpt, and 24 of the 38 of the other text.
    let texts = [("whole", 0..50), ("excerpt", 0..20), ("other", 24..64)];
    let row = |(id, of): (&str, _)| format!("{}\n", json!({"id": id, "text": words(of)}));
    room.write("in.jsonl", texts.map(row).concat());
    let rule = ["--verify", "containment=0.8"];
    for (other, place, contained, exact) in
        [("excerpt", "in.jsonl:2", "1.0000", 1.0), ("other", "in.jsonl:3", "0.6316", 24.0 / 38.0)]
    {
        let passes = contained == "1.0000";
        let than = if passes { "at least" } else { "below" };
        let bare = room.run(&[&["compare", "in.jsonl:1", place], &rule[..]].concat()).done();
        let told = format!("near-duplicates (containment {contained} is {than} 0.8)\n");
        assert!(bare.text().lines().next().unwrap().ends_with(told.trim_end()), "{}", bare.text());
        let of_corpus = [&["compare", "whole", other, "--in", "in.jsonl"], &rule[..]].concat();
        let table = room.run(&of_corpus).done();
        let told = format!("similarity   {contained}, containment: {than} 0.8\n");
        assert!(table.text().contains(&told), "{}", table.text());
        let refused = format!("not near-duplicates: containment {contained} is below 0.8\n");
        assert_eq!(table.text().contains(&refused), !passes, "{}", table.text());
        let json = room.run(&[&of_corpus[..], &["--format", "json"]].concat()).done();
        let answer: Value = serde_json::from_str(json.text()).unwrap();
        assert_eq!(
            (&answer["similarity"], &answer["measure"]),
            (&json!(exact), &json!("containment"))
        );
        assert_eq!(answer["passes"], passes);
    }
    // Rows have it too.
    let dedup =
        ["dedup", "in.jsonl", "-o", "k.jsonl", "--removed", "r.jsonl", "--pairs", "p.jsonl"];
    room.run(&[&dedup[..], &rule].concat()).done();
    for list in ["r.jsonl", "p.jsonl"] {
        let row = room.text(list);
        assert!(row.contains("\"similarity\":1.0000,\"measure\":\"containment\""), "{row}");
    }
    let json =
        room.run(&["compare", "whole", "other", "--in", "in.jsonl", "--format", "json"]).done();
    assert!(!json.text().contains("containment"), "{}", json.text());
}

#[test]
fn a_check_is_searched_at_its_threshold_and_another_similarity_is_refused() {
    let room = room();
    let by_check = room.run(&["pairs", "in.jsonl", "--verify", "jaccard=0.5"]).done();
    assert!(by_check.stderr.contains("of the pairs at similarity 0.5"), "{}", by_check.stderr);
    let equal = ["pairs", "in.jsonl", "--verify", "jaccard=0.5", "--similarity", "0.5"];
    assert_eq!(room.run(&equal).done().stderr, by_check.stderr);
    let message = "--similarity and --verify: similarity 0.9 and verify jaccard=0.8 set two thresholds, of which only \
                   one can decide: give one of the two";
    let two = ["--similarity", "0.9", "--verify", "jaccard=0.8"];
    for verb in [
        &["dedup", "in.jsonl", "-o", "out.jsonl"][..],
        &["pairs", "in.jsonl"],
        &["clusters", "in.jsonl"],
        &["split", "in.jsonl", "-o", "parts/"],
        &["compare", "in.jsonl:1", "in.jsonl:2"],
        &["shard", "create", "job", "in.jsonl", "-o", "out/"],
    ] {
        room.refuses(&[verb, &two].concat(), 2, message);
    }
    let low = "--verify jaccard=0.2: use 0.3 to 1, or --recall exact";
    room.refuses(&["pairs", "in.jsonl", "--verify", "jaccard=0.2"], 2, low);
}

#[test]
fn documents_of_a_corpus_are_compared_as_it_is_read() {
    let room = Room::new();
    let fox = "the quick brown fox jumps over the lazy dog at noon";
    room.write(
        "in.csv",
        format!("id;dump;text\n1;a;{fox}\n2;b;{}\n3;a;\u{1f600}\n", fox.to_uppercase()),
    );
    let compare = |a: &str, more: &[&str]| {
        let run = room.run(
            &[&["compare", a, "2", "--in", "in.csv", "--delimiter", ";", "--format", "json"], more]
                .concat(),
        );
        serde_json::from_str::<Value>(run.done().text()).unwrap()
    };
    // Equal is equal, whether documents are compared or not; and equal documents are always found.
    for (more, compared) in
        [(&[][..], true), (&["--within", "dump"], false), (&["--across", "dump"], true)]
    {
        let answer = compare("1", more);
        assert_eq!(
            (&answer["equal_content"], &answer["compared"]),
            (&json!(true), &json!(compared)),
            "{more:?}"
        );
        assert_eq!((&answer["probability"], &answer["passes"]), (&json!(1.0), &json!(true)));
    }
    let flags = ["--delimiter", ";", "--memory", "1G", "--threads", "1", "--on-error", "skip"];
    let kept = room.run(&[&["compare", "1", "2", "--in", "in.csv"], &flags[..]].concat()).done();
    assert!(
        kept.text().starts_with("verdict      in one group: their content is equal\n"),
        "{}",
        kept.text()
    );
    room.run(&["compare", "3", "1", "--in", "in.csv", "--delimiter", ";"]).refused(
        2,
        "--in: the document 3 has no feature to compare, such as a text without letters and digits: it is compared with no \
         other, and kept",
    );
    room.write("old.jsonl", format!("{{\"id\":\"old\",\"text\":\"{fox}\"}}\n"));
    let against =
        ["compare", "old", "1", "--in", "in.csv", "--delimiter", ";", "--against", "old.jsonl"];
    let text = room.run(&against).done().text().to_owned();
    assert!(text.contains("\"1\" is removed, represented by \"old\""), "{text}");
    // Of files themselves, the flags of their form count, and no others.
    room.run(&["compare", "in.csv:2", "in.csv:3", "--delimiter", ";"]).done();
    let refused = room.run(&["compare", "in.csv:1", "in.csv:2", "--on-error", "skip"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--in <IN>"), "{}", refused.stderr);
}
