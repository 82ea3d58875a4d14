//! Segments that are damaged or lost, and writes that the database lost.

use crate::room::{Room, document, options, random, segments, settings};
use nearprint_fingerprint::{Fingerprint, Width};
use nearprint_store::{Document, Error, Settings, Store, Threshold, Write};
use nearprint_testing::files;
use std::fs;

/// A store of one small segment, closed.
fn small(room: &Room, documents: u64) {
    let store = room.store();
    let writes =
        (0..documents).map(|number| Write::Add(document(number, random(number)))).collect();
    store.write_all(writes).unwrap();
    store.delete("1").unwrap();
    store.compact().unwrap();
}

#[test]
fn a_flipped_byte_of_a_segment_is_found_or_harmless() {
    let room = Room::new();
    small(&room, 24);
    let path = room.path("store");
    let [file] = &segments(&path)[..] else { panic!("one segment") };
    let whole = fs::read(file).unwrap();
    let (mut repaired, mut found) = (0, 0);
    for at in 0..whole.len() {
        // A repair makes another file.
        let file = segments(&path).pop().unwrap();
        let mut bytes = fs::read(&file).unwrap();
        assert_eq!(bytes.len(), whole.len());
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        let store = room.open();
        if store.repairs().is_empty() {
            // Damaged beyond the footer: no panic, and a search or `verify` tells.
            for number in 0..24 {
                let _any = store.check(Fingerprint::from(random(number)));
            }
            let verified = store.verify();
            if !store.stats().unwrap().damage.is_empty() && verified.is_ok() {
                found += 1;
                drop(store);
                assert_eq!(room.open().verify().unwrap().searched, 23);
            } else if let Err(error) = verified {
                assert!(error.to_string().contains("segment"), "{error}");
                found += 1;
                drop(store);
                let store = Store::rebuild(&path, &options()).unwrap();
                assert_eq!(store.verify().unwrap().searched, 23);
            } else {
                bytes[at] ^= 1 << (at % 8);
                drop(store);
                fs::write(&file, &bytes).unwrap();
            }
        } else {
            repaired += 1;
            assert_eq!(store.verify().unwrap().searched, 23);
        }
    }
    assert!(repaired > 50 && found > 100, "{repaired} {found} of {}", whole.len());
}

#[test]
fn segments_without_tables_answer_within_the_radius() {
    let room = Room::new();
    let (path, k) = (room.path("wide"), 32);
    let settings = Settings { recipe: None, width: Width::W128, threshold: Threshold::Radius(k) };
    let store = Store::create_with(&path, &settings, &options()).unwrap();
    // Each of some centres with up to 44 bits turned over.
    let words = |number: u64| {
        let near = (0..number % 45).fold(random(number % 7), |word, bit| word ^ 1 << bit);
        [near, random(9 + number % 7)]
    };
    let document =
        |number: u64| Document::new(number.to_string(), Fingerprint::from_words(words(number)));
    store.write_all((0..60).map(|number| Write::Add(document(number))).collect()).unwrap();
    store.compact().unwrap();
    let [file] = &segments(&path)[..] else { panic!("one segment") };
    let bytes = fs::read(file).unwrap();
    assert_eq!(bytes[bytes.len() - 12], 3, "a segment without tables");
    drop(store);
    let store = Store::open_with(&path, &options()).unwrap();
    for number in 0..200 {
        let query = Fingerprint::from_words({
            let [low, high] = words(number * 11);
            [low, high ^ 1]
        });
        let near =
            (0..60).map(|other| query.distance(&Fingerprint::from_words(words(other)))).min();
        let found = store.check(query).unwrap().map(|near| near.distance);
        assert_eq!(found, near.filter(|near| *near <= k), "{number}");
    }
    store.verify().unwrap();
}

#[test]
fn lost_segments_are_made_anew() {
    let room = Room::new();
    small(&room, 1000);
    let path = room.path("store");
    for file in segments(&path) {
        fs::remove_file(file).unwrap();
    }
    let written = ["00000098.seg", "00000099.seg.unfinished"];
    written.iter().for_each(|name| fs::write(path.join("segments").join(name), "half").unwrap());
    // Somebody else's.
    let others = ["notes.txt", "lost+found", "7.seg", "0000000x.seg"];
    others.iter().for_each(|name| fs::create_dir(path.join("segments").join(name)).unwrap());
    let there = |name: &&str| path.join("segments").join(name).exists();
    let store = room.open();
    assert!(!written.iter().any(there) && others.iter().all(there));
    others.iter().for_each(|name| fs::remove_dir(path.join("segments").join(name)).unwrap());
    assert_eq!(store.repairs().len(), 1);
    assert!(store.repairs()[0].reason.contains("No such file"), "{:?}", store.repairs());
    assert_eq!(segments(&path).len(), 1);
    assert_eq!(store.verify().unwrap().searched, 999);
    assert_eq!(store.check(Fingerprint::from(random(1))).unwrap(), None);
    drop(store);
    assert!(room.open().repairs().is_empty());
    fs::remove_dir_all(path.join("segments")).unwrap();
    assert_eq!(room.open().repairs().len(), 1);
    assert_eq!(room.open().verify().unwrap().searched, 999);
}

#[test]
fn lost_settings_are_written_anew_from_their_copy() {
    let room = Room::new();
    small(&room, 100);
    let path = room.path("store");
    let (file, copy) = (path.join("store.toml"), path.join("truth/store.toml"));
    let whole = fs::read(&file).unwrap();
    assert!(fs::read(&copy).unwrap() == whole);
    let damages: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(9),
        |bytes| bytes[0] ^= 1,
        |bytes| bytes[5] ^= 128,
        |bytes| bytes.fill(0),
    ];
    for damage in damages {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&file, bytes).unwrap();
        assert_eq!(Settings::read(&path).unwrap(), settings());
        let store = room.open();
        assert_eq!(store.repairs()[0].path, file);
        assert!(store.repairs()[0].reason.contains("truth/store.toml"), "{:?}", store.repairs());
        assert!(fs::read(&file).unwrap() == whole);
    }
    // A store of an earlier release has no copy until it is opened.
    fs::remove_file(&copy).unwrap();
    assert!(room.open().repairs().is_empty());
    assert!(fs::read(&copy).unwrap() == whole);
    fs::remove_file(&file).unwrap();
    assert_eq!(room.open().repairs().len(), 1);
    fs::remove_file(&file).unwrap();
    // No store is made where one is, and it is not called lost.
    let error = Store::create_with(&path, &settings(), &options()).map(drop).unwrap_err();
    assert!(error.to_string().contains("rewrites it from"), "{error}");
    fs::remove_file(&copy).unwrap();
    let before = files(&path);
    for refused in [
        Store::open_with(&path, &options()).map(drop),
        Store::create_with(&path, &settings(), &options()).map(drop),
        Store::salvage(&path, room.path("new"), &options()).map(drop),
    ] {
        let error = refused.unwrap_err();
        assert!(matches!(&error, Error::LostSettings { path: lost } if *lost == path), "{error}");
    }
    assert_eq!(files(&path), before);
    assert!(matches!(Settings::read(&room.path("none")), Err(Error::NoStore { .. })));
}

#[test]
fn a_radius_is_changed_whole_or_not_at_all() {
    let room = Room::new();
    let path = room.path("store");
    let store = room.store();
    // Each of some centres with bits turned over.
    let code = |number: u64| (0..number % 20).fold(random(number % 7), |code, bit| code ^ 1 << bit);
    let writes = (0..400).map(|number| Write::Add(document(number, code(number)))).collect();
    store.write_all(writes).unwrap();
    store.compact().unwrap();
    store.write(Write::Add(document("recent", code(3) ^ 1 << 40))).unwrap();
    drop(store);
    let agrees = |store: &Store, k: u32| {
        assert_eq!(store.settings().threshold, Threshold::Radius(k));
        for query in (0..60).map(code) {
            let stored = (0..400).map(code).chain([code(3) ^ 1 << 40]);
            let nearest = stored.map(|other| (other ^ query).count_ones()).min();
            let found = store.check(Fingerprint::from(query ^ 1 << 50)).unwrap();
            let found = found.map(|near| near.distance);
            assert_eq!(found, nearest.map(|near| near + 1).filter(|near| *near <= k), "{k}");
        }
        store.verify().unwrap();
    };
    for k in [5, 0, 16, 3] {
        agrees(&Store::rebuild_within(&path, k, &options()).unwrap(), k);
        agrees(&room.open(), k);
    }
    let wide = Store::rebuild_within(&path, 17, &options()).map(drop);
    assert!(matches!(wide, Err(Error::WideRadius { .. })));
    // It ends before the segments are made.
    let (folder, away) = (path.join("segments"), room.path("away"));
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "a file").unwrap();
    assert!(Store::rebuild_within(&path, 9, &options()).is_err());
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    agrees(&room.open(), 3);
    // It ends when the segments are made, before the settings are written.
    let beside = path.join("store.toml.unfinished");
    for k in [1, 9] {
        fs::create_dir(&beside).unwrap();
        assert!(Store::rebuild_within(&path, k, &options()).is_err());
        fs::remove_dir(&beside).unwrap();
        agrees(&room.open(), 3);
    }
}

#[test]
fn a_segment_of_other_documents_is_found() {
    let (room, other) = (Room::new(), Room::new());
    small(&room, 24);
    let store = other.store();
    let writes = (0..24).map(|number| Write::Add(document(number, random(number + 24)))).collect();
    store.write_all(writes).unwrap();
    store.delete("1").unwrap();
    store.compact().unwrap();
    drop(store);
    let [segment, stranger] = [&room, &other].map(|room| segments(&room.path("store")).remove(0));
    fs::copy(stranger, segment).unwrap();
    let found = room.open().verify();
    assert!(matches!(found, Err(Error::Mismatch { searched: 23, stored: 23, .. })), "{found:?}");
}

#[test]
fn a_database_that_lost_acknowledged_writes_is_refused() {
    let room = Room::new();
    let path = room.path("store");
    drop(room.store());
    let before = room.path("before");
    copy(&path, &before);
    let store = room.open();
    store.write(Write::Add(document("a", 1))).unwrap();
    drop(store);
    fs::remove_dir_all(path.join("truth")).unwrap();
    copy(&before.join("truth"), &path.join("truth"));
    let Err(error) = Store::open_with(&path, &options()) else { panic!("it lost a write") };
    assert!(matches!(error, Error::LostTail { acknowledged: 1, found: 0, .. }), "{error}");
    assert!(error.to_string().contains("restore a snapshot"), "{error}");
    fs::remove_file(path.join("acknowledged")).unwrap();
    assert_eq!(room.open().stats().unwrap().documents, 0);
}

#[test]
fn a_store_knows_whether_it_knows_its_last_write() {
    let room = Room::new();
    assert!(room.store().verify().unwrap().end_known);
    room.open().write(Write::Add(document("a", 1))).unwrap();
    assert!(room.open().verify().unwrap().end_known);
    fs::remove_file(room.path("store/acknowledged")).unwrap();
    assert!(!room.open().verify().unwrap().end_known);
    room.open().write(Write::Add(document("b", 1))).unwrap();
    assert!(room.open().verify().unwrap().end_known);
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
