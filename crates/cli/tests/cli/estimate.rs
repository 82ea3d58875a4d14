//! `dedup --estimate`: what a run would take.

use crate::room::{Room, gzip};
use serde_json::Value;

fn rows(documents: usize) -> String {
    let text = "some words that a document of the usual kind may well be made of ".repeat(9);
    (0..documents).map(|n| format!("{{\"id\":{n},\"text\":\"{n} {text}\"}}\n")).collect()
}

#[test]
fn a_small_input_is_counted_and_nothing_is_written() {
    let room = Room::new();
    room.write("in/a.jsonl", rows(300));
    room.write("in/b.jsonl", rows(500));
    let before = room.contents();
    let args = ["dedup", "in", "--removed", "removed.jsonl", "--estimate"];
    let run = room.run(&[&args[..], &["--format", "json"]].concat()).done();
    assert_eq!(room.contents(), before);
    let told: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!((&told["documents"], &told["sampled"]), (&800.into(), &800.into()));
    assert_eq!((&told["k"], &told["width"]), (&42.into(), &128.into()));
    assert_eq!(told["bytes"], rows(300).len() + rows(500).len());
    assert!(told["advice"].is_null() && told["seconds"].as_f64().unwrap() > 0.0);
    let table = room.run(&args).done();
    assert!(table.text().contains("\ntime            less than a second\n"), "{}", table.text());
    assert!(!table.text().contains("about less") && !table.text().contains("second or"));
    // What may take longer is no longer than all.
    let exact = room.run(&[&args[..], &["--recall", "exact"]].concat()).done();
    for line in ["\ntime            a second\n", "\n  join          a second\n"] {
        assert!(exact.text().contains(line), "{}", exact.text());
    }
    let with_output = room.run(&[&args[..], &["-o", "out/"]].concat()).done();
    assert_eq!(with_output.text().lines().count(), table.text().lines().count());
    assert_eq!((&told["bands"], &told["rows"]), (&18.into(), &5.into()));
    for line in [
        "documents       800\n",
        "\n  join",
        "\nmemory",
        "\nsetting         finds 99.91 % of the pairs at similarity 0.8, more above it, and compares each exactly (",
    ] {
        assert!(table.text().contains(line), "{}", table.text());
    }
}

#[test]
fn a_large_input_is_told_from_a_part_of_it() {
    let room = Room::new();
    for file in 0..12 {
        room.write(&format!("in/{file}.jsonl"), rows(8000));
    }
    let args = ["dedup", "in", "-o", "out/", "--estimate", "--format", "json", "-k", "3"];
    let run = room.run(&args).done();
    let told: Value = serde_json::from_str(run.text()).unwrap();
    let (documents, sampled) = (told["documents"].as_u64(), told["sampled"].as_u64());
    assert!((91_000..101_000).contains(&documents.unwrap()), "{told}");
    assert!(sampled.unwrap() < 60_000, "{told}");
    assert_eq!(told["verify_seconds"], 0.0);
}

#[test]
fn the_most_that_is_written_is_told_only_where_it_is_known() {
    let room = Room::new();
    room.write("plain.jsonl", rows(300));
    room.write("packed.jsonl.gz", gzip(rows(300).as_bytes()));
    room.write("named.jsonl", gzip(rows(300).as_bytes()));
    let (plain, packed) = (rows(300).len() as u64, room.read("packed.jsonl.gz").len() as u64);
    // A batch may hold the ends of lines or not.
    let unpacked = plain - 300..=plain;
    for (args, size, bytes, noted) in [
        (&["plain.jsonl", "-o", "x.jsonl"][..], "most", plain..=plain, false),
        (&["packed.jsonl.gz", "-o", "x.jsonl"], "unpacked", unpacked.clone(), false),
        (&["named.jsonl", "-o", "x.jsonl"], "unpacked", unpacked.clone(), false),
        (&["packed.jsonl.gz", "-o", "x/"], "packed", packed..=packed, false),
        (&["plain.jsonl", "-o", "x.jsonl", "--annotate"], "unpacked", unpacked, true),
    ] {
        for verb in ["dedup", "passages"] {
            let args = [&[verb, "--estimate"][..], args].concat();
            let told = room.run(&[&args[..], &["--format", "json"]].concat()).done();
            let told: Value = serde_json::from_str(told.text()).unwrap();
            assert!(bytes.contains(&told["output"].as_u64().unwrap()), "{args:?}: {told}");
            assert_eq!(
                (&told["output_size"], &told["output_noted"]),
                (&size.into(), &noted.into())
            );
            let table = room.run(&args).done();
            assert_eq!(table.text().contains("\noutput          at most "), size == "most");
            assert_eq!(table.text().contains(", uncompressed"), size == "unpacked");
            assert_eq!(table.text().contains("notes and copies come on top\n"), noted);
        }
    }
}

#[test]
fn what_cannot_be_estimated_is_said() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":1}\n");
    let args = ["dedup", "-", "-o", "out.jsonl", "--estimate"];
    room.refuses(&args, 2, "--estimate: stdin can be read only once; give files");
    let run = room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--estimate"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("in.jsonl:1: "), "{}", run.stderr);
}
