//! `dedup --index-out` and `--against SEGMENT`: day after day.

use crate::nearprint::rows;
use crate::room::Room;

/// Documents by number; the text of each number is that of all days with a few words changed.
fn day(numbers: std::ops::Range<u32>, change: &str) -> String {
    let text = |n: u32| {
        let word = |at: u32| match (at * 7 + n) % 97 < n % 4 {
            true => format!("{change}{n}x{at}"),
            false => format!("w{}", n * 200 + at),
        };
        (0..200).map(word).collect::<Vec<_>>().join(" ")
    };
    numbers.map(|n| format!("{{\"id\":\"{change}-{n}\",\"text\":\"{}\"}}\n", text(n))).collect()
}

#[test]
fn what_a_day_has_seen_goes_the_next_day() {
    let room = Room::new();
    let short = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"Not found\"}}\n");
    room.write("1.jsonl", [day(0..300, "one"), short("short")].concat());
    room.write("2.jsonl", [day(200..500, "two"), day(450..460, "too"), short("again")].concat());
    room.run(&["dedup", "1.jsonl", "-o", "k1.jsonl", "--index-out", "1.seg"]).done();
    for (setting, flags) in
        [&[][..], &["-k", "12", "--width", "128"], &["--recall", "exact"]].iter().enumerate()
    {
        let name = |what: &str| format!("{what}{setting}");
        let run = |against: &str, kept: &str| {
            let args = ["dedup", "2.jsonl", "-o", kept, "--force", "--against", against];
            let reports = ["--removed", "r.jsonl", "--index-out", "2.seg"];
            let run = room.run(&[&args[..], &reports, flags].concat()).done();
            assert!(
                run.stderr.contains("compared with 301 documents of --against"),
                "{}",
                run.stderr
            );
            room.text("r.jsonl")
        };
        let by_texts = run("k1.jsonl", &name("t"));
        let by_segment = run("1.seg", &name("s"));
        assert!(by_texts == by_segment && room.text(&name("s")) == room.text(&name("t")));
        // Each is removed because of a document of the day before, or of its own.
        let removed = rows(&by_segment);
        let of_one = |kept: &str| kept.starts_with("one-") || kept == "short";
        let seen = removed.iter().filter(|row| of_one(row["kept"].as_str().unwrap())).count();
        let all = if flags.contains(&"-k") { (57, 62) } else { (101, 111) };
        assert_eq!((seen, removed.len()), all, "{flags:?}");
    }
    // The third day comes after both.
    room.write("3.jsonl", [day(0..10, "three"), day(490..510, "three")].concat());
    let run = ["dedup", "3.jsonl", "-o", "k3.jsonl", "--against", "1.seg", "--against", "2.seg"];
    room.run(&run).done();
    assert_eq!(rows(&room.text("k3.jsonl")).len(), 10);
    let noted = ["dedup", "3.jsonl", "-o", "n3.jsonl", "--against", "1.seg", "--annotate"];
    room.run(&noted).done();
    assert_eq!(rows(&room.text("n3.jsonl"))[0]["nearprint"]["representative"], "one-0");
    room.run(&["dedup", "3.jsonl", "-o", "p3.jsonl", "--against", "1.seg", "--report", "p.html"])
        .done();
    assert!(room.text("p.html").contains("1.seg"));
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
    refused(&["--against", "1.seg", "--recipe", "words"], 1, "1.seg: made by another recipe");
    refused(
        &["--against", "1.seg", "--width", "64"],
        1,
        "width = 128 in the segment, 64 in this run",
    );
    refused(&["--against", "2.seg"], 1, "2.seg");
    refused(&["--index-out", "seen"], 2, "name a file that ends in .seen.jsonl.zst");
    refused(&["--against", "1.seg", "--index-out", "1.seg", "--force"], 1, "1.seg");
    room.write("2.seg", &room.read("1.seg")[..100]);
    refused(&["--against", "2.seg"], 1, "2.seg: ");
    room.run(&["index", "build", "1.jsonl", "-o", "3.seg"]).done();
    refused(&["--against", "3.seg"], 1, "3.seg: not a segment of an earlier run");
    let documents = "1.seg: a segment of documents, as `nearprint dedup --index-out` writes it; use it \
                     with `nearprint dedup --against`, or make a segment of fingerprints with `nearprint index build`";
    for args in [&["stats", "1.seg"][..], &["verify", "1.seg"], &["query", "1.seg", "1.jsonl"]] {
        room.refuses(&[&["index"], args].concat(), 1, documents);
    }
    let input = room.run(&["dedup", "1.seg", "-o", "out.jsonl"]);
    assert!(input.stderr.contains("1.seg: a segment of an earlier run"), "{}", input.stderr);
    let remedy =
        "; name it with --against of `nearprint dedup`, or leave it out with --exclude '*.seg'\n";
    assert!(input.stderr.ends_with(remedy), "{}", input.stderr);
}

#[test]
fn a_store_is_no_folder_of_documents() {
    let room = Room::new();
    room.write("1.jsonl", day(0..5, "one"));
    room.run(&["store", "init", "seen"]).done();
    room.run(&["store", "add", "seen", "1.jsonl"]).done();
    let said = "seen is a store that nearprint made, not documents; name the documents themselves; ask a store with \
                `nearprint store check STORE IN`";
    for args in [
        &["dedup", "1.jsonl", "-o", "out.jsonl", "--against", "seen"][..],
        &["dedup", "seen", "-o", "out/"],
        &["passages", "1.jsonl", "-o", "out.jsonl", "--against", "seen"],
        &["pairs", "seen"],
        &["store", "add", "seen", "seen"],
    ] {
        let run = room.run(args);
        assert_eq!((run.code, &*run.stderr), (Some(1), &*format!("error: {said}\n")), "{args:?}");
    }
}

#[test]
fn documents_are_not_compared_with_themselves() {
    let room = Room::new();
    room.write("in/1.jsonl", day(0..5, "one"));
    let said = "in/1.jsonl is the same file as in/1.jsonl, which the documents are compared with: each would be removed \
                as its own duplicate; leave it out of one of the two";
    for verb in ["dedup", "passages"] {
        room.refuses(&[verb, "in/1.jsonl", "-o", "out.jsonl", "--against", "in"], 1, said);
    }
    let shard = ["shard", "create", "work", "in", "--against", "in", "-o", "out/"];
    assert_eq!(room.run(&shard).stderr, format!("error: {said}\n"));
}

#[test]
fn figures_are_of_the_input_and_those_of_the_reference_beside_them() {
    let room = Room::new();
    let (old, new) = (day(0..40, "one"), day(35..50, "two"));
    room.write("old.jsonl", &old);
    room.write("new.jsonl", [&*new, "{}\n"].concat());
    room.write("old-too.jsonl", "{}\n{}\n");
    let against = ["--against", "old.jsonl", "--against", "old-too.jsonl", "--on-error", "skip"];
    for verb in ["dedup", "passages"] {
        let out = [verb, "new.jsonl", "-o", "kept.jsonl", "--summary", "s.json", "--force"];
        let run = room.run(&[&out[..], &against].concat()).done();
        let summary: serde_json::Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let of_reference = &summary["of_reference"];
        assert_eq!((&summary["documents"], &summary["reference"]), (&55.into(), &40.into()));
        assert_eq!(
            (&of_reference["documents"], &summary["skipped"]["total"]),
            (&40.into(), &1.into())
        );
        assert_eq!(of_reference["skipped"]["total"], 2);
        let [ours, theirs] = [&summary, of_reference].map(|of| of["bytes"].as_u64().unwrap());
        assert!(ours >= new.len() as u64 - 15 && ours < new.len() as u64 + 9, "{ours}");
        assert!(theirs >= old.len() as u64 - 40 && theirs < old.len() as u64 + 9, "{theirs}");
        assert!(run.stderr.contains("compared with 40 documents of --against ("), "{}", run.stderr);
    }
    let alone =
        ["dedup", "new.jsonl", "-o", "-", "--on-error", "skip", "--summary", "s.json", "--force"];
    room.run(&alone).done();
    assert!(!room.text("s.json").contains("of_reference"));
}
