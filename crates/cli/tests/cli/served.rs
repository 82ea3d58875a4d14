//! A store that is being served: its owner's commands ask the process that serves it, and answer the same. Snapshots
//! of it, on disk and in object storage, and what is made of them.

use crate::bucket::Bucket;
use crate::nearprint::{Run, rows, run_with};
use crate::room::Room;
use crate::serve::Served;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// A store `codes` of 300 fingerprints, some of them replaced and deleted, with metadata on none.
fn room() -> Room {
    let room = Room::new();
    let row = |id: u64, turn: u32| {
        let code = (id + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(turn);
        json!({ "id": format!("page/{id}"), "fingerprint": format!("{code:016x}") }).to_string()
            + "\n"
    };
    room.write("codes.jsonl", (0..300).map(|id| row(id, 0)).collect::<String>());
    room.write("again.jsonl", (0..20).map(|id| row(id, 7)).collect::<String>());
    let init = ["store", "init", "codes", "--ready-made", "--width", "64", "-k", "3", "-q"];
    room.run(&init).done();
    room.run(&["store", "add", "codes", "codes.jsonl", "--fingerprints", "-q"]).done();
    room.run(&["store", "add", "codes", "again.jsonl", "--fingerprints", "--update", "-q"]).done();
    room.run(&["store", "delete", "codes", "page/100", "page/101", "-q"]).done();
    room
}

/// What the commands that change nothing say of a store, whoever has it open.
fn said(room: &Room, store: &str) -> Vec<String> {
    let stats = room.run(&["store", "stats", store, "--format", "json"]).done();
    let mut stats: Value = serde_json::from_str(stats.text()).unwrap();
    // What the database takes depends on when it was opened.
    for name in ["bytes", "bytes_per_document", "database_bytes", "recent", "segments", "commits"] {
        stats.as_object_mut().unwrap().remove(name).unwrap();
    }
    let absent = room.run(&["store", "get", store, "page/7", "page/100"]);
    assert_eq!(absent.code, Some(1), "{absent:?}");
    vec![
        stats.to_string(),
        absent.text().to_owned(),
        absent.stderr.clone(),
        room.run(&["store", "export", store]).done().text().to_owned(),
        room.run(&["store", "export", store, "--prefix", "page/2"]).done().text().to_owned(),
    ]
}

#[test]
fn commands_of_the_owner_ask_the_process_that_serves_the_store() {
    let room = room();
    let expected = said(&room, "codes");
    let served = Served::on(&room, &["--log", "warn"]);
    assert!(said(&room, "codes") == expected);
    let verified = room.run(&["store", "verify", "codes"]).done();
    assert!(verified.stderr.starts_with("298 documents in "), "{verified:?}");
    let compacted = room.run(&["store", "compact", "codes"]).done();
    assert!(compacted.stderr.starts_with("298 documents: "), "{compacted:?}");
    let stats = room.run(&["store", "stats", "codes", "--format", "json"]).done();
    let stats: Value = serde_json::from_str(stats.text()).unwrap();
    let [segment] = stats["segments"].as_array().unwrap().as_slice() else { panic!("{stats}") };
    assert_eq!([&segment["documents"], &segment["gone"], &stats["recent"]], [298, 0, 0]);
    let copied = room.run(&["store", "snapshot", "codes", "copy"]).done();
    assert_eq!(copied.stderr, "298 documents copied to copy\n");
    let again = room.run(&["store", "snapshot", "codes", "copy"]);
    assert!(again.code == Some(1) && again.stderr.contains("copy"), "{again:?}");
    // What comes later is not in the copy.
    let later = r#"{"id":"later","fingerprint":"0123456789abcdef"}"#;
    assert_eq!(served.ask("POST", "/v1/add", "content-type: application/json\r\n", later).0, 200);
    assert!(said(&room, "copy") == expected);
    room.run(&["store", "restore", "copy", "second", "-q"]).done();
    assert!(said(&room, "second") == expected);
    served.signal("-TERM");
    served.end();
    assert!(!room.path("codes/socket").exists());
    room.run(&["store", "delete", "codes", "later", "-q"]).done();
    assert!(said(&room, "codes") == expected);
}

#[test]
fn metadata_are_printed_as_they_were_given_whether_the_store_is_served() {
    let room = Room::new();
    let metadata = r#"{"n":12345678901234567890123,"big":1e400,"k\ud800":1.10}"#;
    let row = r#"{"id":"a","fingerprint":"00000000000000ff","metadata":"#;
    room.write("codes.jsonl", format!("{row}{metadata}}}\n"));
    let init = ["store", "init", "codes", "--ready-made", "--width", "64", "-k", "3", "-q"];
    room.run(&init).done();
    room.run(&["store", "add", "codes", "codes.jsonl", "--fingerprints", "-q"]).done();
    let got = || room.run(&["store", "get", "codes", "a"]).done().text().to_owned();
    let here = got();
    assert!(here.contains(&format!("\"metadata\":{metadata},\"time\":")), "{here}");
    let _served = Served::on(&room, &["--log", "warn"]);
    assert_eq!(got(), here);
}

#[test]
fn old_documents_go_while_the_store_is_served() {
    let room = room();
    let _served = Served::on(&room, &["--log", "warn", "--forget-after", "90d"]);
    let none = room.run(&["store", "expire", "codes", "--older-than", "1h"]).done();
    assert_eq!(none.stderr, "0 documents deleted; the store holds 298 documents\n");
    let refused = room.run(&["store", "expire", "codes", "--older-than", "0s"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("every document"), "{refused:?}");
    std::thread::sleep(Duration::from_millis(1100));
    let all = room.run(&["store", "expire", "codes", "--older-than", "1s"]).done();
    assert_eq!(all.stderr, "298 documents deleted; the store holds 0 documents\n");
}

#[test]
fn a_socket_that_a_kill_left_is_in_nobodys_way() {
    let room = room();
    let expected = said(&room, "codes");
    let served = Served::on(&room, &["--log", "warn"]);
    served.signal("-KILL");
    served.end();
    assert!(room.path("codes/socket").exists());
    assert!(said(&room, "codes") == expected);
    let _served = Served::on(&room, &["--log", "warn"]);
    assert!(said(&room, "codes") == expected);
    // A command that needs the store for itself says so.
    room.run(&["store", "rebuild", "codes"]).refused(
        1,
        "codes: another process serves this store, and `store rebuild` needs exclusive access: stop that process, and \
         run the command again",
    );
}

/// Files of documents with near-duplicates, without a word, of one word and of few, some of them twice, and a row that is none.
fn documents(room: &Room, features: bool) {
    let text = |id: u32| match id % 10 {
        8 => String::new(),
        9 => "page".to_owned(),
        _ => {
            let words = (0..40).map(|at| format!("w{}", (id / 3 + 1) * (at + 7) % 997));
            let changed = format!(" and {} more", id % 3);
            words.collect::<Vec<_>>().join(" ") + &changed
        }
    };
    let row = |id: u32, of: u32| match features {
        true => {
            let words =
                text(of).split_whitespace().map(|word| (word.to_owned(), of % 7 + 1)).collect();
            json!({ "id": format!("t/{id}"), "features": HashMap::<String, u32>::from_iter::<Vec<_>>(words) })
        }
        false => json!({ "id": format!("t/{id}"), "text": text(of) }),
    };
    let lines = |rows: &mut dyn Iterator<Item = Value>| {
        rows.map(|row| row.to_string() + "\n").collect::<String>()
    };
    room.write("first.jsonl", lines(&mut (0..60).map(|id| row(id, id))));
    room.write("next.jsonl", lines(&mut (40..100).map(|id| row(id, id))));
    room.write("other.jsonl", lines(&mut (0..20).map(|id| row(id, id + 31))));
    room.write("broken.jsonl", lines(&mut (90..93).map(|id| row(id, id))) + "no row\n");
    let mut long = row(8, 80);
    long["id"] = "x".repeat(5000).into();
    room.write("long.jsonl", format!("{long}\n{}\n", row(7, 7)));
    room.write("gone.txt", (0..10).map(|id| format!("t/{id}\n")).collect::<String>());
}

#[test]
fn documents_are_written_and_asked_about_alike_whether_the_store_is_served() {
    for flags in [
        &["--similarity", "0.7"][..],
        &["--similarity", "0.7", "--estimate"],
        &["-k", "3"],
        &["--recipe", "words", "--width", "256", "-k", "12"],
        &["--recipe", "vectors", "--similarity", "0.7"],
    ] {
        let room = Room::new();
        documents(&room, flags.contains(&"vectors"));
        for store in ["codes", "apart"] {
            room.run(&[&["store", "init", store, "-q"][..], flags].concat()).done();
            room.run(&["store", "add", store, "first.jsonl", "-q"]).done();
        }
        let exported = room.run(&["store", "export", "apart", "-q"]).done();
        room.write("rows.jsonl", exported.text().replace("\"t/", "\"r/"));
        let _served = Served::on(&room, &["--log", "warn"]);
        let commands: [&[&str]; 24] = [
            &["check", "next.jsonl"],
            &["check", "next.jsonl", "--format", "json"],
            &["query", "next.jsonl", "--top", "3"],
            &["query", "next.jsonl", "--top", "5000"],
            &["add", "next.jsonl", "--unless-duplicate"],
            &["add", "next.jsonl", "--unless-duplicate", "--format", "json"],
            &["add", "other.jsonl"],
            &["add", "other.jsonl", "--format", "json"],
            &["add", "other.jsonl", "--unless-duplicate", "--update", "--format", "json"],
            &["add", "other.jsonl", "--update", "--format", "json"],
            &["add", "other.jsonl", "--update"],
            &["add", "broken.jsonl"],
            &["add", "broken.jsonl", "--on-error", "skip", "--format", "json"],
            &["add", "long.jsonl"],
            &["add", "long.jsonl", "--format", "json"],
            &["delete", "t/30", "t/31", "none", ""],
            &["delete", "--ids-from", "gone.txt"],
            &["delete", "--ids-from", "gone.txt"],
            &["delete", "--prefix", "t/5"],
            &["import", "rows.jsonl"],
            &["import", "rows.jsonl"],
            &["add", "first.jsonl"],
            &["import", "rows.jsonl", "--unless-stored"],
            &["query", "first.jsonl"],
        ];
        for command in commands {
            let run = |store: &str| {
                let all = [&["store", command[0], store][..], &command[1..]].concat();
                room.run(&all)
            };
            let (there, here) = (run("codes"), run("apart"));
            assert_eq!(there.code, here.code, "{flags:?} {command:?}: {there:?}");
            assert_eq!(there.text(), here.text(), "{flags:?} {command:?}");
            assert_eq!(there.stderr, here.stderr, "{flags:?} {command:?}");
        }
        // As many as were read, and with the same answers to somebody who waits for each.
        let waits = ["store", "add", "codes", "-", "--unless-duplicate"];
        let asked = room.text("other.jsonl");
        let there = run_with(room.command(&waits), asked.clone());
        let here = run_with(
            room.command(&waits.map(|arg| if arg == "codes" { "apart" } else { arg })),
            asked,
        );
        assert_eq!(
            (there.code, there.text(), &there.stderr),
            (here.code, here.text(), &here.stderr)
        );
        let ids = |store: &str| room.run(&["store", "export", store, "--prefix", "t/"]).done();
        let plain = |run: Run| {
            let rows = rows(run.text()).into_iter().map(|mut row| {
                row.as_object_mut().unwrap().remove("time");
                row
            });
            rows.collect::<Vec<_>>()
        };
        assert_eq!(plain(ids("codes")), plain(ids("apart")));
    }
}

#[test]
fn a_radius_beyond_that_of_the_store_is_asked_of_a_store_that_is_served() {
    let room = room();
    room.run(&["store", "snapshot", "codes", "apart", "-q"]).done();
    let _served = Served::on(&room, &["--log", "warn"]);
    for k in ["3", "16", "30", "64"] {
        let ask =
            |store| room.run(&["store", "query", store, "again.jsonl", "--fingerprints", "-k", k]);
        let (there, here) = (ask("codes").done(), ask("apart").done());
        assert_eq!((there.text(), &there.stderr), (here.text(), &here.stderr), "{k}");
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_of_the_store_reaches_its_socket() {
    use std::os::unix::fs::PermissionsExt;
    let room = room();
    let _served = Served::on(&room, &["--log", "warn"]);
    let mode = std::fs::metadata(room.path("codes/socket")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_snapshot_in_object_storage_is_there_whole_or_not_at_all() {
    let Some(bucket) = Bucket::start() else { return };
    let room = room();
    let expected = said(&room, "codes");
    let run = |args: &[&str]| bucket.run(&room, args);
    run(&["store", "snapshot", "codes", "s3://corpus/stopped", "-q"]).done();
    let serve = ["serve", "codes", "--listen", "127.0.0.1:0", "--snapshots", "s3://corpus/daily"];
    let served = Served::start(bucket.command(&room, &serve));
    run(&["store", "snapshot", "codes", "s3://corpus/served", "-q"]).done();
    let json = "content-type: application/json\r\n";
    assert_eq!(served.ask("POST", "/v1/snapshots", json, r#"{"name":"monday"}"#).0, 202);
    let state = || served.ask("GET", "/v1/snapshots", "", "").1;
    while state().contains("\"running\":{") {}
    assert!(state().contains("\"ended\":{") && state().contains("\"failed\":null"), "{}", state());
    for name in ["stopped", "served", "daily/monday"] {
        let store = name.replace('/', "-");
        run(&["store", "restore", &format!("s3://corpus/{name}"), &store, "-q"]).done();
        assert!(said(&room, &store) == expected, "{name}");
    }
    // The place is taken.
    let again = run(&["store", "snapshot", "codes", "s3://corpus/served"]);
    again.refused(1, "s3://corpus/served holds objects already; name a place that holds none");
    // One object is another one now; then the list is gone.
    let settings = bucket.get("served/store.toml").unwrap();
    let mut changed = settings.clone();
    changed[0] ^= 1;
    for (bytes, said) in
        [(&changed[..], "store.toml has another checksum"), (b"version = 1", "length")]
    {
        bucket.put("served/store.toml", bytes);
        let damaged = run(&["store", "restore", "s3://corpus/served", "broken"]);
        assert!(damaged.code == Some(1) && damaged.stderr.contains(said), "{damaged:?}");
    }
    bucket.put("served/store.toml", &settings);
    // A list that leads out of the folder.
    let list = bucket.get("served/copy.json").unwrap();
    let away =
        String::from_utf8(list.clone()).unwrap().replace("\"store.toml\"", "\"../out.toml\"");
    bucket.put("served/copy.json", away.as_bytes());
    let away = run(&["store", "restore", "s3://corpus/served", "broken"]);
    assert!(away.code == Some(1) && away.stderr.contains("../out.toml"), "{away:?}");
    bucket.put("served/copy.json", &list);
    bucket.delete("served/copy.json");
    let none = run(&["store", "restore", "s3://corpus/served", "broken"]);
    assert!(none.code == Some(1) && none.stderr.contains("no copy of a folder"), "{none:?}");
    assert!(!room.path("broken").exists() && !room.path("codes/leaving").exists());
}
