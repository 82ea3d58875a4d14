//! The self join against the scan.

use crate::codes::{clustered, crowded, extremes, planted};
use nearprint_bits::Fingerprint;
use nearprint_index::{Error, Pair, SelfJoin, scan};
use std::sync::Mutex;

fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Joins on one thread and on three, and compares both with the scan. Returns the tables used.
fn check<const W: usize>(codes: &[Fingerprint<W>], ks: &[u32]) -> Vec<usize> {
    let widest = scan::pairs(codes, *ks.iter().max().unwrap());
    let check = |k: &u32| {
        let expected: Vec<_> = widest.iter().filter(|pair| pair.distance <= *k).copied().collect();
        let join = SelfJoin::new(codes, *k).unwrap();
        for threads in [1, 3] {
            let found = on(threads, || join.collect().unwrap());
            assert!(
                found == expected,
                "k = {k}, {} codes, {threads} threads, {} tables: {} pairs, not {}",
                codes.len(),
                join.plan().tables(),
                found.len(),
                expected.len()
            );
        }
        join.plan().tables()
    };
    ks.iter().map(check).collect()
}

fn uniform_and_planted<const W: usize>() {
    let bits = 64 * W as u32;
    let mut tables = Vec::new();
    for k in 0..=10 {
        tables.extend(check(&planted::<W>(1500, k), &[k]));
    }
    assert!(tables[..9].iter().all(|tables| *tables > 0), "a plan does without tables: {tables:?}");
    assert_eq!(check(&planted::<W>(300, 20), &[20, 40, bits - 1, bits])[2..], [0, 0]);
}

fn hostile<const W: usize>() {
    let bits = 64 * W;
    let ks = [0, 1, 2, 3, 5, 8, 10, 20];
    check(&clustered::<W>(800, 5, 6), &ks);
    check(&crowded::<W>(700, 0..16), &ks);
    check(&crowded::<W>(700, bits - 16..bits), &ks);
    check(&extremes::<W>(), &[0, 1, 2, 3, 4, 7, bits as u32]);
}

#[test]
fn uniform_codes_of_64_bits() {
    uniform_and_planted::<1>();
}

#[test]
fn uniform_codes_of_128_bits() {
    uniform_and_planted::<2>();
}

#[test]
fn uniform_codes_of_256_bits() {
    uniform_and_planted::<4>();
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

/// Buckets large enough to be joined by tables of their own.
#[test]
fn crowded_buckets_are_joined_by_tables_of_their_own() {
    let mut codes = crowded::<1>(6000, 0..24);
    check(&codes, &[1, 3]);
    codes.extend(planted::<1>(1000, 3));
    codes.sort_unstable();
    check(&codes, &[2, 4]);
    check(&crowded::<2>(5000, 50..80), &[3]);
}

/// More codes than one thread compares alone, and a radius that no table pays for.
#[test]
fn many_codes_are_compared_with_each_other_by_all_threads() {
    assert_eq!(check(&clustered::<1>(2700, 900, 9), &[16, 24]), [0, 0]);
    assert_eq!(check(&planted::<2>(2700, 50), &[50]), [0]);
}

#[test]
fn few_codes_or_none() {
    for n in 0..6 {
        check(&planted::<1>(n, 3), &[0, 3, 64]);
    }
    assert_eq!(check(&[Fingerprint::<4>::ZERO], &[256]), [0]);
}

/// Links give the clusters that all pairs give, and dense clusters cost few of them.
#[test]
fn links_connect_what_pairs_connect() {
    fn find(parents: &[u64], mut rank: u64) -> u64 {
        while parents[rank as usize] != rank {
            rank = parents[rank as usize];
        }
        rank
    }
    fn unite(parents: &mut [u64], pair: Pair) {
        let (a, b) = (find(parents, pair.a), find(parents, pair.b));
        parents[a.max(b) as usize] = a.min(b);
    }
    let flat = |parents: &[u64]| -> Vec<_> {
        (0..parents.len()).map(|rank| find(parents, rank as u64)).collect()
    };
    let mixed = [clustered::<1>(3000, 3, 4), planted(2000, 6)].concat();
    for (codes, k) in [
        (clustered::<1>(4000, 1, 3), 6),
        (crate::codes::sorted(mixed), 6),
        (crowded(5000, 3..17), 2),
    ] {
        let mut expected: Vec<_> = (0..codes.len() as u64).collect();
        let all = scan::pairs(&codes, k);
        all.iter().for_each(|pair| unite(&mut expected, *pair));
        for threads in [1, 3] {
            let parents = Mutex::new((0..codes.len() as u64).collect::<Vec<_>>());
            let links = Mutex::new(Vec::new());
            on(threads, || {
                let joined = SelfJoin::new(&codes, k).unwrap().links(
                    |rank| find(&parents.lock().unwrap(), rank),
                    |pair| {
                        unite(&mut parents.lock().unwrap(), pair);
                        links.lock().unwrap().push(pair);
                    },
                );
                joined.unwrap();
            });
            assert_eq!(flat(&parents.into_inner().unwrap()), flat(&expected));
            let links = links.into_inner().unwrap();
            assert!(links.len() < threads * codes.len(), "{} links", links.len());
            assert!(links.iter().all(|link| all.binary_search(link).is_ok()));
        }
    }
}

#[test]
fn the_scan_that_was_asked_for_is_made_and_finds_the_same() {
    let codes = planted::<2>(3000, 6);
    let join = SelfJoin::by_scan(&codes, 6).unwrap();
    assert_eq!(join.plan().tables(), 0);
    assert!(SelfJoin::new(&codes, 6).unwrap().plan().tables() > 0);
    let expected = scan::pairs(&codes, 6);
    for threads in [1, 3] {
        assert_eq!(on(threads, || join.collect().unwrap()), expected);
    }
}

#[test]
fn refuses_what_it_cannot_join() {
    let codes = [1_u64, 2, 2].map(Fingerprint::from);
    assert_eq!(SelfJoin::new(&codes, 3).unwrap_err(), Error::NotAscending { position: 2 });
    assert_eq!(SelfJoin::by_scan(&codes, 3).unwrap_err(), Error::NotAscending { position: 2 });
    assert!(SelfJoin::by_scan(&codes[..2], 65).is_err());
    let error = SelfJoin::new(&codes[..2], 70).unwrap_err();
    assert_eq!(
        error.to_string(),
        "k = 70 is more than the 64 bits of the fingerprint; use at most 64"
    );
}
