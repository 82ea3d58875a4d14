//! Clusters of what is stored, against all pairs compared one by one.

use crate::model_alike::{Kind, Model, Text};
use crate::room::{Room, alike_document, alike_settings, document, options, random};
use nearprint_fingerprint::{Fingerprinter, Recipe, Width};
use nearprint_store::{
    Cluster, Clusters, Document, Error, Limits, Measure, NearDocument, Settings, Store, Threshold,
    Write,
};
use proptest::prelude::*;
use std::cmp::Reverse;

const ALL: Limits = Limits { documents: 1000, clusters: 1000, members: 1000 };

/// The clusters of documents, the oldest first, by relabelling until nothing changes.
fn expected(documents: &[(String, u64)], k: u32) -> Vec<Vec<(String, u32)>> {
    let mut label: Vec<_> = (0..documents.len()).collect();
    loop {
        let before = label.clone();
        for a in 0..documents.len() {
            for b in 0..a {
                if (documents[a].1 ^ documents[b].1).count_ones() <= k {
                    let least = label[a].min(label[b]);
                    (label[a], label[b]) = (least, least);
                }
            }
        }
        if label == before {
            break;
        }
    }
    let of = |root: usize| {
        let members = (0..documents.len()).filter(|at| label[*at] == root);
        let distance = |at: usize| (documents[at].1 ^ documents[root].1).count_ones();
        members.map(|at| (documents[at].0.clone(), distance(at))).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = (0..documents.len()).map(of).filter(|one| one.len() > 1).collect();
    all.sort_by_key(|one| Reverse(one.len()));
    all
}

fn members(store: &Store, cluster: &Cluster) -> Vec<(String, u32)> {
    let members = store.members(cluster, 0, usize::MAX).unwrap();
    members.into_iter().map(|near| (near.id, near.distance)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: nearprint_testing::cases(24), ..ProptestConfig::default() })]
    #[test]
    fn clusters_are_those_of_all_pairs(
        codes in prop::collection::vec((1_u64..4, 0_u64..256), 0..60),
        k in 0_u32..4,
        gone in prop::collection::vec(0_usize..60, 0..10),
    ) {
        let room = Room::new();
        let store = room.store();
        // Some bits far apart, and some that make neighbours.
        let code = |(group, low): (u64, u64)| (group * 0x1111_1111_1111_0000) | low;
        let mut all: Vec<_> =
            (0..).zip(codes).map(|(id, one): (u32, _)| (id.to_string(), code(one))).collect();
        for (id, code) in &all {
            store.write(Write::Add(document(id, *code))).unwrap();
        }
        for id in gone {
            store.delete(&id.to_string()).unwrap();
            all.retain(|(other, _)| *other != id.to_string());
        }
        let found = store.clusters(Some(k), ALL, &|| false).unwrap();
        let expected = expected(&all, k);
        let clustered = expected.iter().map(Vec::len).sum::<usize>() as u64;
        prop_assert_eq!((found.documents, found.clusters), (all.len() as u64, expected.len() as u64));
        prop_assert_eq!(found.clustered, clustered);
        let named: Vec<_> = found.largest.iter().map(|one| members(&store, one)).collect();
        prop_assert_eq!(named, expected);
    }
}

#[test]
fn the_largest_clusters_and_their_oldest_members_are_kept() {
    let room = Room::new();
    let store = room.store();
    let far = |group: u64| group * 0x0101_0101_0101_0100;
    for id in 0..60 {
        store.write(Write::Add(document(id, far(1 + id % 2) | (id / 20)))).unwrap();
    }
    for id in 60..65 {
        store.write(Write::Add(document(id, far(7)))).unwrap();
    }
    let limits = Limits { documents: 65, clusters: 2, members: 3 };
    let Clusters { documents, clusters, clustered, sizes, largest } =
        store.clusters(None, limits, &|| false).unwrap();
    // Also of those that are not kept.
    assert_eq!(sizes, [(30, 2), (5, 1)]);
    assert_eq!((documents, clusters, clustered), (65, 3, 65));
    let kept: Vec<_> = largest.iter().map(|one| (one.size, members(&store, one))).collect();
    let ids = |ids: [u32; 3]| ids.map(|id| (id.to_string(), 0)).to_vec();
    assert_eq!(kept, [(30, ids([0, 2, 4])), (30, ids([1, 3, 5]))]);
    let one = store.members(&largest[0], 1, 1).unwrap();
    assert_eq!((one[0].id.as_str(), one.len()), ("2", 1));
    // What goes meanwhile is left out.
    store.delete("0").unwrap();
    assert_eq!(members(&store, &largest[0]), ids([2, 4, 4])[..2]);

    let limits = Limits { documents: 63, ..limits };
    let refused = store.clusters(Some(3), limits, &|| false).unwrap_err();
    assert!(matches!(refused, Error::TooMany { found: 64, most: 63 }), "{refused}");
    assert!(matches!(store.clusters(None, ALL, &|| true), Err(Error::Closed)));
}

#[test]
fn documents_that_say_too_little_are_clustered_by_what_they_say() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap();
    let settings = Settings {
        recipe: Some(recipe.clone()),
        width: Width::W64,
        threshold: Threshold::Radius(3),
    };
    let store = Store::create_with(room.path("short"), &settings, &options()).unwrap();
    let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
    for (id, text) in [("a", "hello"), ("b", ""), ("c", "HELLO"), ("d", "hullo"), ("e", "")] {
        store.write(Write::Add(Document::new(id, fingerprinter.fingerprint(text)))).unwrap();
    }
    let found = store.clusters(Some(64), ALL, &|| false).unwrap();
    let all: Vec<_> = found.largest.iter().map(|one| members(&store, one)).collect();
    assert_eq!(all, [[("a".to_owned(), 0), ("c".to_owned(), 0)]]);
}

#[test]
fn clusters_by_similarity_are_those_of_what_searches_find() {
    for (measure, width) in [
        (Measure::EstimatedJaccard, Width::W128),
        (Measure::Jaccard, Width::W64),
        (Measure::Cosine, Width::W256),
    ] {
        let kind = Kind::new(width, 0.8, measure);
        let room = Room::new();
        let store = kind.create(&room.path("alike"));
        let mut model = Model { kind: &kind, documents: Vec::new() };
        for number in 0..300 {
            let seed = random(number);
            // Some say nothing, and some too little to be compared by features.
            let words = if seed.is_multiple_of(29) {
                (seed / 29 % 2, 0)
            } else {
                (30 + seed % 12, seed / 7 % 9)
            };
            // Some fingerprints are farther apart than those of such documents.
            let turned = if seed.is_multiple_of(5) { 50 } else { 0 };
            let text = Text { topic: 1 + seed / 64 % 23, words, turned };
            let sketch = kind.sketch(&text);
            store.write(Write::Add(Document::new(number.to_string(), sketch.clone()))).unwrap();
            model.documents.push((number.to_string(), sketch));
            if number == 200 {
                store.compact().unwrap();
            }
        }
        for gone in ["7", "77", "299"] {
            store.delete(gone).unwrap();
            model.documents.retain(|(id, _)| id != gone);
        }
        let ids: Vec<_> = model.documents.iter().map(|(id, _)| id.clone()).collect();
        let near = |(_, sketch): &(String, _)| {
            let near = model.near(sketch).into_iter();
            near.map(|near| ids.iter().position(|id| *id == near.id).unwrap()).collect::<Vec<_>>()
        };
        let near: Vec<_> = model.documents.iter().map(near).collect();
        let mut label: Vec<_> = (0..ids.len()).collect();
        loop {
            let before = label.clone();
            for (a, near) in near.iter().enumerate() {
                let least = near.iter().map(|b| label[*b]).min().unwrap_or(label[a]).min(label[a]);
                near.iter().chain([&a]).for_each(|b| label[*b] = least);
            }
            if label == before {
                break;
            }
        }
        let label = &label;
        let of = |root: usize| (0..ids.len()).filter(move |at| label[*at] == root);
        let mut expected: Vec<_> = (0..ids.len())
            .map(|root| of(root).map(|at| ids[at].clone()).collect::<Vec<_>>())
            .filter(|one| one.len() > 1)
            .collect();
        expected.sort_by_key(|one| Reverse(one.len()));
        assert!(expected.len() > 10 && expected[0].len() > 3, "{expected:?}");

        let found = store.clusters(None, ALL, &|| false).unwrap();
        assert!(found.documents < ids.len() as u64, "{found:?}");
        let of_cluster = |one| store.members(one, 0, usize::MAX).unwrap();
        let members: Vec<_> = found.largest.iter().map(of_cluster).collect();
        let named =
            |near: &Vec<NearDocument>| near.iter().map(|near| near.id.clone()).collect::<Vec<_>>();
        assert_eq!(members.iter().map(named).collect::<Vec<_>>(), expected);
        let sketch = |near: &NearDocument| {
            let found = model.documents.iter().find(|(id, _)| *id == near.id);
            found.map(|(_, sketch)| sketch.clone()).unwrap()
        };
        for all in &members {
            let first = sketch(&all[0]);
            for near in all {
                let other = sketch(near);
                let alike = near.alike.unwrap();
                assert_eq!(Some(alike), kind.settings.alike(&first, &other));
                let is_equal = other.flags.any() && measure == Measure::EstimatedJaccard;
                assert_eq!(alike.measure, if is_equal { Measure::Jaccard } else { measure });
            }
        }
        assert!(matches!(store.clusters(Some(3), ALL, &|| false), Err(Error::NoRadius)));
        assert!(matches!(store.clusters(None, ALL, &|| true), Err(Error::Closed)));
    }
}

#[test]
fn a_crowd_is_one_cluster() {
    let room = Room::new();
    let store = Store::create_with(room.path("s"), &alike_settings(), &options()).unwrap();
    let one = |id: u64| Write::Add(alike_document(id, random(1)));
    store.write_all((0..600).map(one).collect()).unwrap();
    let found = store.clusters(None, ALL, &|| false).unwrap();
    assert_eq!((found.clusters, found.clustered), (1, 600));
}
