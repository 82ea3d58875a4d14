//! The search in parts beside the search of the whole.

use nearprint_dedup::{
    ClusterRule, Components, Dedup, Found, JobSpec, KeepRule, LabelSpec, Removed, TextLabels,
};
use nearprint_fingerprint::{Recipe, Width};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// Edited copies of several pages, equal and short texts, texts without a feature, and a crowd.
fn texts() -> Vec<String> {
    let edited = |page: usize, copy: usize| {
        let word = |at: usize| match (at * 5 + copy * 17) % 83 {
            0 => format!("edit{page}x{copy}x{at}"),
            _ => format!("page{page}x{at}"),
        };
        (0..90).map(word).collect::<Vec<_>>().join(" ")
    };
    (0..1600)
        .map(|at| match at % 8 {
            0 => ["", "...", "one two", "One; two!", "three"][at / 8 % 5].to_owned(),
            1..4 => edited(0, at),
            4 => edited(1, 3),
            5 => edited(at / 24, at),
            6 => edited(1000 + at, 0),
            _ => edited(at % 40, at / 80),
        })
        .collect()
}

/// What becomes of each text: the one that stays for it, and how near that is.
type Fates = BTreeMap<usize, (usize, u32, Option<u64>)>;

fn fates(found: &Found, position: impl Fn(usize) -> usize) -> Fates {
    let fate = |one: &Removed| {
        (
            position(one.position),
            (
                position(one.near),
                one.evidence.distance,
                one.evidence.similarity().map(f64::to_bits),
            ),
        )
    };
    found.removed().iter().map(fate).collect()
}

/// The default job, within groups.
fn by_site() -> Dedup {
    let labels = LabelSpec { within: Some("site".to_owned()), ..LabelSpec::default() };
    JobSpec { labels, ..JobSpec::default() }.into()
}

/// The fates, with the texts in so many parts, ranges, and documents a shard. An address is a hash of its text's
/// position, and texts 1 and 8 have one.
fn in_parts(
    dedup: &Dedup,
    (texts, labels): (&[String], Option<&[Option<String>]>),
    (parts, ranges, documents): (usize, u32, usize),
) -> Fates {
    let address =
        |at: usize| (if at == 8 { 1 } else { at } as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut by_range: BTreeMap<u32, Vec<Vec<u8>>> = BTreeMap::new();
    let (mut read, mut bytes) = (0, 0);
    for part in (0..parts).rev() {
        let mut router = dedup.router(NonZeroU32::new(ranges).unwrap()).unwrap();
        for at in (part..texts.len()).step_by(parts) {
            let label = labels.and_then(|labels| labels[at].as_deref());
            router.push(&[(address(at), &texts[at], label)]);
            if router.held_bytes() > 100_000 || at + parts >= texts.len() {
                for routed in router.take() {
                    assert!(routed.range < ranges);
                    by_range.entry(routed.range).or_default().push(routed.entries);
                    (read, bytes) = (read + routed.documents, bytes + routed.bytes);
                }
                assert_eq!(router.held_bytes(), 0);
            }
        }
    }
    assert_eq!(read, texts.len() as u64);
    assert_eq!(bytes, texts.iter().map(String::len).sum::<usize>() as u64);
    let mut components = Components::default();
    let ranges: Vec<_> = by_range.into_values().collect();
    for some in ranges.rchunks(3) {
        let mut linker = dedup.linker().unwrap();
        for range in some {
            linker.push(&range.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
        }
        components.push(&linker.take()).unwrap();
    }
    let shards: BTreeMap<u64, u32> = components.shards(documents).into_iter().collect();
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in 0..texts.len() {
        if let Some(shard) = shards.get(&address(at)) {
            members.entry(*shard).or_default().push(at);
        }
    }
    let mut all = Fates::new();
    for members in members.values() {
        let within = labels.map(|labels| members.iter().map(|at| labels[*at].clone()).collect());
        let dedup = dedup.clone().text_labels(TextLabels { within, across: None });
        let found = dedup.texts_by(members.len(), |at| texts[members[at]].as_str()).unwrap();
        all.extend(fates(&found, |at| members[at]));
    }
    all
}

#[test]
fn parts_come_to_what_the_whole_comes_to() {
    let texts = texts();
    let label =
        |at: usize| ["a", "a", "a", "a", "b"].get(at * 7 % 11 % 6).map(|&site| site.to_owned());
    let labels: Vec<Option<String>> = (0..texts.len()).map(label).collect();
    for (keep, rule, width, within) in [
        (KeepRule::Central, ClusterRule::Star, Width::W128, None),
        (KeepRule::First, ClusterRule::Connected, Width::W64, None),
        (KeepRule::Longest, ClusterRule::Star, Width::W256, None),
        (KeepRule::Central, ClusterRule::Star, Width::W128, Some(&*labels)),
        (KeepRule::First, ClusterRule::Connected, Width::W64, Some(&*labels)),
    ] {
        let recipe = Recipe::default().with_width(width);
        let dedup = if within.is_some() { by_site() } else { Dedup::new() };
        let dedup = dedup.recipe(recipe).width(width).keep(keep).cluster_rule(rule).threads(1);
        let text_labels = TextLabels { within: within.map(<[_]>::to_vec), across: None };
        let found = dedup.clone().text_labels(text_labels).texts(&texts).unwrap();
        let whole = fates(&found, |at| at);
        assert!(whole.len() > 900 && found.summary().crowded > 256, "{:?}", found.summary());
        for parts in [(1, 1, usize::MAX), (2, 7, 1), (7, 64, 300)] {
            let found = in_parts(&dedup, (&texts, within), parts);
            assert!(found == whole, "{parts:?}, {keep:?}, {}", within.is_some());
        }
    }
}

#[test]
fn entries_of_another_job_are_refused() {
    let entries = |dedup: &Dedup| {
        let mut router = dedup.router(NonZeroU32::MIN).unwrap();
        router.push(&[(1, "one two three four five six", Some("a"))]);
        router.take().remove(0).entries
    };
    let own = Dedup::new();
    assert!(own.linker().unwrap().push(&[&entries(&own)]).is_ok());
    let grouped = by_site();
    assert!(grouped.linker().unwrap().push(&[&entries(&grouped)]).is_ok());
    for other in [Dedup::new().width(Width::W64), own.clone().similarity(0.9), grouped] {
        let refused = own.linker().unwrap().push(&[&entries(&other)]).unwrap_err();
        assert!(refused.to_string().contains("another recipe, width or similarity"), "{refused}");
    }
    let refused = own.k(3).router(NonZeroU32::MIN).err().unwrap().to_string();
    assert!(refused.contains("not found by bands"), "{refused}");
}
