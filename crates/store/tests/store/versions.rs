//! Stores as earlier versions left them: each is opened for ever.
//!
//! A fixture is never changed. That of a new version is made by `cargo nextest run -p nearprint-store
//! --run-ignored only fixture`, which writes the archive of [`VERSION`] where there is none.

use crate::room::{Room, options};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use nearprint_fingerprint::{Fingerprint, Fingerprinter, Recipe};
use nearprint_store::{Document, Finding, Outcome, Settings, StoreOf};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The version that is written now.
const VERSION: &str = "v1";

const TEXTS: [(&str, &str); 5] = [
    (
        "segment",
        "The city council approved the new budget on Monday after a long debate about roads.",
    ),
    ("gone", "Nothing of what the others say is said in this one, which is about a garden in May."),
    ("short", "Yes."),
    (
        "memtable",
        "A third matter: trains that were late, and the people who waited for them at night.",
    ),
    (
        "id of more than 255 bytes: ",
        "A fourth: bread, and how it was baked in the village before the war.",
    ),
];

fn fixture(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{version}.tar.gz"))
}

fn settings() -> Settings {
    let recipe = Recipe::named("text").unwrap();
    Settings { recipe: Some(recipe.clone()), width: recipe.width, finding: Finding::Radius(3) }
}

fn documents() -> Vec<Document<Fingerprint<1>>> {
    let mut fingerprinter = Fingerprinter::<1>::new(settings().recipe.as_ref().unwrap()).unwrap();
    let mut documents = Vec::new();
    for (time, (id, text)) in (1_700_000_000_000..).zip(TEXTS) {
        let id = if id.ends_with(' ') { format!("{id:.<300}") } else { id.to_owned() };
        let metadata = Some(format!("{{\"words\":{}}}", text.split(' ').count()));
        documents.push(Document {
            time,
            metadata,
            ..Document::new(id, fingerprinter.fingerprint(text))
        });
    }
    documents
}

#[test]
#[ignore = "writes into the source tree"]
fn fixture_of_this_version() {
    let path = fixture(VERSION);
    assert!(!path.exists(), "a fixture is never changed");
    let room = Room::new();
    let folder = room.path("store");
    let store = StoreOf::<1>::create(&folder, &settings(), &options()).unwrap();
    let documents = documents();
    for document in &documents[..3] {
        assert_eq!(store.add(document.clone()).unwrap(), Outcome::New);
    }
    store.compact().unwrap();
    assert_eq!(store.delete("gone").unwrap(), Outcome::Deleted);
    for document in &documents[3..] {
        assert_eq!(store.add(document.clone()).unwrap(), Outcome::New);
    }
    drop(store);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = GzEncoder::new(File::create(path).unwrap(), Compression::best());
    let mut archive = tar::Builder::new(file);
    archive.append_dir_all("store", folder).unwrap();
    archive.into_inner().unwrap().finish().unwrap();
}

#[test]
fn stores_of_every_version_are_opened() {
    for version in ["v1"] {
        let room = Room::new();
        let file = GzDecoder::new(File::open(fixture(version)).unwrap());
        tar::Archive::new(file).unpack(room.path("")).unwrap();
        let store = room.open();
        assert_eq!(store.settings(), &settings(), "{version}");
        assert!(store.repairs().is_empty(), "{version}: {:?}", store.repairs());
        for document in documents() {
            let stored = store.get(&document.id).unwrap();
            let near = store.check(&document.sketch).unwrap();
            if document.id == "gone" {
                assert_eq!((stored, near), (None, None), "{version}");
            } else {
                assert_eq!(near.unwrap().id, document.id, "{version}");
                assert_eq!(stored, Some(document), "{version}");
            }
        }
        assert_eq!(store.stats().unwrap().segments.len(), 1, "{version}");
        assert_eq!(store.verify().unwrap().documents, 4, "{version}");
        assert_eq!(store.add(documents().swap_remove(1)).unwrap(), Outcome::New, "{version}");
    }
}
