//! One question about pages has one answer: that of `compare` for any two pages is that of `pairs`, `dedup`, a store
//! and shards.

use crate::nearprint::rows;
use crate::room::Room;
use nearprint_testing::sites::{Frame, Template, article, links, page, prose};
use serde_json::Value;
use std::collections::BTreeMap;

/// Articles under the frames of two sites, pages that share a footer or a sidebar alone, and pages without main text.
fn room() -> Room {
    let room = Room::new();
    let frame =
        |words: usize| Frame { before: words, after: words, footer: 30, ..Frame::default() };
    for (seed, words) in [(1, 90), (2, 160), (3, 300)] {
        let text = prose(seed, words);
        for (site, template) in [(1, Template::Soup), (2, Template::Semantic)] {
            let markup = article(template, &frame(60), site, &text);
            room.write(&format!("in/{seed}-{site}.html"), markup);
        }
    }
    let crowded = Frame { before: 30, sidebar: 240, footer: 60, notice: true, ..Frame::default() };
    for seed in [11, 12] {
        let list = page(Template::Soup, &frame(20), 5, "All", &links(seed, 80));
        room.write(&format!("in/list-{seed}.html"), list);
        let beside = article(Template::Soup, &crowded, 6, &prose(seed, 60));
        room.write(&format!("in/beside-{seed}.html"), beside);
    }
    room.write("in/none.html", "<footer><p>Nobody wrote anything here. Nobody will.</p></footer>");
    room
}

const RECIPE: [&str; 2] = ["--recipe", "web"];

type Near = BTreeMap<(String, String), String>;

/// Pairs of rows with their similarity.
fn near(rows: &[Value], [a, b]: [&str; 2]) -> Near {
    let name = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let pair = |row: &Value| {
        let mut ids = [name(row, a), name(row, b)];
        ids.sort();
        let [a, b] = ids;
        ((a, b), format!("{:.4}", row["similarity"].as_f64().unwrap()))
    };
    rows.iter().map(pair).collect()
}

#[test]
fn every_command_says_the_same_of_two_pages() {
    let room = room();
    let mut names: Vec<String> = room.names();
    names.retain(|name| name.ends_with(".html"));
    let mut expected = Near::new();
    for (at, a) in names.iter().enumerate() {
        for b in &names[at + 1..] {
            let compare = [&["compare", a, b, "--format", "json"], &RECIPE[..]].concat();
            let answer: Value = serde_json::from_str(room.run(&compare).done().text()).unwrap();
            if answer["near_duplicates"] == true {
                let similarity = format!("{:.4}", answer["jaccard"].as_f64().unwrap());
                expected.insert((a.clone(), b.clone()), similarity);
            }
        }
    }
    let of_sites = [1, 2, 3].map(|seed| (format!("in/{seed}-1.html"), format!("in/{seed}-2.html")));
    assert_eq!(expected.keys().cloned().collect::<Vec<_>>(), of_sites);
    let pairs = room.run(&[&["pairs", "in", "--quiet"], &RECIPE[..]].concat()).done();
    assert_eq!(near(&rows(pairs.text()), ["a", "b"]), expected);
    let reports =
        ["--pairs", "pairs.jsonl", "--removed", "removed.jsonl", "-o", "kept/", "--quiet"];
    room.run(&[&["dedup", "in"], &RECIPE[..], &reports].concat()).done();
    assert_eq!(near(&rows(&room.text("pairs.jsonl")), ["a", "b"]), expected);
    assert_eq!(near(&rows(&room.text("removed.jsonl")), ["kept", "id"]), expected);
    room.run(&[&["store", "init", "seen", "--verify"], &RECIPE[..]].concat()).done();
    room.run(&["store", "add", "seen", "in", "--quiet"]).done();
    let found = room.run(&["store", "query", "seen", "in", "--quiet", "--top", "9"]).done();
    let mut found = rows(found.text());
    found.retain(|row| row["query"] != row["id"]);
    assert_eq!(near(&found, ["query", "id"]), expected);
    let reports = ["--pairs", "pairs/", "--removed", "removed/", "-o", "clean/"];
    room.run(&[&["shard", "create", "work", "in"], &RECIPE[..], &reports].concat()).done();
    room.run(&["shard", "run", "work"]).done();
    let written = |folder: &str| {
        let mut names = room.names();
        names.retain(|name| name.starts_with(folder) && name.ends_with(".jsonl"));
        names.iter().flat_map(|name| rows(&room.text(name))).collect::<Vec<_>>()
    };
    assert_eq!(near(&written("pairs/"), ["a", "b"]), expected);
    assert_eq!(near(&written("removed/"), ["kept", "id"]), expected);
}
