//! What a user does with a store, and what is refused.

use crate::room::{Room, document, options, random, settings};
use nearprint_bits::ErrorKind;
use nearprint_fingerprint::{Fingerprint, Fingerprinter, Recipe, Width};
use nearprint_store::{Document, Error, NearDocument, Outcome, Settings, Store, Threshold, Write};

fn near(id: &str, distance: u32) -> NearDocument {
    NearDocument { id: id.to_owned(), distance, alike: None }
}

#[test]
fn documents_are_added_found_replaced_and_removed() {
    let room = Room::new();
    let store = room.store();
    let meta = Document { metadata: Some("{\"n\":1}".into()), time: 7, ..document("a", 0xff00) };
    assert_eq!(store.write(Write::Add(meta.clone())).unwrap(), Outcome::New);
    assert_eq!(store.write(Write::Add(meta.clone())).unwrap(), Outcome::Exists);
    assert!(matches!(store.write(Write::Add(document("a", 0xff01))), Err(Error::IdTaken { .. })));
    assert_eq!(store.get("a").unwrap(), Some(meta));
    assert_eq!(store.get("b").unwrap(), None);

    let duplicate = store.write(Write::CheckAndAdd(document("b", 0xff03))).unwrap();
    assert_eq!(duplicate, Outcome::Duplicate(near("a", 2)));
    assert_eq!(store.get("b").unwrap(), None);
    assert_eq!(store.write(Write::CheckAndAdd(document("b", 0xff0f))).unwrap(), Outcome::New);
    let sketch = Fingerprint::from(0xff07_u64);
    assert_eq!(store.check(sketch).unwrap(), Some(near("b", 1)));
    let all = store.query(Fingerprint::from(0xff07_u64), 3, 9).unwrap();
    assert_eq!(all, [near("b", 1), near("a", 3)]);
    assert_eq!(store.query(Fingerprint::from(0xffff_u64), 8, 9).unwrap().len(), 2);
    assert!(store.query(Fingerprint::from(0_u64), 65, 9).is_err());

    assert_eq!(store.write(Write::Update(document("b", 0))).unwrap(), Outcome::Updated);
    assert_eq!(store.check(sketch).unwrap(), Some(near("a", 3)));
    assert_eq!(store.write(Write::Update(document("b", 0))).unwrap(), Outcome::Exists);
    let dated = Document { metadata: Some("7".into()), ..document("b", 0) };
    assert_eq!(store.write(Write::Update(dated)).unwrap(), Outcome::Updated);
    assert_eq!(store.get("b").unwrap().unwrap().metadata.as_deref(), Some("7"));
    assert_eq!(store.delete("a").unwrap(), Outcome::Deleted);
    assert_eq!(store.delete("a").unwrap(), Outcome::Absent);
    assert_eq!(store.check(sketch).unwrap(), None);
    assert_eq!(store.stats().unwrap().documents, 1);
    assert_eq!(store.verify().unwrap().documents, 1);
}

#[test]
fn an_update_is_a_duplicate_of_others_and_never_of_its_own_document() {
    let room = Room::new();
    let store = room.store();
    let noted =
        |code, note: &str| Document { metadata: Some(note.to_owned()), ..document("a", code) };
    for (id, code) in [("a", 1), ("far", 0xff00)] {
        assert_eq!(store.write(Write::CheckAndUpdate(document(id, code))).unwrap(), Outcome::New);
    }
    // In segments, in memtables and in one group.
    for compacted in [false, true] {
        if compacted {
            store.compact().unwrap();
        }
        let writes =
            [noted(3, "1"), noted(3, "1"), noted(3, "2"), noted(0xff01, "3"), noted(1, "0")];
        let outcomes = store.write_all(writes.map(Write::CheckAndUpdate).to_vec()).unwrap();
        let outcomes: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
        let duplicate = Outcome::Duplicate(near("far", 1));
        let [updated, exists] = [Outcome::Updated, Outcome::Exists];
        assert_eq!(outcomes, [updated.clone(), exists, updated.clone(), duplicate, updated]);
        assert_eq!(store.get("a").unwrap().unwrap().metadata.as_deref(), Some("0"));
    }
    // What changes nothing exists, whatever else is near; a change is asked about.
    assert_eq!(store.write(Write::Add(document("b", 1))).unwrap(), Outcome::New);
    assert_eq!(store.write(Write::CheckAndUpdate(noted(1, "0"))).unwrap(), Outcome::Exists);
    let duplicate = Outcome::Duplicate(near("b", 0));
    assert_eq!(store.write(Write::CheckAndUpdate(noted(1, "4"))).unwrap(), duplicate);
    assert_eq!(store.get("a").unwrap().unwrap().metadata.as_deref(), Some("0"));
    assert_eq!(store.verify().unwrap().documents, 3);
}

#[test]
fn a_group_sees_its_own_writes_in_their_order() {
    let room = Room::new();
    let store = room.store();
    let writes = vec![
        Write::CheckAndAdd(document("a", 1)),
        Write::CheckAndAdd(document("b", 3)),
        Write::Delete("a".into()),
        Write::CheckAndAdd(document("c", 3)),
        Write::Update(document("c", 0xff00)),
        Write::CheckAndAdd(document("a", 2)),
        Write::Add(document("a", 2)),
        Write::Delete("c".into()),
        Write::Delete("c".into()),
    ];
    let outcomes: Vec<_> =
        store.write_all(writes).unwrap().into_iter().map(Result::unwrap).collect();
    let expected = [
        Outcome::New,
        Outcome::Duplicate(near("a", 1)),
        Outcome::Deleted,
        Outcome::New,
        Outcome::Updated,
        Outcome::New,
        Outcome::Exists,
        Outcome::Deleted,
        Outcome::Absent,
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(store.verify().unwrap().documents, 1);
    drop(store);
    let store = room.open();
    let all: Vec<_> = store.scan().unwrap().map(|document| document.unwrap().id).collect();
    assert_eq!(all, ["a"]);
    assert_eq!(store.verify().unwrap().searched, 1);
}

/// Adds documents that are far from all others.
fn add_others(store: &Store, first: u64, count: u64) {
    let writes = (first..first + count).map(|at| Write::Add(document(at, random(at)))).collect();
    assert!(store.write_all(writes).unwrap().into_iter().all(|outcome| outcome.is_ok()));
}

#[test]
fn the_nearest_is_found_wherever_it_lies() {
    let room = Room::new();
    let store = room.store();
    // Query 0 is near documents of the oldest segment, query 1 also of the next one, where they are
    // nearer, query 2 also of the memtable, query 3 also of what is in none. Query 4 has found all
    // there is to find sooner than these.
    let queries = [0xff_u64, 0xff00, 0xff_0000, 0xff00_0000, 0xff_0000_0000].map(|word| word << 16);
    store.write(Write::Add(document("beside 4", queries[4] | 1))).unwrap();
    for place in 0..4 {
        for (number, query) in queries.iter().enumerate().take(4).skip(place) {
            let code = query | ((1 << (3 - place)) - 1);
            store.write(Write::Add(document(format!("{number} in {place}"), code))).unwrap();
        }
        match place {
            0 => store.compact().unwrap(),
            1 => {
                // As many as fill a memtable, and begin the next.
                add_others(&store, 1 << 20, 1 << 17);
                while store.stats().unwrap().segments.len() < 2 {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
            2 => add_others(&store, 1 << 40, 5000),
            _ => {}
        }
    }
    let expected = [("0 in 0", 3), ("1 in 1", 2), ("2 in 2", 1), ("3 in 3", 0), ("beside 4", 1)];
    let expected = expected.map(|(id, distance)| near(id, distance));
    let queries = queries.map(Fingerprint::from);
    let single = queries.map(|query| store.check(query).unwrap().unwrap());
    assert_eq!(single, expected);
    let writes = queries.map(|query| Write::CheckAndAdd(Document::new(query.to_string(), query)));
    let outcomes = store.write_all(writes.into()).unwrap();
    let together: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
    assert_eq!(together, expected.map(Outcome::Duplicate));
}

#[test]
fn degenerate_documents_are_compared_by_what_they_say() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap();
    let settings = Settings {
        width: Width::W128,
        threshold: Threshold::Radius(6),
        recipe: Some(recipe.with_width(Width::W128)),
    };
    let store = Store::create_with(room.path("store"), &settings, &options()).unwrap();
    let mut fingerprinter = Fingerprinter::<2>::new(settings.recipe.as_ref().unwrap()).unwrap();
    let mut add = |id: &str, text: &str| {
        store.write(Write::CheckAndAdd(Document::new(id, fingerprinter.fingerprint(text)))).unwrap()
    };
    assert_eq!(add("a", ""), Outcome::New);
    assert_eq!(add("b", ""), Outcome::New);
    assert_eq!(add("c", "Not found"), Outcome::New);
    assert_eq!(add("d", "Found not"), Outcome::New);
    assert_eq!(add("e", "not FOUND"), Outcome::Duplicate(near("c", 0)));
    store.delete("c").unwrap();
    assert_eq!(add("f", "not found"), Outcome::New);
    assert_eq!(store.verify().unwrap().documents, 4);
    let other = Recipe::named("words").unwrap();
    let refused = store.settings().accepts(&other).unwrap_err().to_string();
    assert!(refused.contains("shingle = 3 here, 1 there"), "{refused}");
    assert!(store.settings().accepts(settings.recipe.as_ref().unwrap()).is_ok());
}

#[test]
fn what_cannot_be_opened_says_why() {
    let room = Room::new();
    let path = room.path("store");
    let text = |result: Result<Store, Error>| result.err().unwrap().to_string();
    assert!(text(Store::open_with(&path, &options())).contains("no store here"));
    let store = room.store();
    assert!(text(Store::open_with(&path, &options())).contains("another process"));
    assert!(
        text(Store::create_with(&path, &settings(), &options()))
            .contains("a store is there already")
    );
    drop(store);
    let file = path.join("store.toml");
    let toml = std::fs::read_to_string(&file).unwrap();
    let later = toml.replace("version = 1", "version = 4");
    std::fs::write(&file, &later).unwrap();
    assert!(text(Store::open_with(&path, &options())).contains("version = 4 here"));
    let copy = path.join("truth/store.toml");
    std::fs::write(&copy, &later).unwrap();
    assert!(text(Store::open_with(&path, &options())).contains("a store of version 4"));
    std::fs::write(&copy, &toml).unwrap();
    std::fs::write(&file, "version = 1\nwidth = 65").unwrap();
    let store = Store::open_with(&path, &options()).unwrap();
    assert_eq!(store.repairs()[0].path, file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), toml);
}

#[test]
fn ids_are_gone_through_in_their_order() {
    let room = Room::new();
    let store = room.store();
    for (id, code) in [("b/2", 1_u64 << 10), ("a/1", 2 << 20), ("b/10", 3 << 30), ("c", 4 << 40)] {
        store.write(Write::Add(document(id, code))).unwrap();
    }
    let scan = store.scan_ids("b/").unwrap();
    store.delete("c").unwrap();
    let ids: Vec<_> = scan.map(|document| document.unwrap().id).collect();
    assert_eq!(ids, ["b/10", "b/2", "c"]);
    assert_eq!(store.scan_ids("b/").unwrap().count(), 2);
}

#[test]
fn ids_of_any_length_are_answered_and_end_nothing() {
    let room = Room::new();
    let store = room.store();
    for id in ["", &"x".repeat(4097), &"x".repeat(1 << 20)] {
        for write in [Write::Add, Write::CheckAndAdd, Write::Update] {
            let refused = store.write(write(document(id, 7))).unwrap_err();
            assert!(matches!(refused, Error::IdLength { found, .. } if found == id.len()));
        }
        assert_eq!(store.delete(id).unwrap(), Outcome::Absent);
        assert_eq!(store.get(id).unwrap(), None);
    }
    assert_eq!(store.write(Write::Add(document("a", 7))).unwrap(), Outcome::New);
    assert!(store.takes_writes());
}

#[test]
fn errors_tell_their_kind() {
    let room = Room::new();
    let path = room.path("store");
    let kind = |result: Result<Store, Error>| result.err().unwrap().kind();
    assert_eq!(kind(Store::open_with(&path, &options())), ErrorKind::Input);
    let store = room.store();
    assert_eq!(kind(Store::open_with(&path, &options())), ErrorKind::Busy);
    assert_eq!(kind(Store::create_with(&path, &settings(), &options())), ErrorKind::Usage);
    assert_eq!(store.write(Write::Add(document("", 1))).unwrap_err().kind(), ErrorKind::Input);
    drop(store);
    std::fs::write(path.join("store.toml"), "version = 1").unwrap();
    std::fs::remove_file(path.join("truth/store.toml")).unwrap();
    assert_eq!(kind(Store::open_with(&path, &options())), ErrorKind::Corrupt);
    assert_eq!(Error::Closed.kind(), ErrorKind::NotReady);
}
