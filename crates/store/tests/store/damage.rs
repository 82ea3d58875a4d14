//! Each file of a store damaged in many places: what is refused is not changed, what is opened lacks nothing, and a salvage
//! brings back all that checks.
//!
//! `NEARPRINT_DAMAGE=500` damages each file in so many places.

use crate::room::{Room, alike_settings, document, options, random, settings};
use nearprint_fingerprint::Width;
use nearprint_store::{Document, Error, Salvaged, Settings, Store, Threshold, Write};
use nearprint_testing::files;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Documents of a group of writes.
const GROUP: u64 = 20;
/// Bytes that are zeroed together.
const HOLE: usize = 512;

type Files = BTreeMap<PathBuf, Vec<u8>>;
type Documents = BTreeMap<String, Document>;

fn one(number: u64) -> Document {
    let metadata =
        number.is_multiple_of(3).then(|| format!("{{\"noise\":\"{:016x}\"}}", random(number)));
    Document { time: 1 + number, metadata, ..document(number, random(number)) }
}

fn add(store: &Store, numbers: std::ops::Range<u64>) {
    for first in numbers.clone().step_by(20) {
        let group = first..(first + GROUP).min(numbers.end);
        store.write_all(group.map(|number| Write::Add(one(number))).collect()).unwrap();
    }
}

/// How a store is left before it is damaged.
enum Left {
    /// As it was closed: the journal ends with room for more.
    Closed,
    /// Opened and closed once more.
    Opened,
    /// As a snapshot of it, whose journal is empty.
    Copied,
}

#[test]
fn damage_in_a_journal() {
    try_all(Left::Opened, |store| add(store, 0..300));
}

#[test]
fn damage_in_tables_and_a_journal() {
    try_all(Left::Closed, |store| {
        add(store, 0..600);
        store.compact().unwrap();
        add(store, 600..800);
    });
}

#[test]
fn damage_behind_deletions() {
    try_all(Left::Opened, |store| {
        add(store, 0..400);
        store.compact().unwrap();
        (0..100).step_by(3).for_each(|number| drop(store.delete(&number.to_string()).unwrap()));
        add(store, 400..600);
        store.delete("401").unwrap();
        store.write(Write::Update(Document { metadata: Some("{}".into()), ..one(50) })).unwrap();
        store.write(Write::Update(document(51, random(5151)))).unwrap();
    });
}

#[test]
fn damage_in_tables_alone() {
    try_all(Left::Copied, |store| {
        add(store, 0..900);
        store.delete("7").unwrap();
    });
}

fn read(folder: &Path) -> Files {
    let relative = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
    files(folder).into_iter().map(|path| (relative(&path), fs::read(&path).unwrap())).collect()
}

fn write(folder: &Path, all: &Files) {
    fs::create_dir_all(folder.join("segments")).unwrap();
    for (path, bytes) in all {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // What a journal will be written to is a hole.
        let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        fs::write(&path, &bytes[..bytes.len() - zeros]).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(bytes.len() as u64).unwrap();
    }
}

fn documents(store: &Store) -> Documents {
    let all = store.scan().unwrap().map(Result::unwrap);
    all.map(|document| (document.id.clone(), document)).collect()
}

/// Damages a file at a place: each kind of damage in turn.
fn damage(bytes: &[u8], at: usize, case: u64) -> (&'static str, Vec<u8>) {
    let mut damaged = bytes.to_vec();
    match case % 3 {
        0 => {
            damaged[at] ^= 1 << (random(!case) % 8);
            ("a flip", damaged)
        }
        1 => {
            let end = (at + HOLE).min(damaged.len());
            damaged[at..end].fill(0);
            ("zeros", damaged)
        }
        _ => {
            damaged.truncate(at);
            ("a cut", damaged)
        }
    }
}

#[derive(Debug, Default)]
struct Seen {
    refused: u64,
    opened: u64,
    /// Salvages that lack nothing, and that say what they lack.
    whole: u64,
    lacking: u64,
}

impl Seen {
    fn and(self, other: Self) -> Self {
        Self {
            refused: self.refused + other.refused,
            opened: self.opened + other.opened,
            whole: self.whole + other.whole,
            lacking: self.lacking + other.lacking,
        }
    }
}

/// Damages each file of a store in each place of some, and tries what becomes of it.
fn try_all(left: Left, make: impl Fn(&Store)) {
    let places = std::env::var("NEARPRINT_DAMAGE").map_or(2, |places| places.parse().unwrap());
    let room = Room::in_memory();
    let store = room.store();
    make(&store);
    let path = match left {
        Left::Copied => {
            store.snapshot(room.path("copy")).unwrap();
            room.path("copy")
        }
        _ => room.path("store"),
    };
    drop(store);
    if let Left::Opened = left {
        drop(room.open());
    }
    let whole = read(&path);
    let expected = documents(&Store::open_with(&path, &options()).unwrap());
    let of_file = |(file, bytes): (&PathBuf, &Vec<u8>)| {
        let end = bytes.len() - bytes.iter().rev().take_while(|byte| **byte == 0).count();
        vec![(file.clone(), end); usize::try_from(places.min(8 * end as u64)).unwrap()]
    };
    let cases: Vec<_> = whole.iter().flat_map(of_file).collect();
    let next = AtomicUsize::new(0);
    let try_some = || {
        let mut seen = Seen::default();
        while let Some((case, (file, end))) = take(&cases, &next) {
            let at = usize::try_from(random(case) % *end as u64).unwrap();
            let (kind, damaged) = damage(&whole[file], at, case);
            let told = format!("{kind} at byte {at} of {end} of {}", file.display());
            let mut hurt = whole.clone();
            if hurt.insert(file.clone(), damaged).as_ref() != hurt.get(file) {
                try_one(&told, &hurt, &expected, &mut seen);
            }
        }
        seen
    };
    // Each of the tests has some of the processors.
    let threads = thread::available_parallelism().unwrap().get().div_ceil(4);
    let seen = thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(try_some)).collect();
        all.into_iter().map(|one| one.join().unwrap()).fold(Seen::default(), Seen::and)
    });
    assert!(seen.refused > 10 && seen.opened > 1 && seen.whole > 10, "{seen:?}");
}

/// The next case and its number, from 1.
fn take<'a, T>(cases: &'a [T], next: &AtomicUsize) -> Option<(u64, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at as u64 + 1, case))
}

fn try_one(told: &str, hurt: &Files, expected: &Documents, seen: &mut Seen) {
    let room = Room::in_memory();
    let (path, new) = (room.path("store"), room.path("new"));
    write(&path, hurt);
    let salvaged = Store::salvage(&path, &new, &options());
    assert!(read(&path) == *hurt, "{told}: a salvage changed the store");
    match Store::open_with(&path, &options()) {
        Err(error) => {
            seen.refused += 1;
            let after = read(&path);
            let changed: Vec<_> = hurt
                .keys()
                .chain(after.keys())
                .filter(|file| hurt.get(*file) != after.get(*file))
                .collect();
            assert!(changed.is_empty(), "{told}: {error}, and {changed:?} changed");
        }
        Ok(store) => {
            seen.opened += 1;
            match store.verify() {
                Ok(verified) => assert_eq!(verified.documents, expected.len() as u64, "{told}"),
                // Segments are made anew.
                Err(error) => assert!(error.is_mended(), "{told}: {error}"),
            }
            assert!(documents(&store) == *expected, "{told}: other documents");
        }
    }
    match salvaged {
        // Without a word of what the store was made for, or with nothing that could be read.
        Err(error) => {
            let none = error.to_string();
            assert!(
                none.contains("store.toml") || none.contains("nothing of it"),
                "{told}: {none}"
            );
        }
        Ok(salvaged) => {
            compare(told, &salvaged, &Store::open_with(&new, &options()).unwrap(), expected, seen)
        }
    }
}

fn compare(told: &str, salvaged: &Salvaged, new: &Store, expected: &Documents, seen: &mut Seen) {
    let found = documents(new);
    assert_eq!(salvaged.documents, found.len() as u64, "{told}");
    let missing: Vec<_> = expected.keys().filter(|id| !found.contains_key(*id)).collect();
    let other: Vec<_> = found.iter().filter(|(id, one)| expected.get(*id) != Some(one)).collect();
    if salvaged.is_whole() {
        seen.whole += 1;
        assert!(missing.is_empty() && other.is_empty(), "{told}: {missing:?}, {other:?}");
        return;
    }
    seen.lacking += 1;
    // A hole of some hundred bytes meets two blocks or groups at most, and no record behind it.
    let most = if told.contains("a cut") { usize::MAX } else { 2 * 250 };
    assert!(missing.len() <= most, "{told}: {salvaged:?}: {} are missing", missing.len());
    // Only the deletions of groups that are missing may be undone.
    assert!(other.is_empty() || salvaged.groups_missing > 0, "{told}: {salvaged:?}: {other:?}");
}

/// A store in tables alone, another one of the same kind, and their files.
fn two(room: &Room) -> (Files, Files, Documents) {
    let store = room.store();
    add(&store, 0..600);
    store.delete("7").unwrap();
    store.snapshot(room.path("one")).unwrap();
    let expected = documents(&store);
    store.write(Write::Update(Document { metadata: Some("{}".into()), ..one(50) })).unwrap();
    add(&store, 600..700);
    store.snapshot(room.path("other")).unwrap();
    (read(&room.path("one")), read(&room.path("other")), expected)
}

#[test]
fn a_table_of_elsewhere_is_not_taken_for_the_one_that_was_there() {
    let room = Room::in_memory();
    let (whole, later, expected) = two(&room);
    let is_table = |file: &&PathBuf| file.parent().is_some_and(|folder| folder.ends_with("tables"));
    let tables: Vec<_> = whole.keys().filter(is_table).collect();
    let of_documents = *tables.iter().find(|file| file.starts_with("truth/keyspaces/1")).unwrap();
    let mut seen = Seen::default();
    for place in &tables {
        for from in &tables {
            if whole[*place] == whole[*from] {
                continue;
            }
            let mut swapped = whole.clone();
            swapped.insert((*place).clone(), whole[*from].clone());
            try_one(
                &format!("{} as {}", from.display(), place.display()),
                &swapped,
                &expected,
                &mut seen,
            );
            swapped.insert((*from).clone(), whole[*place].clone());
            let before = seen.whole;
            try_one(
                &format!("{} and {} swapped", from.display(), place.display()),
                &swapped,
                &expected,
                &mut seen,
            );
            assert_eq!(seen.whole, before + 1, "both tables are there");
        }
        if let Some(table) = later.get(*place) {
            let mut stale = whole.clone();
            if stale.insert((*place).clone(), table.clone()).as_ref() != Some(table) {
                try_one(&format!("a later {}", place.display()), &stale, &expected, &mut seen);
            }
        }
    }
    // A whole keyspace in the place of another, and one that lists fewer tables than it had.
    for (place, from) in [1, 4, 5].iter().flat_map(|place| (1..7).map(move |from| (place, from))) {
        let [place, from] = [*place, from].map(|number| format!("truth/keyspaces/{number}"));
        if place == from {
            continue;
        }
        let mut moved = whole.clone();
        moved.retain(|file, _| !file.starts_with(&place));
        for (file, bytes) in whole.iter().filter(|(file, _)| file.starts_with(&from)) {
            moved.insert(Path::new(&place).join(file.strip_prefix(&from).unwrap()), bytes.clone());
        }
        // What was deleted is told by the documents too.
        let lacks = place.ends_with('1');
        salvage_says(&format!("{from} as {place}"), lacks, &room, &moved, &expected);
    }
    let mut few = whole.clone();
    few.remove(of_documents);
    for name in ["current", "v0", "v1"] {
        let (list, empty) =
            (format!("truth/keyspaces/1/{name}"), format!("truth/keyspaces/4/{name}"));
        few.remove(Path::new(&list));
        if let Some(bytes) = whole.get(Path::new(&empty)) {
            few.insert(list.into(), bytes.clone());
        }
    }
    salvage_says("a list of no tables", true, &room, &few, &expected);
    assert!(seen.refused > 10 && seen.whole > 10 && seen.lacking > 2, "{seen:?}");
}

/// What a salvage brings over is of the store, and it says whether that is all.
fn salvage_says(told: &str, lacks: bool, room: &Room, files: &Files, expected: &Documents) {
    let (path, new) = (room.path("moved"), room.path("salvaged"));
    write(&path, files);
    if let Ok(salvaged) = Store::salvage(&path, &new, &options()) {
        assert_eq!(salvaged.is_whole(), !lacks, "{told}: {salvaged:?}");
        let found = documents(&Store::open_with(&new, &options()).unwrap());
        assert!(found.iter().all(|(id, one)| expected.get(id) == Some(one)), "{told}");
        fs::remove_dir_all(&new).unwrap();
    }
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn settings_of_another_store_are_refused() {
    let room = Room::in_memory();
    drop(room.store());
    let path = room.path("store");
    let whole = read(&path);
    let others = [
        Settings::ready_made(Width::W128),
        Settings { threshold: Threshold::Radius(5), ..settings() },
        alike_settings(),
    ];
    for other in others {
        for file in ["store.toml", "truth/store.toml"] {
            let mut hurt = whole.clone();
            hurt.insert(file.into(), other.to_toml().unwrap().into_bytes());
            write(&path, &hurt);
            for refused in [
                Store::open_with(&path, &options()).map(drop),
                Store::rebuild(&path, &options()).map(drop),
                Store::salvage(&path, room.path("new"), &options()).map(drop),
            ] {
                let error = refused.unwrap_err();
                assert!(matches!(error, Error::OtherSettings { .. }), "{file}: {error}");
            }
            assert!(read(&path) == hurt, "{file}: it was changed");
            // What it says to do.
            fs::remove_file(path.join(file)).unwrap();
            drop(room.open());
            assert!(read(&path)[Path::new(file)] == whole[Path::new(file)]);
        }
    }
}

#[test]
fn a_version_that_the_copy_does_not_have_is_none_of_a_later_release() {
    let room = Room::in_memory();
    drop(room.store());
    let (path, file) = (room.path("store"), room.path("store").join("store.toml"));
    let (whole, later) = (read(&path), |text: String| text.replace("version = 1", "version = 9"));
    fs::write(&file, later(fs::read_to_string(&file).unwrap())).unwrap();
    let hurt = read(&path);
    let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
    let salvaged = Store::salvage(&path, room.path("new"), &options()).map(drop);
    assert_eq!(error.to_string(), salvaged.unwrap_err().to_string());
    assert!(matches!(error, Error::OtherSettings { .. }), "{error}");
    assert!(read(&path) == hurt);
    // What it says to do.
    fs::remove_file(&file).unwrap();
    drop(room.open());
    assert!(read(&path)[Path::new("store.toml")] == whole[Path::new("store.toml")]);
    // A later release has its version in both.
    for file in [file, path.join("truth/store.toml")] {
        fs::write(&file, later(fs::read_to_string(&file).unwrap())).unwrap();
    }
    let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
    assert!(matches!(error, Error::Version { found: 9, .. }), "{error}");
}

#[test]
fn a_journal_that_cannot_be_read_is_no_end_where_no_file_tells_the_end() {
    let room = Room::in_memory();
    let store = room.store();
    add(&store, 0..100);
    drop(store);
    let path = room.path("store");
    let mut whole = read(&path);
    whole.remove(Path::new("acknowledged"));
    let journal = whole.keys().find(|file| file.extension().is_some_and(|it| it == "jnl"));
    let journal = journal.unwrap().clone();
    let bytes = &whole[&journal];
    let end = bytes.len() - bytes.iter().rev().take_while(|byte| **byte == 0).count();
    for at in [0, end / 2, end - 4, end] {
        let mut hurt = whole.clone();
        // Also one that is empty.
        let cut = if at == end {
            Vec::new()
        } else {
            bytes[..at].iter().copied().chain([7; 20]).collect()
        };
        hurt.insert(journal.clone(), cut);
        fs::remove_dir_all(&path).unwrap();
        write(&path, &hurt);
        let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
        assert!(error.to_string().contains("acknowledged"), "{at}: {error}");
        hurt.entry("lock".into()).or_default();
        assert!(read(&path) == hurt, "{at}: it was changed");
        match Store::salvage(&path, room.path("new"), &options()) {
            Ok(salvaged) => assert!(!salvaged.is_whole(), "{at}: {salvaged:?}"),
            Err(error) => assert!(error.to_string().contains("nothing of it"), "{at}: {error}"),
        }
        let _none = fs::remove_dir_all(room.path("new"));
    }
}
