//! A store of each width: what it finds, what it refuses, and the fingerprints that it makes of texts.

use crate::room::{Room, random};
use nearprint_fingerprint::{
    DegenerateRule, Fingerprint, Fingerprinter, Recipe, Statistics, StatisticsBuilder, Weighting,
    Width,
};
use nearprint_store::{
    AnyFingerprint, Document, Error, Outcome, Settings, Sketch, Store, Threshold, Write,
};

/// A random fingerprint of this width.
fn code(width: Width, seed: u64) -> AnyFingerprint {
    let word = |at| random(seed * 4 + at);
    match width {
        Width::W64 => Fingerprint::from_words([word(0)]).into(),
        Width::W128 => Fingerprint::from_words([word(0), word(1)]).into(),
        Width::W256 => Fingerprint::from_words([word(0), word(1), word(2), word(3)]).into(),
    }
}

/// The same with its lowest bits changed.
fn near(code: AnyFingerprint, bits: u32) -> AnyFingerprint {
    fn changed<const WORDS: usize>(code: Fingerprint<WORDS>, bits: u32) -> Fingerprint<WORDS> {
        let mut words = *code.words();
        words[0] ^= (1 << bits) - 1;
        Fingerprint::from_words(words)
    }
    match code {
        AnyFingerprint::W64(code) => changed(code, bits).into(),
        AnyFingerprint::W128(code) => changed(code, bits).into(),
        AnyFingerprint::W256(code) => changed(code, bits).into(),
    }
}

#[test]
fn every_width_is_searched_at_its_radius_and_one_over() {
    for width in Width::ALL {
        let room = Room::new();
        let path = room.path("any");
        let settings = Settings::ready_made(width);
        let k = settings.threshold.radius().unwrap();
        assert_eq!(k, 3 * width.bits() / 64);
        let store = Store::create(&path, &settings).unwrap();
        assert!(store.is_empty());
        for seed in 0..200 {
            let id = seed.to_string();
            assert_eq!(store.check_and_add(&id, code(width, seed)).unwrap(), Outcome::New);
        }
        for seed in 0..200 {
            let (id, code) = (seed.to_string(), code(width, seed));
            let found = store.check(near(code, k)).unwrap().unwrap();
            assert_eq!((found.id.as_str(), found.distance), (id.as_str(), k));
            assert_eq!(store.check(near(code, k + 1)).unwrap(), None);
            assert_eq!(store.query(near(code, k + 1), k, 10).unwrap(), []);
            let found = store.query(near(code, k + 1), k + 1, 10).unwrap();
            assert_eq!((found[0].id.as_str(), found[0].distance), (id.as_str(), k + 1));
        }
        assert_eq!(store.query(code(width, 0), width.bits(), 500).unwrap().len(), 200);
        drop(store);
        // The width is told by the store.
        let store = Store::open(&path).unwrap();
        assert_eq!((store.len(), store.settings()), (200, &settings));
        let document = store.get("7").unwrap().unwrap();
        assert_eq!(document.sketch, Sketch::from(code(width, 7)));
        assert_eq!(store.scan().unwrap().count(), 200);
        let ids: Vec<_> = store.scan_ids("98").unwrap().map(|row| row.unwrap().id).collect();
        assert_eq!(ids, ["98", "99"]);
        assert_eq!(store.delete("7").unwrap(), Outcome::Deleted);
        assert_eq!(store.delete("7").unwrap(), Outcome::Absent);
        assert_eq!(store.update("8", code(width, 7)).unwrap(), Outcome::Updated);
        let copy = room.path("copy");
        store.snapshot(&copy).unwrap();
        let copy = Store::open(&copy).unwrap();
        assert_eq!(copy.verify().unwrap().documents, 199);
        assert_eq!(copy.check(code(width, 7)).unwrap().unwrap().id, "8");
    }
}

#[test]
fn texts_are_fingerprinted_by_the_recipe_of_the_store() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap().with_width(Width::W128);
    let store = Store::create(room.path("texts"), &Settings::of(recipe.clone())).unwrap();
    let mut fingerprinter = Fingerprinter::<2>::new(&recipe).unwrap();
    let text = "The city council approved the new budget on Monday after a long debate.";
    assert_eq!(store.add("a", text).unwrap(), Outcome::New);
    let sketch = Sketch::from(fingerprinter.fingerprint(text));
    assert_eq!(store.get("a").unwrap().unwrap().sketch, sketch);
    let near = store.check(&text.to_lowercase()).unwrap().unwrap();
    assert_eq!((near.id.as_str(), near.distance), ("a", 0));
    // Empty documents are never duplicates, short ones only of identical texts.
    assert_eq!(store.check_and_add("empty", "").unwrap(), Outcome::New);
    assert_eq!(store.check_and_add("blank", " ").unwrap(), Outcome::New);
    assert_eq!(store.check_and_add("short", "page").unwrap(), Outcome::New);
    assert!(matches!(store.check_and_add("same", "Page").unwrap(), Outcome::Duplicate(_)));
    let rule = DegenerateRule::Exact;
    let sketches = ["", "page", "Page", text].map(|text| store.sketch(text).unwrap());
    for (a, b, expected) in [(0, 0, false), (1, 2, true), (3, 3, true), (1, 3, false)] {
        assert_eq!(sketches[a].is_near(&sketches[b], 6, rule), expected, "{a} {b}");
    }
    let other = Sketch::from(Fingerprint::from(1_u64));
    assert!(!other.is_near(&sketches[3], 256, rule));
}

#[test]
fn threads_that_ask_at_once_get_one_new_document() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap();
    let store = Store::create(room.path("threads"), &Settings::of(recipe)).unwrap();
    let text = "A storm is expected to reach the northern coast by the end of the week.";
    let ask = &|id: usize| store.check_and_add(&id.to_string(), text).unwrap();
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|id| scope.spawn(move || ask(id))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::New).count(), 1);
    assert_eq!(store.len(), 1);
}

#[test]
fn what_a_store_cannot_take_is_told() {
    let room = Room::new();
    let (wide, codes) = (room.path("wide"), room.path("codes"));
    let store = Store::create(&codes, &Settings::ready_made(Width::W64)).unwrap();
    let told = |error: Error| error.to_string();
    let error = told(store.check("a text").unwrap_err());
    assert!(error.contains("takes no texts") && error.contains("ready fingerprints"), "{error}");
    let wider = code(Width::W128, 1);
    for error in [
        store.check(wider).map(|_| ()).unwrap_err(),
        store.add("a", wider).map(|_| ()).unwrap_err(),
        store.write_all(vec![Write::Add(Document::new("a", wider))]).map(|_| ()).unwrap_err(),
        store.submit(vec![Write::Add(Document::new("a", wider))], |_| ()).unwrap_err().error,
    ] {
        assert!(matches!(error, Error::OtherWidth { store: 64, asked: 128 }), "{error}");
    }
    assert!(store.is_empty());

    // Open twice, of another width, no store at all, and a folder that is taken.
    assert!(matches!(Store::open(&codes).unwrap_err(), Error::InUse { .. }));
    drop(store);
    let store = Store::open(&codes).unwrap();
    assert_eq!(store.add("a", code(Width::W64, 1)).unwrap(), Outcome::New);
    drop(store);
    assert!(matches!(Store::open(room.path("none")).unwrap_err(), Error::NoStore { .. }));
    let settings = Settings::ready_made(Width::W64);
    assert!(matches!(Store::create(&codes, &settings).unwrap_err(), Error::Taken { .. }));
    let radius = Settings { threshold: Threshold::Radius(65), ..settings };
    assert!(told(Store::create(&wide, &radius).unwrap_err()).contains("65"));

    // A recipe of features takes no texts, and says what it takes.
    let recipe = Recipe::named("vectors").unwrap();
    let vectors = Store::create(room.path("vectors"), &Settings::of(recipe)).unwrap();
    let error = told(vectors.add("a", "a text").unwrap_err());
    assert!(error.contains("takes features"), "{error}");
}

#[test]
fn statistics_are_those_that_the_recipe_names() {
    let room = Room::new();
    let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words").unwrap() };
    let statistics = |text: &str| {
        let mut builder = StatisticsBuilder::new(&recipe).unwrap();
        builder.add_text(text, None);
        Statistics::open(builder.finish()).unwrap()
    };
    let (ours, others) = ("the council met on monday", "a storm came from the north");
    let bound = recipe.bound_to_statistics(&statistics(ours)).unwrap();

    let path = room.path("bound");
    let store = Store::create(&path, &Settings::of(bound)).unwrap();
    assert!(store.add("a", ours).is_err(), "no statistics are given");
    drop(store);
    assert!(Store::open(&path).unwrap().with_statistics(statistics(others)).is_err());
    let store = Store::open(&path).unwrap().with_statistics(statistics(ours)).unwrap();
    assert_eq!(store.add("a", ours).unwrap(), Outcome::New);

    // A recipe that names none would take others the next time.
    let store = Store::create(room.path("unbound"), &Settings::of(recipe.clone())).unwrap();
    let error = store.with_statistics(statistics(ours)).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::OtherRecipe { .. }), "{error}");
}
