//! The streamed join against the scan of every query with every document.

use crate::codes::{Random, clustered, crowded, extremes, planted, sorted};
use nearprint_bits::Fingerprint;
use nearprint_index::{CrossPair, Error, StreamJoin};
use std::sync::Mutex;

fn scan<const W: usize>(
    queries: &[Fingerprint<W>],
    docs: &[Fingerprint<W>],
    k: u32,
) -> Vec<CrossPair> {
    let mut pairs = Vec::new();
    for (query, one) in (0..).zip(queries) {
        for (doc, other) in (0..).zip(docs) {
            let distance = one.distance(other);
            if distance <= k {
                pairs.push(CrossPair { query, doc, distance });
            }
        }
    }
    pairs
}

/// The join on `threads` threads, the stream cut in chunks of `size`.
fn stream<const W: usize>(
    join: &StreamJoin<'_, W>,
    docs: &[Fingerprint<W>],
    size: usize,
    threads: usize,
) -> Vec<CrossPair> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let found = Mutex::new(Vec::new());
    pool.install(|| {
        let mut first = 0;
        for chunk in docs.chunks(size) {
            join.chunk(chunk, first, |pair| found.lock().unwrap().push(pair)).unwrap();
            first += chunk.len() as u64;
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_unstable();
    found
}

/// Joins for each of `ks`, in chunks of all sizes; compares with the scan. Returns the tables used.
fn check<const W: usize>(
    queries: &[Fingerprint<W>],
    docs: &[Fingerprint<W>],
    ks: &[u32],
) -> Vec<usize> {
    let widest = scan(queries, docs, *ks.iter().max().unwrap());
    let check = |k: &u32| {
        let expected: Vec<_> = widest.iter().filter(|pair| pair.distance <= *k).copied().collect();
        let join = StreamJoin::new(queries, *k).unwrap();
        let tables = join.plan().tables();
        for (size, threads) in [(1, 1), (7, 3), (1000, 3), (docs.len().max(1), 1)] {
            let found = stream(&join, docs, size, threads);
            assert!(
                found == expected,
                "k = {k}, chunks of {size}, {threads} threads, {tables} tables: {} pairs, not {}",
                found.len(),
                expected.len()
            );
        }
        tables
    };
    ks.iter().map(check).collect()
}

/// Documents in no order: two at exactly `k` and two at exactly `k + 1` bits from a query each,
/// some equal to a query, some three times, and even ones.
fn around<const W: usize>(queries: &[Fingerprint<W>], n: usize, k: u32) -> Vec<Fingerprint<W>> {
    let mut random = Random(8 + u64::from(k));
    let (bits, k) = (64 * W, k as usize);
    let mut docs: Vec<Fingerprint<W>> = Vec::new();
    while docs.len() < n {
        let query = queries[random.below(queries.len())];
        docs.extend([k, k, k + 1, k + 1].map(|by| random.flip(query, 0..bits, by.min(bits))));
        let again = docs[random.below(docs.len())];
        docs.extend([query, random.code(), again, again]);
    }
    docs
}

fn planted_at_the_radius<const W: usize>() {
    let bits = 64 * W as u32;
    let mut tables = Vec::new();
    for k in 0..=10 {
        let queries = planted::<W>(1200, k);
        tables.extend(check(&queries, &around(&queries, 1600, k), &[k]));
    }
    assert!(tables[..5].iter().all(|tables| *tables > 0), "a plan does without tables: {tables:?}");
    let queries = planted::<W>(300, 20);
    let far = check(&queries, &around(&queries, 400, 20), &[20, 40, bits - 1, bits]);
    assert_eq!(far[2..], [0, 0]);
}

fn hostile<const W: usize>() {
    let bits = 64 * W;
    let ks = [0, 1, 2, 3, 5, 8, 10, 20];
    let mut docs = [clustered::<W>(300, 5, 6), crowded(300, 0..16), extremes()].concat();
    docs.extend([docs[0]; 50]);
    docs.reverse();
    for queries in [clustered(500, 5, 6), crowded(400, 0..16), crowded(400, bits - 16..bits)] {
        check(&queries, &docs, &ks);
    }
    check(&extremes::<W>(), &docs, &[0, 1, 2, 3, 4, 7, bits as u32]);
}

#[test]
fn planted_documents_of_64_bits() {
    planted_at_the_radius::<1>();
}

#[test]
fn planted_documents_of_128_bits() {
    planted_at_the_radius::<2>();
}

#[test]
fn planted_documents_of_256_bits() {
    planted_at_the_radius::<4>();
}

#[test]
fn hostile_codes_of_64_bits() {
    hostile::<1>();
}

#[test]
fn hostile_codes_of_128_bits() {
    hostile::<2>();
}

#[test]
fn hostile_codes_of_256_bits() {
    hostile::<4>();
}

/// Buckets large enough to have tables of their own, and some within those.
#[test]
fn crowded_queries_have_tables_of_their_own() {
    let crowd = crowded::<1>(6000, 0..24);
    let queries = sorted([crowd.clone(), planted(1000, 3), crowded(3000, 14..30)].concat());
    let docs = [around(&crowd, 500, 3), around(&queries, 300, 2)].concat();
    assert!(check(&queries, &docs, &[1, 2, 3, 4]).iter().all(|tables| *tables > 0));
    let crowd = crowded::<2>(4000, 50..80);
    check(&crowd, &around(&crowd, 400, 3), &[3]);
}

/// More documents than one part of a chunk has, ordinals beyond 32 bits.
#[test]
fn ordinals_run_on_through_parts_and_chunks() {
    let queries = planted::<1>(400, 3);
    let docs = around(&queries, 9000, 3);
    check(&queries, &docs, &[3]);
    let join = StreamJoin::new(&queries, 0).unwrap();
    let found = Mutex::new(Vec::new());
    join.chunk(&queries[..5], u64::MAX - 4, |pair| found.lock().unwrap().push(pair.doc)).unwrap();
    found.lock().unwrap().sort_unstable();
    assert_eq!(*found.lock().unwrap(), [4, 3, 2, 1, 0].map(|before| u64::MAX - before));
}

#[test]
fn few_queries_or_documents_or_none() {
    let some = planted::<1>(6, 3);
    for n in 0..6 {
        check(&some[..n], &some, &[0, 3, 64]);
        check(&some, &some[..n], &[0, 3, 64]);
    }
    assert_eq!(check(&[Fingerprint::<4>::ZERO], &[Fingerprint::ZERO; 9], &[256]), [0]);
}

#[test]
fn refuses_what_it_cannot_join() {
    let codes = [1_u64, 2, 2].map(Fingerprint::from);
    assert_eq!(StreamJoin::new(&codes, 3).unwrap_err(), Error::NotAscending { position: 2 });
    let wide = StreamJoin::new(&codes[..2], 65).unwrap_err();
    assert_eq!(wide, Error::RadiusOverWidth { k: 65, width: 64 });
}
