//! Deleting many documents: by the beginning of their ids, and by their age.

use crate::room::{Room, document, random};
use nearprint_store::{Document, Error, Outcome, Store, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// A store of so many documents of each of three sites, whose times are in no order.
fn store(room: &Room, documents: u64) -> Store {
    let store = room.store();
    let one = |number: u64| {
        let id = format!("site{}/{number}", number % 3);
        let time = 1 + random(number) % 1000;
        Write::Add(Document { time, ..document(id, random(number)) })
    };
    store.write_all((0..3 * documents).map(one).collect()).unwrap();
    store
}

fn ids(store: &Store) -> Vec<String> {
    store.scan().unwrap().map(|document| document.unwrap().id).collect()
}

#[test]
fn documents_whose_ids_begin_so_are_deleted_and_no_others() {
    // More than one group of each.
    let room = Room::new();
    let store = store(&room, 5000);
    store.write(Write::Add(document("site1", 1))).unwrap();
    store.write(Write::Add(document("site1/\u{10ffff}", 2))).unwrap();
    store.write(Write::Add(document("site10/0", 3))).unwrap();
    assert_eq!(store.delete_prefix("site1/", &|| false).unwrap(), 5001);
    assert_eq!(store.delete_prefix("site1/", &|| false).unwrap(), 0);
    let left = ids(&store);
    assert_eq!(left.len(), 10_002);
    assert!(left.iter().all(|id| !id.starts_with("site1/")));
    assert_eq!(store.delete_prefix("site", &|| true).unwrap(), 0);
    assert_eq!(store.delete_prefix("", &|| false).unwrap(), 10_002);
    assert_eq!(store.verify().unwrap().documents, 0);
}

#[test]
fn documents_are_forgotten_by_their_age() {
    let room = Room::new();
    let store = store(&room, 4000);
    let times = |store: &Store| -> Vec<u64> {
        store.scan().unwrap().map(|document| document.unwrap().time).collect()
    };
    let before = times(&store);
    let old = before.iter().filter(|time| **time < 900).count();
    assert!(old > 8192, "more than one group of them: {old}");
    assert_eq!(store.forget_before(900, &|| false).unwrap(), old as u64);
    let young: Vec<u64> = before.into_iter().filter(|time| *time >= 900).collect();
    assert_eq!(times(&store), young);
    assert_eq!(store.forget_before(900, &|| false).unwrap(), 0);
    assert_eq!(store.verify().unwrap().documents, young.len() as u64);
}

#[test]
fn a_document_that_was_replaced_meanwhile_is_not_forgotten() {
    let room = Room::new();
    let store = room.store();
    let dated = |time| Document { time, ..document("a", time) };
    store.write(Write::Add(dated(5))).unwrap();
    let writes = vec![
        Write::DeleteBefore("a".into(), 5),
        Write::Update(dated(9)),
        Write::DeleteBefore("a".into(), 9),
        Write::DeleteBefore("b".into(), 9),
        Write::DeleteBefore("a".into(), 10),
    ];
    let outcomes: Vec<_> =
        store.write_all(writes).unwrap().into_iter().map(Result::unwrap).collect();
    let [absent, updated, deleted] = [Outcome::Absent, Outcome::Updated, Outcome::Deleted];
    assert_eq!(outcomes, [absent.clone(), updated, absent.clone(), absent, deleted]);
    assert_eq!(store.verify().unwrap().documents, 0);
}

#[test]
fn an_update_that_changes_nothing_renews_the_time() {
    let room = Room::new();
    let store = room.store();
    let one = |id: u64, time: u64| Document { time, ..document(id, random(id)) };
    for id in 0..4 {
        assert_eq!(store.write(Write::Add(one(id, 100))).unwrap(), Outcome::New);
    }
    assert_eq!(store.write(Write::Update(one(0, 200))).unwrap(), Outcome::Exists);
    assert_eq!(store.write(Write::CheckAndUpdate(one(1, 200))).unwrap(), Outcome::Exists);
    // Neither an add nor an older update does.
    assert_eq!(store.write(Write::Add(one(2, 200))).unwrap(), Outcome::Exists);
    assert_eq!(store.write(Write::Update(one(3, 50))).unwrap(), Outcome::Exists);
    let times = |store: &Store| -> Vec<u64> {
        store.scan().unwrap().map(|document| document.unwrap().time).collect()
    };
    assert_eq!(times(&store), [200, 200, 100, 100]);
    assert_eq!(store.forget_before(150, &|| false).unwrap(), 2);
    assert_eq!(ids(&store), ["0", "1"]);
    assert_eq!(store.verify().unwrap().documents, 2);
    // Without a time it is now.
    assert_eq!(store.write(Write::Update(one(0, 0))).unwrap(), Outcome::Exists);
    assert!(times(&store)[0] > 1_700_000_000_000);
}

#[test]
fn nothing_is_older_than_a_time_that_is_yet_to_come() {
    let room = Room::new();
    let store = store(&room, 10);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let now = u64::try_from(now).unwrap();
    for (time, hint) in [
        (now + 60_000, "since 1970"),
        (now * 1000, "in microseconds"),
        (now * 1_000_000, "in nanoseconds"),
        (u64::MAX, "since 1970"),
    ] {
        let error = store.forget_before(time, &|| false).unwrap_err();
        let is_told = matches!(&error, Error::Ahead { found, .. } if *found == time);
        assert!(is_told && error.to_string().ends_with(hint), "{error}");
    }
    assert_eq!(store.count_before(900, &|| false).unwrap().1, 30);
    assert_eq!(store.verify().unwrap().documents, 30);
    let old = store.count_before(500, &|| false).unwrap().0;
    assert_eq!(store.forget_before(500, &|| false).unwrap(), old);
    assert_eq!(store.forget_before(now, &|| false).unwrap(), 30 - old);
}
