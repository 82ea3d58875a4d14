//! What is brought over from a damaged database.

use crate::room::{Room, document, options, random};
use nearprint_store::{Document, Error, Store, Write};
use nearprint_testing::files;
use std::fs;
use std::path::PathBuf;

const DOCUMENTS: u64 = 3000;

fn one(number: u64) -> Document {
    let metadata =
        Some(format!("{{\"noise\":\"{:016x}{:016x}\"}}", random(number), random(!number)));
    Document { time: 1 + number, metadata, ..document(number, random(number)) }
}

/// A store of documents in tables, a later one in the journal alone, and without document 7.
fn store(room: &Room) -> PathBuf {
    let store = room.store();
    store.write_all((0..DOCUMENTS).map(|number| Write::Add(one(number))).collect()).unwrap();
    store.delete("7").unwrap();
    store.compact().unwrap();
    // Its copy has no journal of these.
    store.snapshot(room.path("copy")).unwrap();
    drop(store);
    fs::remove_dir_all(room.path("store")).unwrap();
    fs::rename(room.path("copy"), room.path("store")).unwrap();
    let store = room.open();
    for number in DOCUMENTS..DOCUMENTS + 5 {
        store.write(Write::Add(one(number))).unwrap();
    }
    drop(store);
    room.path("store")
}

fn numbers(store: &Store) -> Vec<u64> {
    let all = store.scan().unwrap().map(Result::unwrap);
    let numbers = all.map(|found| {
        let number = found.id.parse().unwrap();
        assert_eq!(found, one(number));
        number
    });
    numbers.collect()
}

#[test]
fn all_but_a_damaged_block_is_brought_over() {
    let room = Room::new();
    let path = store(&room);
    // The largest table is that of the documents.
    let tables = files(&path.join("truth"))
        .into_iter()
        .filter(|file| file.parent().is_some_and(|folder| folder.ends_with("tables")));
    let table = tables.max_by_key(|file| fs::metadata(file).unwrap().len()).unwrap();
    let whole = fs::read(&table).unwrap();
    let mut met = 0;
    for part in 1..8 {
        let mut bytes = whole.clone();
        bytes[whole.len() / 10 * part] ^= 1;
        fs::write(&table, bytes).unwrap();
        let to = room.path(&format!("new-{part}"));
        let salvaged = Store::salvage(&path, &to, &options()).unwrap();
        let new = Store::open_with(&to, &options()).unwrap();
        let found = numbers(&new);
        assert_eq!(salvaged.documents, found.len() as u64);
        let lost: Vec<u64> = salvaged.lost.iter().cloned().flatten().collect();
        assert!(lost.len() < 1000, "{lost:?}");
        let expected = (0..DOCUMENTS + 5).filter(|number| *number != 7 && !lost.contains(number));
        assert_eq!(found, expected.collect::<Vec<_>>());
        let mut ids: Vec<u64> = salvaged.ids.iter().map(|id| id.parse().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, lost.iter().copied().filter(|number| *number != 7).collect::<Vec<_>>());
        assert_eq!(new.verify().unwrap().documents, salvaged.documents);
        met += usize::from(!lost.is_empty());
    }
    assert!(met > 3, "{met} damaged blocks were met");
    fs::write(&table, whole).unwrap();
    let salvaged = Store::salvage(&path, room.path("all"), &options()).unwrap();
    assert_eq!((salvaged.documents, salvaged.lost.len()), (DOCUMENTS + 4, 0));
    assert!(!room.path("all.unfinished").exists());
}

#[test]
fn of_a_damaged_journal_the_damaged_record_alone_is_missing() {
    let room = Room::new();
    let path = store(&room);
    let journal = files(&path.join("truth"))
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "jnl"));
    let journal = journal.max().unwrap();
    let whole = fs::read(&journal).unwrap();
    // In the document before the last one, which is in the journal alone.
    let id = (DOCUMENTS + 3).to_string();
    let at = whole.windows(4).rposition(|bytes| bytes == id.as_bytes()).unwrap();
    let mut bytes = whole.clone();
    bytes[at] ^= 1;
    fs::write(&journal, &bytes).unwrap();
    let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    let to = room.path("new");
    let salvaged = Store::salvage(&path, &to, &options()).unwrap();
    assert!(salvaged.journal_cut > 0 && salvaged.lost.is_empty(), "{salvaged:?}");
    assert_eq!(salvaged.groups_missing, 1, "{salvaged:?}");
    let found = numbers(&Store::open_with(&to, &options()).unwrap());
    let expected = (0..DOCUMENTS + 5).filter(|number| ![7, DOCUMENTS + 3].contains(number));
    assert_eq!(found, expected.collect::<Vec<_>>());
    // The damaged store is as it was.
    assert!(fs::read(&journal).unwrap() == bytes);

    // Nothing is left of a salvage that fails.
    for file in files(&path.join("truth")) {
        fs::write(file, "nothing").unwrap();
    }
    let failed = Store::salvage(&path, room.path("none"), &options());
    assert!(matches!(failed, Err(Error::Damaged { .. })), "{failed:?}");
    assert!(!room.path("none").exists() && !room.path("none.unfinished").exists());
}

#[test]
fn what_was_answered_and_is_gone_from_the_database_is_told() {
    let room = Room::new();
    let path = store(&room);
    let journals = files(&path.join("truth"));
    let journal = journals.iter().filter(|file| file.extension().is_some_and(|end| end == "jnl"));
    let journal = journal.max().unwrap();
    let whole = fs::read(journal).unwrap();
    // Without the end of the group of the document before the last one: as if it had never been written whole.
    let id = (DOCUMENTS + 3).to_string();
    let at = whole.windows(4).rposition(|bytes| bytes == id.as_bytes()).unwrap();
    fs::OpenOptions::new().write(true).open(journal).unwrap().set_len(at as u64).unwrap();
    let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
    assert!(matches!(error, Error::LostTail { .. }), "{error}");
    let salvaged = Store::salvage(&path, room.path("new"), &options()).unwrap();
    assert_eq!((salvaged.documents, salvaged.groups_missing), (DOCUMENTS + 2, 2), "{salvaged:?}");
}

#[test]
fn a_database_without_one_of_its_parts_is_refused_and_loses_no_other() {
    let room = Room::new();
    let path = store(&room);
    let truth = path.join("truth");
    let keyspace = |number: u32, name: &str| format!("keyspaces/{number}/{name}");
    let mut parts: Vec<_> = (0..=6).map(|number| keyspace(number, "current")).collect();
    parts.extend((0..6).map(|number| keyspace(number, "")));
    parts.extend(["version".to_owned(), String::new()]);
    let away = room.path("away");
    for part in parts {
        let part = truth.join(part);
        fs::rename(&part, &away).unwrap();
        let before = files(&path);
        let refused = [
            Store::open_with(&path, &options()).map(drop),
            Store::rebuild(&path, &options()).map(drop),
        ];
        for refused in refused {
            let error = refused.unwrap_err();
            let is_told =
                matches!(&error, Error::Damaged { said, .. } if said.ends_with(" is missing"));
            assert!(is_told, "{}: {error}", part.display());
        }
        // What is there is brought over: the documents are in the keyspace 1, those after the compaction in the journal.
        let salvaged = Store::salvage(&path, room.path("new"), &options());
        match part.strip_prefix(&truth).unwrap().to_str().unwrap() {
            "" => {
                let said = salvaged.unwrap_err().to_string();
                assert!(said.ends_with("truth is missing"), "{said}");
                assert!(!room.path("new").exists());
            }
            "keyspaces/1" => {
                let salvaged = salvaged.unwrap();
                assert_eq!((salvaged.documents, salvaged.lost), (5, vec![0..7, 8..DOCUMENTS]));
            }
            part => {
                let salvaged = salvaged.unwrap();
                let lacks = (salvaged.documents, salvaged.lost.len(), salvaged.groups_missing);
                assert_eq!(lacks, (DOCUMENTS + 4, 0, 0), "{part}");
            }
        }
        let _none = fs::remove_dir_all(room.path("new"));
        assert_eq!(files(&path), before, "{}", part.display());
        fs::rename(&away, &part).unwrap();
    }
    assert_eq!(Store::open_with(&path, &options()).unwrap().len(), DOCUMENTS + 4);
}

#[test]
fn what_a_later_record_deletes_is_not_brought_back() {
    let room = Room::new();
    let path = store(&room);
    let store = Store::open_with(&path, &options()).unwrap();
    store.delete("11").unwrap();
    store.write(Write::Update(Document { metadata: None, ..one(12) })).unwrap();
    drop(store);
    let journals = files(&path.join("truth"));
    let journal = journals.iter().filter(|file| file.extension().is_some_and(|end| end == "jnl"));
    let journal = journal.max().unwrap();
    let mut bytes = fs::read(journal).unwrap();
    // A record that the tables have already is no loss, and neither are those behind it.
    let id = DOCUMENTS.to_string();
    let at = bytes.windows(4).rposition(|bytes| bytes == id.as_bytes()).unwrap();
    bytes[at - 40..at].fill(0);
    fs::write(journal, &bytes).unwrap();
    let error = Store::open_with(&path, &options()).map(drop).unwrap_err();
    assert!(error.to_string().contains("whole ones follow it"), "{error}");
    assert!(fs::read(journal).unwrap() == bytes);
    let salvaged = Store::salvage(&path, room.path("new"), &options()).unwrap();
    assert_eq!((salvaged.documents, salvaged.groups_missing), (DOCUMENTS + 2, 1), "{salvaged:?}");
    let new = Store::open_with(room.path("new"), &options()).unwrap();
    let has = |id: &str| new.get(id).unwrap();
    assert!(has("7").is_none() && has("11").is_none() && has(&id).is_none());
    assert_eq!(has("12").unwrap().metadata, None);
}
