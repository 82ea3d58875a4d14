//! Segments that are damaged under an open store: no answer is wrong once that was seen, and they are made anew.

use crate::room::{
    Room, alike_document, alike_settings, document, options, random, segments, settings,
};
use nearprint_store::{Document, Options, Outcome, Settings, Store, Write};
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

const DOCUMENTS: u64 = 3000;

/// Overwrites a part of a file in its place, as a bad disk does: who has it mapped sees that.
fn damage(file: &Path, at: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

type Make = fn(u64, u64) -> Document;

/// A store of one segment, without document 7.
fn store(room: &Room, settings: &Settings, make: Make) -> Store {
    let store = Store::create_with(room.path("store"), settings, &options()).unwrap();
    let writes = (0..DOCUMENTS).map(|number| Write::Add(make(number, random(number)))).collect();
    store.write_all(writes).unwrap();
    store.compact().unwrap();
    store.delete("7").unwrap();
    store
}

fn kinds() -> [(Settings, Make); 2] {
    [
        (settings(), |id, code| document(id, code)),
        (alike_settings(), |id, code| alike_document(id, code)),
    ]
}

/// Each document is found, and what was deleted is not.
fn all_is_found(store: &Store, make: Make) {
    for number in (0..DOCUMENTS).step_by(97).chain([7]) {
        let found = store.check(make(number, random(number)).sketch).unwrap().map(|near| near.id);
        assert_eq!(found, (number != 7).then(|| number.to_string()), "{number}");
    }
}

fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_search_that_meets_damage_answers_without_the_segment() {
    for (settings, make) in kinds() {
        let room = Room::new();
        let path = room.path("store");
        let store = store(&room, &settings, make);
        let [file] = &segments(&path)[..] else { panic!("one segment") };
        let bytes = fs::metadata(file).unwrap().len();
        // Nothing can be made anew for now, so that documents are read one by one.
        let (folder, away) = (path.join("segments"), room.path("away"));
        fs::rename(&folder, &away).unwrap();
        let hurt = away.join(file.file_name().unwrap());
        damage(&hurt, bytes / 3, &vec![0xff; usize::try_from(bytes / 2).unwrap()]);
        // The answers up to the one that notices may be wrong.
        wait_for("a search meets the damage", || {
            for number in 0..DOCUMENTS {
                let _any = store.check(make(number, random(number)).sketch);
            }
            !store.stats().unwrap().damage.is_empty()
        });
        let stats = store.stats().unwrap();
        assert_eq!((stats.scanned, stats.segments.len(), stats.damaged), (DOCUMENTS, 0, 1));
        assert_eq!(stats.damage[0].path, *file);
        all_is_found(&store, make);
        // Writes are decided by the same documents, and go on.
        let again = make(DOCUMENTS, random(90));
        let found = store.write(Write::CheckAndAdd(again)).unwrap();
        assert!(matches!(found, Outcome::Duplicate(near) if near.id == "90"));
        assert_eq!(
            store.write(Write::Update(make(90, random(DOCUMENTS)))).unwrap(),
            Outcome::Updated
        );
        assert_eq!(store.check(make(0, random(90)).sketch).unwrap(), None);
        let found = store.write(Write::CheckAndAdd(make(DOCUMENTS, random(90)))).unwrap();
        assert_eq!(found, Outcome::New);
        assert_eq!(store.delete("291").unwrap(), Outcome::Deleted);
        assert_eq!(store.check(make(0, random(291)).sketch).unwrap(), None);
        assert!(store.takes_writes());
        store.verify().unwrap();
        let copy = room.path("copy");
        fs::rename(&away, &folder).unwrap();
        store.snapshot(&copy).unwrap();
        assert_eq!(Store::open_with(&copy, &options()).unwrap().repairs().len(), 1);
        wait_for("the segment is made anew", || store.stats().unwrap().scanned == 0);
        let verified = store.verify().unwrap();
        assert_eq!((verified.segments, verified.searched), (1, DOCUMENTS - 1));
        assert_eq!(store.check(make(0, random(291)).sketch).unwrap(), None);
        store.compact().unwrap();
        assert_eq!(store.stats().unwrap().segments[0].gone, 0);
        store.verify().unwrap();
        drop(store);
        let store = room.open();
        assert!(store.repairs().is_empty(), "{:?}", store.repairs());
        store.verify().unwrap();
    }
}

#[test]
fn a_damaged_segment_is_merged_into_no_other() {
    for (settings, make) in kinds() {
        let room = Room::new();
        let store = store(&room, &settings, make);
        let file = segments(&room.path("store")).remove(0);
        damage(&file, 100, &[0x5a; 8]);
        store.compact().unwrap();
        all_is_found(&store, make);
        assert_eq!(store.stats().unwrap().damage.len(), 1);
        assert_eq!(store.verify().unwrap().searched, DOCUMENTS - 1);
    }
}

#[test]
fn verification_tells_of_a_damaged_segment_and_drops_it() {
    for (settings, make) in kinds() {
        let room = Room::new();
        let store = store(&room, &settings, make);
        let file = segments(&room.path("store")).remove(0);
        damage(&file, 100, &[0x5a; 8]);
        let error = store.verify().unwrap_err().to_string();
        assert!(error.contains("segments/"), "{error}");
        all_is_found(&store, make);
        wait_for("the segment is made anew", || store.stats().unwrap().scanned == 0);
        assert_eq!(store.verify().unwrap().searched, DOCUMENTS - 1);
    }
}

#[test]
fn damage_that_no_search_meets_is_found_in_the_background() {
    for (settings, make) in kinds() {
        let room = Room::new();
        drop(store(&room, &settings, make));
        let path = room.path("store");
        let file = segments(&path).remove(0);
        damage(&file, 100, &[0x5a; 8]);
        let scrub = Some(Duration::from_millis(100));
        let store = Store::open_with(&path, &Options { scrub, ..options() }).unwrap();
        wait_for("the damage is found", || !store.stats().unwrap().damage.is_empty());
        wait_for("the segment is made anew", || store.stats().unwrap().scanned == 0);
        all_is_found(&store, make);
        assert_eq!(store.verify().unwrap().searched, DOCUMENTS - 1);
        assert_eq!(store.stats().unwrap().damage.len(), 1);
        // A slow reading holds up nobody who closes the store.
        drop(store);
        let slow = Options { scrub: Some(Duration::ZERO), scrub_rate: 1, ..options() };
        let store = Store::open_with(&path, &slow).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        drop(store);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_segment_whose_file_is_gone_is_told_and_made_anew() {
    for (settings, make) in kinds() {
        let room = Room::new();
        let store = store(&room, &settings, make);
        let [file] = &segments(&room.path("store"))[..] else { panic!("one segment") };
        fs::remove_file(file).unwrap();
        let copied = store.snapshot(room.path("early")).unwrap_err().to_string();
        assert!(copied.contains("store/segments/"), "what is missing is named: {copied}");
        assert!(!room.path("early").exists());
        let error = store.verify().unwrap_err();
        assert!(error.is_mended() && error.to_string().ends_with("the file is gone"), "{error}");
        wait_for("the segment", || store.stats().unwrap().scanned == 0);
        store.verify().unwrap();
        all_is_found(&store, make);
        store.snapshot(room.path("later")).unwrap();
    }
}
