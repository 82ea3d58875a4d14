//! `dedup --audit`: pairs around the similarity, of a corpus in which they are known.

use crate::room::Room;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// 60 texts of 100 words, each with a copy in which none to five words were replaced: similarities of 1, 0.94, 0.88,
/// 0.83, 0.78 and 0.73; every text of which three or four were replaced is there twice.
fn room() -> Room {
    let room = Room::new();
    let mut rows = String::new();
    for number in 0..60_usize {
        let text = |changed: usize| {
            let word = |at: usize| match at % 18 == 9 && at / 18 < changed {
                true => format!("other{number}x{at} "),
                false => format!("word{number}x{at} "),
            };
            (0..100).map(word).collect::<String>()
        };
        let changed = number % 6;
        let mut add = |id: &str, text: String| {
            rows += &format!("{}\n", json!({ "id": format!("{number}{id}"), "text": text }));
        };
        add("a", text(0));
        add("b", text(changed));
        if changed == 3 || changed == 4 {
            add("again", text(changed));
        }
    }
    room.write("in.jsonl", rows);
    room
}

fn dedup(room: &Room, more: &[&str]) -> Value {
    let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "-q", "--summary", "s.json"];
    room.run(&[&args[..], more].concat()).done();
    serde_json::from_str(&room.text("s.json")).unwrap()
}

/// The texts whose pairs were drawn.
fn drawn(lot: &Value) -> BTreeSet<u64> {
    let pairs = lot["drawn"].as_array().unwrap();
    let number = |pair: &Value| {
        let [a, b] = ["a", "b"].map(|side| pair[side].as_str().unwrap());
        let number = a.strip_suffix('a').unwrap();
        assert!(b.strip_prefix(number).is_some_and(|end| end == "b"), "{pair}");
        number.parse().unwrap()
    };
    let numbers: BTreeSet<u64> = pairs.iter().map(number).collect();
    assert_eq!(numbers.len(), pairs.len(), "a pair was drawn twice");
    numbers
}

#[test]
fn all_pairs_around_the_similarity_are_there_where_enough_are_asked_for() {
    let room = room();
    let plain = dedup(&room, &[]);
    assert!(plain.get("audit").is_none(), "{plain}");
    let kept = room.text("out.jsonl");
    for more in [
        &["--audit", "500"][..],
        &["--audit", "500", "--threads", "1", "--keep", "first"],
        &["--audit", "500", "--cluster-rule", "connected"],
        &["--audit", "500", "-k", "60", "--verify", "jaccard=0.8"],
    ] {
        let summary = dedup(&room, more);
        let audit = &summary["audit"];
        for (lot, changed, similarity, from, to) in
            [("above", 3, 89.0 / 107.0, 0.8, 0.85), ("below", 4, 86.0 / 110.0, 0.75, 0.8)]
        {
            let lot = &audit[lot];
            let all: BTreeSet<u64> = (0..60).filter(|number| number % 6 == changed).collect();
            assert_eq!(drawn(lot), all, "{more:?}: {lot:#}");
            assert_eq!(lot["pairs"], 10, "{more:?}");
            let ends = [(&lot["from"], from), (&lot["to"], to)];
            assert!(
                ends.iter().all(|(end, is)| (end.as_f64().unwrap() - is).abs() < 1e-9),
                "{lot}"
            );
            for pair in lot["drawn"].as_array().unwrap() {
                assert!((pair["similarity"].as_f64().unwrap() - similarity).abs() < 1e-9, "{pair}");
            }
        }
    }
    let summary = dedup(&room, &["--audit", "500"]);
    assert_eq!(room.text("out.jsonl"), kept, "an audit changed what stays");
    for figure in ["kept", "removed", "candidates", "compared", "clusters"] {
        assert_eq!(summary[figure], plain[figure], "{figure}");
    }
}

#[test]
fn a_few_pairs_are_the_same_in_each_run_and_the_report_shows_their_texts() {
    let room = room();
    let args = ["--audit", "4", "--report", "r.html"];
    let audit = dedup(&room, &args)["audit"].clone();
    assert_eq!(dedup(&room, &[&args[..], &["--threads", "1"]].concat())["audit"], audit);
    let page = room.text("r.html");
    for (lot, changed) in [("above", 3), ("below", 4)] {
        let numbers = drawn(&audit[lot]);
        assert_eq!((numbers.len(), &audit[lot]["pairs"]), (4, &json!(10)));
        for number in numbers {
            assert_eq!(number % 6, changed);
            assert!(page.contains(&format!("<code dir=\"auto\">{number}b</code>")), "{number}");
        }
    }
    assert!(page.contains("<del>word") && page.contains("4 of about 10 pairs"));
    assert_eq!(page.matches("cluster near").count(), 8);
    dedup(&room, &["--report", "r.html"]);
    assert!(!room.text("r.html").contains("id=\"near\""));
    let told =
        room.run(&["dedup", "in.jsonl", "-o", "o.jsonl", "--audit", "4", "--summary", "t.json"]);
    assert!(
        told.stderr.contains(
            "from 0.75 to 0.85 in similarity: about 10 pairs of different content above the threshold and 10 below; 4 and 4 were \
             drawn"
        ),
        "{}",
        told.stderr
    );
}

#[test]
fn an_audit_without_a_similarity_or_a_place_to_show_it_is_refused() {
    let room = room();
    let none = "--audit: pairs are drawn around a similarity, but this job compares none below one: set a similarity, and \
                leave out a recall of exact, a check by containment, and a radius without a check";
    for (more, message) in [
        (&["--summary", "s.json", "-k", "3"][..], none),
        (&["--summary", "s.json", "--recall", "exact"], none),
        (&["--summary", "s.json", "--verify", "containment=0.9"], none),
        (&[], "--audit: pairs are shown in --report and in --summary; give one of them"),
    ] {
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "--audit", "5"];
        room.refuses(&[&args[..], more].concat(), 2, message);
    }
}
