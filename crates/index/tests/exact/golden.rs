//! Segment files of every version that was ever written: they open and answer for ever.

use crate::codes::Random;
use crate::oracle;
use nearprint_bits::Fingerprint;
use nearprint_index::{Family, Layout, Means, Scheme, Segment, SegmentBuilder};
use std::io::Cursor;
use std::path::PathBuf;

/// What the golden files hold: 40 fingerprints, some of them twice or thrice, some near others.
fn documents<const W: usize>() -> Vec<Fingerprint<W>> {
    let mut random = Random(2007);
    let mut codes: Vec<Fingerprint<W>> = (0..20).map(|_| random.code()).collect();
    for i in 0..20 {
        codes.push(random.flip(codes[i], 0..64 * W, i % 5));
    }
    codes.push(codes[3]);
    codes.push(codes[3]);
    codes
}

/// The ordinal of document `i`.
fn ordinal(i: u64) -> u64 {
    (1 << 33) + 3 * i
}

fn golden(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::read(folder.join(name)).unwrap()
}

fn answers<const W: usize>(name: &str, recipe: Option<u128>, k: u32) {
    let segment = Segment::<_, W>::open(golden(name)).unwrap();
    segment.verify().unwrap();
    let documents = documents::<W>();
    assert_eq!((segment.documents(), segment.recipe()), (42, recipe));
    assert_eq!(segment.layout().k(), k);
    for query in &documents {
        for k in 0..=k {
            let expected = oracle::neighbors(&documents, query, k, ordinal);
            let found = segment.neighbors(query, k, None).unwrap();
            assert_eq!(found, expected, "{name}, k = {k}");
        }
    }
}

fn is_what_is_written<const W: usize>(
    name: &str,
    (scheme, k): (Scheme, u32),
    recipe: Option<u128>,
    ids: bool,
) {
    let documents = documents::<W>();
    let entries = || documents.iter().copied().zip((0..).map(ordinal));
    let layout = Layout::with_bucket_bits(64 * W as u32, k, scheme, 4).unwrap();
    let mut file = Cursor::new(Vec::new());
    let builder = SegmentBuilder::new(layout, recipe, 1 << 20);
    let builder = if ids { builder } else { builder.without_ids() };
    builder.build(entries, &mut file).unwrap();
    let message = "the bytes of a segment changed: that is a new version, with a golden file more";
    assert!(file.into_inner() == golden(name), "{name}: {message}");
}

#[test]
fn version_1_in_parts() {
    answers::<1>("version-1-parts.seg", Some(0x0123_4567_89ab_cdef_0011_2233_4455_6677), 3);
}

#[test]
fn version_1_by_prefixes() {
    answers::<2>("version-1-prefixes.seg", None, 3);
}

#[test]
fn version_1_is_what_is_written() {
    let recipe = 0x0123_4567_89ab_cdef_0011_2233_4455_6677;
    is_what_is_written::<1>("version-1-parts.seg", (Scheme::Parts(2), 3), Some(recipe), true);
    let five = Scheme::family(128, &Family::combinations(5, 3).unwrap());
    is_what_is_written::<2>("version-1-prefixes.seg", (five, 3), None, true);
}

#[test]
fn version_2_has_no_ids() {
    let name = "version-2-no-ids.seg";
    is_what_is_written::<1>(name, (Scheme::nested(64, 4, 4), 3), None, false);
    let segment = Segment::<_, 1>::open(golden(name)).unwrap();
    segment.verify().unwrap();
    assert_eq!((segment.documents(), segment.has_ids(), segment.layout().k()), (42, false, 3));
    let mut codes = documents::<1>();
    codes.sort_unstable();
    codes.dedup();
    for query in documents::<1>() {
        for k in 0..=3 {
            let near = &segment.matches(&[query], k, None, Means::Tables).unwrap()[0];
            let mut found: Vec<_> = near.iter().map(|near| near.fingerprint).collect();
            found.sort_unstable();
            let expected: Vec<_> =
                codes.iter().filter(|code| query.distance(code) <= k).copied().collect();
            assert_eq!(found, expected, "k = {k}");
        }
    }
}

#[test]
fn one_part_for_equal_fingerprints_tells_no_radius() {
    let name = "version-1-untold.seg";
    is_what_is_written::<1>(name, (Scheme::Parts(1), 0), None, true);
    answers::<1>(name, None, 0);
    assert!(Segment::<_, 1>::open(golden(name)).unwrap().layout().tells_no_radius());
}

#[test]
fn version_3_has_no_tables() {
    let recipe = Some(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
    is_what_is_written::<2>("version-3-scan.seg", (Scheme::Scan, 26), recipe, true);
    is_what_is_written::<1>("version-3-no-ids.seg", (Scheme::Scan, 20), None, false);
    answers::<2>("version-3-scan.seg", recipe, 26);
    let segment = Segment::<_, 1>::open(golden("version-3-no-ids.seg")).unwrap();
    segment.verify().unwrap();
    let layout = segment.layout();
    assert_eq!((segment.documents(), segment.has_ids(), layout.k()), (42, false, 20));
    let all = &segment.matches(&[Fingerprint::ZERO], 64, None, Means::Tables).unwrap()[0];
    assert_eq!(all.len() as u64, segment.len());
}
