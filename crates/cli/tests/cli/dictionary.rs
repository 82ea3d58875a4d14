//! Dictionaries that the user points to: words and fingerprints by them, and what is refused.

use crate::room::Room;

/// The sentence whose fingerprint the library's tests have frozen, and a near-duplicate of it.
const ROWS: &str = "{\"id\":1,\"text\":\"東京都の市議会は新しい予算を承認した。東京都の予算!\"}\n\
     {\"id\":2,\"text\":\"東京の市議会は新しい予算を承認した。東京都の予算!\"}\n\
     {\"id\":3,\"text\":\"京都は新しい議会を承認した。\"}\n";

/// A room with three texts and the recipe `mine.toml` that asks for a dictionary.
fn room() -> Room {
    let room = Room::new();
    room.write("in.jsonl", ROWS);
    let words = room.run(&["recipe", "show", "words"]).done();
    room.write("mine.toml", words.text().replace("split = \"words\"", "split = \"lindera\""));
    room
}

#[cfg(feature = "lindera")]
mod built {
    use super::room;
    use crate::nearprint::{repository, rows};
    use crate::room::Room;
    use lindera_dictionary::builder::DictionaryBuilder;
    use lindera_dictionary::dictionary::metadata::Metadata;
    use serde_json::Value;
    use std::fs;

    const WITH: [&str; 4] = ["--recipe", "mine.toml", "--dictionary", "dic"];

    /// Builds the dictionary of the library's tests, with the rows `more`, as the folder `name`.
    fn build(room: &Room, name: &str, more: &str) {
        let sources = tempfile::tempdir().unwrap();
        for entry in
            fs::read_dir(repository().join("crates/fingerprint/tests/fingerprint/lindera")).unwrap()
        {
            let entry = entry.unwrap();
            fs::copy(entry.path(), sources.path().join(entry.file_name())).unwrap();
        }
        fs::write(sources.path().join("more.csv"), more).unwrap();
        let builder = DictionaryBuilder::new(Metadata::default());
        builder.build_dictionary(sources.path(), &room.path(name)).unwrap();
    }

    /// A room with the dictionary `dic`, and `other` that has a word more.
    fn room_with_dictionaries() -> Room {
        let room = room();
        build(&room, "dic", "");
        build(&room, "other", "東京都,1,1,500,,,,,,,,,\n");
        room
    }

    fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
        [args, &WITH[..]].concat()
    }

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn words_of_the_dictionary_are_features_in_every_verb() {
        let room = room_with_dictionaries();
        let one_thread = ["fingerprint", "in.jsonl", "--threads", "1"];
        let fingerprints = room.run(&with(&one_thread)).done();
        // As the library has it.
        assert_eq!(rows(fingerprints.text())[0]["fingerprint"], "0e0ae29196a8f990");
        let threads = room.run(&with(&["fingerprint", "in.jsonl"])).done();
        assert_eq!(threads.text(), fingerprints.text());

        // 東京/都/の/予算 and 東京/の/予算; the other dictionary knows 東京都.
        let texts = ["compare", "--text", "東京都の予算", "東京の予算", "--format", "json"];
        let compared = json(room.run(&with(&texts)).done().text());
        assert_eq!(compared["jaccard"], 0.75);
        let other = ["--recipe", "mine.toml", "--dictionary", "other"];
        let by_other = json(room.run(&[&texts[..], &other].concat()).done().text());
        assert_eq!(by_other["jaccard"], 0.5);
        assert_ne!(by_other["recipe_id"], compared["recipe_id"]);

        // Ten words and nine, of which nine are shared.
        let dedup = ["dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl"];
        room.run(&with(&[&dedup[..], &["--summary", "s.json"]].concat())).done();
        let kept = rows(&room.text("kept.jsonl"));
        assert_eq!(kept.iter().map(|row| &row["id"]).collect::<Vec<_>>(), [1, 3]);
        let removed = rows(&room.text("removed.jsonl"));
        assert_eq!((&removed[0]["id"], &removed[0]["kept"]), (&2.into(), &1.into()));
        let shown = with(&["recipe", "show"]);
        let shown: Vec<_> = shown.into_iter().filter(|&arg| arg != "--recipe").collect();
        let shown = room.run(&[&shown[..], &["--format", "json"]].concat()).done();
        let id = &json(&room.text("s.json"))["recipe_id"];
        assert_eq!(id, &compared["recipe_id"]);
        assert!(json(shown.text())["recipe"]["dictionary"].is_string());
        for verb in ["pairs", "clusters", "stats"] {
            room.run(&with(&[verb, "in.jsonl"])).done();
        }
    }

    #[test]
    fn statistics_and_segments_know_their_dictionary() {
        let room = room_with_dictionaries();
        let weighed = room.text("mine.toml").replace("\"log\"", "\"idf\"");
        room.write("idf.toml", weighed);
        let idf = ["--recipe", "idf.toml", "--dictionary"];
        let build = ["idf", "build", "in.jsonl", "-o", "in.idf"];
        room.run(&[&build[..], &idf, &["dic"]].concat()).done();
        let run = ["fingerprint", "in.jsonl", "--idf", "in.idf"];
        room.run(&[&run[..], &idf, &["dic"]].concat()).done();
        let refused = room.run(&[&run[..], &idf, &["other"]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        let says = "the statistics file counts features of another recipe: dictionary = \"";
        assert!(refused.stderr.contains(says), "{}", refused.stderr);

        room.run(&with(&["dedup", "in.jsonl", "-o", "kept.jsonl", "--index-out", "1.seg"])).done();
        let again = ["dedup", "kept.jsonl", "-o", "new.jsonl", "--against", "1.seg"];
        room.run(&with(&again)).done();
        assert_eq!(room.read("new.jsonl"), b"");
        let other = ["--recipe", "mine.toml", "--dictionary", "other", "--force"];
        let refused = room.run(&[&again[..], &other].concat());
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("1.seg: made by another recipe than this run's: dictionary"),
            "{}",
            refused.stderr
        );
    }

    #[test]
    fn a_store_takes_documents_by_its_dictionary_and_statistics_only() {
        let room = room_with_dictionaries();
        room.write("idf.toml", room.text("mine.toml").replace("\"log\"", "\"idf\""));
        let recipe = ["--recipe", "idf.toml", "--dictionary", "dic"];
        room.run(&[&["idf", "build", "in.jsonl", "-o", "in.idf"], &recipe[..]].concat()).done();
        let recipe = [&recipe[..], &["--idf", "in.idf"]].concat();
        room.run(&[&["store", "init", "pages", "-k", "3"], &recipe[..]].concat()).done();
        let made = room.run(&[&["fingerprint", "in.jsonl"], &recipe[..]].concat()).done();
        let field = |text: &str| -> Vec<Value> {
            rows(text).into_iter().map(|row| row["fingerprint"].clone()).collect()
        };

        let add = ["store", "add", "pages", "in.jsonl", "--format", "json"];
        let run =
            room.run(&[&add[..], &["--dictionary", "dic", "--idf", "in.idf"]].concat()).done();
        assert_eq!(field(run.text()), field(made.text()));
        let said = |more: &[&str], says: &str| {
            let run = room.run(&[&add[..], more].concat());
            assert!(run.code != Some(0) && run.stderr.contains(says), "{}", run.stderr);
        };
        said(&["--dictionary", "dic"], "--idf");
        said(&["--idf", "in.idf"], "--dictionary");
        said(&["--dictionary", "other", "--idf", "in.idf"], "--dictionary other");
    }

    #[test]
    fn a_recipe_bound_to_a_dictionary_takes_no_other() {
        let room = room_with_dictionaries();
        let bound = room.run(&["recipe", "show", "mine.toml", "--dictionary", "dic"]).done();
        room.write("bound.toml", bound.text());
        let key = bound.text().lines().find(|line| line.starts_with("dictionary = "));
        let id = key.unwrap().split('"').nth(1).unwrap();
        let other = room.run(&["recipe", "show", "mine.toml", "--dictionary", "other"]).done();
        let key = other.text().lines().find(|line| line.starts_with("dictionary = "));
        let given = key.unwrap().split('"').nth(1).unwrap();

        let by = |dictionary| {
            ["fingerprint", "in.jsonl", "--recipe", "bound.toml", "--dictionary", dictionary]
        };
        let unbound = room.run(&with(&["fingerprint", "in.jsonl"])).done();
        assert_eq!(room.run(&by("dic")).done().text(), unbound.text());
        let message = format!(
            "--dictionary other: the recipe was made for the dictionary with identity {id}; the one \
             given has {given}"
        );
        room.refuses(&by("other"), 2, &message);
        let message = format!(
            "--recipe bound.toml: split = \"lindera\" needs a dictionary that lindera built; the \
             recipe was made for the one with identity {id}; give its folder with --dictionary"
        );
        room.refuses(&["fingerprint", "in.jsonl", "--recipe", "bound.toml"], 2, &message);
    }

    #[test]
    fn a_folder_that_is_no_dictionary_is_refused() {
        let room = room_with_dictionaries();
        let fingerprint = ["fingerprint", "in.jsonl", "--recipe", "mine.toml"];
        room.refuses(
            &fingerprint,
            2,
            "--recipe mine.toml: split = \"lindera\" needs a dictionary that lindera built; give its \
             folder with --dictionary",
        );
        let from = |folder| [&fingerprint[..], &["--dictionary", folder]].concat();
        for no_folder in ["nowhere", "in.jsonl"] {
            let message = format!(
                "--dictionary {no_folder}: no such folder; give one that `lindera build` wrote"
            );
            room.refuses(&from(no_folder), 2, &message);
        }
        room.write("sources/words.csv", "市議会,1,1,3000\n");
        room.refuses(
            &from("sources"),
            1,
            "sources: metadata.json: No such file or directory (os error 2); expected a folder that \
             `lindera build` made, with metadata.json, char_def.bin, unk.bin, matrix.mtx and dict.*",
        );
        let whole = room.read("dic/dict.vals");
        room.write("dic/dict.vals", &whole[..whole.len() - 10]);
        room.refuses(
            &from("dic"),
            1,
            "dic: dict.vals is corrupt: it does not hold as many words as dict.valsidx says; build \
             the dictionary again",
        );
        let metadata = room.text("other/metadata.json");
        let older = metadata.replace("\"format_version\": 2", "\"format_version\": 1");
        room.write("other/metadata.json", older);
        room.refuses(
            &from("other"),
            1,
            "other: the dictionary has format version 1; this release reads version 2, which \
             `lindera build` of lindera 6 writes",
        );
    }
}

#[test]
fn a_dictionary_that_the_recipe_does_not_use_is_refused() {
    room().refuses(
        &["fingerprint", "in.jsonl", "--recipe", "text", "--dictionary", "dic"],
        2,
        "--dictionary dic: the recipe uses no dictionary; split = \"lindera\" or \"zh\" does",
    );
    room().refuses(
        &["recipe", "show", "ja", "--dictionary", "dic"],
        2,
        "--dictionary dic: the recipe uses no dictionary; split = \"lindera\" or \"zh\" does",
    );
}

#[cfg(not(feature = "lindera"))]
#[test]
fn a_build_without_the_feature_says_so() {
    let room = room();
    room.refuses(
        &["fingerprint", "in.jsonl", "--recipe", "mine.toml"],
        2,
        "--recipe mine.toml: split = \"lindera\" needs a part that this build lacks: build with \
         the feature lindera",
    );
    room.write("dic/metadata.json", "{}");
    room.refuses(
        &["fingerprint", "in.jsonl", "--recipe", "mine.toml", "--dictionary", "dic"],
        2,
        "--dictionary dic: this build reads no dictionary: build with the feature lindera",
    );
}
