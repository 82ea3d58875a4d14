//! A disk that fills, a folder that goes, a clock that is set back: clear errors, nothing lost.

use crate::room::{Room, document, options, random, settings};
use nearprint_fingerprint::Fingerprint;
use nearprint_store::{Document, Error, Outcome, Store, Write};
use nearprint_testing::SmallDisk;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

fn large(number: u64) -> Document {
    let noise: Vec<String> = (0..200).map(|at| random(number << 8 ^ at).to_string()).collect();
    let metadata = Some(format!("[{}]", noise.join(",")));
    Document { metadata, ..document(number, random(number)) }
}

/// Tries a write until the store takes it.
fn try_until_taken(store: &Store, document: &Document) {
    let begun = Instant::now();
    while let Err(error) = store.write(Write::Add(document.clone())) {
        assert!(matches!(error, Error::ReadOnly { .. }), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{error}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_makes_the_store_read_only_until_there_is_room() {
    let room = Room::new();
    let Some(small) = SmallDisk::mount(room.path("small"), 24 << 20) else { return };
    let path = small.folder().join("store");
    fs::write(small.folder().join("filler"), vec![1; 16 << 20]).unwrap();
    let store = Store::create_with(&path, &settings(), &options()).unwrap();
    let mut stored = 0;
    let error = loop {
        let writes = (stored..stored + 10).map(|number| Write::Add(large(number))).collect();
        let mut outcomes = store.write_all(writes).unwrap().into_iter();
        match outcomes.find_map(Result::err) {
            None => stored += 10,
            Some(error) => break error,
        }
    };
    assert!(stored > 100 && matches!(error, Error::ReadOnly { .. }), "{stored}: {error}");
    assert!(store.stats().unwrap().read_only.is_some());
    // Reads go on, writes are refused.
    for number in (0..stored).step_by(7) {
        assert_eq!(store.get(&number.to_string()).unwrap().unwrap().sketch, large(number).sketch);
        assert!(store.check(Fingerprint::from(random(number))).unwrap().is_some());
    }
    assert!(matches!(store.delete("0"), Err(Error::ReadOnly { .. })));
    fs::remove_file(small.folder().join("filler")).unwrap();
    try_until_taken(&store, &large(1 << 40));
    assert_eq!(store.stats().unwrap().read_only, None);
    let all = || (0..stored).all(|number| store.get(&number.to_string()).unwrap().is_some());
    assert!(all());
    store.verify().unwrap();
    drop(store);
    let store = Store::open_with(&path, &options()).unwrap();
    assert!(store.get(&(1_u64 << 40).to_string()).unwrap().is_some());
    assert!(store.verify().unwrap().documents > stored);
}

#[test]
fn a_folder_that_goes_and_comes_back_loses_nothing() {
    let room = Room::new();
    let store = room.store();
    for number in 0..100 {
        store.write(Write::Add(document(number, random(number)))).unwrap();
    }
    let (folder, away) = (room.path("store/segments"), room.path("away"));
    fs::rename(&folder, &away).unwrap();
    let error = store.compact().unwrap_err().to_string();
    assert!(error.contains("read-only") && error.contains("segments"), "{error}");
    assert!(store.check(Fingerprint::from(random(7))).unwrap().is_some());
    fs::rename(&away, &folder).unwrap();
    // Nobody writes, and the store takes writes again.
    let begun = Instant::now();
    while !store.takes_writes() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{:?}",
            store.stats().unwrap().read_only
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(store.write(Write::Add(document("last", random(1000)))).unwrap(), Outcome::New);
    store.compact().unwrap();
    assert_eq!(store.verify().unwrap().searched, 101);
}

#[test]
fn a_snapshot_is_refused_where_it_would_do_harm() {
    let room = Room::new();
    let store = room.store();
    store.write(Write::Add(document("a", 1))).unwrap();
    let refused = |place: &str| store.snapshot(room.path(place)).unwrap_err();
    for place in ["store/segments/copy", "store/truth/keyspaces/copy"] {
        let error = refused(place);
        assert!(matches!(error, Error::Inside { .. }), "{error}");
    }
    // As where the disk of the backups is not mounted.
    let error = refused("backups/monday");
    assert!(matches!(&error, Error::NoFolder { path } if *path == room.path("backups")), "{error}");
    assert!(!room.path("backups").exists());
    assert_eq!(store.verify().unwrap().documents, 1);
}

#[test]
fn what_somebody_else_keeps_under_an_unfinished_name_stays() {
    let room = Room::new();
    let kept = room.path("store.unfinished/kept");
    fs::create_dir(kept.parent().unwrap()).unwrap();
    fs::write(&kept, "").unwrap();
    let error = Store::create_with(room.path("store"), &settings(), &options()).map(drop);
    assert!(matches!(error, Err(Error::Taken { path, .. }) if path == kept.parent().unwrap()));
    assert!(kept.exists() && !room.path("store").exists());
}

#[test]
fn a_snapshot_that_fails_leaves_nothing_and_may_be_tried_again() {
    let room = Room::new();
    let store = room.store();
    for number in 0..100 {
        store.write(Write::Add(document(number, random(number)))).unwrap();
    }
    store.compact().unwrap();
    let (segments, away) = (room.path("store/segments"), room.path("away"));
    let (new, empty) = (room.path("new"), room.path("empty"));
    fs::create_dir(&empty).unwrap();
    fs::rename(&segments, &away).unwrap();
    for copy in [&new, &empty] {
        assert!(matches!(store.snapshot(copy), Err(Error::Io { .. })));
    }
    assert!(!new.exists() && fs::read_dir(&empty).unwrap().next().is_none());
    fs::rename(&away, &segments).unwrap();
    for copy in [&new, &empty] {
        store.snapshot(copy).unwrap();
        let copy = Store::open_with(copy, &options()).unwrap();
        assert_eq!(copy.verify().unwrap().documents, 100);
    }
}

/// Makes all folders of a store read-only, or takes that back.
#[cfg(target_os = "linux")]
fn permit(folder: &Path, writes: bool) {
    use std::os::unix::fs::PermissionsExt;
    let mode = if writes { 0o700 } else { 0o500 };
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            permit(&path, writes);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_that_loses_its_permissions_is_read_only_until_they_are_back() {
    use rustix::process::{Uid, geteuid};
    if geteuid().is_root() {
        // Root may do everything: this thread, and those that it begins, are somebody else.
        rustix::thread::set_thread_res_uid(None, Uid::from_raw(65534), None).unwrap();
    }
    let room = Room::new();
    let path = room.path("store");
    let store = room.store();
    store.write(Write::Add(large(0))).unwrap();
    permit(&path, false);
    let (mut stored, begun) = (1, Instant::now());
    let error = loop {
        let writes = (stored..stored + 10).map(|number| Write::Add(large(number))).collect();
        match store.write_all(writes).unwrap().into_iter().find_map(Result::err) {
            None => stored += 10,
            Some(error) => break error,
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{stored}");
    };
    assert!(matches!(error, Error::ReadOnly { .. }), "{error}");
    assert!(error.to_string().to_lowercase().contains("permission"), "{error}");
    assert!(store.check(large(stored - 1).sketch).unwrap().is_some());
    permit(&path, true);
    try_until_taken(&store, &document("last", random(1 << 50)));
    drop(store);
    let store = room.open();
    assert!((0..stored).all(|number| store.get(&number.to_string()).unwrap().is_some()));
    store.verify().unwrap();
    drop(store);

    fs::remove_file(path.join("lock")).unwrap();
    permit(&path, false);
    let error = Store::open_with(&path, &options()).err().unwrap().to_string();
    assert!(error.contains("lock") && error.contains("ermission"), "{error}");
    permit(&path, true);
}

#[test]
fn a_clock_that_is_set_back_changes_no_order() {
    let room = Room::new();
    let store = room.store();
    for (number, time) in [9, 5, 7, 1].into_iter().enumerate() {
        let twin = Document { time, ..document(number, 0xff) };
        assert_eq!(store.write(Write::Add(twin)).unwrap(), Outcome::New);
    }
    let times: Vec<_> = store.scan().unwrap().map(|document| document.unwrap().time).collect();
    assert_eq!(times, [9, 5, 7, 1]);
    let near = store.check(Fingerprint::from(0xff_u64)).unwrap().unwrap();
    assert_eq!(near.id, "0");
}
