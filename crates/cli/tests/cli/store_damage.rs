//! Stores whose files are damaged or gone: what is said, and what mends it.

use crate::room::Room;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// A store `pages` of 40 documents, most of them in tables of the database, and a snapshot of it.
fn room() -> Room {
    let room = Room::new();
    let row = |id: u64| {
        format!(
            "{}\n",
            json!({ "id": id, "text": format!("a text of {id} and of {} words", id * 7) })
        )
    };
    room.write("a.jsonl", (0..40).map(row).collect::<String>());
    room.write("b.jsonl", (40..44).map(row).collect::<String>());
    room.run(&["store", "init", "pages", "-q"]).done();
    room.run(&["store", "add", "pages", "a.jsonl", "-q"]).done();
    room.run(&["store", "compact", "pages", "-q"]).done();
    room.run(&["store", "add", "pages", "b.jsonl", "-q"]).done();
    room.run(&["store", "snapshot", "pages", "copy", "-q"]).done();
    room
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

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

#[test]
fn damage_in_the_database_is_told_with_the_folder_and_what_mends_it() {
    let room = room();
    let truth = files(&room.path("pages/truth"));
    let told = "error: pages/truth: the database of the store is damaged; restore a snapshot (put a folder that \
                `nearprint store snapshot` made in the place of the store). The database says: ";
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
                    let snapshot =
                        "restore a snapshot (put a folder that `nearprint store snapshot` made";
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
    copied(&room.path("copy"), &room.path("pages"));
    let run = room.run(&["store", "verify", "pages"]).done();
    assert!(run.stderr.starts_with("44 documents in "), "{}", run.stderr);
}

#[test]
fn a_store_that_forgot_its_last_write_says_so_until_the_next() {
    let forgotten = "; but pages/acknowledged does not tell which write was the last one, so nobody can tell \
                     whether the database lost later ones; the next write mends the file\n";
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
        assert!(run.stderr.ends_with(", all whole\n"), "{}", run.stderr);
    }
    // A store in which nothing was written yet knows that.
    let room = Room::new();
    room.run(&["store", "init", "pages", "-q"]).done();
    assert!(room.run(&["store", "verify", "pages"]).done().stderr.ends_with(", all whole\n"));
}

#[test]
fn a_snapshot_that_failed_may_be_tried_again() {
    let room = room();
    room.write("full/file", "");
    let all = ["store", "snapshot", "pages", "full"];
    room.run(&all)
        .refused(1, "full: there is something here already; name a folder that is new or empty");
    assert_eq!(room.text("full/file"), "");
    let run = room.run(&["store", "snapshot", "pages", "full/file/copy"]);
    assert!(run.code == Some(1) && !run.stderr.contains("already"), "{}", run.stderr);
}
