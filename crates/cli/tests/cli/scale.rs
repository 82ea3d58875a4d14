//! Shapes of input that break careless code: by the work they cause, never by the clock.

use crate::room::Room;
use serde_json::Value;

#[test]
fn a_hundred_thousand_equal_documents_are_one_cluster() {
    let room = Room::new();
    let rows =
        (0..100_000).map(|n| format!("{{\"id\":{n},\"text\":\"all of us are the same\"}}\n"));
    room.write("in.jsonl", rows.collect::<String>());
    let reports = ["--removed", "removed", "--clusters", "clusters", "--summary", "summary"];
    let pairs = ["--pairs", "pairs", "--fold-equal", "--keep", "last"];
    let args = ["dedup", "in.jsonl", "-o", "last"];
    let run = room.run(&[&args[..], &reports, &pairs].concat()).done();
    let said = "99,999 pairs written, which represent 4,999,950,000\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(room.text("pairs").lines().count(), 99_999);
    let last =
        "{\"a\":0,\"b\":99999,\"distance\":0,\"similarity\":1.0000,\"measure\":\"jaccard\"}\n";
    assert!(room.text("pairs").ends_with(last));
    let args = ["dedup", "in.jsonl", "-o", "kept", "--force"];
    room.run(&[&args[..], &reports].concat()).done();
    let summary: Value = serde_json::from_str(&room.text("summary")).unwrap();
    assert_eq!(summary["clusters"], 1);
    assert_eq!(summary["largest_cluster"], 100_000);
    assert_eq!(summary["removed"], 99_999);
    assert_eq!(summary["kept"], 1);
    assert_eq!(summary["exact"], 99_999);
    assert_eq!((&summary["candidates"], &summary["compared"]), (&0.into(), &0.into()));
    assert_eq!(room.text("kept"), "{\"id\":0,\"text\":\"all of us are the same\"}\n");
    assert_eq!(room.text("removed").lines().count(), 99_999);
    let last = "{\"id\":99999,\"kept\":0,\"distance\":0,\"similarity\":1.0000,\"measure\":\"jaccard\",\"cluster\":0}\n";
    assert!(room.text("removed").ends_with(last));
    let clusters = room.run(&["clusters", "in.jsonl"]).done();
    assert_eq!(clusters.text(), room.text("clusters"));
    assert_eq!(clusters.text().lines().count(), 100_000);
    let said = "1 connected cluster of 100,000 documents among 100,000; recipe text: finds 99.91 % of the pairs at similarity 0.8, ";
    assert!(clusters.stderr.starts_with(said), "{}", clusters.stderr);
}

#[test]
fn a_line_of_a_million_bytes_is_a_document_like_any_other() {
    let room = Room::new();
    let words: String = (0_u32..).map(|n| format!("word{n} ")).take(120_000).collect();
    let long = format!("{{\"id\":\"long\",\"text\":\"{}\"}}\n", &words[..1_000_000 - 24]);
    assert_eq!(long.len(), 1_000_000);
    let copy = long.replacen("\"long\"", "\"copy\"", 1).replacen("word500 ", "other ", 1);
    let short = "{\"id\":\"short\",\"text\":\"and a short one\"}\n";
    room.write("in.jsonl", [&*long, short, &copy].concat());
    let run = room.run(&["pairs", "in.jsonl", "--max-record", "1000000"]).done();
    assert!(run.text().starts_with("{\"a\":\"long\",\"b\":\"copy\",\"distance\":"));
    let kept = room.run(&["dedup", "in.jsonl", "-o", "-"]).done();
    assert!(kept.text() == long.clone() + short);
    let all = room.run(&["dedup", "in.jsonl", "-o", "-", "--keep", "longest"]).done();
    assert!(all.text() == long + short);
}

#[test]
fn a_line_over_the_limit_is_named_with_the_limit() {
    let room = Room::new();
    let long = format!("{{\"text\":\"{}\"}}\n", "ab ".repeat(400_000));
    let short = "{\"text\":\"a short one\"}\n";
    room.write("in.jsonl", [short, &long, short].concat());
    for (limit, said) in [("1MiB", "1.05 MB"), ("1200010", "1.2 MB"), ("64k", "64 kB")] {
        let message = format!(
            "in.jsonl:2: the record is longer than {said}; raise the limit with --max-record"
        );
        for verb in ["dedup", "fingerprint", "pairs", "clusters"] {
            room.refuses(&[verb, "in.jsonl", "-o", "out", "--max-record", limit], 1, &message);
        }
        let skip = ["dedup", "in.jsonl", "-o", "-", "--max-record", limit, "--on-error", "skip"];
        let run = room.run(&skip).done();
        assert_eq!(run.text(), short);
        let said = format!("1 skipped (too-long), the first: {message}\n");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
    assert_eq!(long.len(), 1_200_012);
    room.run(&["pairs", "in.jsonl", "--max-record", "1200012"]).done();
}

#[test]
fn raw_words_of_several_chunks_are_numbered_through() {
    let room = Room::new();
    let mut codes: Vec<u64> =
        (1..=300_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let [first, last] = [0, 299_999];
    // A fingerprint of 0 is an empty document: nobody's neighbour, but it has its number.
    (codes[140_000], codes[140_001]) = (0, 0);
    codes[last] = codes[first] ^ 0b1001;
    codes[131_072] = codes[131_071] ^ 1;
    room.write("codes.bin", codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>());
    let run = room.run(&["pairs", "codes.bin", "--input-format", "u64", "-k", "2"]).done();
    let planted = [(first, last, 2), (131_071, 131_072, 1)];
    let rows = planted.map(|(a, b, d)| format!("{{\"a\":{a},\"b\":{b},\"distance\":{d}}}\n"));
    assert_eq!(run.text(), rows.concat());
    assert_eq!(
        run.stderr,
        "2 documents with nothing to compare, and so without near-duplicates\n\
         2 pairs within 2 bits among 300,000 documents\n"
    );
}
