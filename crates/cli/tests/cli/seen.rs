//! `dedup --index-out` and `--against SEGMENT`: day after day.

use crate::nearprint::rows;
use crate::room::Room;

/// A radius within which a word of two hundred may change.
const SETTING: [&str; 6] = ["-k", "12", "--width", "128", "--verify", "jaccard=0.8"];

/// Documents by number; the text of each hundred is that of the first with a word changed.
fn day(numbers: std::ops::Range<u32>, change: &str) -> String {
    let text = |n: u32| {
        let words: Vec<_> = (0..200).map(|at| format!("w{}", n * 200 + at)).collect();
        words.join(" ").replacen(&format!("w{}", n * 200 + 199), change, 1)
    };
    numbers.map(|n| format!("{{\"id\":\"{change}-{n}\",\"text\":\"{}\"}}\n", text(n))).collect()
}

#[test]
fn what_a_day_has_seen_goes_the_next_day() {
    let room = Room::new();
    room.write(
        "1.jsonl",
        [day(0..300, "one"), "{\"id\":\"short\",\"text\":\"a b\"}\n".to_owned()].concat(),
    );
    room.write(
        "2.jsonl",
        [day(200..500, "two"), day(450..460, "too"), "{\"text\":\"a b\"}\n".to_owned()].concat(),
    );
    let first = ["dedup", "1.jsonl", "-o", "k1.jsonl", "--index-out", "1.seg"];
    room.run(&[&first[..], &SETTING].concat()).done();
    assert_eq!(room.text("1.seg.ids").lines().count(), 300);
    let args = ["dedup", "2.jsonl", "-o", "k2.jsonl", "--force", "--against", "1.seg"];
    let reports = ["--removed", "r.jsonl", "--summary", "s.json", "--index-out", "2.seg"];
    for rule in ["star", "connected"] {
        let run =
            room.run(&[&args[..], &reports, &SETTING, &["--cluster-rule", rule]].concat()).done();
        assert!(
            run.stderr.contains("100 of them within 12 bits of a document of a segment\n"),
            "{}",
            run.stderr
        );
        // Each removed because of a document of the day before is named with it.
        let removed = rows(&room.text("r.jsonl"));
        let (seen, others): (Vec<_>, Vec<_>) =
            removed.iter().partition(|row| row["cluster"].is_null());
        assert_eq!((seen.len(), others.len()), (100, 10));
        for row in seen {
            let [id, kept] = ["id", "kept"].map(|field| row[field].as_str().unwrap());
            assert_eq!(id.strip_prefix("two-"), kept.strip_prefix("one-"));
            assert!(row["distance"].as_u64().unwrap() <= 12);
        }
        let kept = rows(&room.text("k2.jsonl"));
        assert_eq!(kept.len(), 201);
        assert_eq!(room.text("2.seg.ids").lines().count(), 200);
    }
    let noted = room.run(&[&args[..], &SETTING, &["--annotate"]].concat()).done();
    assert!(!noted.stderr.is_empty());
    let notes = rows(&room.text("k2.jsonl"));
    assert_eq!(notes[0]["nearprint"]["representative"], "one-200");
    assert_eq!(
        (&notes[0]["nearprint"]["kept"], &notes[0]["nearprint"]["cluster"]),
        (&false.into(), &serde_json::Value::Null)
    );
    // The third day comes after both.
    room.write("3.jsonl", [day(0..10, "three"), day(490..510, "three")].concat());
    let run = ["dedup", "3.jsonl", "-o", "k3.jsonl", "--against", "1.seg", "--against", "2.seg"];
    room.run(&[&run[..], &SETTING].concat()).done();
    assert_eq!(rows(&room.text("k3.jsonl")).len(), 10);
}

#[test]
fn a_segment_says_what_fingerprints_alone_say() {
    let room = Room::new();
    room.write("1.jsonl", day(0..200, "one"));
    room.write("2.jsonl", day(100..300, "two"));
    let flags = ["-k", "3", "--width", "64"];
    room.run(&[&["dedup", "1.jsonl", "-o", "k1", "--index-out", "1.seg"], &flags[..]].concat())
        .done();
    room.run(
        &[&["dedup", "2.jsonl", "-o", "by-segment", "--against", "1.seg"], &flags[..]].concat(),
    )
    .done();
    room.run(&[&["dedup", "2.jsonl", "-o", "by-file", "--against", "k1"], &flags[..]].concat())
        .done();
    let kept = room.text("by-segment");
    assert!(kept == room.text("by-file") && kept.lines().count() < 150);
}

#[test]
fn segments_that_do_not_fit_are_refused() {
    let room = Room::new();
    room.write("1.jsonl", day(0..50, "one"));
    room.run(&["dedup", "1.jsonl", "-o", "k1.jsonl", "--index-out", "1.seg"]).done();
    let refused = |flags: &[&str], code: i32, said: &str| {
        let args = [&["dedup", "1.jsonl", "-o", "out.jsonl"], flags].concat();
        let run = room.run(&args);
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(!room.path("out.jsonl").exists());
    };
    refused(
        &["--against", "1.seg", "--recipe", "words"],
        1,
        "1.seg holds fingerprints by the recipe text at 128 bits, this run makes them by words at 128 bits: ",
    );
    refused(
        &["--against", "1.seg", "--recipe", "words"],
        1,
        "shingle = 3 here, 1 there, weights = \"set\" here, \"log\" there; run with the recipe",
    );
    refused(&["--against", "1.seg", "--width", "64"], 1, "1.seg: ");
    refused(&["--against", "1.seg", "-k", "9", "--width", "128"], 1, "1.seg: ");
    refused(&["--against", "2.seg"], 1, "2.seg");
    refused(&["--index-out", "seen"], 2, "name a file that ends in .seg");
    refused(&["--against", "1.seg", "--index-out", "1.seg", "--force"], 1, "1.seg");
    room.write("2.seg", &room.read("1.seg")[..100]);
    refused(&["--against", "2.seg"], 1, "2.seg: ");
    room.write("1.seg.ids", "\"a\"\n");
    refused(
        &["--against", "1.seg"],
        1,
        "1.seg.ids: its segment refers to document 1, but the file ends after line 1",
    );
}
