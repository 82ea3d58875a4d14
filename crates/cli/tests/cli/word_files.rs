//! Files of words in jieba's formats: what they change in every verb, and what is refused.

use crate::room::Room;
use crate::serve::Served;
use serde_json::Value;
use std::fs::File;

const FILES: [&str; 6] =
    ["--dictionary", "user.txt", "--stop-words", "stop.txt", "--idf", "idf.txt"];

/// A room with two texts and the files.
fn room() -> Room {
    let room = Room::new();
    let rows = "{\"id\":1,\"text\":\"区块链的共识算法决定性能\"}\n{\"id\":2,\"text\":\"共识机制决定性能\"}\n";
    room.write("in.jsonl", rows);
    room.write("user.txt", "区块链 nz\n共识算法\n");
    room.write("stop.txt", "性能\n");
    room.write("idf.txt", "区块链 5\n共识算法 4\n决定 3\n");
    room
}

fn features(room: &Room, args: &[&str]) -> Vec<String> {
    let rest =
        ["compare", "--text", "区块链的共识算法决定性能", "无", "--format", "json", "--top", "99"];
    let shown: Value =
        serde_json::from_str(room.run(&[&rest[..], args].concat()).done().text()).unwrap();
    let features = shown["features"].as_array().unwrap().iter();
    features.map(|feature| feature["feature"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn words_of_the_files_come_and_go() {
    let room = room();
    let keywords = ["--recipe", "zh-keywords"];
    let plain = features(&room, &keywords);
    assert!(plain.contains(&"区块".to_owned()) && plain.contains(&"性能".to_owned()), "{plain:?}");
    let by_files = features(&room, &[&keywords[..], &FILES].concat());
    assert_eq!(by_files, ["区块链", "共识算法", "决定"]);
}

#[test]
fn the_files_are_part_of_the_recipe_in_every_verb() {
    let room = room();
    let with = |args: &[&'static str], files: usize| {
        [args, &["--recipe", "zh-keywords"], &FILES[..files]].concat()
    };
    let id = |files| {
        let shown =
            [&["recipe", "show", "zh-keywords", "--format", "json"], &FILES[..files]].concat();
        let shown: Value = serde_json::from_str(room.run(&shown).done().text()).unwrap();
        shown["id"].as_str().unwrap().to_owned()
    };
    let ids = [id(0), id(2), id(4), id(6)];
    assert!((1..4).all(|i| !ids[..i].contains(&ids[i])), "{ids:?}");

    // A recipe that names the files takes no others, and not none.
    let bound = [&["recipe", "show", "zh-keywords"], &FILES[..]].concat();
    room.write("bound.toml", room.run(&bound).done().text());
    let fingerprints = room.run(&with(&["fingerprint", "in.jsonl"], 6)).done();
    let from_bound = [&["fingerprint", "in.jsonl", "--recipe", "bound.toml"], &FILES[..]].concat();
    assert_eq!(room.run(&from_bound).done().text(), fingerprints.text());
    let named = bound_id(&room, "user-dictionary");
    room.refuses(
        &["fingerprint", "in.jsonl", "--recipe", "bound.toml"],
        2,
        &format!(
            "--recipe bound.toml: the recipe was made for the user dictionary with identity {named}, \
             which is not given; give it with --dictionary"
        ),
    );
    room.write("other.txt", "性能\n共识\n");
    let other = [&from_bound[..6], &["--stop-words", "other.txt", "--idf", "idf.txt"]].concat();
    let error = room.run(&other).stderr;
    assert!(
        error.starts_with(
            "error: --stop-words other.txt: the recipe was made for the stop-word file"
        ),
        "{error}"
    );

    // A store keeps the names and asks for the files.
    room.run(&with(&["store", "init", "pages", "-k", "3"], 6)).done();
    let refused =
        "error: the recipe zh-keywords: the recipe was made for the user dictionary with identity";
    let error = room.run(&["store", "add", "pages", "in.jsonl"]).stderr;
    assert!(error.starts_with(refused), "{error}");
    let with_files = |verb| [&["store", verb, "pages", "in.jsonl"], &FILES[..]].concat();
    room.run(&with_files("add")).done();
    let checked = room.run(&with_files("check")).done();
    let said = "2 documents: 2 with a near-duplicate in the store, 0 without; --format json lists";
    assert!(checked.stderr.starts_with(said), "{}", checked.stderr);
}

fn bound_id(room: &Room, key: &str) -> String {
    let toml = room.text("bound.toml");
    let line = toml.lines().find(|line| line.starts_with(key)).unwrap();
    line.split('"').nth(1).unwrap().to_owned()
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let room = room();
    let keywords = ["fingerprint", "in.jsonl", "--recipe", "zh-keywords"];
    let refuses = |flag: &str, bytes: &[u8], message: &str| {
        room.write("broken.txt", bytes);
        room.refuses(&[&keywords[..], &[flag, "broken.txt"]].concat(), 1, message);
    };
    refuses(
        "--idf",
        "区块链 9.5\n共识\t4\n".as_bytes(),
        "broken.txt: line 2: \"共识\t4\": expected a word, one blank and its inverse document frequency, \
         such as \"文本 7.5\"",
    );
    refuses("--idf", b"\n", "broken.txt: no line holds a word");
    refuses(
        "--stop-words",
        b"\xe6\x80\xa7\n\xff\n",
        "broken.txt: line 2: byte 4 of the file is not UTF-8: save the file as UTF-8",
    );
    refuses(
        "--dictionary",
        "区块链 1234567890123456 n\n".as_bytes(),
        "broken.txt: line 1: \"区块链 1234567890123456 n\": expected a frequency of at most 15 digits",
    );
    File::create(room.path("large.txt")).unwrap().set_len((16 << 20) + 1).unwrap();
    room.refuses(
        &[&keywords[..], &["--stop-words", "large.txt"]].concat(),
        1,
        "large.txt: 16777217 bytes; such a file has at most 16777216: remove what is not needed",
    );
    room.write("tabs.txt", "区块链\t10\tnz\n云计算\n");
    let run = room.run(&[&keywords[..], &["--dictionary", "tabs.txt"]].concat()).done();
    assert_eq!(
        run.stderr.lines().next().unwrap(),
        "tabs.txt: line 1: jieba finds the word \"区块链\t10\tnz\" in no text: expected a word without \
         blanks, and each after one blank its frequency and its part of speech in lower-case letters"
    );
}

#[test]
fn a_recipe_without_use_for_a_file_says_which_has() {
    let room = room();
    let refuses = |args: &[&str], message: &str| {
        room.refuses(&[&["fingerprint", "in.jsonl"], args].concat(), 2, message);
    };
    refuses(
        &["--recipe", "words", "--stop-words", "stop.txt"],
        "--stop-words stop.txt: the recipe does not use a stop-word file; split = \"zh\" with version = 3 \
         does",
    );
    let first =
        room.run(&["recipe", "show", "zh"]).done().text().replace("version = 3", "version = 1");
    room.write("first.toml", first);
    refuses(
        &["--recipe", "first.toml", "--dictionary", "user.txt"],
        "--dictionary user.txt: the recipe does not use a user dictionary; split = \"zh\" with \
         version = 3 does",
    );
}

#[test]
fn a_recipe_is_checked_with_its_files_and_without() {
    let room = room();
    let bound = [&["recipe", "show", "zh-keywords"], &FILES[..]].concat();
    room.write("bound.toml", room.run(&bound).done().text());
    let named = bound_id(&room, "user-dictionary");
    let without = room.run(&["recipe", "check", "bound.toml"]).done();
    let note = format!(
        "note: the sample is left out: the recipe was made for the user dictionary with identity {named}, \
         which is not given; give it with --dictionary"
    );
    assert!(without.text().contains(&note), "{}", without.text());
    let check =
        [&["recipe", "check", "bound.toml", "--text", "区块链的共识算法决定性能"], &FILES[..]];
    let with = room.run(&check.concat()).done();
    assert!(with.text().contains("tokens    3: 区块链 | 共识算法 | 决定\n"), "{}", with.text());
}

#[test]
fn a_served_store_asks_for_its_files_and_uses_them() {
    let room = room();
    let init = ["store", "init", "codes", "-k", "3", "--recipe", "zh-keywords", "-q"];
    room.run(&[&init[..], &FILES].concat()).done();
    let without = room.run(&["serve", "codes", "--listen", "127.0.0.1:0"]);
    let refused =
        "error: the recipe zh-keywords: the recipe was made for the user dictionary with identity";
    assert!(without.code == Some(2) && without.stderr.starts_with(refused), "{without:?}");
    let served = Served::on(&room, &[&["--log", "warn"], &FILES[..]].concat());
    let ask = |path: &str, text: &str| {
        let row = format!("{{\"id\":\"1\",\"text\":\"{text}\"}}");
        let (status, answer) = served.ask("POST", path, "content-type: application/json\r\n", &row);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    ask("/v1/add", "区块链的共识算法决定性能");
    // Without a stop word it is the same, without a word of the user it is not.
    let near = ask("/v1/check", "区块链的共识算法决定")["near"]["distance"].clone();
    assert_eq!(near, 0);
    assert!(ask("/v1/check", "区块的共识决定")["near"].is_null());
}
