//! Random operations on a store by similarity and on a model of it: a list of sketches that are compared one
//! by one.

use crate::room::{Room, options, random};
use nearprint_fingerprint::estimate::{filter_radius, radius_at_cosine};
use nearprint_fingerprint::{
    DegenerateRule, FeatureList, Fingerprint, Matching, Overlap, Recipe, Weighting, Width,
};
use nearprint_store::{
    Alike, AnyFingerprint, Document, Error, Measure, NearDocument, Outcome, Settings, Sketch,
    Sketcher, Store, Threshold, Write,
};
use proptest::prelude::*;
use std::path::Path;

/// What a store is made for, and what makes its sketches.
pub(crate) struct Kind {
    pub(crate) settings: Settings,
    pub(crate) measure: Measure,
    similarity: f64,
    sketcher: Sketcher,
}

/// The share of pairs at the similarity that stores of these tests find.
const RECALL: f64 = 0.9;

impl Kind {
    pub(crate) fn new(width: Width, similarity: f64, measure: Measure) -> Self {
        let recipe = match measure {
            Measure::Cosine => Recipe::named("vectors").unwrap(),
            _ => Recipe { weights: Weighting::Set, ..Recipe::named("words").unwrap() },
        };
        let recipe = recipe.with_width(width);
        let threshold = Threshold::suiting(recipe.weights, similarity).recalling(RECALL);
        let threshold = if measure.is_exact() { threshold } else { threshold.estimated() };
        let sketcher =
            Sketcher::new(recipe.clone(), None).unwrap().for_threshold(&threshold).unwrap();
        let settings = Settings { threshold, ..Settings::of(recipe) };
        assert_eq!(threshold.least(), Some((similarity, measure)));
        Self { settings, measure, similarity, sketcher }
    }

    /// How alike two documents are, if a search looks at the one for the other.
    fn alike(&self, a: &Sketch, b: &Sketch, distance: u32) -> Option<f64> {
        let bits = self.settings.width.bits();
        if self.measure == Measure::Cosine {
            let [of_a, of_b] =
                [a, b].map(|one| FeatureList::of(one.keys.clone(), one.weights.clone()));
            let within = distance <= radius_at_cosine(self.similarity, bits, RECALL);
            return within.then(|| of_a.cosine(&of_b));
        }
        let mut bands = a.bands.chunks(5).zip(b.bands.chunks(5));
        if !bands.any(|(a, b)| a == b) || distance > filter_radius(self.similarity, bits) {
            return None;
        }
        Some(match self.measure {
            Measure::Jaccard => Overlap::of(&a.keys, &b.keys).jaccard(),
            _ => {
                let shape = self.settings.threshold.bands().unwrap().unwrap();
                shape.similarity(&a.bands, &b.bands)
            }
        })
    }

    pub(crate) fn similarity(&self) -> f64 {
        self.similarity
    }

    /// The sketch of a text of words, with some bits of what it is searched by turned over.
    pub(crate) fn sketch(&self, text: &Text) -> Sketch {
        let Text { topic, words, turned } = *text;
        let word = |at: u64| match at {
            at if at < words.0 => format!("w{} ", random(topic << 16 | at) % 100_000),
            at => format!("w{} ", random(topic << 32 | words.0 << 24 | words.1 << 16 | at)),
        };
        let words = (0..words.0 + words.1).map(word);
        let mut sketch = if self.measure == Measure::Cosine {
            // A word has the same weight in all texts.
            let weight = |word: &str| {
                let sum = word.bytes().fold(0, |sum, byte| random(sum ^ u64::from(byte)));
                (sum % 1000) as f64 / 100.0 - 2.5
            };
            let features: Vec<_> = words.map(|word| (word.clone(), weight(&word))).collect();
            self.sketcher.sketch_features(&features).unwrap()
        } else {
            self.sketcher.sketch(&words.collect::<String>(), None).unwrap()
        };
        if sketch.flags.any() {
            return sketch;
        }
        let turned = u64::MAX.checked_shr(64 - turned).unwrap_or(0);
        let turn = |code: AnyFingerprint| match code {
            AnyFingerprint::W64(code) => Fingerprint::from(code.words()[0] ^ turned).into(),
            AnyFingerprint::W128(code) => {
                Fingerprint::from_words([code.words()[0] ^ turned, code.words()[1]]).into()
            }
            AnyFingerprint::W256(code) => {
                let [a, rest @ ..] = *code.words();
                Fingerprint::from_words([a ^ turned, rest[0], rest[1], rest[2]]).into()
            }
        };
        match &mut sketch.code {
            Some(code) => *code = turn(*code),
            None => sketch.fingerprint = turn(sketch.fingerprint),
        }
        sketch
    }

    pub(crate) fn create(&self, path: &Path) -> Store {
        Store::create_with(path, &self.settings, &options()).unwrap()
    }
}

/// A text: words of its topic, then words of its own; and how many bits of what it is searched by are turned over.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) topic: u64,
    pub(crate) words: (u64, u64),
    pub(crate) turned: u32,
}

/// The documents, the oldest first.
pub(crate) struct Model<'a> {
    pub(crate) kind: &'a Kind,
    pub(crate) documents: Vec<(String, Sketch)>,
}

impl Model<'_> {
    /// All near-duplicates, the most alike first, then the oldest.
    pub(crate) fn near(&self, sketch: &Sketch) -> Vec<NearDocument> {
        let (rule, measure) = (DegenerateRule::Exact, self.kind.measure);
        let mut near = Vec::new();
        for (id, other) in &self.documents {
            let distance = sketch.fingerprint.distance(&other.fingerprint).unwrap();
            let searched = |sketch: &Sketch| sketch.code.unwrap_or(sketch.fingerprint);
            let apart = searched(sketch).distance(&searched(other)).unwrap();
            let alike = match (rule.matching(sketch.flags), rule.matching(other.flags)) {
                (Matching::Distance, Matching::Distance) => {
                    match self.kind.alike(sketch, other, apart) {
                        Some(similarity) => Alike { similarity, measure },
                        None => continue,
                    }
                }
                (Matching::Equality, Matching::Equality) if sketch.content == other.content => {
                    let exact = if measure.is_exact() { measure } else { Measure::Jaccard };
                    Alike { similarity: 1.0, measure: exact }
                }
                _ => continue,
            };
            if measure.reaches(alike.similarity, self.kind.similarity()) {
                near.push(NearDocument { id: id.clone(), distance, alike: Some(alike) });
            }
        }
        let similarity = |near: &NearDocument| near.alike.unwrap().similarity;
        near.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
        near
    }

    fn sketch(&self, id: &str) -> Option<&Sketch> {
        self.documents.iter().find(|(other, _)| other == id).map(|(_, sketch)| sketch)
    }

    /// What is expected of a write; `None` where the id is taken.
    pub(crate) fn write(&mut self, write: &Write) -> Option<Outcome> {
        let (Write::Add(new)
        | Write::CheckAndAdd(new)
        | Write::Update(new)
        | Write::CheckAndUpdate(new)) = write
        else {
            let Write::Delete(id) = write else { unreachable!() };
            let found = self.sketch(id).is_some();
            self.documents.retain(|(other, _)| other != id);
            return Some(if found { Outcome::Deleted } else { Outcome::Absent });
        };
        let outcome = match (self.sketch(&new.id), write) {
            (Some(before), _) if *before == new.sketch => return Some(Outcome::Exists),
            (own, Write::CheckAndUpdate(_)) => {
                let outcome = own.map_or(Outcome::New, |_| Outcome::Updated);
                let mut near = self.near(&new.sketch).into_iter();
                if let Some(near) = near.find(|near| near.id != new.id) {
                    return Some(Outcome::Duplicate(near));
                }
                self.documents.retain(|(other, _)| *other != new.id);
                outcome
            }
            (Some(_), Write::Update(_)) => {
                self.documents.retain(|(other, _)| *other != new.id);
                Outcome::Updated
            }
            (Some(_), _) => return None,
            (None, Write::CheckAndAdd(_)) => match self.near(&new.sketch).into_iter().next() {
                Some(near) => return Some(Outcome::Duplicate(near)),
                None => Outcome::New,
            },
            (None, _) => Outcome::New,
        };
        self.documents.push((new.id.clone(), new.sketch.clone()));
        Some(outcome)
    }

    fn agrees(&self, store: &Store, sketch: &Sketch) {
        let near = self.near(sketch);
        assert_eq!(store.check(sketch.clone()).unwrap(), near.first().cloned());
        // Only documents that are compared by their sketches are listed.
        let listed = if sketch.flags.any() { &[][..] } else { &near[..] };
        assert_eq!(store.near_duplicates(sketch.clone(), usize::MAX).unwrap(), listed);
        assert_eq!(
            store.near_duplicates(sketch.clone(), 1).unwrap(),
            &listed[..listed.len().min(1)]
        );
    }

    fn agrees_in_all(&self, store: &Store) {
        let all = store.scan().unwrap().map(Result::unwrap);
        let all: Vec<_> = all.map(|one| (one.id, one.sketch)).collect();
        assert_eq!(all, self.documents);
        assert_eq!(store.verify().unwrap().documents, self.documents.len() as u64);
        assert!(store.repairs().is_empty());
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(Vec<(u8, u8, Text)>),
    Ask(Text),
    Compact,
    Reopen,
    Snapshot,
}

/// Texts of which many are alike; some are empty or short.
fn text() -> impl Strategy<Value = Text> {
    let words = prop_oneof![
        10 => (25_u64..45, 0_u64..12),
        1 => (0_u64..2, Just(0)),
    ];
    (1_u64..5, words, 0_u32..40).prop_map(|(topic, words, turned)| Text {
        topic,
        words,
        turned: turned.saturating_sub(25),
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => prop::collection::vec((0_u8..7, 0_u8..40, text()), 1..12).prop_map(Step::Write),
        8 => text().prop_map(Step::Ask),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
        1 => Just(Step::Snapshot),
    ]
}

fn write(kind: &Kind, (act, id, text): &(u8, u8, Text)) -> Write {
    let document = || Document::new(id.to_string(), kind.sketch(text));
    match act {
        0 => Write::Add(document()),
        1 | 2 => Write::CheckAndAdd(document()),
        3 => Write::Update(document()),
        4 | 5 => Write::CheckAndUpdate(document()),
        _ => Write::Delete(id.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: nearprint_testing::cases(30), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_store_by_similarity_answers_as_a_list_does(
        steps in prop::collection::vec(step(), 1..30),
        width in prop::sample::select(Width::ALL.to_vec()),
        similarity in prop::sample::select(vec![0.6, 0.8, 0.9]),
        measure in prop::sample::select(vec![
            Measure::Jaccard,
            Measure::Cosine,
            Measure::EstimatedJaccard,
        ]),
    ) {
        let kind = Kind::new(width, similarity, measure);
        let room = Room::new();
        let path = room.path("alike");
        let mut store = kind.create(&path);
        let mut model = Model { kind: &kind, documents: Vec::new() };
        for (at, step) in steps.into_iter().enumerate() {
            match step {
                Step::Write(writes) => {
                    let writes: Vec<_> = writes.iter().map(|one| write(&kind, one)).collect();
                    let outcomes = store.write_all(writes.clone()).unwrap();
                    for (write, outcome) in writes.iter().zip(outcomes) {
                        match (model.write(write), outcome) {
                            (Some(expected), Ok(outcome)) => prop_assert_eq!(outcome, expected),
                            (None, Err(Error::IdTaken { .. })) => {}
                            other => panic!("{write:?}: {other:?}"),
                        }
                    }
                }
                Step::Ask(text) => model.agrees(&store, &kind.sketch(&text)),
                Step::Compact => {
                    store.compact().unwrap();
                    let stats = store.stats().unwrap();
                    prop_assert_eq!(stats.recent, 0);
                    prop_assert!(stats.segments.iter().all(|segment| segment.gone == 0));
                }
                Step::Reopen => {
                    drop(store);
                    store = Store::open_with(&path, &options()).unwrap();
                    prop_assert_eq!(store.settings(), &kind.settings);
                    model.agrees_in_all(&store);
                }
                Step::Snapshot => {
                    let path = room.path(&format!("snapshot-{at}"));
                    store.snapshot(&path).unwrap();
                    let copy = Store::open_with(&path, &options()).unwrap();
                    model.agrees_in_all(&copy);
                }
            }
        }
        for (_, sketch) in model.documents.clone() {
            model.agrees(&store, &sketch);
        }
        model.agrees_in_all(&store);
    }
}
