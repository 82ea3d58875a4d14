//! The front door, `pairs` and `Index`, against the scan: codes in any order, equal ones among them.

use crate::codes::{Random, clustered, crowded, extremes, planted};
use crate::oracle;
use nearprint_bits::{Codes, Fingerprint};
use nearprint_index::{
    Error, Index, Pair, Pairing, Planner, Purpose, Request, Segment, SegmentBuilder, for_each_pair,
    pairs, scan,
};
use std::io::Cursor;
use std::sync::Mutex;

/// The codes out of order, a third of them twice or more often.
fn shuffled<const W: usize>(mut codes: Vec<Fingerprint<W>>) -> Vec<Fingerprint<W>> {
    let mut random = Random(12);
    for _ in 0..codes.len() / 2 {
        codes.push(codes[random.below(codes.len())]);
    }
    for at in (1..codes.len()).rev() {
        codes.swap(at, random.below(at + 1));
    }
    codes
}

fn check_pairs<const W: usize>(codes: &[Fingerprint<W>], ks: &[u32]) {
    for k in ks {
        let expected = scan::pairs(codes, *k);
        assert!(pairs(codes, *k).unwrap() == expected, "k = {k}");
        let streamed = Mutex::new(Vec::new());
        for_each_pair(codes, *k, |pair| streamed.lock().unwrap().push(pair)).unwrap();
        let mut streamed = streamed.into_inner().unwrap();
        streamed.sort_unstable();
        assert!(streamed == expected, "k = {k}");
        check_pairing(codes, *k, &expected);
    }
}

/// All pairs and those that folding leaves, as a list and one by one.
fn check_pairing<const W: usize>(codes: &[Fingerprint<W>], k: u32, all: &[Pair]) {
    let is_first = |at: u64| {
        let at = usize::try_from(at).unwrap();
        !codes[..at].contains(&codes[at])
    };
    let firsts: Vec<bool> = (0..codes.len() as u64).map(is_first).collect();
    let first = |at: u64| firsts[usize::try_from(at).unwrap()];
    let left = all.iter().filter(|pair| first(pair.a) && (first(pair.b) || pair.distance == 0));
    let left: Vec<_> = left.copied().collect();
    for (pairing, expected) in
        [(Pairing::within(k), all), (Pairing::within(k).folding_equal(), &left)]
    {
        assert!(pairing.list(Codes::of(codes)).unwrap() == expected, "k = {k}");
        let streamed = Mutex::new(Vec::new());
        pairing.for_each(Codes::of(codes), &|pair| streamed.lock().unwrap().push(pair)).unwrap();
        let mut streamed = streamed.into_inner().unwrap();
        streamed.sort_unstable();
        assert!(streamed == expected, "k = {k}");
    }
}

/// Asks for what is at `k` and at `k + 1` bits of a stored code, and for anything.
fn check_index<const W: usize>(codes: &[Fingerprint<W>], k: u32) {
    let mut random = Random(13);
    let ids: Vec<u64> = (0..codes.len() as u64).map(|at| (at << 33) ^ 5).collect();
    let (plain, named) = (Index::build(codes, k), Index::build_with_ids(&ids, codes, k));
    let (plain, named) = (plain.unwrap(), named.unwrap());
    let mut file = Vec::new();
    named.write_to(&mut file).unwrap();
    let opened = Index::<_, W>::open(&file).unwrap();
    assert_eq!(opened.k(), k);
    assert_eq!((plain.len(), plain.k(), plain.width()), (codes.len() as u64, k, 64 * W as u32));
    let query = |i: usize| {
        let code = codes[random.below(codes.len())];
        let flips = [0, k as usize, k as usize + 1][i % 3].min(64 * W);
        if i % 10 == 9 { random.code() } else { random.flip(code, 0..64 * W, flips) }
    };
    let queries: Vec<_> = (0..300).map(query).collect();
    let together = plain.query_all(&queries).unwrap();
    assert_eq!(together.len(), queries.len());
    for (query, together) in queries.iter().zip(&together) {
        let near = oracle::neighbors(codes, query, k, |position| position);
        assert_eq!((&plain.query(*query).unwrap(), together), (&near, &near), "k = {k}");
        assert_eq!(plain.nearest(*query).unwrap(), near.first().copied());
        let by_id = oracle::neighbors(codes, query, k, |position| ids[position as usize]);
        assert_eq!(named.query(*query).unwrap(), by_id);
        assert_eq!(opened.query(*query).unwrap(), by_id);
    }
    for other in [0, k / 2, k + 1, 64 * W as u32] {
        let near = oracle::neighbors(codes, &queries[1], other, |position| position);
        assert_eq!(plain.query_within(queries[1], other).unwrap(), near, "k = {k}, {other}");
    }
}

fn everything<const W: usize>() {
    let bits = 64 * W;
    for k in [0, 3, 6] {
        let codes = shuffled(planted::<W>(900, k));
        check_pairs(&codes, &[k, k + 1]);
        check_index(&codes, k);
    }
    for codes in [clustered::<W>(500, 4, 6), crowded(500, 0..16), crowded(500, bits - 16..bits)] {
        let codes = shuffled(codes);
        check_pairs(&codes, &[0, 2, 3, 4, 8]);
        check_index(&codes, 3);
    }
    check_pairs(&shuffled(extremes::<W>()), &[1, 2, bits as u32]);
    check_index(&extremes::<W>(), 2);
    check_index(&shuffled(planted::<W>(300, 30)), 30);
    check_pairs::<W>(&[], &[0, 3]);
    assert_eq!(
        Index::build::<Fingerprint<W>>(&[], 3).unwrap().query(Fingerprint::ZERO),
        Ok(vec![])
    );
}

#[test]
fn codes_of_64_bits() {
    everything::<1>();
}

#[test]
fn codes_of_128_bits() {
    everything::<2>();
}

#[test]
fn codes_of_256_bits() {
    everything::<4>();
}

#[test]
fn plain_numbers_are_codes() {
    assert_eq!(pairs(&[5_u64, 9, 4], 1).unwrap(), [Pair { a: 0, b: 2, distance: 1 }]);
    assert_eq!(pairs(&[5_u128, 5], 0).unwrap(), [Pair { a: 0, b: 1, distance: 0 }]);
    let index = Index::build(&[5_u128, 9], 2).unwrap();
    assert_eq!(index.query(1_u128).unwrap().len(), 2);
}

/// The bytes of an index are those of the segment that the command builds.
#[test]
fn an_index_is_a_segment() {
    let codes = shuffled(planted::<2>(3000, 6));
    let request = Request {
        documents: 4500,
        width: 128,
        k: 6,
        ids: true,
        memory: None,
        purpose: Purpose::Batch,
    };
    assert_eq!(codes.len(), 4500);
    let layout = Planner::new(request).unwrap().choose().unwrap().layout().clone();
    let mut file = Cursor::new(Vec::new());
    let entries = || codes.iter().copied().zip(0..);
    SegmentBuilder::new(layout, None, 1 << 20).build(entries, &mut file).unwrap();
    let index = Index::build(&codes, 6).unwrap();
    assert!(index.as_bytes() == file.get_ref());
    let segment = Segment::<_, 2>::open(index.as_bytes()).unwrap();
    segment.verify().unwrap();
    assert_eq!(segment.documents(), 4500);
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let codes = [1_u64, 2];
    assert_eq!(pairs(&codes, 65).unwrap_err(), Error::RadiusOverWidth { k: 65, width: 64 });
    assert_eq!(Index::build(&codes, 65).unwrap_err(), Error::RadiusOverWidth { k: 65, width: 64 });
    let counts = Index::build_with_ids(&[1], &codes, 3).unwrap_err();
    assert_eq!(counts.to_string(), "1 ids for 2 fingerprints; give one id for each fingerprint");
    let index = Index::build(&codes, 3).unwrap();
    let wide = index.query_within(1_u64, 65).unwrap_err();
    assert_eq!(wide, Error::RadiusOverWidth { k: 65, width: 64 });
    let other = Index::<_, 2>::open(index.as_bytes()).unwrap_err();
    assert_eq!(other, Error::SegmentWidth { found: 64, asked: 128 });
    assert_eq!(Index::<_, 1>::open([0_u8; 99]).unwrap_err(), Error::NoSegment);
}
