//! Rows of features with weights, and languages of documents.

use crate::room::Room;
use serde_json::Value;

fn fingerprints(text: &str) -> Vec<String> {
    let row = |line| serde_json::from_str::<Value>(line).unwrap()["fingerprint"].clone();
    text.lines().map(|line| row(line).as_str().unwrap().to_owned()).collect()
}

#[test]
fn sparse_vectors_come_as_objects_or_pairs() {
    let room = Room::new();
    room.write(
        "in.jsonl",
        "{\"id\":1,\"features\":{\"x\":3,\"y\":-2.5,\"7\":4}}\n\
         {\"id\":2,\"features\":[[7,2],[\"y\",-2.5],[\"x\",3],[7,2]]}\n\
         {\"id\":3,\"features\":{\"x\":-3,\"y\":2.5,\"7\":-4}}\n",
    );
    let run = room.run(&["fingerprint", "in.jsonl", "--recipe", "vectors"]).done();
    let found = fingerprints(run.text());
    assert_eq!(found[0], found[1]);
    let bits = |hex: &str| u64::from_str_radix(hex, 16).unwrap();
    // Opposite vectors differ in every bit.
    assert_eq!(bits(&found[0]), !bits(&found[2]));
    let pairs = room.run(&["pairs", "in.jsonl", "--recipe", "vectors", "-k", "3"]).done();
    assert_eq!(pairs.text(), "{\"a\":1,\"b\":2,\"distance\":0}\n");
    room.write("body.jsonl", room.text("in.jsonl").replace("features", "vector"));
    let flags = ["--recipe", "vectors", "--features-field", "vector"];
    let body = room.run(&[&["fingerprint", "body.jsonl"], &flags[..]].concat()).done();
    assert_eq!(body.text(), run.text());
}

#[test]
fn weights_that_are_no_numbers_name_row_and_feature() {
    let room = Room::new();
    for weight in ["NaN", "-Infinity", "1e400"] {
        room.write(
            "in.jsonl",
            format!("{{\"features\":{{\"a\":1}}}}\n{{\"features\":{{\"a\":1,\"b\":{weight}}}}}\n"),
        );
        let message =
            format!("in.jsonl:2: feature \"b\" has weight {weight}; weights are finite numbers");
        for verb in ["fingerprint", "pairs"] {
            room.refuses(&[verb, "in.jsonl", "--recipe", "vectors", "-o", "o"], 1, &message);
        }
    }
}

#[test]
fn the_language_comes_by_flag_by_field_or_is_detected() {
    let room = Room::new();
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("auto.toml", words.text().to_owned() + "language = \"auto\"\nstop-words = true\n");
    let text = "the council and the budget of the town";
    room.write(
        "in.jsonl",
        format!(
            "{{\"text\":\"{text}\",\"lang\":\"de\"}}\n{{\"text\":\"{text}\",\"lang\":\"en-GB\"}}\n\
             {{\"text\":\"{text}\",\"lang\":null}}\n{{\"text\":\"council budget town\",\"lang\":\"tlh\"}}\n"
        ),
    );
    let run = |flags: &[&'static str]| {
        let args = [&["fingerprint", "in.jsonl", "--recipe", "auto.toml"], flags].concat();
        fingerprints(room.run(&args).done().text())
    };
    let by_field = run(&["--language-field", "lang"]);
    assert_eq!((&by_field[1], &by_field[2]), (&by_field[3], &by_field[3]));
    assert_ne!(by_field[0], by_field[1]);
    assert!(run(&[]).iter().all(|found| *found == by_field[1]));
    assert_eq!(run(&["--language", "de"])[1], by_field[0]);
    let unused = "--language: recipe words treats all languages alike; leave it out, or use a recipe of stop-words, \
                  stem or split = \"mixed\"";
    room.refuses(&["fingerprint", "in.jsonl", "--recipe", "words", "--language", "en"], 2, unused);
    let field = ["fingerprint", "in.jsonl", "--language-field", "lang"];
    let message = "--language-field: recipe text does not use the language of each document; use \
                   one with language = \"auto\", or --language auto";
    room.refuses(&field, 2, message);
}

#[test]
fn recipes_that_cannot_be_used_say_why() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a\"}\n");
    let words = room.run(&["recipe", "show", "words"]).done();
    for (from, to, said) in [
        ("case =", "kase =", "unknown field `kase`"),
        ("# width = 128", "width = 96 #", "width 96 is not supported: use 64, 128 or 256"),
        ("\"log\"", "\"keywords\"", "use split = \"zh\""),
    ] {
        room.write("bad.toml", words.text().replace(from, to));
        let run = room.run(&["fingerprint", "in.jsonl", "--recipe", "bad.toml"]);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(run.stderr.starts_with("error: --recipe bad.toml: "), "{}", run.stderr);
    }
}
