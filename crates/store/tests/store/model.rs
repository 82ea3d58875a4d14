//! Random operations on a store and on a model of it: a list that is compared one by one.

use crate::room::{Room, document};
use nearprint_fingerprint::Fingerprint;
use nearprint_store::{Error, NearDocument, Outcome, Store, Write};
use proptest::prelude::*;

/// The documents, the oldest first.
#[derive(Default)]
struct Model(Vec<(String, u64)>);

impl Model {
    fn near(&self, code: u64, k: u32) -> Vec<NearDocument> {
        let near = self.0.iter().map(|(id, other)| (id, (other ^ code).count_ones()));
        let near = near.filter(|(_, distance)| *distance <= k);
        let mut near: Vec<_> = near
            .map(|(id, distance)| NearDocument { id: id.clone(), distance, alike: None })
            .collect();
        near.sort_by_key(|near| near.distance);
        near
    }

    fn code(&self, id: &str) -> Option<u64> {
        self.0.iter().find(|(other, _)| other == id).map(|(_, code)| *code)
    }

    /// What is expected of a write; `None` where the id is taken.
    fn write(&mut self, write: &Write) -> Option<Outcome> {
        let (Write::Add(new)
        | Write::CheckAndAdd(new)
        | Write::Update(new)
        | Write::CheckAndUpdate(new)) = write
        else {
            let Write::Delete(id) = write else { unreachable!() };
            let found = self.code(id).is_some();
            self.0.retain(|(other, _)| other != id);
            return Some(if found { Outcome::Deleted } else { Outcome::Absent });
        };
        let code = new.sketch.fingerprint.words()[0];
        let before = self.code(&new.id);
        let outcome = match (before, write) {
            (Some(before), _) if before == code => return Some(Outcome::Exists),
            (own, Write::CheckAndUpdate(_)) => {
                let mut near = self.near(code, 3).into_iter();
                if let Some(near) = near.find(|near| near.id != new.id) {
                    return Some(Outcome::Duplicate(near));
                }
                self.0.retain(|(other, _)| *other != new.id);
                own.map_or(Outcome::New, |_| Outcome::Updated)
            }
            (Some(_), Write::Update(_)) => {
                self.0.retain(|(other, _)| *other != new.id);
                Outcome::Updated
            }
            (Some(_), _) => return None,
            (None, Write::CheckAndAdd(_)) => match self.near(code, 3).into_iter().next() {
                Some(near) => return Some(Outcome::Duplicate(near)),
                None => Outcome::New,
            },
            (None, _) => Outcome::New,
        };
        self.0.push((new.id.clone(), code));
        Some(outcome)
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(Vec<Write>),
    Ask(u64),
    Compact,
    Reopen,
    Snapshot,
}

/// Codes of which many are near each other: some centres, with some bits turned over.
fn code() -> impl Strategy<Value = u64> {
    (1_u64..6, prop::collection::vec(0_u32..64, 0..4)).prop_map(|(centre, bits)| {
        let centre = centre.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits.into_iter().fold(centre, |code, bit| code ^ 1 << bit)
    })
}

fn write() -> impl Strategy<Value = Write> {
    (0_u8..7, 0_u8..40, code()).prop_map(|(kind, id, code)| match kind {
        0 => Write::Add(document(id, code)),
        1 | 2 => Write::CheckAndAdd(document(id, code)),
        3 => Write::Update(document(id, code)),
        4 | 5 => Write::CheckAndUpdate(document(id, code)),
        _ => Write::Delete(id.to_string()),
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => prop::collection::vec(write(), 1..12).prop_map(Step::Write),
        8 => code().prop_map(Step::Ask),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
        1 => Just(Step::Snapshot),
    ]
}

fn agrees(store: &Store, model: &Model, code: u64) {
    let query = Fingerprint::from(code);
    for k in [0, 3, 4, 20] {
        assert_eq!(store.query(query, k, usize::MAX).unwrap(), model.near(code, k), "k = {k}");
    }
    let first = model.near(code, 3).into_iter().next();
    assert_eq!(store.check(query).unwrap(), first);
}

fn agrees_in_all(store: &Store, model: &Model) {
    let all = store.scan().unwrap().map(Result::unwrap);
    let all: Vec<_> = all.map(|one| (one.id, one.sketch.fingerprint.words()[0])).collect();
    assert_eq!(all, model.0);
    assert_eq!(store.verify().unwrap().documents, model.0.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: nearprint_testing::cases(24), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_store_answers_as_a_list_does(steps in prop::collection::vec(step(), 1..40)) {
        let room = Room::new();
        let (mut store, mut model) = (room.store(), Model::default());
        for (at, step) in steps.into_iter().enumerate() {
            match step {
                Step::Write(writes) => {
                    let outcomes = store.write_all(writes.clone()).unwrap();
                    for (write, outcome) in writes.iter().zip(outcomes) {
                        match (model.write(write), outcome) {
                            (Some(expected), Ok(outcome)) => prop_assert_eq!(outcome, expected),
                            (None, Err(Error::IdTaken { .. })) => {}
                            other => panic!("{write:?}: {other:?}"),
                        }
                    }
                }
                Step::Ask(code) => agrees(&store, &model, code),
                Step::Compact => {
                    store.compact().unwrap();
                    let stats = store.stats().unwrap();
                    prop_assert_eq!(stats.recent, 0);
                    prop_assert!(stats.segments.iter().all(|segment| segment.gone == 0));
                }
                Step::Reopen => {
                    drop(store);
                    store = room.open();
                    agrees_in_all(&store, &model);
                }
                Step::Snapshot => {
                    let path = room.path(&format!("snapshot-{at}"));
                    store.snapshot(&path).unwrap();
                    let copy = Store::open_with(&path, &crate::room::options()).unwrap();
                    prop_assert!(copy.repairs().is_empty());
                    agrees_in_all(&copy, &model);
                }
            }
        }
        agrees_in_all(&store, &model);
    }
}
