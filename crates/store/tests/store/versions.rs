//! Stores as earlier versions left them: each is opened for ever.
//!
//! A fixture is never changed. Where that of a new version is missing, the test writes it and fails: look at it, commit it
//! and run the test again.

use crate::room::{Room, options};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use nearprint_fingerprint::{Recipe, Width};
use nearprint_store::{Document, Outcome, Settings, Sketcher, Store, Threshold};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The versions, and what their stores are made for: 1 within a radius, 2 by similarity, 3 by a cosine.
const VERSIONS: [&str; 3] = ["v1", "v2", "v3"];

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

fn settings(version: &str) -> Settings {
    let recipe = Recipe::named("text").unwrap().with_version(1).unwrap();
    match version {
        "v1" => Settings { threshold: Threshold::Radius(3), ..Settings::of(recipe) },
        "v3" => {
            let recipe = Recipe::named("vectors").unwrap().with_width(Width::W256);
            Settings::by_similarity(recipe, 0.9)
        }
        _ => {
            let threshold = Threshold::Similarity { similarity: 0.8, recall: 0.999, verify: true };
            Settings { threshold, ..Settings::of(recipe.with_width(Width::W128)) }
        }
    }
}

fn documents(settings: &Settings) -> Vec<Document> {
    let sketcher = Sketcher::new(settings.recipe.clone().unwrap(), None).unwrap();
    let sketcher = sketcher.for_threshold(&settings.threshold).unwrap();
    let mut documents = Vec::new();
    for (time, (id, text)) in (1_700_000_000_000..).zip(TEXTS) {
        let id = if id.ends_with(' ') { format!("{id:.<300}") } else { id.to_owned() };
        let metadata = Some(format!("{{\"words\":{}}}", text.split(' ').count()));
        let sketch = if settings.threshold.weighs() {
            let word = |word: &str| (word.to_owned(), 1.0 + word.len() as f64 / 3.0);
            // No word alone has more than half of all weight.
            let features: Vec<_> = text.split(' ').chain(["a", "the"]).map(word).collect();
            sketcher.sketch_features(&features).unwrap()
        } else {
            sketcher.sketch(text, None).unwrap()
        };
        documents.push(Document { time, metadata, ..Document::new(id, sketch) });
    }
    documents
}

fn add(store: &Store, document: &Document) {
    assert_eq!(store.write(nearprint_store::Write::Add(document.clone())).unwrap(), Outcome::New);
}

/// Writes the fixture of a version.
fn write_fixture(version: &str) {
    let room = Room::new();
    let folder = room.path("store");
    let settings = settings(version);
    let store = Store::create_with(&folder, &settings, &options()).unwrap();
    let documents = documents(&settings);
    documents[..3].iter().for_each(|document| add(&store, document));
    store.compact().unwrap();
    assert_eq!(store.delete("gone").unwrap(), Outcome::Deleted);
    documents[3..].iter().for_each(|document| add(&store, document));
    drop(store);
    let path = fixture(version);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = GzEncoder::new(File::create(path).unwrap(), Compression::best());
    let mut archive = tar::Builder::new(file);
    archive.append_dir_all("store", folder).unwrap();
    archive.into_inner().unwrap().finish().unwrap();
}

#[test]
fn stores_of_every_version_are_opened() {
    for version in VERSIONS {
        let room = Room::new();
        if !fixture(version).exists() {
            write_fixture(version);
            panic!("{}: it was missing, and is written now", fixture(version).display());
        }
        let file = GzDecoder::new(File::open(fixture(version)).unwrap());
        tar::Archive::new(file).unpack(room.path("")).unwrap();
        let store = Store::open_with(room.path("store"), &options()).unwrap();
        let settings = settings(version);
        assert_eq!(store.settings(), &settings, "{version}");
        assert!(store.repairs().is_empty(), "{version}: {:?}", store.repairs());
        for mut document in documents(&settings) {
            // A release before told of a document of one feature that it is dominated, too.
            document.sketch.flags.dominant |= version == "v2" && document.sketch.flags.short;
            let stored = store.get(&document.id).unwrap();
            let near = store.check(document.sketch.clone()).unwrap();
            if document.id == "gone" {
                assert_eq!((stored, near), (None, None), "{version}");
            } else {
                assert_eq!(near.unwrap().id, document.id, "{version}");
                assert_eq!(stored, Some(document), "{version}");
            }
        }
        assert_eq!(store.stats().unwrap().segments.len(), 1, "{version}");
        assert_eq!(store.verify().unwrap().documents, 4, "{version}");
        // Earlier releases kept no history: it begins here, and stays.
        let position = store.position();
        drop(store);
        let store = Store::open_with(room.path("store"), &options()).unwrap();
        assert_eq!(store.position(), position, "{version}");
        add(&store, &documents(&settings)[1]);
        let portion = store.changes(&position.into(), 1 << 20).unwrap();
        assert_eq!((portion.changes.len(), portion.whole), (2, true), "{version}");
    }
}
