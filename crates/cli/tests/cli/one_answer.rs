//! One question has one answer: a store keeps the documents that `dedup --keep first` keeps, and two documents have one
//! similarity in `--removed`, in what a store answers and in `compare`.

use crate::corpus::made;
use crate::nearprint::{repository, rows};
use crate::room::Room;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs;

/// Numbers that look random, the same each time.
fn random(seed: u64) -> u64 {
    nearprint_fingerprint::mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

fn word(of: u64) -> String {
    format!("w{}", random(of) % 1_000_000)
}

/// Texts of one template: any two share two thirds of their words, and are no near-duplicates; of some there are copies,
/// equal ones and such with one more word.
fn crowd(documents: u64) -> String {
    let text = |number: u64| {
        let own = |at: u64| (0..6).any(|own| random(number << 8 | own) % 60 == at);
        let of = |at: u64| if own(at) { number << 20 | at } else { at };
        (0..60).map(|at| word(of(at))).collect::<Vec<_>>().join(" ")
    };
    let row = |at: u64| {
        let text = match at % 7 {
            0 if at > 0 => text(at / 2),
            3 => text(at / 3) + " more",
            _ => text(at),
        };
        format!("{}\n", json!({ "id": format!("crowd {at}"), "text": text }))
    };
    (0..documents).map(row).collect()
}

/// Many copies of few texts, and texts of no word to twelve.
fn copies_and_short_ones() -> String {
    let copied =
        |at: u64| (0..30).map(|word_at| word((at % 3) << 30 | word_at)).collect::<Vec<_>>();
    let short = |at: u64| {
        let (topic, words) = (random(at) % 9, random(at << 1) % 13);
        let last = random(at << 2) % 3;
        let of = |word_at| if word_at + 1 == words { last << 40 } else { word_at };
        (0..words).map(|word_at| word(1 << 50 | topic << 8 | of(word_at))).collect::<Vec<_>>()
    };
    let row = |at: u64| {
        let words = if at.is_multiple_of(2) { copied(at / 2) } else { short(at) };
        format!("{}\n", json!({ "id": at, "text": words.join(" ") }))
    };
    (0..1500).map(row).collect()
}

/// Vectors of few topics, some of them all but equal, some scaled.
fn vectors() -> String {
    let row = |at: u64| {
        let (topic, noise, scale) = (random(at) % 60, random(at << 1) % 5, 1 + random(at << 2) % 3);
        let weight = |dimension: u64| {
            let base = (random(topic << 8 | dimension) % 2001) as f64 / 1000.0 - 1.0;
            let noise = noise as f64 * (random(at << 8 | dimension) % 2001) as f64 / 20_000.0;
            (base + noise) * scale as f64
        };
        let features: HashMap<_, _> =
            (0..30).map(|dimension| (format!("d{dimension}"), weight(dimension))).collect();
        format!("{}\n", json!({ "id": at, "features": features }))
    };
    (0..600).map(row).collect()
}

fn ids(rows: &[Value]) -> Vec<String> {
    rows.iter().map(|row| row["id"].to_string().trim_matches('"').to_owned()).collect()
}

/// Checks one corpus by some flags. Returns how many documents went.
fn agree(input: &str, flags: &[&str]) -> usize {
    let room = Room::new();
    room.write("in.jsonl", input);
    let dedup = ["dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl"];
    room.run(&[&dedup[..], &["--keep", "first"], flags].concat()).done();
    let kept = ids(&rows(&room.text("kept.jsonl")));
    room.run(&[&["store", "init", "seen", "-q"], flags].concat()).done();
    let statistics = flags.iter().position(|flag| *flag == "--idf");
    let given = statistics.map_or(&[][..], |at| &flags[at..at + 2]);
    let add = ["store", "add", "seen", "in.jsonl", "--unless-duplicate", "--format", "json", "-q"];
    let answers = rows(room.run(&[&add[..], given].concat()).done().text());
    let new: Vec<_> = answers.iter().filter(|row| row["verdict"] == "new").cloned().collect();
    assert_eq!(ids(&new), kept, "{flags:?}");
    // Of the same two documents both tell the same.
    let near: HashMap<_, _> = answers
        .iter()
        .filter(|row| row["verdict"] == "duplicate")
        .map(|row| (row["id"].to_string().trim_matches('"').to_owned(), row["near"].clone()))
        .collect();
    let removed = rows(&room.text("removed.jsonl"));
    let mut same = 0;
    for row in &removed {
        let id = row["id"].to_string().trim_matches('"').to_owned();
        let near = &near[&id];
        if near["id"].as_str().unwrap() != row["kept"].to_string().trim_matches('"') {
            continue;
        }
        same += 1;
        assert_eq!(near["distance"], row["distance"], "{flags:?} {row}");
        if near["similarity"].is_null() {
            continue;
        }
        let told = format!("{:.4}", near["similarity"].as_f64().unwrap());
        let similarity = format!("{:.4}", row["similarity"].as_f64().unwrap());
        assert_eq!((told, &near["measure"]), (similarity, &row["measure"]), "{flags:?} {row}");
    }
    assert!(same * 2 >= removed.len(), "{same} of {}", removed.len());
    removed.len()
}

fn sample(name: &str) -> String {
    fs::read_to_string(repository().join("samples").join(name)).unwrap()
}

#[test]
fn a_store_keeps_what_dedup_keeps() {
    let mixed = made();
    for flags in [
        &[][..],
        &["--similarity", "0.7"],
        &["--recipe", "words"],
        &["--recipe", "chars-5", "--width", "64"],
        &["--recipe", "web", "--similarity", "0.9"],
        &["--width", "64", "-k", "3"],
    ] {
        assert!(agree(&mixed, flags) > 300, "{flags:?}");
    }
    for flags in [&[][..], &["--recipe", "words"], &["--recipe", "words", "--similarity", "0.6"]] {
        assert!(agree(&copies_and_short_ones(), flags) > 1000, "{flags:?}");
    }
    assert!(agree(&crowd(1500), &["--recipe", "words"]) > 200);
    for flags in
        [&["--recipe", "zh"][..], &["--recipe", "zh-keywords-mix"], &["--recipe", "zh-textrank"]]
    {
        assert!(agree(&sample("zh.jsonl"), flags) > 5, "{flags:?}");
    }
    let flags = ["--recipe", "vectors", "--similarity", "0.9"];
    assert!(agree(&vectors(), &flags) > 300);
}

#[test]
fn a_store_by_weights_of_a_corpus_keeps_what_dedup_keeps() {
    let room = Room::new();
    room.write("in.jsonl", made());
    for weights in ["idf", "bm25"] {
        let words = room.run(&["recipe", "show", "words"]).done();
        let words = words.text().replace("weights = \"log\"", &format!("weights = \"{weights}\""));
        room.write("mine.toml", words.replace("name = \"words\"", "name = \"mine\""));
        let build =
            ["idf", "build", "in.jsonl", "--recipe", "mine.toml", "-o", "mine.idf", "--force"];
        room.run(&build).done();
        let [recipe, statistics] = ["mine.toml", "mine.idf"].map(|name| room.arg(name));
        let flags = ["--recipe", &recipe, "--idf", &statistics, "--similarity", "0.9"];
        assert!(agree(&made(), &flags) > 300, "{weights}");
    }
}

#[test]
fn two_documents_have_one_similarity_everywhere() {
    let texts = [
        "It rained all of May, and the river rose over the old road to the mill by the weir.",
        "It rained all of May, and the river rose over the old road to the mill by the weir again.",
    ];
    for (flags, measure) in [
        (&[][..], "jaccard"),
        (&["--recipe", "words"], "jaccard"),
        (&["--recipe", "web"], "jaccard"),
        (&["--recipe", "zh-keywords-mix", "--similarity", "0.6"], "cosine"),
    ] {
        let room = Room::new();
        let texts = if measure == "cosine" {
            let zh = rows(&sample("zh.jsonl"));
            let text = |id: &str| {
                let row = zh.iter().find(|row| row["id"] == id).unwrap();
                row["text"].as_str().unwrap().to_owned()
            };
            [text("zh-008"), text("zh-015")]
        } else {
            texts.map(str::to_owned)
        };
        let row = |(id, text): (&str, &String)| format!("{}\n", json!({ "id": id, "text": text }));
        room.write("in.jsonl", ["a", "b"].into_iter().zip(&texts).map(row).collect::<String>());
        let dedup = ["dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl"];
        room.run(&[&dedup[..], &["--keep", "first"], flags].concat()).done();
        let removed = rows(&room.text("removed.jsonl")).remove(0);
        room.run(&[&["store", "init", "seen", "-q"], flags].concat()).done();
        let add = ["store", "add", "seen", "in.jsonl", "--unless-duplicate", "--format", "json"];
        let stored = rows(room.run(&add).done().text()).remove(1);
        let compare = ["compare", "--text", &texts[0], &texts[1], "--format", "json"];
        let compared = room.run(&[&compare[..], flags].concat()).done();
        let compared: Value = serde_json::from_str(compared.text()).unwrap();
        let rounded = |value: &Value| format!("{:.4}", value["similarity"].as_f64().unwrap());
        let all = [&removed, &stored["near"], &compared];
        assert_eq!(
            all.map(|one| (rounded(one), one["measure"].clone(), one["distance"].clone())),
            [(); 3].map(|()| (rounded(&removed), json!(measure), removed["distance"].clone())),
            "{flags:?}"
        );
        let seen: HashSet<_> = all.iter().map(|one| rounded(one)).collect();
        assert!(seen.len() == 1 && !seen.contains("1.0000"), "{flags:?}: {seen:?}");
        assert_eq!(compared["near_duplicates"], true);
    }
}
