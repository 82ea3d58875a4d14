//! Stores whose files are damaged or gone: what is said, and what mends it.

use crate::room::Room;
use nearprint_testing::files;
use serde_json::json;
use std::fs;
use std::path::Path;

/// A store `pages` of 40 documents, most of them in tables of the database, and a snapshot of it.
fn room() -> Room {
    let room = Room::new();
    room.write("a.jsonl", (0..40).map(row).collect::<String>());
    room.write("b.jsonl", (40..44).map(row).collect::<String>());
    room.run(&["store", "init", "pages", "-q"]).done();
    room.run(&["store", "add", "pages", "a.jsonl", "-q"]).done();
    room.run(&["store", "compact", "pages", "-q"]).done();
    room.run(&["store", "add", "pages", "b.jsonl", "-q"]).done();
    room.run(&["store", "snapshot", "pages", "copy", "-q"]).done();
    room
}

fn row(id: u64) -> String {
    let text = format!("a text of {id} and of {} words", id * 7);
    format!("{}\n", json!({ "id": id, "text": text }))
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copied(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

#[test]
fn damage_in_the_database_is_told_with_the_folder_and_what_mends_it() {
    let room = room();
    let truth = files(&room.path("pages/truth"));
    let told = "error: pages/truth: the database of the store is damaged; restore a snapshot \
                (`nearprint store restore`), or salvage what can be read (`nearprint store salvage`). The \
                database says: ";
    let (mut damaged, mut lost, mut whole) = (0, 0, 0);
    for file in &truth {
        for damage in ["cut", "gone", "garbage"] {
            let _none = fs::remove_dir_all(room.path("hurt"));
            copied(&room.path("pages"), &room.path("hurt"));
            let file = room.path("hurt").join(file.strip_prefix(room.path("pages")).unwrap());
            let bytes = fs::read(&file).unwrap();
            match damage {
                "cut" => fs::write(&file, &bytes[..bytes.len() / 2]).unwrap(),
                "gone" => fs::remove_file(&file).unwrap(),
                _ => fs::write(&file, vec![b'x'; bytes.len()]).unwrap(),
            }
            let run = room.run(&["store", "verify", "hurt"]);
            let said = &run.stderr;
            match run.code {
                Some(0) => whole += 1,
                _ if said.starts_with(&told.replace("pages", "hurt")) => damaged += 1,
                _ => {
                    let snapshot = "restore a snapshot (`nearprint store restore`)";
                    let missing = "error: hurt: writes that were acknowledged are missing";
                    assert!(
                        said.starts_with(missing) && said.contains(snapshot),
                        "{file:?}: {said}"
                    );
                    lost += 1;
                }
            }
            assert!(!said.contains("panicked"), "{file:?}: {said}");
        }
    }
    assert!(damaged > truth.len() && lost > 0, "{damaged} damaged, {lost} lost, {whole} whole");
    // What is said to mend it does.
    fs::remove_dir_all(room.path("pages")).unwrap();
    room.run(&["store", "restore", "copy", "pages", "-q"]).done();
    let run = room.run(&["store", "verify", "pages"]).done();
    assert!(run.stderr.starts_with("44 documents in "), "{}", run.stderr);
}

#[test]
fn a_damaged_segment_is_told_with_what_mends_it() {
    for remedy in [&["verify", "pages", "-q"][..], &["rebuild", "pages", "-q"]] {
        let room = room();
        let segment = files(&room.path("pages/segments")).remove(0);
        let mut bytes = fs::read(&segment).unwrap();
        bytes[20] ^= 1;
        fs::write(&segment, bytes).unwrap();
        let run = room.run(&["store", "verify", "pages"]);
        let said =
            "; it is rebuilt when the store is next opened, or by `nearprint store rebuild`\n";
        assert!(run.code == Some(1) && run.stderr.starts_with("error: pages/segments/"));
        assert!(run.stderr.ends_with(said), "{}", run.stderr);
        let run = room.run(&[&["store"], remedy].concat()).done();
        assert!(!run.stderr.starts_with("error"), "{}", run.stderr);
        let run = room.run(&["store", "verify", "pages"]).done();
        assert_eq!(run.stderr, "44 documents in 1 segment, all intact\n");
    }
}

#[test]
fn what_can_be_read_of_a_damaged_store_is_salvaged() {
    let room = room();
    // So many that the table of the documents is the largest one.
    room.write("c.jsonl", (44..1000).map(row).collect::<String>());
    room.run(&["store", "add", "pages", "c.jsonl", "-q"]).done();
    room.run(&["store", "compact", "pages", "-q"]).done();
    room.run(&["store", "snapshot", "pages", "later", "-q"]).done();
    let export = |store: &str| room.run(&["store", "export", store, "-q"]).done().text().to_owned();
    let whole = export("pages");
    let run = room.run(&["store", "salvage", "pages", "all"]).done();
    assert_eq!(run.stderr, "1,000 documents brought over to all\n");
    assert_eq!(export("all"), whole);
    // A copy of it has no journal that tells what a damaged table had.
    fs::remove_dir_all(room.path("pages")).unwrap();
    room.run(&["store", "restore", "later", "pages", "-q"]).done();
    let tables = files(&room.path("pages/truth"));
    let tables = tables.iter().filter(|file| file.parent().unwrap().ends_with("tables"));
    let table = tables.max_by_key(|file| fs::metadata(file).unwrap().len()).unwrap();
    let mut bytes = fs::read(table).unwrap();
    bytes[40] ^= 1;
    fs::write(table, bytes).unwrap();
    let run = room.run(&["store", "export", "pages"]);
    let said = "or salvage what can be read (`nearprint store salvage`)";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    let run = room.run(&["store", "salvage", "pages", "some", "-q"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains(" brought over to some; missing: "), "{}", run.stderr);
    assert!(run.stderr.contains("could not be read (the oldest is number 0): 0 to "));
    assert!(run.stderr.contains("; their ids: \"0\", \"1\","), "{}", run.stderr);
    let some = export("some");
    assert!(some.lines().count() > 500 && some.lines().count() < 1000);
    assert!(some.lines().all(|row| whole.contains(row)));
    // What is missing comes back from the snapshot.
    room.write("copy.jsonl", export("later"));
    room.run(&["store", "import", "some", "copy.jsonl", "-q", "--unless-stored"]).done();
    let sorted = |text: &str| {
        let mut rows: Vec<_> = text.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&export("some")), sorted(&whole));
    room.run(&["store", "verify", "some", "-q"]).done();
}

#[test]
fn a_store_that_forgot_its_last_write_says_so_until_the_next() {
    let forgotten = "; but pages/acknowledged does not record the last write, so later writes may be missing \
                     from the database; the next write repairs the file\n";
    for cut in [true, false] {
        let room = room();
        let file = room.path("pages/acknowledged");
        match cut {
            true => fs::write(&file, "").unwrap(),
            false => fs::remove_file(&file).unwrap(),
        }
        for _ in 0..2 {
            let run = room.run(&["store", "verify", "pages", "-q"]).done();
            assert!(run.stderr.starts_with("44 documents in "), "{}", run.stderr);
            assert!(run.stderr.ends_with(forgotten), "{}", run.stderr);
        }
        room.run(&["store", "delete", "pages", "1", "-q"]).done();
        let run = room.run(&["store", "verify", "pages"]).done();
        assert!(run.stderr.ends_with(", all intact\n"), "{}", run.stderr);
    }
    // A store in which nothing was written yet knows that.
    let room = Room::new();
    room.run(&["store", "init", "pages", "-q"]).done();
    assert!(room.run(&["store", "verify", "pages"]).done().stderr.ends_with(", all intact\n"));
}

#[test]
fn a_snapshot_that_failed_may_be_tried_again() {
    let room = room();
    room.write("full/file", "");
    let all = ["store", "snapshot", "pages", "full"];
    room.run(&all).refused(1, "full: the folder is not empty; name a folder that is new or empty");
    assert_eq!(room.text("full/file"), "");
    let run = room.run(&["store", "snapshot", "pages", "full/file/copy"]);
    assert!(run.code == Some(1) && !run.stderr.contains("already"), "{}", run.stderr);
}

#[test]
fn a_snapshot_with_a_damaged_segment_is_restored_whole_and_stays_as_it_is() {
    let damages: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes[20] ^= 1,
        |bytes| *bytes.last_mut().unwrap() ^= 1,
        |bytes| bytes.truncate(100),
    ];
    for damage in damages {
        let room = room();
        room.run(&["store", "snapshot", "pages", "later", "-q"]).done();
        let segment = files(&room.path("later/segments")).remove(0);
        let mut bytes = fs::read(&segment).unwrap();
        damage(&mut bytes);
        // Not in its place: the file is that of the store too.
        fs::remove_file(&segment).unwrap();
        fs::write(&segment, bytes).unwrap();
        let all = || -> Vec<_> {
            files(&room.path("later"))
                .into_iter()
                .map(|file| (fs::read(&file).unwrap(), file))
                .collect()
        };
        let before = all();
        let run = room.run(&["store", "restore", "later", "back"]).done();
        assert!(run.stderr.contains("back/segments/"), "{}", run.stderr);
        let said = [": rebuilt\n", ": the store rebuilds its segments\n"];
        assert!(said.iter().any(|said| run.stderr.contains(said)), "{}", run.stderr);
        assert!(all() == before);
        let run = room.run(&["store", "verify", "back"]).done();
        assert_eq!(run.stderr, "44 documents in 1 segment, all intact\n");
    }
}
