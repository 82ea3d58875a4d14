//! The bits of a fingerprint where nobody names them: one question has one answer in every verb.

use crate::nearprint::{repository, rows};
use crate::room::Room;
use serde_json::Value;

fn room() -> Room {
    let room = Room::new();
    for name in ["news.jsonl", "zh.jsonl", "ja.jsonl"] {
        room.write(name, std::fs::read(repository().join("samples").join(name)).unwrap());
    }
    room
}

/// What a verb prints as JSON.
fn told(room: &Room, args: &[&str]) -> Value {
    serde_json::from_str(room.run(&[args, &["--format", "json"]].concat()).done().text()).unwrap()
}

#[test]
fn a_radius_without_a_width_is_that_of_the_fingerprints_in_a_file() {
    let room = room();
    let mut found = 0;
    for corpus in ["news.jsonl", "zh.jsonl", "ja.jsonl"] {
        for recipe in ["text", "words", "zh-keywords-mix", "python-128"] {
            let by = ["--recipe", recipe];
            let run = [&["fingerprint", corpus, "-o", "codes.jsonl", "--force"], &by[..]].concat();
            room.run(&run).done();
            let width =
                4 * rows(&room.text("codes.jsonl"))[0]["fingerprint"].as_str().unwrap().len();
            assert_eq!(width, if recipe == "python-128" { 128 } else { 64 });
            let named = width.to_string();
            for k in ["0", "3", "7"] {
                for verb in ["pairs", "clusters"] {
                    let of_codes = room.run(&[verb, "codes.jsonl", "-k", k]).done();
                    let texts = [&[verb, corpus, "-k", k], &by[..]].concat();
                    let of_texts = room.run(&texts).done();
                    assert_eq!(
                        of_texts.text(),
                        of_codes.text(),
                        "{verb} {corpus} -k {k}, {recipe}"
                    );
                    let with = room.run(&[&texts[..], &["--width", &named]].concat()).done();
                    assert_eq!(with.text(), of_codes.text(), "{verb} {corpus} -k {k}, {recipe}");
                    found += of_codes.text().lines().count();
                }
                let dedup = [&["dedup", corpus, "-o", "kept.jsonl", "--force", "-k", k], &by[..]];
                let dedup = [&dedup.concat()[..], &["--summary", "summary.json"]].concat();
                room.run(&dedup).done();
                let summary: Value = serde_json::from_str(&room.text("summary.json")).unwrap();
                assert_eq!(summary["width"], width);
                let texts = ["compare", "--text", "one two", "one three", "-k", k];
                assert_eq!(told(&room, &[&texts[..], &by].concat())["width"], width);
                room.run(
                    &[&["index", "build", corpus, "-o", "c.seg", "--force", "-k", k], &by[..]]
                        .concat(),
                )
                .done();
                assert_eq!(told(&room, &["index", "stats", "c.seg"])["width"], width);
                let store = format!("store-{corpus}-{recipe}-{k}");
                room.run(&[&["store", "init", &store, "-k", k], &by[..]].concat()).done();
                assert_eq!(told(&room, &["store", "stats", &store])["width"], width);
            }
            let explained = ["explain", "--text", "one two three"];
            assert_eq!(told(&room, &[&explained[..], &by].concat())["width"], width);
            assert_eq!(told(&room, &[&["stats", corpus], &by[..]].concat())["width"], width);
        }
    }
    assert!(found > 100, "{found}");
    let labels = std::fs::read(repository().join("samples/news.labels.tsv")).unwrap();
    room.write("labels.tsv", labels);
    let evaluate = ["evaluate", "news.jsonl", "--labels", "labels.tsv"];
    for (flags, width) in [
        (&["--only", "radius"][..], 64),
        (&["-k", "3"], 64),
        (&["-k", "3", "--width", "128"], 128),
        (&[], 128),
    ] {
        let judged = told(&room, &[&evaluate[..], flags].concat());
        assert_eq!(judged["evaluations"][0]["width"], width, "{flags:?}: {judged}");
    }
    assert_eq!(told(&room, &["plan", "--docs", "1M", "-k", "3"])["width"], 64);
    // A similarity keeps its own.
    let similar = told(&room, &["compare", "--text", "one two", "one three"]);
    assert_eq!(similar["width"], 128);
    let by_cosine = ["compare", "--text", "one two", "one three", "--verify", "cosine=0.9"];
    assert_eq!(told(&room, &[&by_cosine[..], &["--recipe", "words"]].concat())["width"], 256);
}

#[test]
fn a_radius_that_the_width_does_not_suit_names_the_one_that_does() {
    let room = room();
    let refused = |args: &[&str], message: &str| {
        let run = room.run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    };
    for verb in ["pairs", "clusters", "dedup", "compare"] {
        let args: &[&str] = match verb {
            "dedup" => &["news.jsonl", "-o", "out.jsonl", "--force"],
            "compare" => &["news.jsonl:1", "news.jsonl:2"],
            _ => &["news.jsonl"],
        };
        let of = |k| [&[verb], args, &["-k", k]].concat();
        refused(&of("26"), "too wide for 64 bits, as more than one in a thousand");
        refused(&of("60"), "; use at most 19, or --width 256, or ");
        refused(
            &of("70"),
            "-k 70 is more than the 64 bits of a fingerprint; use 0 to 64, or of texts --width 256",
        );
        room.run(&[&of("26")[..], &["--width", "128"]].concat()).done();
        room.run(&of("19")).done();
    }
    refused(&["store", "init", "s", "-k", "26"], "use at most 16, or --width 128, or leave -k out");
    let built = room.run(&["index", "build", "news.jsonl", "-o", "news.seg", "-k", "26"]).done();
    assert!(
        built.stderr.contains("by chance: --width 128 suits such a radius"),
        "{}",
        built.stderr
    );
    // Stored fingerprints have their width, and are looked at within any radius.
    room.run(&["fingerprint", "news.jsonl", "-o", "codes.jsonl"]).done();
    room.run(&["pairs", "codes.jsonl", "-k", "26"]).done();
    // Who names 64 bits gets them, with what chance finds.
    let named = room.run(&["pairs", "news.jsonl", "-k", "26", "--width", "64"]).done();
    assert!(named.stderr.contains("by chance one in "), "{}", named.stderr);
}

#[test]
fn the_id_of_a_recipe_at_a_width_can_be_looked_up() {
    let room = room();
    room.run(&["dedup", "news.jsonl", "-o", "out.jsonl", "--summary", "s.json"]).done();
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let args = ["recipe", "show", "text", "--width", "128"];
    assert_eq!(summary["recipe_id"], told(&room, &args)["id"]);
    let toml = room.run(&args).done();
    assert!(toml.text().contains(" at 128 bits\n") && toml.text().contains("\nwidth = 128\n"));
}
