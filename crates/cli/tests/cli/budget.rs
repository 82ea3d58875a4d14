//! `--memory`: pairs and clusters of a join that spills, against those of one that does not.

use crate::room::Room;

/// Raw words: crowds around 400 centres, one word left out (0), some equal.
fn codes() -> Vec<u64> {
    let mix = |i: u64| (i ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let centre = |i: u64| mix(i % 400).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let near = |i: u64| centre(i) ^ 1 << (mix(i) % 64) ^ 1 << (mix(i + 7) % 64);
    let mut codes: Vec<u64> = (0..20_000).map(near).collect();
    codes[5] = 0;
    codes
}

fn room(codes: &[u64]) -> Room {
    let room = Room::new();
    room.write("codes.bin", codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<_>>());
    let rows = (0..)
        .zip(codes)
        .map(|(i, code)| format!("{{\"id\":{i},\"fingerprint\":\"{code:016x}\"}}\n"));
    room.write("codes.jsonl", rows.collect::<String>());
    room
}

const RAW: [&str; 5] = ["codes.bin", "--input-format", "u64", "-k", "3"];

#[test]
fn pairs_and_clusters_are_those_of_the_join_in_memory() {
    let room = room(&codes());
    for (verb, memory) in [("pairs", "1100K"), ("pairs", "64M"), ("clusters", "1400K")] {
        let free = room.run(&[&[verb], &RAW[..]].concat()).done().stdout;
        assert!(free.len() > 20_000);
        let kept = room.run(&[&[verb], &RAW[..], &["--memory", memory]].concat()).done();
        assert!(kept.stdout == free, "{verb} --memory {memory}");
        let rows = room.run(&[verb, "codes.jsonl", "-k", "3", "--memory", "64M"]).done();
        assert!(rows.stdout == free, "{verb} of rows");
        if verb == "pairs" {
            let free = room.run(&[&[verb, "--fold-equal"], &RAW[..]].concat()).done();
            let kept = [&[verb, "--fold-equal"], &RAW[..], &["--memory", memory]].concat();
            let kept = room.run(&kept).done();
            assert!(kept.stdout == free.stdout, "{verb} --fold-equal --memory {memory}");
            assert_eq!(kept.stderr, free.stderr);
        }
    }
}

#[test]
fn of_equal_fingerprints_the_first_stands_for_the_others_where_they_are_folded() {
    let room = room(&[9, 1 << 40, 9, 0, 11, 9, 0]);
    let folded = |more: &[&'static str]| {
        room.run(&[&["pairs", "--fold-equal"], &RAW[..], more].concat()).done()
    };
    let run = folded(&["--memory", "2M"]);
    let pair = |a: u32, b: u32, distance: u32| {
        format!("{{\"a\":{a},\"b\":{b},\"distance\":{distance}}}\n")
    };
    let expected = [pair(0, 1, 3), pair(0, 2, 0), pair(0, 4, 1), pair(0, 5, 0)].concat();
    assert_eq!(run.text(), expected);
    assert!(run.stderr.contains("2 documents with nothing to compare"), "{}", run.stderr);
    assert!(
        run.stderr.contains("4 pairs listed, which represent 9 within 3 bits"),
        "{}",
        run.stderr
    );
    assert_eq!(folded(&[]).text(), expected);
    let all = room.run(&[&["pairs"], &RAW[..]].concat()).done();
    assert_eq!(all.text().lines().count(), 9);
    let kept = room.run(&[&["pairs"], &RAW[..], &["--memory", "2M"]].concat()).done();
    assert_eq!(kept.text(), all.text());
    let free = room.run(&[&["clusters"], &RAW[..]].concat()).done().stdout;
    let kept = room.run(&[&["clusters"], &RAW[..], &["--memory", "2M"]].concat()).done();
    assert_eq!(kept.stdout, free);
}

#[test]
fn a_budget_below_what_is_held_says_what_would_do() {
    let room = room(&codes());
    let run = room.run(&["pairs", "codes.jsonl", "-k", "3", "--memory", "1M"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains(" take ") && run.stderr.contains(" at least 1 MB; allow 1."),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(" MB or more, or give raw words"), "{}", run.stderr);
    let run = room.run(&[&["pairs"], &RAW[..], &["--memory", "2K"]].concat());
    let said = "error: --memory: the join itself takes at least 1 MB; allow 1 MB or more\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), said));
    let file = [&["pairs"], &RAW[..], &["--memory", "2M", "--work-dir", "codes.bin"]].concat();
    let run = room.run(&file);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr.matches("codes.bin is a file").count(), 1, "{}", run.stderr);
    let run = room.run(&[&["clusters"], &RAW[..], &["--memory", "1100K"]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("allow 1.24 MB or more"), "{}", run.stderr);
}
