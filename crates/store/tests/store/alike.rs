//! Stores that answer by similarity: many documents, damage, crowds, and what does not fit.

use crate::model_alike::{Kind, Model, Text};
use crate::room::{Room, alike_document, alike_settings, document, options, random, segments};
use nearprint_fingerprint::estimate::filter_radius;
use nearprint_fingerprint::{Fingerprint, Overlap, Recipe, Weighting, Width};
use nearprint_store::{
    Document, Error, Measure, Outcome, Settings, Sketch, Store, Threshold, Write,
};
use std::fs;
use std::sync::Barrier;
use std::thread;

/// Texts of many topics, some alike.
fn text(number: u64) -> Text {
    let seed = random(number);
    Text { topic: 1 + seed % 4000, words: (30 + seed / 4000 % 8, seed % 7), turned: 0 }
}

#[test]
fn many_documents_are_found_in_memory_and_on_disk() {
    const DOCUMENTS: u64 = 20_000;
    let kind = Kind::new(Width::W128, 0.8, Measure::EstimatedJaccard);
    let room = Room::new();
    let path = room.path("many");
    let store = kind.create(&path);
    let mut model = Model { kind: &kind, documents: Vec::new() };
    let compare = |store: &Store, model: &Model<'_>| {
        let mut found = 0;
        for number in (0..DOCUMENTS).step_by(97) {
            let sketch = kind.sketch(&text(number + DOCUMENTS / 2));
            let near = model.near(&sketch);
            assert_eq!(store.check(sketch.clone()).unwrap(), near.first().cloned());
            assert_eq!(store.near_duplicates(sketch, usize::MAX).unwrap(), near);
            found += near.len();
        }
        assert!(found > 200, "{found}");
    };
    // As many at a time as a memtable takes from the recent ones several times, and once more.
    for first in (0..DOCUMENTS).step_by(1000) {
        let sketch = |number| Document::new(format!("{number}"), kind.sketch(&text(number)));
        let mut writes: Vec<_> =
            (first..first + 1000).map(|number| Write::Add(sketch(number))).collect();
        writes.extend((first / 2..first / 2 + 40).map(|number| Write::Delete(number.to_string())));
        let outcomes = store.write_all(writes.clone()).unwrap();
        assert!(outcomes.iter().all(Result::is_ok));
        for write in writes {
            match write {
                Write::Delete(id) => model.documents.retain(|(other, _)| *other != id),
                Write::Add(new) => model.documents.push((new.id, new.sketch)),
                _ => {}
            }
        }
    }
    compare(&store, &model);
    store.compact().unwrap();
    let sketch = kind.sketch(&text(DOCUMENTS + 5));
    let last = Document::new("last", sketch.clone());
    assert_eq!(store.write(Write::Add(last)).unwrap(), Outcome::New);
    model.documents.push(("last".to_owned(), sketch));
    compare(&store, &model);
    let stats = store.stats().unwrap();
    let bytes = stats.segments[0].bytes as f64 / stats.segments[0].documents as f64;
    assert!(bytes < 130.0, "{bytes} bytes a document");
    drop(store);
    let store = Store::rebuild(&path, &options()).unwrap();
    compare(&store, &model);
    assert_eq!(store.verify().unwrap().documents, model.documents.len() as u64);
}

#[test]
fn of_equal_documents_that_arrive_together_one_is_new() {
    const THREADS: u8 = 8;
    let room = Room::new();
    let store = Store::create_with(room.path("s"), &alike_settings(), &options()).unwrap();
    let together = Barrier::new(THREADS.into());
    let new: usize = thread::scope(|scope| {
        let ask = |thread: u8| {
            let (store, together) = (&store, &together);
            move || {
                let each = |group: u64| {
                    together.wait();
                    let document = alike_document(format!("{group}-{thread}"), random(group));
                    store.write(Write::CheckAndAdd(document)).unwrap()
                };
                (0..40).map(each).filter(|outcome| *outcome == Outcome::New).count()
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(ask(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((new, store.len()), (40, 40));
}

#[test]
fn a_flipped_byte_of_a_segment_of_sketches_is_found() {
    let room = Room::new();
    let path = room.path("flipped");
    let create = || Store::create_with(&path, &alike_settings(), &options()).unwrap();
    let store = create();
    for number in 0..9 {
        store.write(Write::Add(alike_document(number, random(number)))).unwrap();
    }
    store.compact().unwrap();
    drop(store);
    let whole = fs::read(&segments(&path)[0]).unwrap();
    let (mut repaired, mut found) = (0, 0);
    for at in (0..whole.len()).step_by(13).chain(whole.len() - 96..whole.len()) {
        let file = segments(&path).pop().unwrap();
        let mut bytes = fs::read(&file).unwrap();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        let store = Store::open_with(&path, &options()).unwrap();
        if store.repairs().is_empty() {
            for number in 0..9 {
                let _any = store.check(alike_document("", random(number)).sketch);
            }
            if let Err(error) = store.verify() {
                assert!(error.to_string().contains("segment"), "{error}");
            }
            // A search or the verification met it.
            assert_eq!(store.stats().unwrap().damage.len(), 1);
            found += 1;
            drop(store);
            let store = Store::rebuild(&path, &options()).unwrap();
            assert_eq!(store.verify().unwrap().searched, 9);
        } else {
            repaired += 1;
            assert_eq!(store.verify().unwrap().searched, 9);
        }
    }
    assert!(repaired > 90 && found > 50, "{repaired} {found} of {}", whole.len());
    // A segment that is gone is made anew.
    fs::remove_file(&segments(&path)[0]).unwrap();
    let store = Store::open_with(&path, &options()).unwrap();
    assert_eq!((store.repairs().len(), store.verify().unwrap().searched), (1, 9));
}

#[test]
fn of_a_crowd_every_document_is_found_and_the_search_is_counted() {
    let room = Room::new();
    let store = Store::create_with(room.path("s"), &alike_settings(), &options()).unwrap();
    let one = alike_document("", random(1)).sketch;
    let add = |numbers: std::ops::Range<u64>| {
        let document = |id: u64| Document { id: id.to_string(), ..alike_document("", random(1)) };
        store.write_all(numbers.map(|id| Write::Add(document(id))).collect()).unwrap();
    };
    add(0..200);
    assert_eq!(store.near_duplicates(one.clone(), 1000).unwrap().len(), 200);
    store.compact().unwrap();
    add(200..300);
    store.compact().unwrap();
    assert_eq!(store.stats().unwrap().crowded_searches, 0);
    // Whether they lie in one segment or in several, and beyond those that a search looks at first.
    let near = store.near_duplicates(one.clone(), 1000).unwrap();
    assert_eq!((near.len(), near[0].id.as_str()), (300, "0"));
    let stats = store.stats().unwrap();
    assert_eq!((stats.crowded, stats.crowded_searches), (18, 1));
    let seen = store
        .write(Write::CheckAndAdd(Document { id: "x".into(), ..Document::new("", one.clone()) }));
    assert!(matches!(seen.unwrap(), Outcome::Duplicate(near) if near.id == "0"));
    assert_eq!(store.stats().unwrap().crowded_searches, 2);
}

#[test]
fn equal_sketches_are_not_alike_where_fingerprints_are_too_far_apart() {
    let k = filter_radius(0.8, 64);
    let room = Room::new();
    // By a recipe of equal weights fingerprints tell the similarity; of any others nothing is known.
    let recipe = Recipe::named("text").unwrap();
    let settings = Settings { threshold: alike_settings().threshold, ..Settings::of(recipe) };
    let store = Store::create_with(room.path("s"), &settings, &options()).unwrap();
    let turned = |id: &str, bits: u32| {
        let mut document = alike_document(id, random(1));
        let code = document.sketch.fingerprint.words()[0] ^ ((1_u64 << bits) - 1);
        document.sketch.fingerprint = Fingerprint::from(code).into();
        document
    };
    let (far, edge) = (turned("far", k + 1), turned("edge", k));
    // Within a group, among the recent ones and in a table.
    let writes = ["a", "far"].map(|id| if id == "a" { turned(id, 0) } else { far.clone() });
    let outcomes = store.write_all(writes.map(Write::CheckAndAdd).to_vec()).unwrap();
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(Outcome::New))), "{outcomes:?}");
    store.delete("far").unwrap();
    for _ in 0..2 {
        assert_eq!(store.check(far.sketch.clone()).unwrap(), None);
        let near = store.check(edge.sketch.clone()).unwrap().unwrap();
        assert_eq!((near.id.as_str(), near.distance), ("a", k));
        store.compact().unwrap();
    }
}

#[test]
fn deleted_documents_of_tables_are_near_nothing() {
    let room = Room::new();
    let store = Store::create_with(room.path("s"), &alike_settings(), &options()).unwrap();
    let one = |id: &str| alike_document(id, random(1));
    store.write(Write::Add(one("a"))).unwrap();
    store.compact().unwrap();
    store.delete("a").unwrap();
    assert_eq!(store.check(one("b").sketch).unwrap(), None);
    assert!(store.near_duplicates(one("b").sketch, 9).unwrap().is_empty());
    assert_eq!(store.write(Write::CheckAndAdd(one("b"))).unwrap(), Outcome::New);
}

#[test]
fn keys_of_features_are_kept_only_where_they_decide() {
    let room = Room::new();
    let store = Store::create_with(room.path("s"), &alike_settings(), &options()).unwrap();
    let mut document = alike_document("a", random(1));
    document.sketch.keys = vec![1, 2, 3];
    store.write(Write::Add(document)).unwrap();
    let kept = store.get("a").unwrap().unwrap().sketch;
    assert_eq!((kept.bands.len(), kept.keys.len()), (90, 0));
}

#[test]
fn two_sketches_are_compared_by_keys_where_both_have_them() {
    let kind = Kind::new(Width::W64, 0.8, Measure::Jaccard);
    let shape = kind.settings.threshold.bands().unwrap().unwrap();
    let (mut near, mut differ) = (0, 0);
    for own in 0..12 {
        let [a, b] =
            [own, 0].map(|own| kind.sketch(&Text { topic: 1, words: (40, own), turned: 0 }));
        let exact = Overlap::of(&a.keys, &b.keys).jaccard() >= 0.8;
        let estimated = shape.similarity(&a.bands, &b.bands) >= 0.8;
        assert_eq!(kind.settings.is_near(&a, &b), exact);
        let without = Sketch { keys: Vec::new(), ..b };
        assert_eq!(kind.settings.is_near(&a, &without), estimated);
        near += u32::from(exact);
        differ += u32::from(exact != estimated);
    }
    assert!((2..12).contains(&near) && differ > 0, "{near} {differ}");
}

#[test]
fn what_a_store_by_similarity_cannot_take_is_told() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap().with_width(Width::W128);
    let path = room.path("texts");
    let settings = Settings::by_similarity(recipe.clone(), 0.8);
    let settings = Settings { threshold: settings.threshold.estimated(), ..settings };
    let store = Store::create(&path, &settings).unwrap();
    let text =
        "The city council approved the new budget on Monday after a long debate about roads.";
    assert_eq!(store.add("a", text).unwrap(), Outcome::New);
    let fingerprint = store.get("a").unwrap().unwrap().sketch.fingerprint;
    for error in [
        store.check(fingerprint).map(drop).unwrap_err(),
        store.add("b", fingerprint).map(drop).unwrap_err(),
        store.check_and_add("b", fingerprint).map(drop).unwrap_err(),
        store.update("a", fingerprint).map(drop).unwrap_err(),
        store.near_duplicates(fingerprint, 1).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, Error::NoSketch), "{error}");
    }
    assert!(matches!(store.query(text, 3, 1), Err(Error::NoRadius)));
    let near = store.check(&text.to_uppercase()).unwrap().unwrap();
    assert_eq!((near.distance, near.alike.unwrap().measure), (0, Measure::EstimatedJaccard));
    assert_eq!((store.len(), store.add("a", text).unwrap()), (1, Outcome::Exists));

    // A store within a radius keeps nothing of a sketch but the fingerprint.
    let sketch: Sketch = store.sketch(text).unwrap();
    assert_eq!((sketch.bands.len(), sketch.keys.len()), (90, 0));
    let radius = Store::create(room.path("radius"), &Settings::of(recipe.clone())).unwrap();
    radius.add("a", sketch.clone()).unwrap();
    let kept = radius.get("a").unwrap().unwrap().sketch;
    assert_eq!((kept.fingerprint, kept.bands.len()), (sketch.fingerprint, 0));
    assert!(
        fs::read_to_string(room.path("radius/store.toml")).unwrap().starts_with("version = 1\n")
    );
    assert!(fs::read_to_string(path.join("store.toml")).unwrap().starts_with("version = 2\n"));

    let at = |threshold| Settings { threshold, ..Settings::of(recipe.clone()) };
    let told = |settings: &Settings| Store::create(room.path("none"), settings).unwrap_err();
    assert!(matches!(told(&at(Threshold::similarity(0.1))), Error::Rules(_)));
    let recall = Threshold::Similarity { similarity: 0.8, recall: 1.0, verify: false };
    assert!(matches!(told(&at(recall)), Error::Rules(_)));
    let weighed = Recipe { weights: Weighting::Given, ..recipe.clone() };
    for wrong in [
        Settings { threshold: Threshold::similarity(0.8), ..Settings::of(weighed.clone()) },
        Settings { threshold: Threshold::cosine(0.8), ..Settings::of(recipe.clone()) },
    ] {
        assert!(matches!(told(&wrong), Error::Weights { .. }));
    }
    let cosine =
        |least| Settings { threshold: Threshold::cosine(least), ..Settings::of(weighed.clone()) };
    assert!(matches!(
        told(&cosine(0.1)),
        Error::Rules(nearprint_rules::Error::Similarity { width: Width::W128, .. })
    ));
    assert!(matches!(
        told(&cosine(f64::NAN)),
        Error::Rules(nearprint_rules::Error::Similarity { .. })
    ));
    assert!(!room.path("none").exists());

    // Ready-made sketches need no recipe.
    let store = Store::create_with(room.path("own"), &alike_settings(), &options()).unwrap();
    assert!(matches!(store.write(Write::Add(document("a", 7))), Err(Error::NoSketch)));
    assert_eq!(store.write(Write::Add(alike_document("a", 7))).unwrap(), Outcome::New);
}
