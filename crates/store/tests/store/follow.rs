//! A copy that follows a store: once it has caught up, the two are the same, whatever happened on the way. A position
//! of another history is refused.

use crate::room::{Room, alike_document, alike_settings, document, options, random, settings};
use nearprint_fingerprint::Fingerprint;
use nearprint_store::{
    Change, ChangeRow, ChangeRows, Copying, Cursor, Document, Error, Options, Settings, Store,
    Write,
};
use std::path::Path;

/// All documents with their numbers.
fn all(store: &Store) -> Vec<(u64, Document)> {
    store.moment().unwrap().collect::<Result<_, _>>().unwrap()
}

/// The two are the same, and the copy is whole in itself.
#[track_caller]
fn same(copy: &Store, leader: &Store) {
    assert_eq!(copy.position(), leader.position());
    assert!(copy.is_whole());
    assert_eq!(all(copy), all(leader));
    assert_eq!((copy.len(), copy.verify().unwrap().documents), (leader.len(), leader.len()));
}

/// Makes a copy of the store as it is now.
fn copy(leader: &Store, path: &Path, options: &Options) -> Store {
    let mut copying = Copying::begin(path, leader.settings(), options).unwrap();
    let mut moment = leader.moment().unwrap();
    for row in moment.by_ref() {
        let (number, document) = row.unwrap();
        copying.take(number, document).unwrap();
    }
    copying.finish(moment.reached(), moment.is_whole()).unwrap();
    Store::open_with(path, options).unwrap()
}

/// Takes over one portion, by way of rows; returns where the next one begins, and whether that was all.
fn step(
    copy: &Store,
    leader: &Store,
    from: Cursor,
    bytes: usize,
    rows: &mut ChangeRows,
) -> (Cursor, bool) {
    let portion = leader.changes(&from, bytes).unwrap();
    let read = |change: &Change| {
        let ChangeRow::Change(read) = rows.read(&rows.clone().write(change)).unwrap() else {
            unreachable!("a change is read as one");
        };
        // Documents of a group that were deleted since are not sent.
        match (&read, change) {
            (Change::Group(read), Change::Group(group)) => {
                assert_eq!(read.position(), group.position());
            }
            _ => assert_eq!(read, *change),
        }
        read
    };
    let changes: Vec<_> = portion.changes.iter().map(read).collect();
    copy.follow(changes, portion.whole.then_some(portion.now)).unwrap();
    (portion.cursor, portion.whole)
}

fn catch_up(copy: &Store, leader: &Store, bytes: usize) {
    let mut rows = ChangeRows::of(leader.settings()).unwrap();
    let (mut cursor, mut whole) = (copy.position().into(), false);
    while !whole {
        (cursor, whole) = step(copy, leader, cursor, bytes, &mut rows);
    }
}

/// Writes of every kind, as a seed says.
fn writes(seed: u64, alike: bool) -> Vec<Write> {
    let one = |at: u64| {
        let random = random(seed << 20 | at);
        let (id, code) = (format!("id {}", random % 97), (random >> 8 << 8) | (random % 3));
        let made = if alike { alike_document(&id, code) } else { document(&id, code) };
        let metadata = (random % 5 < 2).then(|| format!("{{\"n\":{at}}}"));
        let wide = Document {
            id: id.clone(),
            sketch: nearprint_store::Sketch {
                fingerprint: made.sketch.fingerprint,
                flags: made.sketch.flags,
                content: 0,
                bands: made.sketch.bands,
                keys: Vec::new(),
                weights: Vec::new(),
                code: None,
            },
            time: 0,
            metadata,
        };
        match random >> 40 & 7 {
            0 => Write::Add(wide),
            1 => Write::CheckAndAdd(wide),
            2 => Write::CheckAndUpdate(wide),
            3 | 4 => Write::Delete(id),
            _ => Write::Update(wide),
        }
    };
    (0..1 + random(seed) % 60).map(one).collect()
}

/// A leader, a copy that follows it in portions of random sizes and is reopened at times in the middle of a group, and a
/// copy of the copy.
fn follows(alike: bool) {
    let room = Room::new();
    let settings: Settings = if alike { alike_settings() } else { settings() };
    let leader = Store::create_with(room.path("leader"), &settings, &options()).unwrap();
    leader.write_all(writes(0, alike)).unwrap();
    let path = room.path("copy");
    let mut first = copy(&leader, &path, &options());
    same(&first, &leader);
    let second = copy(&first, &room.path("second"), &options());
    let mut rows = ChangeRows::of(&settings).unwrap();
    let mut cursor = Cursor::from(first.position());
    for round in 1..120 {
        leader.write_all(writes(round, alike)).unwrap();
        match random(round) % 6 {
            0 => {
                // What was not committed with a position is taken over again.
                drop(first);
                first = Store::open_with(&path, &options()).unwrap();
                cursor = first.position().into();
                rows = ChangeRows::of(&settings).unwrap();
            }
            1 => {
                catch_up(&first, &leader, 1 << 20);
                same(&first, &leader);
                catch_up(&second, &first, 300);
                same(&second, &leader);
                cursor = first.position().into();
                rows = ChangeRows::of(&settings).unwrap();
            }
            2 => leader.compact().unwrap(),
            _ => {}
        }
        let bytes = usize::try_from(random(round) % 4000).unwrap() + 1;
        cursor = step(&first, &leader, cursor, bytes, &mut rows).0;
    }
    catch_up(&first, &leader, 1 << 20);
    first.compact().unwrap();
    same(&first, &leader);
    catch_up(&second, &leader, 1 << 20);
    same(&second, &leader);
    // A copy is searched as its leader is.
    for (_, document) in all(&leader) {
        let sketch = document.sketch;
        assert_eq!(first.check(sketch.clone()).unwrap(), leader.check(sketch).unwrap());
    }
}

#[test]
fn a_copy_that_has_caught_up_is_the_same() {
    follows(false);
}

#[test]
fn a_copy_by_similarity_that_has_caught_up_is_the_same() {
    follows(true);
}

fn add(store: &Store, id: &str, code: u64) {
    store.add(id, Fingerprint::<1>::from(code)).unwrap();
}

fn leader(room: &Room) -> Store {
    let leader = Store::create_with(room.path("leader"), &settings(), &options()).unwrap();
    (1..50_u64).for_each(|at| add(&leader, &at.to_string(), random(at)));
    leader
}

#[test]
fn a_leader_that_was_restored_to_an_older_state_is_told_from_the_one_before() {
    let room = Room::new();
    let store = leader(&room);
    store.snapshot(room.path("older")).unwrap();
    add(&store, "later", 3);
    let copy = copy(&store, &room.path("copy"), &options());
    drop(store);
    let restored = Store::open(room.path("older")).unwrap();
    let refused = |asked| match restored.changes(&copy.position().into(), 1000).unwrap_err() {
        Error::OtherHistory { asked: 50, reached } => assert_eq!(reached, asked),
        other => panic!("{other}"),
    };
    refused(49);
    // It writes on: the same documents with another content, at the same numbers.
    add(&restored, "later", 0xfff);
    refused(50);
    add(&restored, "and later", 3);
    refused(51);
    // A copy of the older state goes on.
    let snapshot = room.path("snapshot");
    restored.snapshot(&snapshot).unwrap();
    add(&restored, "last", 0xffff);
    let second = Store::open(&snapshot).unwrap();
    catch_up(&second, &restored, 1000);
    same(&second, &restored);
    // One that is written to apart does not.
    add(&second, "apart", 5);
    add(&restored, "other", 5);
    let apart = restored.changes(&second.position().into(), 1000).unwrap_err();
    assert!(matches!(apart, Error::OtherHistory { .. }), "{apart}");
    let empty = Store::create(room.path("empty"), &settings()).unwrap();
    let foreign = restored.changes(&empty.position().into(), 1000).unwrap_err();
    assert!(matches!(foreign, Error::PositionGone { asked: 0, .. } | Error::OtherHistory { .. }));
}

#[test]
fn only_so_many_changes_are_kept() {
    let room = Room::new();
    let few = Options { keep_changes: 4000, ..options() };
    let leader = Store::create_with(room.path("leader"), &settings(), &few).unwrap();
    let begin = leader.position();
    (0..100_u64).for_each(|at| add(&leader, &at.to_string(), random(at)));
    let copy = copy(&leader, &room.path("copy"), &few);
    (100..150_u64).for_each(|at| add(&leader, &at.to_string(), random(at)));
    catch_up(&copy, &leader, 100);
    same(&copy, &leader);
    let behind = copy.position();
    (150..600_u64).for_each(|at| add(&leader, &at.to_string(), random(at)));
    for position in [begin, behind] {
        match leader.changes(&position.into(), 100).unwrap_err() {
            Error::PositionGone { asked, first } => {
                // A group takes 37 bytes.
                assert_eq!(asked, position.groups());
                assert!((600 - 4000 / 37 - 64..=600 - 4000 / 37).contains(&first), "{first}");
            }
            other => panic!("{other}"),
        }
    }
    drop(leader);
    let again = Store::open_with(room.path("leader"), &few).unwrap();
    assert!(matches!(again.changes(&behind.into(), 100), Err(Error::PositionGone { .. })));
}

#[test]
fn an_unfinished_copy_is_no_store_and_is_begun_anew() {
    let room = Room::new();
    let store = leader(&room);
    let path = room.path("copy");
    let begin = || Copying::begin(&path, store.settings(), &options());
    let mut copying = begin().unwrap();
    for row in store.moment().unwrap().take(20) {
        let (number, document) = row.unwrap();
        copying.take(number, document).unwrap();
    }
    assert!(matches!(begin(), Err(Error::InUse { .. })));
    let reached = store.moment().unwrap().reached();
    assert!(matches!(copying.finish(reached, true), Err(Error::Diverged { .. })));
    assert!(matches!(Store::open(&path), Err(Error::NoStore { .. })));
    drop(begin().unwrap());
    let copy = copy(&store, &path, &options());
    same(&copy, &store);
    assert!(copy.repairs().is_empty());
    drop(copy);
    assert!(matches!(begin(), Err(Error::Taken { .. })));
    // What is somebody else's stays.
    let other = room.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("mine"), "mine").unwrap();
    let taken = Copying::begin(&other, store.settings(), &options());
    assert!(matches!(taken, Err(Error::Taken { .. })));
    assert_eq!(std::fs::read_to_string(other.join("mine")).unwrap(), "mine");
}

#[test]
fn a_copy_that_is_behind_and_then_written_to_has_a_history_of_its_own() {
    let room = Room::new();
    let store = leader(&room);
    let [behind, exact] =
        ["behind", "exact"].map(|name| copy(&store, &room.path(name), &options()));
    // The documents of these groups change again.
    (0..20_u64).for_each(|at| add(&store, &format!("new {at}"), random(1000 + at)));
    let position = exact.position();
    catch_up(&exact, &store, 1 << 20);
    store.delete("new 3").unwrap();
    let portion = store.changes(&position.into(), 600).unwrap();
    assert!(!portion.whole);
    behind.follow(portion.changes, None).unwrap();
    assert!(!behind.is_whole() && behind.get("new 3").unwrap().is_none());
    // Nobody takes it for a store that was at that position.
    let reached = behind.position();
    assert!(!behind.changes(&reached.into(), 1000).unwrap().whole);
    add(&behind, "own", 1);
    assert!(behind.is_whole());
    for position in [reached, exact.position()] {
        assert!(behind.changes(&position.into(), 1000).is_err());
    }
    let fresh = copy(&behind, &room.path("fresh"), &options());
    add(&behind, "more", 2);
    catch_up(&fresh, &behind, 1000);
    same(&fresh, &behind);
}

#[test]
fn changes_that_do_not_fit_are_refused_whole() {
    let room = Room::new();
    let store = leader(&room);
    let copy = copy(&store, &room.path("copy"), &options());
    let before = all(&copy);
    let position = copy.position();
    add(&store, "one", 100);
    add(&store, "two", 200);
    let portion = store.changes(&position.into(), 1 << 20).unwrap();
    let refused = |changes: Vec<Change>, whole| {
        assert!(matches!(copy.follow(changes, whole), Err(Error::Diverged { .. })));
        assert_eq!((all(&copy), copy.position()), (before.clone(), position));
        assert!(copy.takes_writes());
    };
    // A group is missing, a number comes late, an id is another's, a count is wrong.
    refused(portion.changes[2..].to_vec(), None);
    let stored = |number, id: &str| {
        let document: Document = Document::new(id, Fingerprint::<1>::from(0xabcd_u64));
        Change::Stored { number, document: Document { time: 1, ..document } }
    };
    refused(vec![stored(60, "x"), stored(59, "y")], None);
    refused(vec![stored(7, "x")], None);
    refused(vec![stored(60, "7")], None);
    refused(vec![Change::Deleted { number: 7, id: "x".to_owned() }], None);
    let wrong = nearprint_store::Reached { documents: 7, ..portion.now };
    refused(portion.changes.clone(), Some(wrong));
    copy.follow(portion.changes, Some(portion.now)).unwrap();
    same(&copy, &store);
}

#[test]
fn a_snapshot_follows_too() {
    let room = Room::new();
    let leader = Store::create_with(room.path("leader"), &settings(), &options()).unwrap();
    let empty = leader.position();
    leader.snapshot(room.path("copy")).unwrap();
    leader.write(Write::Add(document("a", 7))).unwrap();
    let copy = Store::open_with(room.path("copy"), &options()).unwrap();
    assert_eq!(copy.position(), empty);
    let portion = leader.changes(&empty.into(), 1000).unwrap();
    copy.follow(portion.changes, Some(portion.now)).unwrap();
    assert_eq!(
        (copy.get("a").unwrap(), copy.position()),
        (leader.get("a").unwrap(), leader.position())
    );
    assert_eq!(copy.moment().unwrap().count(), 1);
}
