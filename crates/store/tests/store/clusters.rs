//! Clusters of what is stored, against all pairs compared one by one.

use crate::room::{Room, document, options};
use nearprint_fingerprint::{Fingerprinter, Recipe, Width};
use nearprint_store::{Cluster, Clusters, Document, Error, Finding, Limits, Settings, StoreOf};
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

fn members(store: &StoreOf<1>, cluster: &Cluster) -> Vec<(String, u32)> {
    let members = store.members(cluster, 0, usize::MAX).unwrap();
    members.into_iter().map(|near| (near.id, near.distance)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
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
            store.add(document(id, *code)).unwrap();
        }
        for id in gone {
            store.delete(&id.to_string()).unwrap();
            all.retain(|(other, _)| *other != id.to_string());
        }
        let found = store.clusters(k, ALL, || false).unwrap();
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
        store.add(document(id, far(1 + id % 2) | (id / 20))).unwrap();
    }
    for id in 60..65 {
        store.add(document(id, far(7))).unwrap();
    }
    let limits = Limits { documents: 65, clusters: 2, members: 3 };
    let Clusters { documents, clusters, clustered, largest } =
        store.clusters(3, limits, || false).unwrap();
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
    let refused = store.clusters(3, limits, || false).unwrap_err();
    assert!(matches!(refused, Error::TooMany { found: 64, most: 63 }), "{refused}");
    assert!(matches!(store.clusters(3, ALL, || true), Err(Error::Closed)));
}

#[test]
fn documents_that_say_too_little_are_clustered_by_what_they_say() {
    let room = Room::new();
    let recipe = Recipe::named("text").unwrap();
    let settings =
        Settings { recipe: Some(recipe.clone()), width: Width::W64, finding: Finding::Radius(3) };
    let store = StoreOf::<1>::create(&room.path("short"), &settings, &options()).unwrap();
    let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
    for (id, text) in [("a", "hello"), ("b", ""), ("c", "HELLO"), ("d", "hullo"), ("e", "")] {
        store.add(Document::new(id, fingerprinter.fingerprint(text))).unwrap();
    }
    let found = store.clusters(64, ALL, || false).unwrap();
    let all: Vec<_> = found.largest.iter().map(|one| members(&store, one)).collect();
    assert_eq!(all, [[("a".to_owned(), 0), ("c".to_owned(), 0)]]);
}
