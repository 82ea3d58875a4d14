//! Verdicts beside a plain scan: a document is new where none that is stored is near it, by the Jaccard similarity of
//! all features, by the cosine of all weights, or within a radius. Nothing here knows how the store searches.

use crate::room::{Room, options, random};
use nearprint_fingerprint::{FeatureList, Measure, Overlap, Recipe};
use nearprint_store::{Document, Outcome, Settings, Sketch, Sketcher, Store, Threshold, Write};
use std::sync::Barrier;
use std::thread;

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Jaccard(f64),
    Cosine(f64),
    Radius(u32),
}

const ALL: [By; 3] = [By::Jaccard(0.8), By::Cosine(0.9), By::Radius(6)];

/// What makes documents for a store.
struct Maker {
    by: By,
    settings: Settings,
    sketcher: Sketcher,
}

/// A document: the words of its topic but for some, which are its own.
#[derive(Clone, Copy, Debug)]
struct Page {
    topic: u64,
    /// Words of the topic.
    words: u64,
    /// Of these, so many are others.
    own: u64,
    number: u64,
}

impl Maker {
    fn new(by: By) -> Self {
        let name = if matches!(by, By::Cosine(_)) { "vectors" } else { "words" };
        let recipe = Recipe::named(name).unwrap().with_width(nearprint_fingerprint::Width::W128);
        let settings = match by {
            By::Jaccard(least) | By::Cosine(least) => {
                Settings::by_similarity(recipe.clone(), least)
            }
            By::Radius(k) => {
                Settings { threshold: Threshold::Radius(k), ..Settings::of(recipe.clone()) }
            }
        };
        let sketcher =
            Sketcher::new(recipe, None).unwrap().for_threshold(&settings.threshold).unwrap();
        Self { by, settings, sketcher }
    }

    fn create(&self, room: &Room) -> Store {
        Store::create_with(room.path("store"), &self.settings, &options()).unwrap()
    }

    fn features(&self, page: &Page) -> Vec<(String, f64)> {
        let word = |at: u64| {
            let own = (0..page.own).any(|own| random(page.number << 8 | own) % page.words == at);
            let of = if own { page.number << 32 } else { 0 };
            let word = random(page.topic << 40 ^ of ^ at);
            (format!("w{word}"), 0.5 + (word % 16) as f64)
        };
        (0..page.words).map(word).collect()
    }

    fn sketch(&self, page: &Page) -> Sketch {
        let features = self.features(page);
        if matches!(self.by, By::Cosine(_)) {
            return self.sketcher.sketch_features(&features).unwrap();
        }
        let text: Vec<_> = features.into_iter().map(|(word, _)| word).collect();
        self.sketcher.sketch(&text.join(" "), None).unwrap()
    }

    /// The features of a document by their keys, made apart from the store's sketches.
    fn list(&self, page: &Page) -> FeatureList {
        let features = self.features(page);
        if matches!(self.by, By::Cosine(_)) {
            return self.sketcher.list_of_features(&features).unwrap();
        }
        let text: Vec<_> = features.into_iter().map(|(word, _)| word).collect();
        self.sketcher.list(&text.join(" "), None).unwrap()
    }
}

/// What is stored, compared one by one.
struct Scan<'a> {
    maker: &'a Maker,
    stored: Vec<(String, Sketch, FeatureList)>,
}

impl Scan<'_> {
    /// The id of the nearest stored document that is near a page, with the similarity or the distance; of equally
    /// near ones the oldest.
    fn near(&self, page: &Page) -> Option<(String, f64)> {
        let (sketch, list) = (self.maker.sketch(page), self.maker.list(page));
        let mut best: Option<(String, f64)> = None;
        for (id, other, of_other) in &self.stored {
            let (nearness, is_near) = match self.maker.by {
                By::Jaccard(least) => {
                    let similarity = Overlap::of(list.keys(), of_other.keys()).jaccard();
                    (similarity, similarity >= least)
                }
                By::Cosine(least) => {
                    let cosine = list.cosine(of_other);
                    (cosine, cosine >= least - 1e-12)
                }
                By::Radius(k) => {
                    let distance = sketch.fingerprint.distance(&other.fingerprint).unwrap();
                    (-f64::from(distance), distance <= k)
                }
            };
            if is_near && best.as_ref().is_none_or(|(_, most)| nearness > *most) {
                best = Some((id.clone(), nearness));
            }
        }
        best
    }

    fn store(&mut self, id: &str, page: &Page) {
        let (sketch, list) = (self.maker.sketch(page), self.maker.list(page));
        self.stored.push((id.to_owned(), sketch, list));
    }

    fn forget(&mut self, id: &str) {
        self.stored.retain(|(other, ..)| other != id);
    }

    /// Checks what a store answers of a page, and stores the page in both where it is new.
    fn check_and_add(&mut self, store: &Store, id: &str, page: &Page) -> bool {
        let sketch = self.maker.sketch(page);
        let asked = store.check(sketch.clone()).unwrap();
        let outcome = store.check_and_add(id, sketch).unwrap();
        let expected = self.near(page);
        let of_outcome = match &outcome {
            Outcome::Duplicate(near) => Some(near),
            other => {
                assert_eq!((other, &expected), (&Outcome::New, &None), "{page:?}");
                None
            }
        };
        assert_eq!(of_outcome, asked.as_ref(), "{page:?}");
        let found = of_outcome.map(|near| {
            let nearness = match near.alike {
                Some(alike) => {
                    let measure = match self.maker.by {
                        By::Cosine(_) => Measure::Cosine,
                        _ => Measure::Jaccard,
                    };
                    assert_eq!(alike.measure, measure);
                    alike.similarity
                }
                None => -f64::from(near.distance),
            };
            (near.id.clone(), nearness)
        });
        assert_eq!(found, expected, "{page:?}");
        if outcome == Outcome::New {
            self.store(id, page);
        }
        outcome == Outcome::New
    }
}

/// Pages of few topics: equal ones, near ones, and such that share much and are not near. No two are so near the
/// similarity that sketches or a radius may miss them.
fn page(number: u64) -> Page {
    let seed = random(number);
    let own = [0, 0, 1, 1, 24, 30][usize::try_from(seed / 64 % 6).unwrap()];
    Page { topic: seed % 40, words: 60, own, number: seed / 1024 % 4000 }
}

#[test]
fn a_document_is_new_where_no_stored_one_is_near() {
    for by in ALL {
        let (room, maker) = (Room::new(), Maker::new(by));
        let mut store = maker.create(&room);
        let mut scan = Scan { maker: &maker, stored: Vec::new() };
        let (mut new, mut seen) = (0, 0);
        for number in 0..900 {
            let id = number.to_string();
            match random(number << 20) % 60 {
                // What is deleted is near nothing any more.
                0..=7 if !scan.stored.is_empty() => {
                    let at =
                        usize::try_from(random(number << 21) >> 33).unwrap() % scan.stored.len();
                    let gone = scan.stored[at].0.clone();
                    assert_eq!(store.delete(&gone).unwrap(), Outcome::Deleted);
                    scan.forget(&gone);
                }
                // What replaces another document counts as the youngest.
                8..=11 if !scan.stored.is_empty() => {
                    let at =
                        usize::try_from(random(number << 22) >> 33).unwrap() % scan.stored.len();
                    let id = scan.stored[at].0.clone();
                    let page = page(number + 5000);
                    let before = store.get(&id).unwrap().unwrap().sketch;
                    let sketch = maker.sketch(&page);
                    let expected =
                        if before == sketch { Outcome::Exists } else { Outcome::Updated };
                    let update = Write::Update(Document::new(id.clone(), sketch));
                    assert_eq!(store.write(update).unwrap(), expected);
                    if expected == Outcome::Updated {
                        scan.forget(&id);
                        scan.store(&id, &page);
                    }
                }
                12 => store.compact().unwrap(),
                13 => {
                    drop(store);
                    store = Store::open_with(room.path("store"), &options()).unwrap();
                }
                _ => match scan.check_and_add(&store, &id, &page(number)) {
                    true => new += 1,
                    false => seen += 1,
                },
            }
        }
        assert!(new > 100 && seen > 100, "{by:?}: {new} new, {seen} seen");
        assert_eq!(store.verify().unwrap().documents, scan.stored.len() as u64);
    }
}

#[test]
fn a_near_duplicate_is_found_in_a_crowd_of_documents_that_are_none() {
    const CROWD: u64 = 3000;
    // Any two share two thirds of their words, so that many agree in a band.
    let page = |number: u64| Page { topic: 1, words: 60, own: 6, number };
    let (room, maker) = (Room::new(), Maker::new(By::Jaccard(0.8)));
    let store = maker.create(&room);
    let mut scan = Scan { maker: &maker, stored: Vec::new() };
    for part in (0..CROWD).collect::<Vec<_>>().chunks(500) {
        let write = |number: &u64| {
            Write::Add(Document::new(number.to_string(), maker.sketch(&page(*number))))
        };
        assert!(
            store.write_all(part.iter().map(write).collect()).unwrap().iter().all(Result::is_ok)
        );
    }
    (0..CROWD).for_each(|number| scan.store(&number.to_string(), &page(number)));
    let mut found = 0;
    for (at, number) in (0..CROWD).rev().step_by(61).enumerate() {
        // The page with one more word, and one of the crowd that is not stored.
        let near = Page { words: 61, ..page(number) };
        let other = page(CROWD + number);
        found += usize::from(!scan.check_and_add(&store, &format!("near {at}"), &near));
        scan.check_and_add(&store, &format!("other {at}"), &other);
        if at == 20 {
            store.compact().unwrap();
        }
    }
    assert!(found > 20, "{found}");
    let stats = store.stats().unwrap();
    assert!(stats.crowded > 0 && stats.crowded_searches > 20, "{stats:?}");
}

#[test]
fn of_near_documents_that_come_together_one_is_new() {
    const THREADS: u64 = 6;
    for by in ALL {
        let (room, maker) = (Room::new(), Maker::new(by));
        let (store, together) = (maker.create(&room), Barrier::new(6));
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let (store, maker, together) = (&store, &maker, &together);
                scope.spawn(move || {
                    for topic in 0..30 {
                        let page = Page { topic, words: 60, own: thread % 2, number: thread };
                        together.wait();
                        let sketch = maker.sketch(&page);
                        let _any =
                            store.check_and_add(&format!("{topic}-{thread}"), sketch).unwrap();
                    }
                });
            }
        });
        // No two that are stored are near, whichever came first.
        let pages = |id: &str| {
            let (topic, thread) = id.split_once('-').unwrap();
            let (topic, thread): (u64, u64) = (topic.parse().unwrap(), thread.parse().unwrap());
            Page { topic, words: 60, own: thread % 2, number: thread }
        };
        let ids: Vec<_> = store.scan().unwrap().map(|one| one.unwrap().id).collect();
        let mut scan = Scan { maker: &maker, stored: Vec::new() };
        for id in &ids {
            assert_eq!(scan.near(&pages(id)), None, "{by:?} {id}");
            scan.store(id, &pages(id));
        }
        for topic in 0..30 {
            for thread in 0..THREADS {
                let page = Page { topic, words: 60, own: thread % 2, number: thread };
                assert!(scan.near(&page).is_some(), "{by:?} {page:?}");
            }
        }
    }
}
