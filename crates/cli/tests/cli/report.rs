//! The page of `dedup --report` as text; `scripts/check-report` looks at it in a browser.

use crate::nearprint::{repository, rows, run};
use crate::room::Room;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn page(room: &Room, name: &str, flags: &[&str]) -> String {
    let (kept, report) = (room.arg(&format!("{name}.jsonl")), room.arg(&format!("{name}.html")));
    let inputs = ["samples/news.jsonl", "samples/zh.jsonl", "samples/ja.jsonl"];
    let args = [&["dedup", "-q", "-o", &kept, "--report", &report], &inputs[..], flags].concat();
    run(&repository(), &args).done();
    room.text(&format!("{name}.html"))
}

#[test]
fn a_page_needs_nothing_else_and_is_the_same_every_time() {
    let room = Room::new();
    let one = page(&room, "one", &["--threads", "1"]);
    assert_eq!(one, page(&room, "three", &["--threads", "3", "--memory", "64M"]));
    // One script, of the page itself, which its policy names by its hash.
    assert!(one.matches("<script").count() == 1 && one.contains("script-src 'sha256-"), "{one}");
    for outside in ["src=", "url(", "@import", "=\"http", "=\"//"] {
        assert!(!one.contains(outside), "{outside}");
    }
    assert!(one.len() < 300_000, "{} bytes", one.len());
    assert!(one.contains("samples/zh.jsonl") && one.contains("Similarities of pairs"));
}

#[test]
fn a_page_follows_what_was_asked_for() {
    let room = Room::new();
    let bits = page(&room, "bits", &["-k", "3", "--width", "64", "--cluster-rule", "connected"]);
    assert!(!bits.contains("Similarities of pairs") && bits.contains("estimated cosine"));
    let against = page(&room, "against", &["--against", "samples/text"]);
    assert!(against.contains("<small>reference</small>"));
    // What is said of the documents is said of the input alone.
    let of_input = |page: &str| {
        let title = page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
        let read = page.split_once("id=\"figure-documents\" value=\"").unwrap().1;
        let read = read.split_once('"').unwrap().0.to_owned();
        assert!(title.ends_with(&format!(" of {read} documents kept")), "{title}");
        read
    };
    assert_eq!(of_input(&against), of_input(&bits));
    let only = "each is a near-duplicate of one that is kept.";
    let linked = "of one that is kept, or linked to it by others.";
    assert!(bits.contains(linked) && !bits.contains(only));
    assert!(against.contains("of one that is kept or is in the reference."));
    assert!(page(&room, "star", &[]).contains(only));
    let none = page(&room, "none", &["--keep", "none"]);
    assert!(none.contains("none of a cluster is kept") && !none.contains("<span>kept</span>"));
    let last = page(&room, "last", &["--keep", "last", "--cluster-rule", "connected"]);
    assert!(last.contains("Similarities of pairs"));
}

#[test]
fn documents_of_the_reference_that_have_no_words_are_not_of_the_input() {
    let room = Room::new();
    room.write(
        "old.jsonl",
        "{\"text\":\"\"}\n{\"text\":\"!!!\"}\n{\"text\":\"one two three four\"}\n",
    );
    room.write("new.jsonl", "{\"text\":\"one two three four\"}\n{\"text\":\"five six\"}\n");
    let figures = |name: &str| {
        let summary: Value = serde_json::from_str(&room.text(name)).unwrap();
        ["documents", "reference", "kept", "removed"].map(|figure| summary[figure].clone())
    };
    let job = ["new.jsonl", "--against", "old.jsonl", "--summary"];
    let page = ["s.json", "-o", "out.jsonl", "--report", "page.html"];
    room.run(&[&["dedup"][..], &job, &page].concat()).done();
    assert!(room.text("page.html").contains("1 of 2 documents kept"));
    assert_eq!(figures("s.json"), [5, 3, 1, 1].map(Value::from));
    let create = ["shard", "create", "work", "--job", "dedup"];
    room.run(&[&create[..], &job, &["shards.json", "-o", "shards/"]].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    assert_eq!(figures("shards.json"), [5, 3, 1, 1].map(Value::from));
}

#[test]
fn documents_of_one_id_are_shown_with_their_places() {
    let room = Room::new();
    let texts = ["one two three four five six", "other words", "one two three four five six"];
    let page = |ids: [&str; 3]| {
        let row = |(id, text): (&str, &str)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
        room.write("in.jsonl", ids.into_iter().zip(texts).map(row).collect::<String>());
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--report", "page.html", "--force"];
        room.run(&args).done();
        room.text("page.html")
    };
    let places = ["<bdi>in.jsonl:1</bdi>", "<bdi>in.jsonl:3</bdi>"];
    let same = page(["same", "other", "same"]);
    assert!(places.iter().all(|place| same.contains(place)), "{same}");
    let apart = page(["a", "b", "c"]);
    assert!(!places.iter().any(|place| apart.contains(place)), "{apart}");
}

#[test]
fn copies_within_the_reference_are_no_cluster_of_the_run() {
    let room = Room::new();
    let row = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let copies = |of: &str| row(of, "nobody in the input has any of these words").repeat(3);
    let known = row("k", "one two three four five six");
    room.write("old.jsonl", [copies("o"), known].concat());
    let new = row("n", "one two three four five six");
    room.write("new.jsonl", [new, row("m", "a text that is alone")].concat());
    let job = ["new.jsonl", "--against", "old.jsonl", "--clusters", "c", "--summary", "s.json"];
    let outputs = ["-o", "out.jsonl", "--report", "page.html", "--decisions", "d"];
    room.run(&[&["dedup"][..], &job, &outputs].concat()).done();
    let told = |summary: &str, clusters: &str| {
        let summary: Value = serde_json::from_str(&room.text(summary)).unwrap();
        let rows = rows(&room.text(clusters));
        let of = |row: &Value| (row["id"].clone(), row["cluster"].clone());
        let figures = [&summary["clusters"], &summary["largest_cluster"]].map(Value::clone);
        (figures, rows.iter().map(of).collect::<Vec<_>>())
    };
    let members = ["k", "n"].map(|id| (Value::from(id), Value::from(0)));
    let expected = ([1, 2].map(Value::from), members.to_vec());
    assert_eq!(told("s.json", "c"), expected);
    assert!(room.text("page.html").contains("largest_cluster\" value=\"2\""));
    room.run(&["decide", "d", "--clusters", "c2", "--summary", "s2.json"]).done();
    assert_eq!(told("s2.json", "c2"), expected);
    let create = ["shard", "create", "work", "--job", "dedup", "new.jsonl", "--against"];
    let outputs = ["old.jsonl", "--clusters", "parts/", "--summary", "s3.json", "-o", "shards/"];
    room.run(&[&create[..], &outputs].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    let summary: Value = serde_json::from_str(&room.text("s3.json")).unwrap();
    assert_eq!([&summary["clusters"], &summary["largest_cluster"]], [1, 2]);
}

#[test]
fn a_page_appears_with_the_survivors_or_not_at_all() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n");
    room.write("page.html", "mine");
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--report", "page.html"];
    room.run(&args).refused(1, "page.html exists; pass --force to replace it");
    let args = [&args[..], &["--force"]].concat();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n{broken\n");
    assert_eq!(room.run(&args).code, Some(1));
    assert_eq!((room.text("page.html"), room.names().len()), ("mine".to_owned(), 2));
    room.write("in.jsonl", "");
    room.run(&args).done();
    assert!(room.text("page.html").contains("There is no cluster"));
}

/// 90 texts in two files of a folder, and the first 15 in a third one: each with a copy of
/// which one word was replaced: the longer, the more similar; copies are of no dump. Of the first there is an equal
/// copy too.
fn pairs(room: &Room) {
    let row = |number: usize, side: &str, changed: usize| {
        let word = |at| match at == changed {
            true => format!("other{number} "),
            false => format!("word{number}x{at} "),
        };
        let text: String = (0..140 - number).map(word).collect();
        let dump = (side == "a").then_some("first");
        format!("{}\n", json!({ "id": format!("{number}{side}"), "text": text, "dump": dump }))
    };
    let texts = |range: std::ops::Range<usize>| {
        range.map(|number| row(number, "a", 999) + &row(number, "b", 20)).collect::<String>()
    };
    room.write("in/one.jsonl", texts(0..45) + &row(0, "equal", 999));
    room.write("in/two.jsonl", texts(45..90));
    room.write("few.jsonl", texts(0..15) + &row(0, "equal", 999));
}

/// The ids of the documents that a list of the page has in front, in its order.
fn listed(page: &str, list: &str) -> Vec<String> {
    let (_, section) = page.split_once(&format!("<section id=\"{list}\"")).unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    let summaries = section.split("<summary>").skip(1);
    let ids = summaries.filter_map(|summary| {
        Some(summary.split_once("<code dir=\"auto\">")?.1.split_once("</code>")?.0.to_owned())
    });
    ids.collect()
}

#[test]
fn a_page_lists_a_sample_of_the_clusters_and_the_most_doubtful_removals() {
    let room = Room::new();
    pairs(&room);
    let args = ["dedup", "in", "-o", "out/", "-q", "--report", "page.html", "--removed", "r.jsonl"];
    let page = |more: &[&str]| {
        room.run(&[&args[..], &["--force"], more].concat()).done();
        room.text("page.html")
    };
    let one = page(&["--threads", "1"]);
    let (largest, sample) = (listed(&one, "clusters"), listed(&one, "sample"));
    assert_eq!((largest.len(), sample.len(), &*largest[0]), (20, 20, "0a"));
    let all: BTreeSet<_> = largest.iter().chain(&sample).collect();
    assert_eq!(all.len(), 40, "a cluster is in both lists, or twice");
    let numbers: Vec<usize> =
        sample.iter().map(|id| id.strip_suffix('a').unwrap().parse().unwrap()).collect();
    assert!(numbers.is_sorted() && numbers[19] - numbers[0] > 20, "{numbers:?}");
    assert!(one.contains("20 of the 70 other clusters, drawn at random with seed 1"), "{one}");

    // Every row is of its own cluster here, but for the equal copy.
    let removed = rows(&room.text("r.jsonl"));
    let mut least: Vec<_> = removed
        .iter()
        .map(|row| (row["similarity"].as_f64().unwrap(), row["id"].as_str().unwrap()))
        .filter(|(_, id)| !id.ends_with("equal"))
        .collect();
    least.sort_by(|a, b| a.0.total_cmp(&b.0));
    let least: Vec<_> = least.iter().take(20).map(|(_, id)| *id).collect();
    let doubtful = listed(&one, "doubtful");
    assert_eq!(
        (doubtful.len(), &doubtful),
        (20, &least.iter().map(|id| (*id).to_owned()).collect())
    );
    let shown: BTreeMap<_, _> = removed.iter().map(|row| (row["id"].as_str(), row)).collect();
    for id in least {
        let similarity = shown[&Some(id)]["similarity"].as_f64().unwrap();
        assert!(one.contains(&format!("data-similarity=\"{similarity:.3}\"")), "{id} {similarity}");
    }
    for file in ["one", "two"] {
        let source = one.matches(&format!("<bdi>in/{file}.jsonl</bdi>")).count();
        assert!(source >= 20, "{file}: {source}");
    }
    assert!(one.contains("<select id=\"source\">"));

    // Neither threads, memory, rows of removals nor a list of pairs change what is chosen.
    assert_eq!(page(&["--threads", "2", "--memory", "64M"]), one);
    let without = ["dedup", "in", "-o", "out/", "-q", "--report", "page.html", "--force"];
    room.run(&without).done();
    assert_eq!(room.text("page.html"), one);
}

#[test]
fn the_sample_is_drawn_by_what_documents_say_and_not_by_their_places() {
    let room = Room::new();
    pairs(&room);
    let rows = room.text("in/one.jsonl") + &room.text("in/two.jsonl");
    let lines: Vec<&str> = rows.lines().collect();
    let of = |lines: &[&str], more: &[&str]| -> BTreeSet<String> {
        room.write("all.jsonl", lines.join("\n"));
        let args =
            ["dedup", "all.jsonl", "-o", "out.jsonl", "-q", "--report", "page.html", "--force"];
        room.run(&[&args[..], more].concat()).done();
        // Of a pair either may be kept.
        let number = |id: String| id.trim_end_matches(char::is_alphabetic).to_owned();
        listed(&room.text("page.html"), "sample").into_iter().map(number).collect()
    };
    for more in [&["--keep", "longest"][..], &["--keep", "longest", "-k", "10"]] {
        let sample = of(&lines, more);
        assert_eq!(sample.len(), 20);
        // The largest clusters are listed apart, of equal ones the first of the input.
        let common = |other: BTreeSet<String>| sample.intersection(&other).count();
        let blank = ["{\"id\":\"x\",\"text\":\"a text before all others that is like none\"}"];
        assert_eq!(common(of(&[&blank[..], &lines].concat(), more)), 20, "{more:?}");
        let turned: Vec<&str> = lines.iter().rev().copied().collect();
        assert!(common(of(&turned, more)) >= 8, "{more:?}");
        assert!(common(of(&lines[..lines.len() - 30], more)) >= 12, "{more:?}");
    }
}

#[test]
fn a_page_of_few_clusters_of_one_file_has_no_empty_parts() {
    let room = Room::new();
    pairs(&room);
    let run = |input: &str, more: &[&str]| {
        let args = ["dedup", input, "-o", "out.jsonl", "-q", "--report", "page.html", "--force"];
        room.run(&[&args[..], more].concat()).done();
        room.text("page.html")
    };
    let few = run("few.jsonl", &[]);
    assert!(!few.contains("id=\"sample\"") && !few.contains("id=\"source\""), "{few}");
    assert!(!few.contains("class=\"source\"") && few.contains("All 15, "), "{few}");
    assert_eq!(listed(&few, "doubtful").len(), 15);
    let by_dump = run("few.jsonl", &["--group-by", "dump"]);
    for shown in [
        "<bdi>first</bdi>",
        "<bdi class=\"source\">without dump</bdi>",
        "<label for=\"source\">dump</label>",
        "<span class=\"source\">dump</span>",
    ] {
        assert!(by_dump.contains(shown), "{shown}\n{by_dump}");
    }
    let equal = run("few.jsonl", &["--similarity", "0.99"]);
    assert!(!equal.contains("id=\"doubtful\"") && equal.contains("All 1, "), "{equal}");
}

#[test]
fn where_none_stays_each_of_a_pair_is_removed() {
    let room = Room::new();
    pairs(&room);
    let args = ["dedup", "in/two.jsonl", "-o", "out.jsonl", "-q", "--keep", "none"];
    room.run(&[&args[..], &["--report", "page.html"]].concat()).done();
    let page = room.text("page.html");
    assert!(page.contains("<span>also removed</span>") && !page.contains("<span>kept</span>"));
    assert_eq!(listed(&page, "doubtful").len(), 20);
}
